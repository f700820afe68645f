// SPDX-License-Identifier: Apache-2.0
//
// Parameters of a part's error model, and of the age of a drive.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace strobe::platform {

using nlohmann::json;

namespace {

template <class T>
void numbers(Fields& f, const char* name, std::vector<T>& values, const char* text)
{
    f.custom({name, "list of numbers", "up to 32 numbers", text},
             {[&values](const json& j) -> std::string {
                  const auto isNumber = [](const json& n) {
                      return std::is_integral_v<T> ? n.is_number_unsigned() : n.is_number();
                  };
                  if (!j.is_array() || j.size() > 32 || !std::all_of(j.begin(), j.end(), isNumber))
                      return "must be a list of up to 32 numbers";
                  values = j.get<std::vector<T>>();
                  return {};
              },
              [&values] { return json(values); },
              [] {
                  return json{{"type", "array"}, {"maxItems", 32}, {"items", {{"type", "number"}}}};
              }});
}

void describeFormula(Fields& f, nand::ErrorFormula& c)
{
    const auto coefficient = [&f](const char* name, double& value, const char* text) {
        f.real(name, value, 0, 1, text);
    };
    const auto exponent = [&f](const char* name, double& value, const char* text) { f.real(name, value, 0, 10, text); };
    coefficient("e", c.e, "Bit error rate of a fresh part.");
    coefficient("a", c.a, "Factor of cycles^k.");
    exponent("k", c.k, "Exponent of the cycles.");
    coefficient("b", c.b, "Factor of cycles^m x hours^n.");
    exponent("m", c.m, "Exponent of the cycles in the term of retention.");
    exponent("n", c.n, "Exponent of the hours since the program.");
    coefficient("g", c.g, "Factor of cycles^p x reads^q.");
    exponent("p", c.p, "Exponent of the cycles in the term of read disturb.");
    exponent("q", c.q, "Exponent of the reads of the block per page of it.");
    numbers(f, "pageFactors", c.pageFactors, "Factors of the page types; none: all are alike.");
    f.real("pslcFactor", c.pslcFactor, 0, 10, "Factor in pSLC mode, instead of the page type's.");
}

void describeStates(Fields& f, nand::ThresholdStates& c)
{
    f.listOf("retention", c.retention, "Distributions by time since the program, ascending.",
             [](Fields& g, nand::StatesAfter& row) {
                 g.required().real("hours", row.hours, 0.001, 1e6, "Time since the program.");
                 numbers(g, "means", row.means, "Mean voltages of the states, the erased one first.");
                 numbers(g, "deviations", row.deviations, "Their standard deviations.");
             });
    f.real("cycles", c.cycles, 0, 1e6, "Program/erase cycles to which the distributions belong.");
    f.listOf("wear", c.wear, "Means by cycles, ascending; none: they do not depend on cycles.",
             [](Fields& g, nand::StatesWorn& row) {
                 g.required().real("cycles", row.cycles, 0, 1e6, "Program/erase cycles.");
                 numbers(g, "means", row.means, "Mean voltages at the first retention time.");
             });
    f.real("wearExponent", c.wearExponent, 0, 10, "Changes by retention grow with cycles to this power.");
    f.real("disturb", c.disturb, 0, 1'000, "Rise of the erased state per read of the block per page of it.");
    numbers(f, "references", c.references, "Read references between the states, as at power-on.");
    f.listOf("pages", c.pages, "Coding: the references with which a page of each type is read.",
             [](Fields& g, std::vector<std::uint32_t>& page) {
                 numbers(g, "references", page, "Numbers of references, from 1.");
             });
}

} // namespace

void describeErrors(Fields& f, nand::ErrorModel& c)
{
    f.choice("model", c.kind, "What determines the raw bit error rate.");
    f.text("source", c.source, "Source of the numbers.");
    f.object("formula", "Model formula: e + a cycles^k + b cycles^m hours^n + g cycles^p reads^q.",
             [&](Fields& g) { describeFormula(g, c.formula); });
    f.object("states", "Model states: normal distributions of the threshold voltages.",
             [&](Fields& g) { describeStates(g, c.states); });
    f.real("activation", c.activation, 0, 5, "Activation energy of charge loss, eV.");
    f.real("temperature", c.celsius, -40, 150, "Temperature to which the retention times refer, degrees Celsius.");
    f.real("blockSpread", c.blockSpread, 0, 1,
           "Standard deviation from block to block: of the logarithm of the rate (formula), of the width of the states "
           "(states).");
    f.real("wordLineSpread", c.wordLineSpread, 0, 1, "The same, from word line to word line of a block.");
    f.listOf("options", c.options, "Retry table: read options that SET FEATURES selects, from option 1 on.",
             [](Fields& g, nand::ReadOption& option) {
                 numbers(g, "shifts", option.shifts, "Model states: shifts of the references.");
                 g.real("factor", option.factor, 0, 100, "Model formula: factor of the bit error rate.");
             });
    f.number("reclaimReads", c.reclaimReads, {1, 1'000'000'000},
             "Reads of a block after which its data should be moved, for statistics.");
}

void describeAge(Fields& f, NandSection::Age& c)
{
    f.quantity("retention", Quantity::Duration, c.seconds, {0, 1'000'000'000},
               "How long data from before the run (functional preconditioning, a contents file) has been stored.");
    f.real("temperature", c.celsius, -40, 150, "Temperature of that storage, degrees Celsius.");
    f.number("readsPerBlock", c.reads, {0, 1'000'000'000}, "Reads of each block of that data since its program.");
}

} // namespace strobe::platform
