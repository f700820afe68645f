// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/stall.h"

#include "models/base/config_error.h"
#include "models/cpu/rv32_cpu_module.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/call_chain.h"
#include "platform/assembly/fault_report.h"
#include "platform/assembly/register_names.h"
#include "platform/config/resolve.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace strobe::platform {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t mostCommands = 8;
constexpr std::size_t mostBusy = 8; // flash units or dies

struct Core {
    std::uint32_t number;
    const cpu::CpuModule& cpu;
    const cpu::InterruptController& interrupts;
    const cpu::Rv32Firmware* firmware; // null: native
    const rv32::Core* rv32;            // the same

    std::string name() const { return fmt::format("core {}", number); }
    bool takesExternal() const { return rv32 == nullptr || (mie() >> externalBit & 1U) != 0; }
    std::uint32_t mie() const { return rv32->csr(rv32::csr::mie).value_or(0); }

    static constexpr unsigned externalBit = 11;
};

const rv32::Core* hartOf(const cpu::CpuModule& cpu)
{
    const auto* module = dynamic_cast<const cpu::Rv32CpuModule*>(&cpu);
    return module == nullptr ? nullptr : &module->core();
}

std::vector<Core> stalledCores(const SsdModule& ssd)
{
    std::vector<Core> cores{{0, *ssd.cpu, ssd.interrupts.controller(), ssd.firmware.get(), hartOf(*ssd.cpu)}};
    if (ssd.second)
        cores.push_back({1, *ssd.second->cpu, ssd.second->interrupts.controller(), ssd.second->firmware.get(),
                         hartOf(*ssd.second->cpu)});
    return cores;
}

std::uint32_t maskOf(cpu::InterruptSource line)
{
    return 1U << static_cast<unsigned>(line);
}

