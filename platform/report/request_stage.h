#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The stages of which the latency of a host request consists; a request's way through them is a StagePath
// (stage_path.h).
//
// A stage is a number (StageId): first the stages of RequestStage, then waiting for a die, by what the die does
// meanwhile: purpose and kind of operation (nand::Purpose, DieWork).

#include "models/base/enum_table.h"
#include "models/base/time.h"
#include "models/nand/operation.h"

#include <array>
#include <cstdint>
#include <string>

namespace strobe::platform {

enum class RequestStage : std::uint8_t {
    HostQueue,
    HostLink,
    CommandFetch,
    Firmware,
    BufferWait,
    MapWait,
    FlashUnit,
    BusWait,
    Array,
    Transfer,
    Ecc,
    Completion
};

inline constexpr std::array<EnumRow<RequestStage>, 12> requestStageTable{
    {{RequestStage::HostQueue, "host queue", "waits on the host for a free command slot, or for power"},
     {RequestStage::HostLink, "host link", "host software, link and its queues: command to the drive, data"},
     {RequestStage::CommandFetch, "command fetch", "record and event of the command into memory"},
     {RequestStage::Firmware, "firmware", "queueing for the CPU, and execution of firmware"},
     {RequestStage::BufferWait, "buffer wait", "waits for a place in the buffer"},
     {RequestStage::MapWait, "map wait", "waits for a part of the mapping table that is read from flash"},
     {RequestStage::FlashUnit, "flash unit",
      "queueing for a flash unit, descriptor, data between memory and unit, event"},
     {RequestStage::BusWait, "bus wait", "waits for the bus of the channel"},
     {RequestStage::Array, "array", "the die reads, programs or erases its cells"},
     {RequestStage::Transfer, "transfer", "command, address, data and status on the bus of the channel"},
     {RequestStage::Ecc, "ecc", "queueing for encoder or decoder, coding, iterations"},
     {RequestStage::Completion, "completion", "from the drive's answer to the end on the host"}}};
constexpr const auto& enumTable(RequestStage)
{
    return requestStageTable;
}

enum class DieWork : std::uint8_t { Reading, Programming, Erasing, Copying };

inline constexpr std::array<EnumRow<DieWork>, 4> dieWorkTable{{{DieWork::Reading, "read", "is reading"},
                                                               {DieWork::Programming, "program", "is programming"},
                                                               {DieWork::Erasing, "erase", "is erasing"},
                                                               {DieWork::Copying, "copyback", "is copying a page"}}};
constexpr const auto& enumTable(DieWork)
{
    return dieWorkTable;
}

using StageId = std::uint8_t;
inline constexpr StageId noStage = 0xFF;
inline constexpr std::size_t dieWaits = nand::purposeTable.size() * dieWorkTable.size();
inline constexpr std::size_t stageIds = requestStageTable.size() + dieWaits;

constexpr StageId idOf(RequestStage stage)
{
    return static_cast<StageId>(stage);
}
constexpr StageId dieWait(nand::Purpose purpose, DieWork work)
{
    return static_cast<StageId>(requestStageTable.size() + static_cast<std::size_t>(purpose) * dieWorkTable.size() +
                                static_cast<std::size_t>(work));
}
constexpr bool isDieWait(StageId stage)
{
    return stage >= requestStageTable.size() && stage < stageIds;
}
inline constexpr std::array<DieWork, nand::opcodeTable.size()> workOfOpcode{
    // by opcode
    DieWork::Reading, DieWork::Programming, DieWork::Erasing, DieWork::Copying,
    DieWork::Reading, DieWork::Reading,     DieWork::Reading};
constexpr StageId dieWait(nand::Purpose purpose, nand::Opcode opcode)
{
    return dieWait(purpose, workOfOpcode[static_cast<std::size_t>(opcode)]);
}
std::string stageName(StageId stage);     // "bus wait", "die wait: erase, garbage collection"
std::string stageKey(StageId stage);      // in JSON, without the unit: "bus_wait", "die_wait_erase_garbage_collection"
std::string stageSentence(StageId stage); // "waiting for a die that is erasing for garbage collection"

} // namespace strobe::platform
