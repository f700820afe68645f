// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/flash_array.h"

#include "models/base/check.h"

#include <map>
#include <string>

namespace strobe::platform {

namespace {

// All channels are alike.
channel::DieSchedules channelSchedules(const Scenario& scenario)
{
    const nand::ArrayGeometry& array = scenario.nand.array;
    std::map<const channel::InterfaceTiming*, std::shared_ptr<const channel::BusSchedule>> made;
    channel::DieSchedules schedules;
    for (std::uint32_t position = 0; position < array.diesPerChannel(); ++position) {
        const channel::InterfaceTiming& timing = scenario.timingOf(position / array.luns);
        auto& schedule = made[&timing];
        if (schedule == nullptr)
            schedule = std::make_shared<const channel::BusSchedule>(timing, scenario.nand.part);
        schedules.push_back(schedule);
    }
    return schedules;
}

} // namespace

DieModules makeDieModules(DieArray& dies)
{
    DieModules modules;
    for (const auto& die : dies)
        modules.push_back(std::make_unique<nand::DieModule>(("die" + std::to_string(raw(die->id()))).c_str(), *die));
    return modules;
}

ChannelModules makeChannels(const Scenario& scenario, DieModules& dies)
{
    const nand::ArrayGeometry& array = scenario.nand.array;
    check(array.diesPerChannel() > 0, "a channel without dies");
    const channel::DieSchedules schedules = channelSchedules(scenario);
    ChannelModules channels;
    for (std::uint32_t c = 0; c < array.channels; ++c) {
        channels.push_back(std::make_unique<channel::ChannelModule>(("channel" + std::to_string(c)).c_str(),
                                                                    ChannelId{static_cast<std::uint16_t>(c)}, schedules,
                                                                    scenario.channel.order, scenario.channel.join));
    }
    for (std::uint32_t i = 0; i < array.dies(); ++i) {
        const DieId id{static_cast<std::uint16_t>(i)};
        channels[array.channelOf(id)]->dies[array.positionOf(id)].bind(dies[id]->socket);
    }
    return channels;
}

} // namespace strobe::platform
