// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/controller/unit_parts.h"

#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

namespace strobe::controller::test {

FlashUnitConfig UnitParts::config()
{
    FlashUnitConfig c;
    c.dataMode = DataMode::Bytes;
    c.dataBuffer = {data, 0x4000};
    c.hasHost = true;
    return c;
}

Moved UnitParts::move(BusAddress address, std::uint32_t length, Content content, Direction direction, Time at)
{
    if (raw(address) < raw(base) || raw(address) + length > raw(base) + sizeof memory)
        return {at, false};
    bursts.push_back({address, length, direction, at});
    std::byte* place = memory + (raw(address) - raw(base));
    if (direction == Direction::FromMemory)
        std::memcpy(content.data, place, length);
    else
        std::memcpy(place, content.data, length);
    return {at + burstTime, true};
}

Time UnitParts::reportEvent(const FlashEvent& event, Time at)
{
    REQUIRE(event.outcome.code == StatusCode::Suspended); // parts of a unit report no other events
    suspensions.push_back(event);
    return at;
}

bool UnitParts::sendToHost(const HostRun& run, Time)
{
    toHost.push_back(run);
    return hostAccepts;
}

void UnitParts::putSectors(BusAddress address, std::uint32_t count, std::uint32_t first)
{
    for (std::uint32_t i = 0; i < count * sectorBytes; ++i)
        memory[raw(address) - raw(base) + i] = static_cast<std::byte>(first + i / sectorBytes);
}

FlashDescriptor partsDescriptor(SuperchipOpcode opcode, std::uint32_t startSector, std::uint32_t sectors)
{
    FlashDescriptor d;
    d.opcode = opcode;
    d.startSector = startSector;
    d.sectors = sectors;
    d.buffer = UnitParts::data;
    d.blocks = raw(UnitParts::tables);
    return d;
}

} // namespace strobe::controller::test
