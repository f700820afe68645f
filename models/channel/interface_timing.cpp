// SPDX-License-Identifier: Apache-2.0
#include "models/channel/interface_timing.h"

#include "models/base/check.h"
#include "models/channel/interface_equations.h"

#include <algorithm>
#include <initializer_list>

namespace strobe::channel {

namespace {

// `thousandths` / 1000 without trailing zeros: 7820 -> "7.82". Exact, so that the calculation can be checked by hand.
std::string decimal(std::int64_t thousandths)
{
    std::string digits = std::to_string(thousandths % 1000);
    digits.insert(0, 3 - digits.size(), '0');
    digits.erase(digits.find_last_not_of('0') + 1);
    return std::to_string(thousandths / 1000) + (digits.empty() ? "" : "." + digits);
}

std::string sum(std::initializer_list<Time> summands) // in nanoseconds
{
    std::string text;
    for (const Time summand : summands)
        text += (text.empty() ? "(" : " + ") + decimal(summand.count());
    return text + ")";
}

DerivationTerm pageRegister(Time tBYTE)
{
    return {"tBYTE", decimal(tBYTE.count()), tBYTE};
}

Derivation deriveConventional(const ElectricalParameters& p)
{
    Derivation derivation;
    derivation.equation = "eq. 6";
    derivation.terms = {
        {"(tOUT + tREA + tIN + tS) / (1 + alpha)",
         sum({p.tOUT, p.tREA, p.tIN, p.tS}) + " / (1 + " + decimal(p.alphaPermille) + ")",
         equation::readCycle6(p.tOUT, p.tREA, p.tIN, p.tS, p.alphaPermille)},
        pageRegister(p.tBYTE),
    };
    derivation.minimumPeriod = equation::conventionalPeriod6(p.tOUT, p.tREA, p.tIN, p.tS, p.alphaPermille, p.tBYTE);
    return derivation;
}

Derivation deriveStrobed(const ElectricalParameters& p)
{
    Derivation derivation;
    derivation.equation = "eq. 9";
    derivation.terms = {
        {"2 (tS + tH + tDIFF)", "2 " + sum({p.tS, p.tH, p.tDIFF}), equation::strobeCycle9(p.tS, p.tH, p.tDIFF)},
        pageRegister(p.tBYTE),
    };
    derivation.minimumPeriod = equation::strobedPeriod9(p.tS, p.tH, p.tDIFF, p.tBYTE);
    return derivation;
}

struct KindRow {
    InterfaceKind kind;
    Derivation (*derive)(const ElectricalParameters&);
    std::uint32_t bytesPerCycle;
};
constexpr std::array<KindRow, 3> kinds{{{InterfaceKind::Conv, deriveConventional, 1},
                                        {InterfaceKind::SyncOnly, deriveStrobed, 1},
                                        {InterfaceKind::Proposed, deriveStrobed, 2}}};

const KindRow& rowOf(InterfaceKind kind)
{
    const auto row = std::find_if(kinds.begin(), kinds.end(), [kind](const KindRow& r) { return r.kind == kind; });
    check(row != kinds.end(), "an interface kind has no row");
    return *row;
}

} // namespace

Derivation derivePeriod(InterfaceKind kind, const ElectricalParameters& parameters)
{
    check(parameters.alphaPermille >= 0 && parameters.alphaPermille <= 500, "alpha lies between 0 and 1/2");
    Derivation derivation = rowOf(kind).derive(parameters);
    const auto& terms = derivation.terms;
    const auto largest = std::max_element(
        terms.begin(), terms.end(), [](const DerivationTerm& a, const DerivationTerm& b) { return a.value < b.value; });
    derivation.deciding = static_cast<std::size_t>(largest - terms.begin());
    return derivation;
}

InterfaceTiming resolveTiming(InterfaceKind kind, const ElectricalParameters& parameters, Time period)
{
    const Time minimum = derivePeriod(kind, parameters).minimumPeriod;
    check(period == Time{} || period >= minimum, "the clock period is shorter than the interface allows");
    InterfaceTiming timing;
    timing.name = enumName(kind);
    timing.cycle = period == Time{} ? minimum : period;
    timing.bytesPerCycle = rowOf(kind).bytesPerCycle;
    check(timing.cycle > Time{}, "an interface needs a clock period above zero");
    return timing;
}

} // namespace strobe::channel
