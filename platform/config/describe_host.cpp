// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of the host's port, once: the protocol and what belongs to it alone.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

void describeSata(Fields& f, host::SataConfig& c)
{
    f.choice("generation", c.generation, "Line rate.");
    f.quantity("handshake", Quantity::Time, c.handshake, {0, 100 * microsecond},
               "Primitives and turnaround of the line, per frame.");
    f.flag("autoActivate", c.autoActivate, "DMA Setup activates the first write Data FIS.");
    f.flag("coalesceCompletions", c.coalesceCompletions, "One Set Device Bits FIS completes all tags that are ready.");
}

void describeAhci(Fields& f, host::AhciConfig& c)
{
    f.quantity("registerWrite", Quantity::Time, c.registerWrite, {0, 100 * microsecond},
               "Time until a register write arrives at the adapter.");
    f.quantity("registerRead", Quantity::Time, c.registerRead, {0, 100 * microsecond},
               "Round trip of a register read.");
    f.quantity("memoryLatency", Quantity::Time, c.memoryLatency, {0, 100 * microsecond},
               "Latency of the adapter's reads of command headers and tables.");
    f.quantity("submit", Quantity::Time, c.submit, {0, 1'000 * microsecond},
               "Time of the host's software before a command is in memory.");
    f.quantity("interrupt", Quantity::Time, c.interrupt, {0, 1'000 * microsecond},
               "Time from the adapter's interrupt to the host's first register access.");
}

void describeDirect(Fields& f, host::DirectConfig& c)
{
    f.quantity("bandwidth", Quantity::Rate, c.bytesPerSecond, {1'000'000, 1'000'000'000'000},
               "Bandwidth of the data lines, in each direction.");
    f.quantity("latency", Quantity::Time, c.latency, {0, 100 * microsecond},
               "One-way latency of commands and completions.");
}

void describePata(Fields& f, HostSection& c)
{
    host::PataConfig& pata = c.config.pata;
    f.choice("mode", pata.mode, "Ultra DMA mode.");
    f.quantity("burst", Quantity::Size, pata.burstBytes, {512, 1024 * 1024, 512}, "Longest burst.");
    f.quantityOr("hostBandwidth", Quantity::Rate, c.pataHostRate, "unlimited", {1'000'000, 1'000'000'000},
                 "Data rate of the host's controller within a burst.");
    f.quantity("submit", Quantity::Time, pata.submit, {0, 1'000 * microsecond},
               "Time of the host's software before the first register of a command.");
    f.quantity("interrupt", Quantity::Time, pata.interrupt, {0, 1'000 * microsecond},
               "Time from the drive's interrupt to the first register that the host reads.");
}

void describePcie(Fields& f, host::PcieConfig& c)
{
    f.choice("generation", c.generation, "Generation of PCI Express, which determines the rate of a lane.");
    f.number("lanes", c.lanes, {1, 16, 1, true}, "Lanes of the link.");
    f.quantity("maxPayload", Quantity::Size, c.maxPayload, {128, 4096, 1, true}, "Maximum payload of a packet.");
    f.quantity("maxReadRequest", Quantity::Size, c.maxReadRequest, {128, 4096, 1, true},
               "Maximum size of one read request to host memory.");
    f.quantity("readCompletionBoundary", Quantity::Size, c.readCompletionBoundary, {64, 128, 1, true},
               "Boundary at which the host may split read completions.");
    f.quantity("latency", Quantity::Time, c.latency, {0, 100 * microsecond}, "One-way latency of a packet.");
    f.quantity("memoryLatency", Quantity::Time, c.memoryLatency, {0, 100 * microsecond},
               "Latency of host memory, from the arrival of a read to its data.");
}

void describeNvme(Fields& f, host::NvmeConfig& c)
{
    describePcie(f, c.pcie);
    f.number("queues", c.queues, {1, 64}, "Pairs of I/O queues, one per CPU of the host.");
    f.seldom().listOf("namespaces", c.namespaces,
                      "Namespaces of the drive, numbered from 1: parts of its capacity, one after the other. Without a "
                      "list there is one.",
                      [](Fields& g, PartSize& part) {
                          sizeOrShare(
                              g, "size", {part.bytes, part.share, "rest", true},
                              "Size, or share of the capacity, rounded down to 1 MiB; the last one is the rest.");
                      });
    f.number("queueEntries", c.queueEntries, {2, 4096}, "Entries of each queue; one stays empty.");
    f.choice("arbitration", c.arbitration, "How the controller selects the queue from which it takes commands.");
    f.number("burst", c.burstExponent, {0, 7},
             "Commands taken from a queue in its turn, as a power of two; 7: no limit.");
    const bool isWeighted = c.arbitration == host::nvme::Arbitration::Weighted;
    const auto weighted = [&]() -> Fields& {
        return f.onlyIf(isWeighted, "arbitration weighted", fmt::format("arbitration is {}", enumName(c.arbitration)),
                        {"arbitration"});
    };
    weighted().object("weights", "Commands of a class per round.", [&](Fields& g) {
        g.number("high", c.weights.high, {1, 256}, "Class high.");
        g.number("medium", c.weights.medium, {1, 256}, "Class medium.");
        g.number("low", c.weights.low, {1, 256}, "Class low.");
    });
    weighted().object("classes",
                      "Number of queues per class: the first are urgent, then high, then medium; the rest are low.",
                      [&](Fields& g) {
                          g.number("urgent", c.classes.urgent, {0, 64}, "Class urgent, served before all others.");
                          g.number("high", c.classes.high, {0, 64}, "Class high.");
                          g.number("medium", c.classes.medium, {0, 64}, "Class medium.");
                      });
    f.number("coalesce", c.coalesce, {1, 256}, "Maximum number of completions per interrupt; 1: no coalescing.");
    f.quantity("coalesceTime", Quantity::Time, c.coalesceTime, {0, 25'500 * microsecond, 100 * microsecond},
               "Maximum time that a completion waits for others.");
    f.quantity("maxTransfer", Quantity::Size, c.maxTransfer, {4096, 32U << 20U, 4096},
               "Largest command; the host's software divides larger requests into several commands.");
    f.numberOr("writeCommands", c.writeCommands, "all", {1, host::DirectLink::maxSlots},
               "Writes that the drive works on at a time. The next write waits in the controller, and so do all "
               "commands after it. all: as many as host.queueDepth.");
    f.seldom().listOf(
        "powerStates", c.powerStates,
        "Power states, the operational ones first; in the others no command is executed. None: one of 9 W.",
        [](Fields& g, host::nvme::PowerState& s) {
            g.required();
            physical(g, "power", Quantity::Power, s.watt,
                     "Most that the drive takes in an operational state; what it takes in another one.");
            g.quantity("entry", Quantity::Time, s.entryTime, {0, 10'000'000 * microsecond}, "Entry latency.");
            g.quantity("exit", Quantity::Time, s.exitTime, {0, 10'000'000 * microsecond},
                       "Exit latency: the first command waits for it.");
            g.seldom().flag("operational", s.isOperational,
                            "Commands are executed in it, and firmware keeps the mean power to at most its power; the "
                            "first state always is.");
        });
    f.seldom().numberOr("powerState", c.powerState, "first", {0, host::nvme::PowerStates::most - 1},
                        "Power state that the host selects when it starts.");
    f.seldom().numberOr("thermalLight", c.thermalLight, "none", {1, 150},
                        "Host controlled thermal management: temperature for light throttling, degrees Celsius.");
    f.seldom().numberOr("thermalHeavy", c.thermalHeavy, "none", {1, 150}, "The same for heavy throttling.");
    f.onlyIf(c.powerStates.size() > 1, "several powerStates", "there is one", {"powerStates"})
        .quantity("latencyTolerance", Quantity::Time, c.latencyTolerance, {0, 100'000'000 * microsecond},
                  "The host has the drive enter a power state when it was idle for 50 times the state's entry and exit "
                  "latency, if these together are at most this long; 0: never.");
    f.quantity("submit", Quantity::Time, c.submit, {0, 1'000 * microsecond},
               "Time of the host's software before a command is in its queue.");
    f.quantity("interrupt", Quantity::Time, c.interrupt, {0, 1'000 * microsecond},
               "Time from the interrupt message until the host reads the completion queue.");
    f.quantity(
        "cpuTime", Quantity::Time, c.cpuTime, {0, 1'000 * microsecond},
        "Time that a command takes of the CPU of its queue, which does one thing after the other: half of it before "
        "the command is in its queue, half after its completion has been read.");
}

} // namespace

void describeHost(Fields& f, HostSection& c)
{
    f.choice("interface", c.config.interface, "Protocol of the link.");
    const auto only = [&](HostProtocol wanted) -> Fields& {
        return f.ifChosen(c.config.interface == wanted, fmt::format("interface {}", enumName(wanted)));
    };
    const bool isSata = c.config.interface == HostProtocol::Sata || c.config.interface == HostProtocol::Ahci;
    f.ifChosen(isSata, "interfaces sata and ahci").object("sata", "The Serial ATA link.", [&](Fields& g) {
        describeSata(g, c.config.sata);
    });
    only(HostProtocol::Ahci).object("ahci", "The AHCI adapter in front of the SATA link.", [&](Fields& g) {
        describeAhci(g, c.config.ahci);
    });
    only(HostProtocol::Direct).object("direct", "The port without a protocol.", [&](Fields& g) {
        describeDirect(g, c.config.direct);
    });
    only(HostProtocol::Pata).object("pata", "The parallel ATA port.", [&](Fields& g) { describePata(g, c); });
    only(HostProtocol::Nvme).object("nvme", "The NVMe port.", [&](Fields& g) { describeNvme(g, c.config.nvme); });
    f.numberOr("queueDepth", c.queueDepth, "auto", {1, host::DirectLink::maxSlots},
               "Maximum number of commands in the drive; others wait in the host. auto: 32 (sata, ahci, direct), 1 "
               "(pata) or 256 (nvme). sata and ahci allow up to 32, pata 1.");
}

} // namespace strobe::platform
