// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/host/nvme/nvme_parts.h"
#include "platform/config/describe_tools.h"
#include "platform/config/resolve_sections.h"

#include <algorithm>
#include <fmt/format.h>

namespace strobe::platform {

namespace {

std::uint32_t usualQueueDepth(HostProtocol interface)
{
    constexpr std::uint32_t nvmeSlots = 256;
    switch (interface) {
    case HostProtocol::Sata:
    case HostProtocol::Ahci:
    case HostProtocol::Direct: return host::ncqTags;
    case HostProtocol::Pata: return host::PataLink::maxSlots;
    case HostProtocol::Nvme: return nvmeSlots;
    }
    checkFailed("unknown host interface", __FILE__, __LINE__);
}

void nvme(Resolving& r, const host::NvmeConfig& c)
{
    const std::uint32_t classes = c.classes.urgent + c.classes.high + c.classes.medium;
    r.checks.expect(classes <= c.queues, "/host/nvme/classes",
                    fmt::format("{} queues cannot be urgent, high or medium: there are {}", classes, c.queues),
                    {"/host/nvme/queues"});
    r.checks.expect(c.coalesce == 1 || c.coalesceTime > Time{}, "/host/nvme/coalesceTime",
                    "completions that wait for others need a time after which they wait no longer",
                    {"/host/nvme/coalesce"});
    r.checks.expect(c.namespaces.size() <= mostNamespaces, "/host/nvme/namespaces",
                    fmt::format("a drive has at most {} namespaces, not {}", mostNamespaces, c.namespaces.size()));
    const auto& states = c.powerStates;
    r.checks.expect(states.size() <= host::nvme::PowerStates::most, "/host/nvme/powerStates",
                    fmt::format("{} states; must be at most {}", states.size(), host::nvme::PowerStates::most));
    if (!states.empty())
        r.checks.expect(states.front().entryTime == Time{} && states.front().exitTime == Time{},
                        "/host/nvme/powerStates/0", "the first state is the operational one: it has no latencies");
    constexpr double mostWatt = 655.35; // as Identify reports it, in hundredths of a watt
    for (std::size_t i = 0; i < states.size(); ++i)
        r.checks.expect(states[i].watt <= mostWatt, fmt::format("/host/nvme/powerStates/{}/power", i),
                        "must be at most 655.35W");
    for (std::size_t i = 2; i < states.size(); ++i)
        r.checks.expect(!states[i].isOperational || states[i - 1].isOperational,
                        fmt::format("/host/nvme/powerStates/{}/operational", i),
                        "an operational state comes before all that are not");
    const std::uint32_t selected = c.powerState.value_or(0);
    r.checks.expect(
        selected < std::max<std::size_t>(states.size(), 1), "/host/nvme/powerState",
        fmt::format("there is no state {}; must be at most {}", selected, std::max<std::size_t>(states.size(), 1) - 1),
        {"/host/nvme/powerStates"});
    for (std::size_t i = 1; i < states.size(); ++i)
        r.checks.expect(states[i].watt <= states[i - 1].watt, fmt::format("/host/nvme/powerStates/{}/power", i),
                        "a deeper state takes no more power than the one before");
    const std::uint32_t parts = host::nvme::RequestParts::most(c.maxTransfer / sectorBytes);
    const std::uint32_t most = host::nvme::RequestParts::identifiers / std::max(c.queueEntries - 1, 1U);
    r.checks.expect(parts <= most, "/host/nvme/maxTransfer",
                    fmt::format("a request of 32 MiB becomes {} commands, but a queue of {} entries has identifiers "
                                "for {} commands of each request; fewer /host/nvme/queueEntries leave more of them",
                                parts, c.queueEntries, most),
                    {"/host/nvme/queueEntries"});
}

} // namespace

void resolveHost(Resolving& r)
{
    HostSection& c = r.file.host;
    const HostProtocol interface = c.config.interface;
    c.queueDepth = c.queueDepth.value_or(usualQueueDepth(interface));
    const bool isSata = interface == HostProtocol::Sata || interface == HostProtocol::Ahci;
    const auto atMost = [&](std::uint32_t most, const std::string& message) {
        if (!r.checks.expectEffect(*c.queueDepth <= most, "/host/queueDepth", message, {"/host/interface"}))
            c.queueDepth = most;
    };
    if (isSata)
        atMost(host::ncqTags,
               fmt::format("SATA has {} tags: must be 1 to {}, not {}", host::ncqTags, host::ncqTags, *c.queueDepth));
    if (interface == HostProtocol::Pata)
        atMost(host::PataLink::maxSlots,
               fmt::format("parallel ATA has one command at a time: must be 1, not {}", *c.queueDepth));
    auto& writes = c.config.nvme.writeCommands;
    if (interface == HostProtocol::Nvme && writes && *writes >= *c.queueDepth) {
        r.checks.expectEffect(
            false, "/host/nvme/writeCommands",
            fmt::format("the drive has at most {} commands, so {} writes are no limit", *c.queueDepth, *writes),
            {"/host/queueDepth"});
        writes.reset();
    }
    nvme(r, c.config.nvme);
    r.result.host = c.config;
    r.result.host.queueDepth = *c.queueDepth;
    r.result.host.pata.hostBytesPerSecond = c.pataHostRate.value_or(0);
}

} // namespace strobe::platform
