// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/fake_ssd.h"

#include <algorithm>

namespace strobe::test {

FakeSsd::FakeSsd(const Config& config)
    : config_(config), store_(config.capacity * stride(config.mode)), commands_(config.slots), left_(config.slots)
{
    placementTable.resize(config.placement.handles, {config.placement.unitSectors, 0});
    if (config.zones.sectors != 0)
        zoneTable.resize(config.capacity / config.zones.sectors, {1, 0});
}

host::HostPort::ZoneList FakeSsd::zoneStates(std::uint32_t first, std::uint32_t count, Time at)
{
    return {{zoneTable.begin() + first, zoneTable.begin() + first + count}, at};
}

FakeSsd::~FakeSsd() = default;

void FakeSsd::submit(const host::Command& command, Time at)
{
    submitted.push_back(command);
    submitTimes.push_back(at);
    commands_[command.slot] = command;
    pending_.push(at + config_.latency, command.slot);
}

Time FakeSsd::accessBuffer(std::uint64_t handle, std::uint32_t first, std::uint32_t sectors, Content content, Time at)
{
    const auto slot = static_cast<std::uint16_t>(handle >> 32);
    const host::Command& command = commands_[slot];
    const std::uint32_t sector = static_cast<std::uint32_t>(handle) + first;
    const Content stored = Content{store_.data(), config_.mode}.at(command.lba + sector);
    if (host::takesData(command.kind) && corrupt)
        corrupt(command, sector, sectors, content);
    if (host::takesData(command.kind))
        copySectors(stored, content, sectors);
    else
        copySectors(content, stored, sectors);
    if (command.kind == host::RequestKind::Read && corrupt)
        corrupt(command, sector, sectors, content);
    return memory_.reserve(at, config_.perSector * sectors);
}

void FakeSsd::transferDone(std::uint64_t handle, Time at)
{
    const auto slot = static_cast<std::uint16_t>(handle >> 32);
    if (--left_[slot] == 0)
        front_->complete(slot, statusOf(slot), at);
}

void FakeSsd::advance(Time now)
{
    while (pending_.isDue(now))
        serve(pending_.pop(), now);
    while (orders_.isDue(now))
        front_->transfer(orders_.pop(), now);
}

host::CommandStatus FakeSsd::statusOf(std::uint16_t slot) const
{
    return judge ? judge(commands_[slot]) : host::CommandStatus::Ok;
}

void FakeSsd::serve(std::uint16_t slot, Time now)
{
    host::Command& command = commands_[slot];
    if (command.kind == host::RequestKind::Append) {
        host::ZoneEntry& zone = zoneTable.at(command.lba / config_.zones.sectors);
        command.lba += zone.written;
        zone.written += command.sectors;
        zone.state = 2;
        front_->placed(slot, command.lba, now);
    }
    if (command.kind == host::RequestKind::Trim) {
        const std::uint64_t unit = config_.unitSectors;
        const std::uint64_t from = (command.lba + unit - 1) / unit * unit;
        const std::uint64_t to = (command.lba + command.sectors) / unit * unit;
        if (from < to)
            clearSectors(Content{store_.data(), config_.mode}.at(from), to - from);
    }
    if (!host::movesData(command.kind)) {
        front_->complete(slot, statusOf(slot), now);
        return;
    }
    const std::uint32_t step = config_.transferSectors == 0 ? command.sectors : config_.transferSectors;
    left_[slot] = (command.sectors + step - 1) / step;
    for (std::uint32_t first = 0; first < command.sectors; first += step) {
        orders_.push(now + config_.betweenTransfers * (first / step),
                     {slot, command.kind == host::RequestKind::Read, first, std::min(step, command.sectors - first),
                      std::uint64_t{slot} << 32 | first});
    }
}

} // namespace strobe::test
