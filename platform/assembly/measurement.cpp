// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/measurement.h"

#include "models/base/activity_log.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/memory_layout.h"

#include <algorithm>
#include <array>

namespace strobe::platform {

namespace {

void add(ResourceUsage& sum, const ResourceUsage& part)
{
    sum.busy += part.busy;
    sum.waited += part.waited;
    sum.maxWaited = std::max(sum.maxWaited, part.maxWaited);
    sum.jobs += part.jobs;
    sum.maxQueue = std::max(sum.maxQueue, part.maxQueue);
}

void add(nand::DieCounters& sum, const nand::DieCounters& part)
{
    sum.reads += part.reads;
    sum.programs += part.programs;
    sum.erases += part.erases;
    sum.copyBacks += part.copyBacks;
    sum.resets += part.resets;
    sum.failed += part.failed;
    sum.aborted += part.aborted;
    sum.illegal += part.illegal;
    sum.arrayBusy += part.arrayBusy;
}

} // namespace

Measurement::Measurement(SsdModule& ssd, host::PortModule& port, MeasuredSums& sums)
    : ssd_(ssd), port_(port), writeBuffer_(ssd.boot.bytes() + statisticsOffset), sums_(sums)
{
    enumerate();
    if (!sums_.flash.empty()) // a later power cycle of the same drive
        return;
    for (const auto& row : nand::purposeTable)
        sums_.flash.emplace_back().purpose = row.name;
    for (const auto& row : ssd_.costs())
        sums_.costs.push_back({std::string(row.name), 0, 0, 0});
    for (const host::PortModule::Counter& counter : port_.counters())
        sums_.linkCounters.push_back({counter.name, 0});
    for (const auto& row : controller::stageTable)
        sums_.stages.push_back({std::string(row.name), Time{}});
    sums_.foreground = foregroundCounts();
}

std::vector<NamedCount> Measurement::foregroundCounts() const
{
    const controller::FlashController& flash = ssd_.flash.controller();
    if (!flash.config().hasForeground)
        return {};
    const controller::ForwarderCounters& forwarded = flash.forwarder().counters();
    std::vector<NamedCount> counts{{"operations_with_priority", forwarded.operations},
                                   {"preempted_at_primitive", forwarded.atPrimitive},
                                   {"preempted_at_operation", forwarded.atOperation}};
    if (flash.config().hasSynthesizer) {
        const controller::SynthesizerCounters& synthesized = flash.synthesizer().counters();
        counts.push_back({"synthesized_reads", synthesized.reads});
        counts.push_back({"synthesized_reads_handed_back", synthesized.handedBack});
        counts.push_back({"synthesized_reads_failed", synthesized.failed});
    }
    return counts;
}

void Measurement::addResource(std::string name, std::string group, std::function<ResourceUsage()> usage,
                              const Resource* resource)
{
    probes_.push_back({std::move(usage), resource});
    if (sums_.resources.size() < probes_.size())
        sums_.resources.push_back({std::move(name), std::move(group), {}, std::nullopt});
}

void Measurement::addResource(std::string name, std::string group, const Resource& resource)
{
    addResource(
        std::move(name), std::move(group), [&resource] { return resource.usage(); }, &resource);
}

void Measurement::watch(ActivityLog& log)
{
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        if (probes_[i].resource != nullptr)
            probes_[i].resource->watch(log, log.lane(sums_.resources[i].name));
    }
    ssd_.cpu->watch(log, log.lane("cpu"), log.lane("firmware"));
    if (ssd_.second)
        ssd_.second->cpu->watch(log, log.lane("cpu 1"), log.lane("firmware 1"));
    log.requireAll();
}

// A CPU's jobs are events; they wait in the rings until firmware takes them. With two cores each has a ring.
ResourceUsage Measurement::cpuUsage(const cpu::CpuModule& cpu, bool hasHost, bool hasFlash) const
{
    ResourceUsage usage = cpu.usage();
    usage.jobs = 0;
    const std::array<const memory::EventRing*, 2> rings{hasHost ? &ssd_.hostInterface.block().ring() : nullptr,
                                                        hasFlash ? &ssd_.flash.controller().ring() : nullptr};
    for (const memory::EventRing* ring : rings) {
        if (ring == nullptr)
            continue;
        const memory::EventRingCounters& c = ring->counters();
        add(usage, {Time{}, c.waited, c.maxWaited, c.taken, 0});
        usage.maxQueue += c.maxWaiting; // at most: the two may have been longest at different times
    }
    return usage;
}

