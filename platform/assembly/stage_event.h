#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What is observed for the stages of requests, as values: each event is complete in itself, so that it can be handled
// later and in another thread than the models'. Events are stored one after the other in blocks.

#include "models/controller/ports.h"
#include "models/host/request_observer.h"
#include "platform/assembly/flash_job_log.h"
#include "platform/assembly/stage_sink.h"

#include <cstddef>
#include <cstdint>

namespace strobe::platform {

enum class StageEventKind : std::uint8_t {
    Issued,
    Completed,
    Arrived,
    Announced,
    Ordered,
    MovedSectors,
    Ended,
    Listed,
    Fetched,
    RowStarted,
    UnitsPlaced,
    Sent,
    FinishedOperation,
    RowEnded,
    Retired,
    FellAsleep,
    WokeUp,
    Began,
    Granted,
    Continued,
    FinishedForSink
};

// Members as the parameters of the observers' functions. Every event begins with its kind; short members come next to
// it, because what the simulation writes per event is what the observation costs it.
namespace stage_event {

using Kind = StageEventKind;
using BusPhase = channel::NandInterface::Phase;

struct Issued {
    static constexpr Kind id = Kind::Issued;
    Kind kind;
    host::RequestKind requestKind;
    std::uint16_t slot;
    std::uint32_t sectors;
    std::uint64_t lba, number;
    Time from, at;
};
struct Completed {
    static constexpr Kind id = Kind::Completed;
    Kind kind;
    bool isMeasured;
    std::uint16_t slot;
    Time at;
};
struct Arrived {
    static constexpr Kind id = Kind::Arrived;
    Kind kind;
    std::uint16_t slot, hostSlot;
    Time at;
};
struct Announced {
    static constexpr Kind id = Kind::Announced;
    Kind kind;
    std::uint16_t slot;
    Time at;
};
struct Ordered {
    static constexpr Kind id = Kind::Ordered;
    Kind kind;
    bool toHost;
    std::uint16_t slot;
    std::uint32_t sectors;
    std::uint64_t handle;
    bool isDirect;
    std::uint32_t place; // isDirect: token; otherwise: buffer
    Time at;

    host::ObservedTransfer transfer() const
    {
        return {handle, slot, toHost, isDirect, isDirect ? place : 0, isDirect ? 0 : place, sectors};
    }
};
struct MovedSectors {
    static constexpr Kind id = Kind::MovedSectors;
    Kind kind;
    std::uint16_t slot;
    std::uint64_t handle;
    Time at;
};
struct Ended {
    static constexpr Kind id = Kind::Ended;
    Kind kind;
    std::uint16_t slot;
    Time at;
};
struct Listed {
    static constexpr Kind id = Kind::Listed;
    Kind kind;
    bool isSynthesized;
    UnitId unit;
    Time at;
};
struct Fetched {
    static constexpr Kind id = Kind::Fetched;
    Kind kind;
    ObservedJob job;
    Time at;
};
struct RowStarted {
    static constexpr Kind id = Kind::RowStarted;
    Kind kind;
    UnitId unit;
    std::uint32_t slot, place;
    Time at;
};
struct UnitsPlaced {
    static constexpr Kind id = Kind::UnitsPlaced;
    Kind kind;
    UnitId unit;
    std::uint32_t slot;
    BusAddress first;
    std::uint32_t sectors;
};
struct Sent {
    static constexpr Kind id = Kind::Sent;
    Kind kind;
    controller::Ticket ticket;
    std::uint32_t slot;
    Time dataAt, at;
};
struct FinishedOperation {
    static constexpr Kind id = Kind::FinishedOperation;
    Kind kind;
    DieId die;
    controller::Ticket ticket;
    std::uint32_t slot;
    Time requestStart, at, decoded;

    WhichOperation op() const { return {die, requestStart}; }
};
struct FinishedForSink {
    static constexpr Kind id = Kind::FinishedForSink;
    Kind kind;
    controller::Ticket ticket;
    EndedOperation op;
    std::uint32_t slot;
    Time at, decoded;
};
struct RowEnded {
    static constexpr Kind id = Kind::RowEnded;
    Kind kind;
    UnitId unit;
    std::uint32_t slot;
    Time at;
};
struct Retired {
    static constexpr Kind id = Kind::Retired;
    Kind kind;
    UnitId unit;
    std::uint32_t place;
    Time at, visible;
};
struct FellAsleep {
    static constexpr Kind id = Kind::FellAsleep;
    Kind kind;
    std::uint32_t core;
    Time at;
};
struct WokeUp {
    static constexpr Kind id = Kind::WokeUp;
    Kind kind;
    std::uint32_t core;
    Time at;
};
// A segment of the operation gets the bus (die_activity.h). Mostly its first one, with the start of the operation, ...
struct Began {
    static constexpr Kind id = Kind::Began;
    Kind kind;
    nand::Opcode opcode;
    nand::Purpose purpose;
    nand::Form form;
    DieId die;
    std::uint32_t block;
    Time submitted, possible, start, busTime;

    ObservedOperation op() const { return {submitted, start, die, opcode, purpose, form, block}; }
};
// ... or a later one, for which neither the arrival nor the block matter ...
struct Continued {
    static constexpr Kind id = Kind::Continued;
    Kind kind;
    BusPhase phase;
    nand::Opcode opcode;
    nand::Purpose purpose;
    nand::Form form;
    DieId die;
    Time requestStart, possible, start, busTime;

    ObservedOperation op() const { return {Time{}, requestStart, die, opcode, purpose, form, 0}; }
};
struct Granted { // ... or any
    static constexpr Kind id = Kind::Granted;
    Kind kind;
    BusPhase phase;
    ObservedOperation op;
    Time possible, start, busTime;
};

inline constexpr std::size_t alignment = alignof(Time);
template <class T> // of an event in its block, up to the next one
inline constexpr std::size_t storedBytes = (sizeof(T) + alignment - 1) / alignment* alignment;
inline constexpr std::size_t largest = storedBytes<FinishedForSink>;

} // namespace stage_event

} // namespace strobe::platform