std::string lineNames(std::uint32_t lines)
{
    std::string names;
    for (const auto& row : cpu::interruptSourceTable) {
        if ((lines & maskOf(row.value)) != 0)
            names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    return names.empty() ? "none" : names;
}

std::string counted(std::uint64_t count, const char* what)
{
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// --- commands --------------------------------------------------------------------------------------------------------

std::string textOf(const host::Request& request)
{
    return fmt::format("{} of {} at {}", enumName(request.kind), counted(request.sectors, "sector"), request.lba);
}

// Absent: it is in none of the slots of the host interface.
std::optional<std::string> stageInSlot(const host::HostInterface& block, const host::Request& request)
{
    const host::CommandSlots& slots = block.commands();
    for (std::uint32_t slot = 0; slot < block.slots(); ++slot) {
        if (!slots.isActive(slot))
            continue;
        const host::Command& command = slots.command(slot);
        if (command.kind != request.kind || command.lba != request.lba || command.sectors != request.sectors)
            continue;
        const auto number = static_cast<std::uint16_t>(slot);
        const std::string where = fmt::format("slot {}: ", slot);
        if (slots.hasTransfers(number))
            return where + "a transfer is in progress";
        if (!host::movesData(request.kind))
            return where + "not completed";
        if (slots.isComplete(number))
            return where + "all sectors are transferred, not completed";
        return where + fmt::format("{} of {} sectors are transferred", slots.ordered(number), request.sectors);
    }
    return std::nullopt;
}

std::string stageOutside(const host::HostInterface& block, const host::Request& request)
{
    return block.holds(request.kind, request.lba) ? "held back: the port is not enabled"
                                                  : "not at the host interface: on the link or inside the controller";
}

Lines commands(const SsdModule& ssd, const host::OutstandingCommands& all, Time at)
{
    struct Listed {
        std::size_t commands = 0;
        Lines lines{}; // of the first ones
    };
    const host::HostInterface& block = ssd.hostInterface.block();
    Listed inSlots; // which firmware has to serve; each kind in order of issue
    Listed elsewhere;
    all.forEach([&](const host::OutstandingCommand& command) {
        const std::optional<std::string> stage = stageInSlot(block, command.request);
        Listed& kind = stage ? inSlots : elsewhere;
        if (++kind.commands <= mostCommands)
            kind.lines.push_back(fmt::format("{}, for {}: {}", textOf(command.request), toText(at - command.issued),
                                             stage ? *stage : stageOutside(block, command.request)));
    });
    Lines lines = std::move(inSlots.lines);
    lines.insert(lines.end(), elsewhere.lines.begin(), elsewhere.lines.end());
    if (const std::size_t count = inSlots.commands + elsewhere.commands; count > mostCommands) {
        const std::size_t more = count - mostCommands;
        const std::size_t moreOutside = std::min(more, elsewhere.commands);
        lines.resize(mostCommands);
        lines.push_back(moreOutside == 0 ? fmt::format("and {} more", more)
                                         : fmt::format("and {} more, {} of them in no slot", more, moreOutside));
    }
    return lines;
}

// --- cores -----------------------------------------------------------------------------------------------------------

Lines describe(const Core& core)
{
    const char* const state = core.cpu.isAsleep() ? "asleep (waits for an interrupt)" : "running";
    Lines lines;
    if (core.rv32 == nullptr) {
        lines.push_back(fmt::format("{}, native", state));
    } else {
        const rv32::Core& hart = *core.rv32;
        lines.push_back(fmt::format("{}, at pc {:#010x} in {}", state, hart.pc(), core.firmware->placeOf(hart.pc())));
        for (const std::uint32_t address : callChain(hart, hart.registers(), core.firmware->image()))
            lines.push_back("  called from " + core.firmware->placeOf(address));
        lines.push_back(fmt::format(
            "mstatus.MIE {}, mie {:#x}, mcause {:#x}, mepc {:#010x}; {} interrupts and {} traps taken",
            hart.csr(rv32::csr::mstatus).value_or(0) >> 3U & 1U, core.mie(), hart.csr(rv32::csr::mcause).value_or(0),
            hart.csr(rv32::csr::mepc).value_or(0), grouped(hart.interrupts()), grouped(hart.traps())));
    }
    const std::uint32_t pending = core.interrupts.pending();
    lines.push_back(fmt::format("lines asserted: {}; enabled (INTC.ENABLE {:#x}): {}", lineNames(pending),
                                core.interrupts.enabled(), lineNames(core.interrupts.enabled())));
    return lines;
}

// --- rings -----------------------------------------------------------------------------------------------------------

struct Ring {
    const char* name; // as in the register names
    const memory::EventRing& ring;
    cpu::InterruptSource line;
    const Core& reader;

    std::uint32_t waiting() const { return ring.producer() - ring.consumer(); }
};

std::string describe(const Ring& ring)
{
    return fmt::format("{:<6} {} entries, hardware has put {}, firmware has taken {}: {} wait{}", ring.name,
                       ring.ring.entries(), ring.ring.producer(), ring.ring.consumer(), ring.waiting(),
                       ring.ring.heldBack() == 0
                           ? ""
                           : fmt::format(", and {} found no space", counted(ring.ring.heldBack(), "event")));
}

// --- flash -----------------------------------------------------------------------------------------------------------

Lines flash(const SsdModule& ssd)
{
    const controller::FlashController& flash = ssd.flash.controller();
    Lines lines;
    std::uint32_t busy = 0;
    for (std::uint32_t u = 0; u < flash.config().units; ++u) {
        const controller::FlashUnit& unit = flash.unit(UnitId{static_cast<std::uint16_t>(u)});
        if (unit.isBusy() && ++busy <= mostBusy)
            lines.push_back(fmt::format("unit {} is busy, {} lists wait", u, unit.waitingLists()));
    }
    lines.insert(lines.begin(), fmt::format("{} of {} units are busy", busy, flash.config().units));
    std::uint32_t active = 0;
    for (std::size_t i = 0; i < ssd.dies.size(); ++i) {
        const nand::Die::Running* running = ssd.dies[DieId{static_cast<std::uint16_t>(i)}]->running(now());
        if (running != nullptr && ++active <= mostBusy)
            lines.push_back(fmt::format("die {} executes a {} of block {} page {}", i, enumName(running->opcode),
                                        running->target.block, running->target.page));
    }
    lines.push_back(fmt::format("{} of {} dies are busy", active, ssd.dies.size()));
    return lines;
}

// --- register accesses -----------------------------------------------------------------------------------------------

Lines accesses(const SsdModule& ssd, const std::vector<Core>& cores)
{
    struct Row {
        Time at;
        std::string text;
    };
    std::vector<Row> rows;
    const RegisterNames names(ssd.layout, static_cast<std::uint32_t>(cores.size()));
    for (const Core& core : cores) {
        for (const cpu::BusAccess& access : core.cpu.lastAccesses())
            rows.push_back(
                {access.at,
                 fmt::format("{:>14}  {}{} {} {:#x}", toText(access.at), cores.size() == 1 ? "" : core.name() + " ",
                             access.isWrite ? "write" : "read ", names.of(access.address), access.value)});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.at < b.at; });
    const std::size_t skipped =
        rows.size() > cpu::CpuModule::accessesKept ? rows.size() - cpu::CpuModule::accessesKept : 0;
    Lines lines;
    for (std::size_t i = skipped; i < rows.size(); ++i)
        lines.push_back(rows[i].text);
    return lines;
}

// --- the likely mistake ----------------------------------------------------------------------------------------------

void judge(const Ring& ring, Lines& found)
{
    const std::string name = std::string(ring.name);
    if (ring.ring.heldBack() != 0 && ring.ring.entries() == 0) {
        found.push_back(fmt::format("the {} event ring is not set up: {}.RING_ENTRIES must be a power of two, "
                                    "RING_BASE in control memory",
                                    name, name));
        return;
    }
    if (ring.waiting() == 0 || !ring.reader.cpu.isAsleep())
        return;
    const std::string waiting = fmt::format("{} in the {} ring", counted(ring.waiting(), "event"), name);
    if ((ring.reader.interrupts.enabled() & maskOf(ring.line)) == 0)
        found.push_back(
            fmt::format("INTC.ENABLE of {} does not enable the line \"{}\": nothing wakes firmware for the {}",
                        ring.reader.name(), enumName(ring.line), waiting));
    else if (!ring.reader.takesExternal())
        found.push_back(
            fmt::format("mie of {} ({:#x}) does not enable the external interrupt (bit 11): wfi does not end "
                        "for the {}",
                        ring.reader.name(), ring.reader.mie(), waiting));
}

// Interrupts without end: the handler returns with the line still asserted.
bool isStorm(const Core& core)
{
    constexpr std::uint64_t many = 1000;
    if (core.rv32 == nullptr)
        return false;
    std::uint64_t rises = 0;
    for (const auto& row : cpu::interruptSourceTable)
        rises += core.interrupts.assertions(row.value);
    return core.rv32->interrupts() > many * (rises + 1);
}

void judge(const Core& core, Lines& found)
{
    if (isStorm(core))
        found.push_back(
            fmt::format("interrupt storm: {} has taken {} interrupts, but lines have risen far less often: the "
                        "handler returns while its line is asserted (asserted and enabled now: {})",
                        core.name(), grouped(core.rv32->interrupts()), lineNames(core.interrupts.active())));
    else if (!core.cpu.isAsleep() && core.rv32 != nullptr)
        found.push_back(
            fmt::format("{} runs in a loop around {}", core.name(), core.firmware->placeOf(core.rv32->pc())));
    else if (!core.cpu.isAsleep())
        found.push_back(core.name() + " runs in a loop");
}

Lines mistakes(const SsdModule& ssd, const HostState& host, const std::vector<Core>& cores,
               const std::vector<Ring>& rings, const Lines& refused)
{
    Lines found;
    if (!refused.empty())
        found.push_back("the hardware has refused what firmware ordered: " + refused.front());
    for (const Ring& ring : rings)
        judge(ring, found);
    for (const Core& core : cores)
        judge(core, found);
    const host::HostInterface& block = ssd.hostInterface.block();
    if (!host.isReady && !block.isEnabled())
        found.push_back("firmware has not enabled the host port (HOST.CONTROL.enable)");
    const bool isQuiet = std::all_of(cores.begin(), cores.end(), [](const Core& c) { return c.cpu.isAsleep(); }) &&
                         std::all_of(rings.begin(), rings.end(), [](const Ring& r) { return r.waiting() == 0; });
    if (found.empty() && isQuiet && block.commands().active() != 0 && ssd.flash.controller().isIdle())
        found.push_back("firmware has taken all events and sleeps, and nothing is in progress: it has not completed "
                        "(HOST.COMPLETE) the commands below");
    return found;
}

void append(std::string& text, const char* title, const Lines& lines)
{
    if (lines.empty())
        return;
    text += fmt::format("\n  {}", title);
    for (const std::string& line : lines)
        text += "\n    " + line;
}

} // namespace