void Measurement::enumerate()
{
    const auto addQueued = [this](std::string name, std::string group, const Resource& resource,
                                  std::function<std::size_t()> maxQueue) {
        const auto usage = [&resource, maxQueue = std::move(maxQueue)] {
            ResourceUsage with = resource.usage();
            with.maxQueue = maxQueue();
            return with;
        };
        addResource(std::move(name), std::move(group), usage, &resource);
    };
    for (const host::PortModule::Line& line : port_.lines())
        addResource(line.name, "link", *line.resource);
    addResource("cpu", "cpu", [this] { return cpuUsage(*ssd_.cpu, true, !ssd_.second); });
    if (ssd_.second)
        addResource("cpu 1", "cpu", [this] { return cpuUsage(*ssd_.second->cpu, false, true); });
    addResource("fabric", "fabric", ssd_.fabric.bus());
    const memory::BulkMemory& sdram = ssd_.sdram.memory();
    addResource("sdram", "sdram", sdram.path());
    for (std::uint32_t port = 0; port < sdram.config().ports.size(); ++port)
        addResource("sdram port " + sdram.config().ports[port], "sdram-port", sdram.port(port));
    sums_.writeBuffer = probes_.size();
    addResource("write buffer", "write-buffer", [this] { return writeBuffer_.usage(now()); });
    if (!sums_.resources[sums_.writeBuffer].pool)
        sums_.resources[sums_.writeBuffer].pool.emplace();
    const controller::FlashController& flash = ssd_.flash.controller();
    for (std::size_t c = 0; c < ssd_.channels.size(); ++c) {
        const controller::EccEngines& ecc = flash.ecc(ChannelId{static_cast<std::uint16_t>(c)});
        addResource("ecc encoder " + std::to_string(c), "ecc", ecc.encoder());
        addResource("ecc decoder " + std::to_string(c), "ecc", ecc.decoder());
    }
    for (std::size_t c = 0; c < ssd_.channels.size(); ++c) {
        const channel::NandInterface& interface = ssd_.channels[ChannelId{static_cast<std::uint16_t>(c)}]->interface();
        addQueued("channel " + std::to_string(c), "channel", interface.bus(),
                  [&interface] { return interface.maxQueued(); });
    }
    for (std::uint32_t u = 0; u < flash.unitCount(); ++u) {
        const controller::FlashUnit& unit = flash.unit(UnitId{static_cast<std::uint16_t>(u)});
        addQueued(u >= flash.config().units ? "foreground unit" : "unit " + std::to_string(u), "unit", unit.resource(),
                  [&unit] { return unit.maxWaitingLists(); });
    }
    const auto perChannel = static_cast<std::uint32_t>(ssd_.dies.size() / ssd_.channels.size());
    for (std::uint32_t d = 0; d < ssd_.dies.size(); ++d) {
        const channel::NandInterface& interface =
            ssd_.channels[ChannelId{static_cast<std::uint16_t>(d / perChannel)}]->interface();
        const std::uint32_t position = d % perChannel;
        addQueued("die " + std::to_string(d / perChannel) + "." + std::to_string(position), "die",
                  interface.die(position), [&interface, position] { return interface.maxQueued(position); });
    }
}

void Measurement::reset()
{
    port_.resetUsage();
    ssd_.resetCpuUsage();
    ssd_.sdram.memory().resetUsage();
    ssd_.fabric.resetUsage();
    ssd_.flash.resetCounters();
    ssd_.hostInterface.block().resetRingCounters(now());
    writeBuffer_.reset(now());
    for (auto& channel : ssd_.channels)
        channel->resetUsage();
    for (auto& die : ssd_.dies)
        die->resetCounters();
}

void Measurement::begin()
{
    reset();
    sums_.isOpen = isCounting_ = true;
}

void Measurement::end()
{
    suspend();
    sums_.isOpen = false;
}

void Measurement::resume()
{
    if (sums_.isOpen)
        begin();
}

void Measurement::suspend()
{
    if (!isCounting_)
        return;
    isCounting_ = false;
    ssd_.hostInterface.block().catchUp(now());
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        add(sums_.resources[i].usage, probes_[i].usage());
    }
    PoolReport& pool = *sums_.resources[sums_.writeBuffer].pool;
    pool.places = writeBuffer_.slots();
    pool.exhausted += writeBuffer_.exhausted(now());
    for (const auto& die : ssd_.dies)
        add(sums_.array, die->counters());
    for (std::size_t i = 0; i < sums_.flash.size(); ++i) {
        const auto& done = ssd_.flash.controller().dispatcher().counters().operations[i];
        sums_.flash[i].reads += done[static_cast<std::size_t>(nand::Opcode::Read)];
        sums_.flash[i].programs += done[static_cast<std::size_t>(nand::Opcode::Program)];
        sums_.flash[i].erases += done[static_cast<std::size_t>(nand::Opcode::Erase)];
        sums_.flash[i].copyBacks += done[static_cast<std::size_t>(nand::Opcode::CopyBack)];
    }
    const auto rows = ssd_.costs();
    for (std::size_t i = 0; i < sums_.costs.size(); ++i) {
        sums_.costs[i].times += rows[i].times;
        sums_.costs[i].cycles += rows[i].cycles;
        sums_.costs[i].squares += rows[i].squares;
    }
    sums_.instructions += ssd_.instructions();
    const std::vector<host::PortModule::Counter> link = port_.counters();
    for (std::size_t i = 0; i < sums_.linkCounters.size(); ++i)
        sums_.linkCounters[i].count += link[i].value;
    const controller::FlashController& flash = ssd_.flash.controller();
    for (std::size_t c = 0; c < ssd_.channels.size(); ++c)
        sums_.ecc += flash.ecc(ChannelId{static_cast<std::uint16_t>(c)}).counters();
    for (std::uint32_t u = 0; u < flash.unitCount(); ++u) {
        const auto& times = flash.unit(UnitId{static_cast<std::uint16_t>(u)}).counters().stageTime;
        for (std::size_t i = 0; i < sums_.stages.size(); ++i)
            sums_.stages[i].time += times[i];
    }
    const std::vector<NamedCount> foreground = foregroundCounts();
    for (std::size_t i = 0; i < foreground.size(); ++i)
        sums_.foreground[i].count += foreground[i].count;
    sums_.behindAnotherUnit += flash.dispatcher().counters().behindAnotherUnit;
    reset();
}

} // namespace strobe::platform
