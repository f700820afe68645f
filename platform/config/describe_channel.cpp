// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of the NAND buses, once; those of calibrated data out: describe_calibration.cpp.
#include "models/channel/interface_rows.h"
#include "platform/config/describe_tools.h"
#include "platform/config/resolve_channel.h"
#include "platform/config/scenario_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace strobe::platform {

using nlohmann::json;

namespace {

// A word for no value ("minimum"), a period ("20ns") or a frequency ("50MHz").
void describeClock(Fields& f, const std::string& name, const std::string& word, std::optional<Time>& period,
                   std::string_view help)
{
    f.custom({name, fmt::format("\"{}\", time or frequency", word), "", std::string(help)},
             {[&period, word](const json& j) -> std::string {
                  std::string wanted = fmt::format(
                      "must be \"{}\", a period like \"20ns\" or a frequency like \"50MHz\", not {}", word, j.dump());
                  if (!j.is_string())
                      return wanted;
                  const auto text = j.get<std::string>();
                  if (text == word) {
                      period.reset();
                  } else if (const Parsed time = parseQuantity(Quantity::Time, text); time.value && *time.value > 0) {
                      period = picoseconds(*time.value);
                  } else if (const Parsed rate = parseQuantity(Quantity::Frequency, text);
                             rate.value && *rate.value > 0) {
                      period = picoseconds((second + *rate.value - 1) / *rate.value);
                  } else {
                      return wanted;
                  }
                  return {};
              },
              [&period, word] { return json(period ? quantityText(Quantity::Time, period->count()) : word); },
              [word] {
                  return json{{"anyOf", json::array({json{{"const", word}}, json{{"$ref", "#/definitions/time"}},
                                                     json{{"$ref", "#/definitions/frequency"}}})}};
              }});
}

void describeInterface(Fields& f, std::string& name)
{
    f.custom(
        {"interface", "word", interfaceChoices(), "NAND interface: one with a computed clock, or an ONFI timing mode."},
        {[&name](const json& j) -> std::string {
             const std::vector<std::string> names = channel::interfaceNames();
             const std::string said = j.is_string() ? j.get<std::string>() : std::string();
             if (std::find(names.begin(), names.end(), said) == names.end()) {
                 const std::string near = nearestName(said, names);
                 return fmt::format("must be {}, not {}{}", interfaceChoices(), j.dump(),
                                    near.empty() ? "" : "; did you mean \"" + near + "\"?");
             }
             name = said;
             return {};
         },
         [&name] { return json(name); },
         [] {
             return json{{"enum", channel::interfaceNames()}};
         }});
}

} // namespace

channel::ElectricalParameters ChannelSection::tableTwo()
{
    channel::ElectricalParameters p;
    p.tOUT = picoseconds(7'820);
    p.tIN = picoseconds(1'650);
    p.tS = picoseconds(250);
    p.tH = picoseconds(20);
    p.tREA = picoseconds(20'000);
    p.tDIFF = picoseconds(4'690);
    p.tBYTE = picoseconds(12'000);
    p.alphaPermille = 500;
    return p;
}

void describeChannel(Fields& f, ChannelSection& c)
{
    const Range wait{0, 100 * microsecond};
    describeInterface(f, c.interface);
    describeClock(
        f, "clock", "minimum", c.period,
        "Clock of the NAND bus: a period or a frequency within the limit of the interface, or its minimum period.");
    describeClock(
        f, "readClock", "clock", c.readPeriod,
        "Separate clock of data out of the flash, within the limit of the interface; by default that of the bus.");
    f.ifChosen(enumValue<channel::InterfaceKind>(c.interface).has_value(), "interfaces with a computed clock");
    f.object("parameters", "Electrical parameters; defaults from Table 2 of the DDR NAND paper.", [&](Fields& g) {
        const Range range{0, microsecond};
        auto& p = c.parameters;
        g.quantity("tOUT", Quantity::Time, p.tOUT, range, "Delay from controller pad to chip.");
        g.quantity("tIN", Quantity::Time, p.tIN, range, "Delay from chip to controller pad.");
        g.quantity("tS", Quantity::Time, p.tS, range, "Set-up time of the controller's latch.");
        g.quantity("tH", Quantity::Time, p.tH, range, "Hold time of the controller's latch.");
        g.quantity("tREA", Quantity::Time, p.tREA, range, "Read enable to data valid.");
        g.quantity("tDIFF", Quantity::Time, p.tDIFF, range, "Skew between strobe and data on the board.");
        g.quantity("tBYTE", Quantity::Time, p.tBYTE, range, "Page register to chip pad, one byte.");
        g.quantity("alpha", Quantity::Percent, p.alphaPermille, {0, 500}, "Strobe delay tD as a share of the period.");
    });
    f.quantityOr("tCS", Quantity::Time, c.tCS, "interface", wait,
                 "Chip enable set-up before the first cycle; \"interface\": the value of the interface.");
    f.quantityOr("tADL", Quantity::Time, c.tADL, "interface", wait, "Last address cycle to first data-in cycle.");
    f.quantityOr("tWB", Quantity::Time, c.tWB, "interface", wait, "Confirm command to R/B# low.");
    f.quantityOr("tRR", Quantity::Time, c.tRR, "interface", wait, "R/B# high to first data-out cycle.");
    f.quantityOr("tWHR", Quantity::Time, c.tWHR, "interface", wait, "Status or id command to data-out.");
    f.quantityOr("tCCS", Quantity::Time, c.tCCS, "interface", wait, "Change of column or plane to data-out.");
    f.number("warmUpIn", c.warmUpIn, {0, 4},
             "Strobe cycles before each run of data in (NV-DDR2, NV-DDR3, NV-LPDDR4): 0, 1, 2 or 4.");
    f.number("warmUpOut", c.warmUpOut, {0, 4}, "The same before each run of data out.");
    f.flag("separateCommandAddress", c.separateCommandAddress,
           "Commands and addresses as packets on lines of their own, beside the data of another die (SCA; NV-DDR3, "
           "NV-LPDDR4).");
    f.onlyIf(c.separateCommandAddress, "channel.separateCommandAddress", "commands have no lines of their own",
             {"separateCommandAddress"});
    f.quantity("commandClock", Quantity::Time, c.commandClock, {1'600, 100'000},
               "Clock period of these lines; a command or address byte takes three. The default is assumed.");
    f.flag("wholeClocks", c.wholeClocks, "Round array times and waits up to whole clock cycles.");
    f.flag("statusAfterArray", c.statusAfterArray, "Read the status byte after program, erase and copy-back.");
    f.quantity("statusPollDelay", Quantity::Time, c.statusPollDelay, {0, millisecond},
               "From R/B# high to its detection by the controller.");
    f.choice("order", c.order, "Order in which waiting segments get the bus.");
    f.choice("suspend", c.suspend, "Operations that a waiting read suspends on its die.");
    f.onlyIf(c.suspend != channel::Suspend::None, "suspend other than none", "nothing is suspended", {"suspend"});
    f.number("suspendReads", c.suspendReads, {1, 64},
             "Maximum number of reads per suspension, and of consecutive reads that pass waiting programs and erases.");
    f.object("calibration", "Data out at a clock that firmware calibrates for each die.",
             [&](Fields& g) { describeCalibration(g, c.calibration); });
}

} // namespace strobe::platform