std::vector<std::string> describeCommands(const SsdModule& ssd, const host::OutstandingCommands& all, Time at)
{
    return commands(ssd, all, at);
}

void requireUsualStallLimit(const Scenario& scenario, const std::string& reason)
{
    const std::optional<Time>& limit = scenario.firmware.stallAfter;
    const std::optional<Time> usual = FirmwareConfig{}.stallAfter;
    if (!limit || *limit >= *usual || !isImageOf(scenario.firmware.image, scenario.firmware.ftl))
        return;
    const std::string key = "/firmware/stallAfter";
    throw ConfigError(fmt::format("{}{}: {} is too short for this drive: {}; must be longer ({} by default; if "
                                  "it stalls with that, too, this is a bug in Strobe)",
                                  scenario.origin ? scenario.origin(key) + ": " : "", key, toText(*limit), reason,
                                  toText(*usual)));
}

std::string describeStall(SsdModule& ssd, const HostState& host, Time at, const std::string& reason)
{
    ssd.interrupts.active(); // brings levels and counts of taken events up to date
    ssd.hostInterface.block().catchUp(now());
    if (ssd.second)
        ssd.second->interrupts.active();
    const std::vector<Core> cores = stalledCores(ssd);
    const std::vector<Ring> rings{{"HOST", ssd.hostInterface.block().ring(), cpu::InterruptSource::Host, cores.front()},
                                  {"FLASH", ssd.flash.controller().ring(), cpu::InterruptSource::Flash, cores.back()}};
    const Lines refused = refusals(ssd);
    std::string text = fmt::format("stalled at {}: {}", toText(at), reason);
    append(text, "likely mistake", mistakes(ssd, host, cores, rings, refused));
    append(text, "host commands outstanding", commands(ssd, host.commands, at));
    for (const Core& core : cores)
        append(text, core.name().c_str(), describe(core));
    append(text, "event rings", {describe(rings[0]), describe(rings[1])});
    append(text, "flash", flash(ssd));
    append(text, "refused by the hardware", refused);
    append(text, "last register accesses", accesses(ssd, cores));
    return text;
}

void throwFirmwareFailure(const FirmwareConfig& firmware, const std::string& text)
{
    if (isImageOf(firmware.image, firmware.ftl))
        throw InternalError(text);
    throw cpu::FirmwareFault(text);
}

} // namespace strobe::platform
