// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of the host's port, once: the protocol and what belongs to it alone.
#include "platform/config/scenario_file.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

constexpr std::int64_t microsecond = 1'000'000;

void describeSata(host::SataConfig& c, const std::function<Fields&()>& only)
{
    only().choice("generation", c.generation, "Line rate.");
    only().quantity("handshake", Quantity::Time, c.handshake, {0, 100 * microsecond},
                    "Primitives and turnaround of the line, per frame.");
    only().flag("autoActivate", c.autoActivate, "DMA Setup activates the first write Data FIS.");
    only().flag("coalesceCompletions", c.coalesceCompletions,
                "One Set Device Bits FIS may complete all tags that wait for one.");
}

void describeDirect(Fields& f, host::DirectConfig& c)
{
    f.quantity("bandwidth", Quantity::Rate, c.bytesPerSecond, {1'000'000, 1'000'000'000'000},
               "Of the data lines, in each direction.");
    f.quantity("latency", Quantity::Time, c.latency, {0, 100 * microsecond}, "One way, of commands and completions.");
}

void describePata(Fields& f, HostSection& c)
{
    host::PataConfig& pata = c.config.pata;
    f.choice("mode", pata.mode, "Ultra DMA mode.");
    f.quantity("burst", Quantity::Size, pata.burstBytes, {512, 1024 * 1024}, "Longest burst; whole sectors.");
    f.quantityOr("hostBandwidth", Quantity::Rate, c.pataHostRate, "unlimited", {1'000'000, 1'000'000'000},
                 "What the host's controller takes and gives within a burst.");
    f.quantity("submit", Quantity::Time, pata.submit, {0, 1'000 * microsecond},
               "The host's software before the first register of a command.");
    f.quantity("interrupt", Quantity::Time, pata.interrupt, {0, 1'000 * microsecond},
               "From the drive's interrupt to the first register that the host reads.");
}

} // namespace

void describeHost(Fields& f, HostSection& c)
{
    f.choice("interface", c.config.interface, "Protocol of the link.");
    const auto only = [&](HostInterface wanted) -> Fields& {
        return f.onlyIf(c.config.interface == wanted, fmt::format("interface {}", enumName(wanted)),
                        fmt::format("interface is {}", enumName(c.config.interface)));
    };
    describeSata(c.config.sata, [&]() -> Fields& { return only(HostInterface::Sata); });
    only(HostInterface::Direct).object("direct", "The port without a protocol.", [&](Fields& g) {
        describeDirect(g, c.config.direct);
    });
    only(HostInterface::Pata).object("pata", "The parallel ATA port.", [&](Fields& g) { describePata(g, c); });
    f.numberOr("queueDepth", c.queueDepth, "auto", {1, host::DirectLink::maxSlots},
               "Commands that the host keeps in the drive at most; auto: 32, with parallel ATA 1. SATA: up to 32.");
}

} // namespace strobe::platform
