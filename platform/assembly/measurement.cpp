// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/measurement.h"

#include "models/base/activity_log.h"
#include "models/base/check.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/memory_layout.h"

#include <algorithm>
#include <array>
#include <utility>

namespace strobe::platform {

namespace {

template <class Times>
void addTimes(PlacedTimes<Times>& sum, const Times& part, std::optional<std::uint32_t> pc,
              const cpu::Rv32Firmware* program)
{
    if (sum.times.merge(part))
        sum.place = program != nullptr && pc ? program->placeOf(*pc) : "";
}

} // namespace

Measurement::Measurement(SsdModule& ssd, host::PortFigures& port, MeasuredSums& sums)
    : ssd_(ssd), port_(port), writeBuffer_(ssd.boot.bytes() + statisticsOffset), sums_(sums)
{
    enumerate();
    accumulate(sums_.link, port_.statistics()); // zeros, so that every run reports them
    if (!sums_.costs.empty())                   // a later power cycle of the same drive
        return;
    for (const auto& row : ssd_.costs())
        sums_.costs.push_back({std::string(row.name), 0, 0, 0});
}

void Measurement::addResource(std::string name, ResourceGroup group, std::function<ResourceUsage()> usage,
                              const Resource* resource, const ResourcePlace& place)
{
    probes_.push_back({std::move(usage), resource});
    if (sums_.resources.size() < probes_.size())
        sums_.resources.push_back({std::move(name), group, {}, std::nullopt, place});
}

void Measurement::addResource(std::string name, ResourceGroup group, const Resource& resource,
                              const ResourcePlace& place)
{
    addResource(
        std::move(name), group, [&resource] { return resource.usage(); }, &resource, place);
}

void Measurement::watch(ActivityLog& log)
{
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        if (probes_[i].resource == nullptr)
            continue;
        const ResourceReport& reported = sums_.resources[i];
        const std::uint32_t lane = log.lane({reported.name, reported.group, reported.place.channel});
        if (log.keeps(lane))
            probes_[i].resource->watch(log, lane);
    }
    const auto watchCpu = [&log](cpu::CpuModule& cpu, const std::string& number) {
        cpu.watch(log, log.lane({"cpu" + number, ResourceGroup::Cpu, {}}),
                  log.lane({"firmware" + number, ResourceGroup::Cpu, {}}));
    };
    watchCpu(*ssd_.cpu, "");
    if (ssd_.second)
        watchCpu(*ssd_.second->cpu, " 1");
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
        accumulate(usage, {Time{}, c.waited, c.maxWaited, c.taken, 0});
        usage.maxQueue += c.maxWaiting; // upper bound: the two maxima may belong to different times
    }
    return usage;
}

