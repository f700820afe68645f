// SPDX-License-Identifier: Apache-2.0
//
// strobe inspect …: references that need no simulation.
#include "models/channel/interface_rows.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/assembly/counter_blocks.h"
#include "platform/assembly/memory_map.h"
#include "platform/report/statistics_sections.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

std::string nanoseconds(Time time)
{
    return fmt::format("{:.3f} ns", toNanoseconds(time));
}

void printDerivation(channel::InterfaceKind kind, const channel::ElectricalParameters& parameters)
{
    const channel::Derivation d = channel::derivePeriod(kind, parameters);
    fmt::print(
        "{} ({}), {}\n", enumName(kind),
        [&] {
            for (const auto& row : channel::interfaceKindTable) {
                if (row.value == kind)
                    return row.help;
            }
            return std::string_view();
        }(),
        d.equation);
    for (std::size_t i = 0; i < d.terms.size(); ++i) {
        const channel::DerivationTerm& term = d.terms[i];
        fmt::print("  {} {} = {} = {}\n", i == d.deciding ? "*" : " ", term.name, term.working,
                   nanoseconds(term.value));
    }
    fmt::print("    minimum period {}, at most {:.2f} MHz; limit: {}\n\n", nanoseconds(d.minimumPeriod),
               1e6 / static_cast<double>(d.minimumPeriod.count()), d.terms[d.deciding].name);
}

// Sources of the figures of the rows: rows with equal sources are listed together.
void printSources()
{
    const auto& rows = channel::interfaceRows();
    for (std::size_t first = 0, next = 0; first < rows.size(); first = next) {
        const channel::InterfaceRow& row = rows[first];
        while (next < rows.size() && rows[next].source == row.source && rows[next].unconfirmed == row.unconfirmed)
            ++next;
        const std::string last = next - first > 1 ? " to " + rows[next - 1].timing.name : "";
        fmt::print("  {}{}: {}.\n", row.timing.name, last, row.source);
        fmt::print("    {}{}.\n",
                   row.isConfirmed() ? "Confirmed by a second source" : "Not confirmed: ", row.unconfirmed);
    }
}

void printRegisters(const BusMapping& mapping)
{
    for (std::size_t i = 0; i < mapping.registerCount; ++i) {
        const RegisterInfo& r = mapping.registers[i];
        const std::string name =
            r.count > 1 ? fmt::format("{}[{}], every {} bytes", r.name, r.count, r.step) : std::string(r.name);
        const auto lines = wrapped(r.description, 60);
        fmt::print("  {:#010x}  {:<24} {}\n", raw(mapping.region.base) + r.offset, name, lines.front());
        for (std::size_t line = 1; line < lines.size(); ++line)
            fmt::print("  {:10}  {:<24} {}\n", "", "", lines[line]);
    }
}

std::string remarkOn(const BusMapping& mapping)
{
    if (mapping.core != 0)
        return "; registers as those of core 0";
    switch (mapping.target) {
    case BusTarget::Sram: return " (sram.size)";
    case BusTarget::Boot: return ": boot block (docs/registers.md)";
    case BusTarget::Sdram: return " (memory.size): bad block table, control memory, data buffer";
    default: return {};
    }
}

} // namespace

int inspectInterface(const std::string& name, const LoadOptions& options)
{
    const Scenario scenario = loadScenario(findScenario(name, options), options);
    const ChannelConfig& c = scenario.channel;
    for (const auto& row : channel::interfaceKindTable)
        printDerivation(row.value, c.parameters);

    TextTable table({"interface", "command cycle", "data in", "data out", "bytes", "in", "out", ""}, {0, 7});
    std::vector<channel::InterfaceTiming> timings;
    timings.reserve(channel::interfaceKindTable.size() + channel::interfaceRows().size());
    for (const auto& row : channel::interfaceKindTable)
        timings.push_back(channel::resolveTiming(row.value, c.parameters, Time{}));
    for (const channel::InterfaceRow& row : channel::interfaceRows())
        timings.push_back(row.timing);
    for (const channel::InterfaceTiming& t : timings) {
        const auto rate = [&](Time cycle) {
            return fmt::format("{:.2f} MB/s", 1e6 * t.bytesPerCycle / static_cast<double>(cycle.count()));
        };
        table.row({t.name, nanoseconds(t.cycle), nanoseconds(t.inCycle()), nanoseconds(t.outCycle()),
                   std::to_string(t.bytesPerCycle), rate(t.inCycle()), rate(t.outCycle()),
                   t.name == c.timing.name ? "<- " + scenario.name : ""});
    }
    fmt::print("{}\n", table.text());
    printSources();
    const channel::InterfaceTiming& t = c.timing;
    if (t.hasCommandLines)
        fmt::print("\n  Commands and addresses of {} have lines of their own: a packet of {} per byte.\n",
                   scenario.name, nanoseconds(t.cycle));
    if (t.inCycle() == t.outCycle())
        fmt::print("\n  {} runs {} at a period of {}.\n", scenario.name, t.name,
                   nanoseconds(channel::shortestCycle(t)));
    else
        fmt::print("\n  {} runs {} at a period of {} into the flash and {} out of it.\n", scenario.name, t.name,
                   nanoseconds(t.inCycle()), nanoseconds(t.outCycle()));
    return exitOk;
}

int inspectPart(const std::string& name, const LoadOptions& options)
{
    fmt::print("{}\n", partJson(loadPart(name, options)));
    return exitOk;
}

int inspectScenario(const std::string& name, const LoadOptions& options)
{
    fmt::print("{}\n", loadScenario(findScenario(name, options), options).resolvedJson);
    return exitOk;
}

int inspectParameters(bool markdown)
{
    fmt::print("{}", markdown ? parameterTableMarkdown() : parameterTable());
    return exitOk;
}

int inspectStatistics(bool markdown)
{
    const std::vector<CounterBlock> counters = allCounterBlocks();
    fmt::print("{}", markdown ? statisticsTableMarkdown(counters) : statisticsTable(counters));
    return exitOk;
}

int inspectSchema()
{
    fmt::print("{}", scenarioSchema());
    return exitOk;
}

int inspectMemoryMap(const std::string& name, const LoadOptions& options)
{
    const Scenario scenario = loadScenario(findScenario(name, options), options);
    for (const BusMapping& mapping : memoryMap(layOutMemory(scenario), scenario.firmware.cores)) {
        fmt::print("{:#010x}  {}, {} bytes{}\n", raw(mapping.region.base), mapping.name, grouped(mapping.region.size),
                   remarkOn(mapping));
        if (mapping.core == 0)
            printRegisters(mapping);
    }
    return exitOk;
}

} // namespace strobe::platform
