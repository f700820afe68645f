#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What is observed for the stages of requests, as values: each event is complete in itself, so that it can be handled
// later and in another thread than the models'. Events are stored one after the other in blocks, each after its kind.

#include "models/controller/ports.h"
#include "models/host/request_observer.h"
#include "platform/assembly/flash_job_log.h"
#include "platform/assembly/stage_sink.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace strobe::platform {

enum class StageEventKind : std::uint64_t {
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
    Granted,
    FinishedForSink
};

namespace stage_event {

// Members as the parameters of the observers' functions.
struct Issued {
    static constexpr auto kind = StageEventKind::Issued;
    host::Command command;
    std::uint64_t number;
    Time from, at;
};
struct Completed {
    static constexpr auto kind = StageEventKind::Completed;
    std::uint16_t slot;
    bool isMeasured;
    Time at;
};
struct Arrived {
    static constexpr auto kind = StageEventKind::Arrived;
    std::uint16_t slot, hostSlot;
    Time at;
};
struct Announced {
    static constexpr auto kind = StageEventKind::Announced;
    std::uint16_t slot;
    Time at;
};
struct Ordered {
    static constexpr auto kind = StageEventKind::Ordered;
    host::ObservedTransfer transfer;
    Time at;
};
struct MovedSectors {
    static constexpr auto kind = StageEventKind::MovedSectors;
    std::uint64_t handle;
    std::uint16_t slot;
    Time at;
};
struct Ended {
    static constexpr auto kind = StageEventKind::Ended;
    std::uint16_t slot;
    Time at;
};
struct Listed {
    static constexpr auto kind = StageEventKind::Listed;
    UnitId unit;
    bool isSynthesized;
    Time at;
};
struct Fetched {
    static constexpr auto kind = StageEventKind::Fetched;
    ObservedJob job;
    Time at;
};
struct RowStarted {
    static constexpr auto kind = StageEventKind::RowStarted;
    UnitId unit;
    std::uint32_t slot, place;
    Time at;
};
struct UnitsPlaced {
    static constexpr auto kind = StageEventKind::UnitsPlaced;
    UnitId unit;
    std::uint32_t slot;
    BusAddress first;
    std::uint32_t sectors;
};
struct Sent {
    static constexpr auto kind = StageEventKind::Sent;
    controller::Ticket ticket;
    std::uint32_t slot;
    Time dataAt, at;
};
struct FinishedOperation {
    static constexpr auto kind = StageEventKind::FinishedOperation;
    controller::Ticket ticket;
    std::uint32_t slot;
    WhichOperation op;
    Time at, decoded;
};
struct FinishedForSink {
    static constexpr auto kind = StageEventKind::FinishedForSink;
    controller::Ticket ticket;
    std::uint32_t slot;
    EndedOperation op;
    Time at, decoded;
};
struct RowEnded {
    static constexpr auto kind = StageEventKind::RowEnded;
    UnitId unit;
    std::uint32_t slot;
    Time at;
};
struct Retired {
    static constexpr auto kind = StageEventKind::Retired;
    UnitId unit;
    std::uint32_t place;
    Time at, visible;
};
struct FellAsleep {
    static constexpr auto kind = StageEventKind::FellAsleep;
    std::uint32_t core;
    Time at;
};
struct WokeUp {
    static constexpr auto kind = StageEventKind::WokeUp;
    std::uint32_t core;
    Time at;
};
struct Granted { // a segment of the operation gets the bus (die_activity.h)
    static constexpr auto kind = StageEventKind::Granted;
    ObservedOperation op;
    channel::NandInterface::Phase phase;
    Time possible, start, busTime;
};

template <class T>
struct Stored {
    StageEventKind kind;
    T event;
};
inline constexpr std::size_t largest = sizeof(Stored<FinishedForSink>);

} // namespace stage_event

} // namespace strobe::platform