void Measurement::enumerate()
{
    const auto addQueued = [this](std::string name, ResourceGroup group, const Resource& resource,
                                  std::function<std::size_t()> maxQueue, const ResourcePlace& place = {}) {
        const auto usage = [&resource, maxQueue = std::move(maxQueue)] {
            ResourceUsage with = resource.usage();
            with.maxQueue = maxQueue();
            return with;
        };
        addResource(std::move(name), group, usage, &resource, place);
    };
    for (const host::PortFigures::Line& line : port_.lines())
        addResource(line.name, ResourceGroup::Link, *line.resource);
    addResource("cpu", ResourceGroup::Cpu, [this] { return cpuUsage(*ssd_.cpu, true, !ssd_.second); });
    if (ssd_.second)
        addResource("cpu 1", ResourceGroup::Cpu, [this] { return cpuUsage(*ssd_.second->cpu, false, true); });
    addResource("fabric", ResourceGroup::Fabric, ssd_.fabric.bus());
    const memory::BulkMemory& sdram = ssd_.sdram.memory();
    addResource("sdram", ResourceGroup::Sdram, sdram.path());
    for (std::uint32_t port = 0; port < sdram.config().ports.size(); ++port)
        addResource("sdram port " + sdram.config().ports[port], ResourceGroup::SdramPort, sdram.port(port));
    sums_.writeBuffer = probes_.size();
    addResource("write buffer", ResourceGroup::WriteBuffer, [this] { return writeBuffer_.usage(now()); });
    if (!sums_.resources[sums_.writeBuffer].pool)
        sums_.resources[sums_.writeBuffer].pool.emplace();
    const auto onChannel = [](std::uint32_t channel) { return ResourcePlace{channel, std::nullopt, std::nullopt}; };
    const controller::FlashController& flash = ssd_.flash.controller();
    const nand::ArrayGeometry& array = flash.config().array;
    const auto channels = static_cast<std::uint32_t>(ssd_.channels.size());
    for (std::uint32_t c = 0; c < channels; ++c) {
        const controller::EccEngines& ecc = flash.ecc(ChannelId{static_cast<std::uint16_t>(c)});
        addResource("ecc encoder " + std::to_string(c), ResourceGroup::Ecc, ecc.encoder(), onChannel(c));
        addResource("ecc decoder " + std::to_string(c), ResourceGroup::Ecc, ecc.decoder(), onChannel(c));
    }
    for (std::uint32_t c = 0; c < channels; ++c) {
        const channel::NandInterface& interface = ssd_.channels[ChannelId{static_cast<std::uint16_t>(c)}]->interface();
        if (interface.hasCommandLines())
            addResource("command lines " + std::to_string(c), ResourceGroup::CommandLines, interface.commandLines(),
                        onChannel(c));
        addQueued(
            "channel " + std::to_string(c), ResourceGroup::Channel, interface.bus(),
            [&interface] { return interface.maxQueued(); }, onChannel(c));
    }
    for (std::uint32_t u = 0; u < flash.unitCount(); ++u) {
        const controller::FlashUnit& unit = flash.unit(UnitId{static_cast<std::uint16_t>(u)});
        addQueued(u >= flash.config().units ? "foreground unit" : "unit " + std::to_string(u), ResourceGroup::Unit,
                  unit.resource(), [&unit] { return unit.maxWaitingLists(); });
    }
    const std::uint32_t perChannel = array.diesPerChannel();
    for (std::uint32_t d = 0; d < ssd_.dies.size(); ++d) {
        const std::uint32_t c = d / perChannel;
        const channel::NandInterface& interface = ssd_.channels[ChannelId{static_cast<std::uint16_t>(c)}]->interface();
        const std::uint32_t position = d % perChannel;
        const DieId die{static_cast<std::uint16_t>(d)};
        addQueued("die " + std::to_string(c) + "." + std::to_string(position), ResourceGroup::Die,
                  interface.die(position), [&interface, position] { return interface.maxQueued(position); },
                  {c, raw(array.wayOf(die)), array.lunOf(die)});
    }
}

CumulativeFigures Measurement::figures() const
{
    CumulativeFigures figures;
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        const ResourceReport& resource = sums_.resources[i];
        CumulativeFigures::Group& group = figures.groups[static_cast<std::size_t>(resource.group)];
        const ResourceUsage open = isCounting_ ? probes_[i].usage() : ResourceUsage{};
        ++group.members;
        group.busy += resource.usage.busy + open.busy;
        group.waited += resource.usage.waited + open.waited;
    }
    const auto ended = std::as_const(sums_.counters).of<controller::DispatcherCounters>();
    const controller::DispatcherCounters open =
        isCounting_ ? ssd_.flash.controller().dispatcher().counters() : controller::DispatcherCounters{};
    for (std::size_t p = 0; p < figures.programs.size(); ++p) {
        for (const nand::Opcode opcode : {nand::Opcode::Program, nand::Opcode::CopyBack}) {
            const auto o = static_cast<std::size_t>(opcode);
            figures.programs[p] += ended.operations[p][o] + open.operations[p][o];
        }
    }
    return figures;
}

void Measurement::keepActivity()
{
    before_.emplace();
    for (std::size_t i = 0; i < probes_.size(); ++i)
        before_->resources.push_back({sums_.resources[i].name, sums_.resources[i].group, {}, std::nullopt, {}});
}

