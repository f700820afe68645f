// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/measurement.h"

#include <algorithm>

namespace strobe::platform {

namespace {

void add(ResourceUsage& sum, const ResourceUsage& part)
{
    sum.busy += part.busy;
    sum.waited += part.waited;
    sum.maxWaited = std::max(sum.maxWaited, part.maxWaited);
    sum.jobs += part.jobs;
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

Measurement::Measurement(SsdModule& ssd, host::PortModule& port) : ssd_(ssd), port_(port)
{
    enumerate();
    for (const auto& row : nand::purposeTable)
        flash_.emplace_back().purpose = row.name;
    for (const auto& row : ssd_.cpu.costs().rows())
        costs_.push_back({std::string(row.name), 0, 0});
}

void Measurement::addResource(std::string name, std::string group, std::function<ResourceUsage()> usage,
                              std::function<std::uint64_t()> maxQueue)
{
    probes_.push_back({std::move(usage), std::move(maxQueue)});
    resources_.push_back({std::move(name), std::move(group), {}, std::nullopt});
}

void Measurement::enumerate()
{
    for (const host::PortModule::Line& line : port_.lines())
        addResource(line.name, "link", [resource = line.resource] { return resource->usage(); });
    // What waits for the CPU are events that firmware has not taken.
    addResource(
        "cpu", "cpu", [this] { return ssd_.cpu.usage(); },
        [this] {
            return ssd_.hostInterface.block().ring().counters().maxWaiting +
                   ssd_.flash.controller().ring().counters().maxWaiting;
        });
    addResource("fabric", "fabric", [this] { return ssd_.fabric.usage(); });
    addResource("sdram", "sdram", [this] { return ssd_.sdram.memory().path().usage(); });
    for (std::size_t c = 0; c < ssd_.channels.size(); ++c) {
        const ChannelId id{static_cast<std::uint16_t>(c)};
        const std::string number = std::to_string(c);
        addResource("ecc encoder " + number, "ecc",
                    [this, id] { return ssd_.flash.controller().ecc(id).encoderUsage(); });
        addResource("ecc decoder " + number, "ecc",
                    [this, id] { return ssd_.flash.controller().ecc(id).decoderUsage(); });
    }
    for (std::size_t c = 0; c < ssd_.channels.size(); ++c) {
        const channel::NandInterface& interface = ssd_.channels[ChannelId{static_cast<std::uint16_t>(c)}]->interface();
        addResource(
            "channel " + std::to_string(c), "channel", [&interface] { return interface.busUsage(); },
            [&interface] { return interface.maxQueued(); });
    }
    for (std::uint32_t u = 0; u < ssd_.flash.controller().config().units; ++u) {
        const controller::FlashUnit& unit = ssd_.flash.controller().unit(UnitId{static_cast<std::uint16_t>(u)});
        addResource(
            "unit " + std::to_string(u), "unit", [&unit] { return unit.usage(); },
            [&unit] { return unit.maxWaitingLists(); });
    }
    const auto perChannel = static_cast<std::uint32_t>(ssd_.dies.size() / ssd_.channels.size());
    for (std::uint32_t d = 0; d < ssd_.dies.size(); ++d) {
        const channel::NandInterface& interface =
            ssd_.channels[ChannelId{static_cast<std::uint16_t>(d / perChannel)}]->interface();
        const std::uint32_t position = d % perChannel;
        addResource(
            "die " + std::to_string(d / perChannel) + "." + std::to_string(position), "die",
            [&interface, position] { return interface.dieUsage(position); },
            [&interface, position] { return interface.maxQueued(position); });
    }
}

void Measurement::reset()
{
    port_.resetUsage();
    ssd_.cpu.resetUsage();
    ssd_.sdram.memory().resetUsage();
    ssd_.fabric.resetUsage();
    ssd_.flash.resetCounters();
    ssd_.hostInterface.block().resetRingCounters();
    for (auto& channel : ssd_.channels)
        channel->resetUsage();
    for (auto& die : ssd_.dies)
        die->resetCounters();
}

void Measurement::begin()
{
    reset();
    isOpen_ = true;
}

void Measurement::end()
{
    if (!isOpen_)
        return;
    isOpen_ = false;
    for (std::size_t i = 0; i < probes_.size(); ++i) {
        add(resources_[i].usage, probes_[i].usage());
        if (probes_[i].maxQueue)
            resources_[i].maxQueue = std::max(resources_[i].maxQueue.value_or(0), probes_[i].maxQueue());
    }
    for (const auto& die : ssd_.dies)
        add(array_, die->counters());
    for (std::size_t i = 0; i < flash_.size(); ++i) {
        const auto& done = ssd_.flash.controller().dispatcher().counters().operations[i];
        flash_[i].reads += done[static_cast<std::size_t>(nand::Opcode::Read)];
        flash_[i].programs += done[static_cast<std::size_t>(nand::Opcode::Program)];
        flash_[i].erases += done[static_cast<std::size_t>(nand::Opcode::Erase)];
        flash_[i].copyBacks += done[static_cast<std::size_t>(nand::Opcode::CopyBack)];
    }
    const auto rows = ssd_.cpu.costs().rows();
    for (std::size_t i = 0; i < costs_.size(); ++i) {
        costs_[i].times += rows[i].times;
        costs_[i].cycles += rows[i].cycles;
    }
    reset();
}

} // namespace strobe::platform
