#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a flash unit needs from its controller, its parameters, and its stages with their names in reports. The parts of
// a unit (flash_unit.h) share one UnitContext, which their unit passes to them with each call.

#include "models/base/enum_table.h"
#include "models/base/statistics.h"
#include "models/controller/descriptor.h"
#include "models/controller/ecc.h"
#include "models/controller/failure_log.h"
#include "models/controller/flash_observer.h"
#include "models/controller/ports.h"
#include "models/controller/xor_engine.h"

#include <array>
#include <cstdint>

namespace strobe::controller {

struct FlashUnitConfig {
    std::uint32_t depth = 4;      // lists that wait after the one that is executed
    std::uint32_t operations = 2; // row runs at a time
    nand::Priority priority = nand::Priority::Background;
    DataMode dataMode = DataMode::Tags;
    memory::Region dataBuffer;      // holds sectors; transfers to and from other memory are bytes
    bool hasHost = false;           // reads may go to the host interface
    bool hasPlaneReads = false;     // reads of several planes of a die end at their own times
    bool isUntimed = false;         // operations end at once: stepped ones are not suspended
    XorEngine* xorEngine = nullptr; // of the controller; outlives the unit
};

struct FlashEvent { // an entry of the event ring
    Outcome outcome;
    BusAddress descriptor{};
    std::uint32_t cookie = 0;
    UnitId unit{};
};

class UnitPort {
public:
    virtual ~UnitPort() = default;
    virtual void wakeUnit(UnitId unit, std::uint32_t token, Time at) = 0; // FlashUnit::wake(token) at that time
    virtual void sendOperation(Ticket ticket, const nand::Operation& op, Time at) = 0;
    virtual void continueOperation(UnitId unit, DieId die) = 0;     // the stepped one that is suspended
    virtual Time reportEvent(const FlashEvent& event, Time at) = 0; // returns when firmware can see it
    virtual bool sendToHost(const HostRun& run, Time now) = 0;      // as HostSink::deliver
    virtual void synthesizedDone(std::uint32_t cookie, bool isOk, Time now) = 0;
    virtual void noteFailure(const Failure& failure) = 0;
};

enum class Stage : std::uint8_t {
    FetchingDescriptor,
    FetchingData,
    Encoding,
    InFlash, // from the channel's queue to the last byte of the response
    Decoding,
    StoringData,
    WritingBack
};

inline constexpr std::array<EnumRow<Stage>, 7> stageTable{
    {{Stage::FetchingDescriptor, "fetching descriptor", "descriptor and block lists"},
     {Stage::FetchingData, "fetching data", "memory to speed-matching buffer"},
     {Stage::Encoding, "encoding", "ECC before the bus"},
     {Stage::InFlash, "in flash", "channel queue, bus and array"},
     {Stage::Decoding, "decoding", "ECC after the bus"},
     {Stage::StoringData, "storing data", "speed-matching buffer to memory"},
     {Stage::WritingBack, "writing back", "status into the descriptor"}}};
constexpr const auto& enumTable(Stage)
{
    return stageTable;
}

struct FlashUnitCounters {
    std::array<std::uint64_t, 5> descriptors{}; // retired, by SuperchipOpcode; [0]: of unknown opcode or unreadable
    std::uint64_t lists = 0;                    // retired
    std::uint64_t failed = 0;                   // descriptors with a status other than ok, malformed ones included
    std::uint64_t listsRefused = 0;
    std::array<Time, stageTable.size()> stageTime{}; // summed over descriptors and row runs

    void declare(Statistics& stats)
    {
        for (const auto& row : stageTable)
            stats.add(row.name, Unit::Duration, row.help, stageTime[static_cast<std::size_t>(row.value)]);
    }
};

struct UnitContext {
    UnitId id;
    const SuperchipMap& map;
    const SuperchipMap& oneChip; // of the same array as 1x1 superchips
    FlashDmaPort& memory;
    UnitPort& port;
    IdVector<ChannelId, EccEngines>& ecc;
    FlashUnitConfig config;
    FlashUnitCounters counters;
    FlashObserver* observer = nullptr;

    void spend(Stage stage, Time duration) { counters.stageTime[static_cast<std::size_t>(stage)] += duration; }
    std::uint32_t buses() const { return map.degrees().bus; }
    // Bytes of control memory. The data buffer holds sectors, which are not bytes in every data mode: an access to it
    // fails.
    Moved moveControl(BusAddress address, void* data, std::uint32_t bytes, Direction direction, Time at) const
    {
        if (config.dataBuffer.contains(address))
            return {at, false};
        return memory.move(address, bytes, {static_cast<std::byte*>(data), DataMode::Bytes}, direction, at);
    }
};

} // namespace strobe::controller