void Measurement::addActivity(Activity& sum) const
{
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        if (i != sums_.writeBuffer)
            accumulate(sum.resources[i].usage, probes_[i].usage());
    }
    for (const auto& die : ssd_.dies) {
        accumulate(sum.array, die->counters().array);
        accumulate(sum.pslc, die->counters().pslc);
    }
}

const Measurement::Activity& Measurement::activity(Time now)
{
    check(before_.has_value(), "the activity of a drive is read, but was not kept");
    activity_ = *before_;
    addActivity(activity_);
    activity_.powerStates = port_.powerStates(now);
    return activity_;
}

void Measurement::reset()
{
    if (before_)
        addActivity(*before_);
    port_.resetUsage();
    writeBuffer_.reset(now());
    ssd_.resetCounters(now());
}

void Measurement::begin()
{
    reset();
    powerStates_ = port_.powerStates(now());
    sums_.isOpen = isCounting_ = true;
}

void Measurement::end(Time at)
{
    stopCounting(at);
    sums_.isOpen = false;
}

void Measurement::resume()
{
    if (sums_.isOpen)
        begin();
}

void Measurement::suspend()
{
    stopCounting(now());
}

void Measurement::stopCounting(Time at)
{
    if (!isCounting_)
        return;
    isCounting_ = false;
    ssd_.hostInterface.block().catchUp(now());
    for (std::size_t i = 0; i < probes_.size(); ++i)
        accumulate(sums_.resources[i].usage, probes_[i].usage());
    accumulate(*sums_.resources[sums_.writeBuffer].pool, {writeBuffer_.slots(), writeBuffer_.exhausted(now())});
    for (const CounterRow& row : counterRows()) {
        if (row.measure)
            row.measure({ssd_, writeBuffer_}, sums_.counters);
    }
    for (const auto& die : ssd_.dies)
        accumulate(sums_.array, die->counters().array);
    accumulate(sums_.link, port_.statistics());
    addPowerStates(at);
    const auto rows = ssd_.costs();
    for (std::size_t i = 0; i < sums_.costs.size(); ++i)
        accumulate(sums_.costs[i], {sums_.costs[i].point, rows[i].times, rows[i].cycles, rows[i].squares});
    accumulate(sums_.instructions, {ssd_.instructions()});
    addResponse();
    reset();
}

void Measurement::addPowerStates(Time at)
{
    const auto states = port_.powerStates(at);
    sums_.powerStates.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
        sums_.powerStates[i].watt = states[i].watt;
        sums_.powerStates[i].isOperational = states[i].isOperational;
        sums_.powerStates[i].time += states[i].time - powerStates_[i].time;
        sums_.powerStates[i].entries += states[i].entries - powerStates_[i].entries;
    }
}

void Measurement::addResponse()
{
    const host::CommandTimes& commands = ssd_.hostInterface.block().commandTimes();
    addTimes(sums_.response.commands, commands, commands.pickup.pc, ssd_.firmware.get());
    const host::HandlingTimes& handling = ssd_.hostInterface.block().handlingTimes();
    addTimes(sums_.response.handling, handling, handling.handling.pc, ssd_.firmware.get());
    const auto addCore = [this](std::size_t number, const cpu::CpuModule& cpu, const cpu::Rv32Firmware* program) {
        sums_.response.cores.resize(std::max(sums_.response.cores.size(), number + 1));
        FirmwareResponse::Core& core = sums_.response.cores[number];
        addTimes(core.interrupts, cpu.interruptTimes(), cpu.interruptTimes().latency.pc, program);
        const ResponseTimes rounds = cpu.rounds();
        addTimes(core.rounds, rounds, rounds.pc, program);
    };
    addCore(0, *ssd_.cpu, ssd_.firmware.get());
    if (ssd_.second)
        addCore(1, *ssd_.second->cpu, ssd_.second->firmware.get());
}

} // namespace strobe::platform
