// SPDX-License-Identifier: Apache-2.0
#include "platform/config/resolve_channel.h"

#include "models/base/config_error.h"
#include "models/channel/clocked_times.h"
#include "models/channel/interface_rows.h"
#include "models/channel/line_use.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

using channel::InterfaceKind;
using channel::InterfaceTiming;

// Waits of the computed interfaces: data sheet of K9F1G08U0A (2 KiB page SLC, 3.3 V); tCCS as in ONFI's SDR modes.
InterfaceTiming withDataSheetWaits(InterfaceTiming timing)
{
    timing.tCS = picoseconds(20'000);
    timing.tADL = picoseconds(100'000);
    timing.tWB = picoseconds(100'000);
    timing.tRR = picoseconds(20'000);
    timing.tWHR = picoseconds(60'000);
    timing.tCCS = picoseconds(500'000);
    return timing;
}

// Data out with a separate clock. REQUIRES: not shorter than the interface allows.
void setReadPeriod(InterfaceTiming& timing, const ChannelSection& c, Time minimum)
{
    if (c.readPeriod)
        timing.dataOutCycle = std::max(*c.readPeriod, minimum);
}

// ONFI feature 02h has codes for 0, 1, 2 and 4 cycles.
void setWarmUp(InterfaceTiming& timing, const ChannelSection& c, std::vector<Problem>& problems)
{
    const auto check = [&](const char* name, std::uint32_t cycles) {
        const std::string place = std::string("/channel/") + name;
        if (cycles > timing.mostWarmUp)
            problems.push_back({place,
                                c.interface + " has no warm-up cycles; NV-DDR2, NV-DDR3 and NV-LPDDR4 have them",
                                false,
                                {"/channel/interface"}});
        else if (cycles == 3)
            problems.push_back({place, "must be 0, 1, 2 or 4, not 3"});
    };
    check("warmUpIn", c.warmUpIn);
    check("warmUpOut", c.warmUpOut);
    timing.warmUpIn = c.warmUpIn;
    timing.warmUpOut = c.warmUpOut;
}

// Commands on lines of their own.
void setCommandLines(InterfaceTiming& timing, ChannelSection& c, std::vector<Problem>& problems)
{
    if (!c.separateCommandAddress)
        return;
    if (timing.mayHaveCommandLines) {
        timing = channel::withCommandLines(timing, c.commandClock);
        return;
    }
    problems.push_back({"/channel/separateCommandAddress",
                        c.interface + " has no separate command and address lines; NV-DDR3 and NV-LPDDR4 have them",
                        false,
                        {"/channel/interface"}});
    c.separateCommandAddress = false;
}

// At the chosen period, or at the shortest of the interface.
InterfaceTiming timingAt(const ChannelSection& c, std::optional<InterfaceKind> kind, Time period)
{
    if (kind)
        return withDataSheetWaits(channel::resolveTiming(*kind, c.parameters, period));
    const InterfaceTiming& row = channel::findInterface(c.interface)->timing;
    return channel::atPeriod(row, std::max(period, channel::shortestCycle(row)));
}

// For a die without a data strobe: conventional cycles, at the chosen clock or as fast as they allow. The asynchronous
// modes of ONFI need no strobe.
InterfaceTiming fallback(const ChannelSection& c, const InterfaceTiming& chosen)
{
    if (c.interface.rfind("ONFI_SDR", 0) == 0)
        return chosen;
    const Time minimum = channel::derivePeriod(InterfaceKind::Conv, c.parameters).minimumPeriod;
    InterfaceTiming timing = timingAt(c, InterfaceKind::Conv, std::max(*c.period, minimum));
    setReadPeriod(timing, c, minimum);
    return timing;
}

} // namespace

ChannelConfig resolveChannel(ChannelSection& c, std::vector<Problem>& problems)
{
    ChannelConfig r;
    r.kind = enumValue<InterfaceKind>(c.interface);
    r.parameters = c.parameters;
    r.order = c.order;
    r.join.suspend = c.suspend;
    r.join.suspendReads = c.suspendReads;
    Time minimum{};
    Time readMinimum{}; // of data out
    std::string why;
    if (r.kind) {
        r.derivation = channel::derivePeriod(*r.kind, c.parameters);
        readMinimum = minimum = r.derivation.minimumPeriod;
        why = ", which is " + toText(minimum) + " (" + r.derivation.equation + ")";
    } else {
        const InterfaceTiming& row = channel::findInterface(c.interface)->timing;
        minimum = channel::shortestCycle(row);
        readMinimum = row.outCycle();
        why = ", which is " + toText(minimum);
    }
    if (minimum <= Time{}) {
        problems.push_back({"/channel/parameters", "the minimum period comes out as zero; tBYTE is at fault"});
        return r;
    }
    if (c.period && *c.period < minimum) {
        problems.push_back(
            {"/channel/clock",
             fmt::format("a period of {} is below the minimum period of {}{}", toText(*c.period), c.interface, why),
             false,
             {"/channel/interface"}});
        c.period = minimum;
    }
    if (c.readPeriod && *c.readPeriod < readMinimum) {
        problems.push_back({"/channel/readClock",
                            fmt::format("a period of {} is below the minimum period of data out of {}, which is {}",
                                        toText(*c.readPeriod), c.interface, toText(readMinimum)),
                            false,
                            {"/channel/interface"}});
        c.readPeriod = readMinimum;
    }
    c.period = c.period.value_or(minimum);
    r.timing = timingAt(c, r.kind, *c.period);
    setReadPeriod(r.timing, c, readMinimum);
    r.conventional = fallback(c, r.timing);
    const auto take = [&](std::optional<Time> ChannelSection::*said, Time InterfaceTiming::*wait) {
        r.conventional.*wait = (c.*said).value_or(r.conventional.*wait);
        c.*said = r.timing.*wait = (c.*said).value_or(r.timing.*wait);
    };
    take(&ChannelSection::tCS, &InterfaceTiming::tCS);
    take(&ChannelSection::tADL, &InterfaceTiming::tADL);
    take(&ChannelSection::tWB, &InterfaceTiming::tWB);
    take(&ChannelSection::tRR, &InterfaceTiming::tRR);
    take(&ChannelSection::tWHR, &InterfaceTiming::tWHR);
    take(&ChannelSection::tCCS, &InterfaceTiming::tCCS);
    setWarmUp(r.timing, c, problems);
    setCommandLines(r.timing, c, problems);
    const Time clock = r.timing.busClock();
    for (InterfaceTiming* timing : {&r.timing, &r.conventional}) {
        timing->statusAfterArray = c.statusAfterArray;
        timing->statusPollDelay = c.statusPollDelay;
        if (c.wholeClocks)
            *timing = channel::inWholeClocks(*timing, clock);
    }
    return r;
}

channel::InterfaceTiming interfaceTiming(const std::string& name)
{
    const std::vector<std::string> names = channel::interfaceNames();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        const std::string near = nearestName(name, names);
        throw ConfigError(fmt::format("{} is not a NAND interface{}; must be {}", name,
                                      near.empty() ? "" : " (did you mean " + near + "?)", interfaceChoices()));
    }
    ChannelSection section;
    section.interface = name;
    std::vector<Problem> problems;
    return resolveChannel(section, problems).timing;
}

std::string interfaceChoices()
{
    std::string text;
    for (const auto& kind : channel::interfaceKindTable)
        text += std::string(kind.name) + ", ";
    std::string family;
    std::optional<int> last; // mode of the family
    bool isRange = false;
    const auto endRange = [&] {
        if (isRange)
            text += fmt::format(" to {}", *last);
        isRange = false;
    };
    for (const channel::InterfaceRow& row : channel::interfaceRows()) { // modes of a family follow one another
        const std::string& name = row.timing.name;
        const std::size_t split = name.rfind('_');
        const int mode = std::stoi(name.substr(split + 1));
        if (name.substr(0, split) == family && mode == *last + 1) {
            isRange = true;
        } else {
            endRange();
            text += (last ? ", " : "") + name;
            family = name.substr(0, split);
        }
        last = mode;
    }
    endRange();
    return text;
}

} // namespace strobe::platform
