#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observes what request_stages.h needs and hands it on in batches, in the order of the reports. Handled one by one,
// each report would displace code and data of the models from the caches of the machine; a batch does so once. For a
// sink whose calls may not come late each report is handed on at once.

#include "models/controller/flash_observer.h"
#include "models/cpu/sleep_observer.h"
#include "models/host/request_observer.h"
#include "platform/assembly/request_stages.h"
#include "platform/assembly/stage_sink.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace strobe::platform {

class StageEvents final : public host::RequestObserver,
                          public host::CommandObserver,
                          public controller::FlashObserver,
                          public cpu::SleepObserver {
public:
    using HostSlotOf = std::function<std::uint16_t(const host::Command&)>; // empty: the slots are the same
    // `statistics` and `sink` as in RequestStages.
    StageEvents(const ObservedDrive& drive, RequestStatistics* statistics, StageSink* sink, HostSlotOf hostSlotOf);
    StageEvents(const StageEvents&) = delete;
    StageEvents& operator=(const StageEvents&) = delete;
    // A segment of the operation gets the bus (die_activity.h).
    void granted(const nand::Operation& op, channel::NandInterface::Phase phase, Time possible, Time start,
                 Time busTime);
    [[gnu::noinline]] void flush(); // hands on what is left

    void issued(const host::Command& command, std::uint64_t number, Time from, Time at) override;
    void completed(std::uint16_t slot, bool isMeasured, Time at) override;
    void arrived(const host::Command& command, Time at) override;
    void announced(std::uint16_t slot, Time at) override;
    void ordered(const host::ObservedTransfer& transfer, Time at) override;
    void moved(std::uint64_t handle, std::uint16_t slot, Time at) override;
    void ended(std::uint16_t slot, Time at) override;
    void listed(UnitId unit, bool isSynthesized, Time at) override;
    void fetched(const Job& job, Time at) override;
    void rowStarted(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at) override;
    void unitsPlaced(UnitId unit, std::uint32_t slot, BusAddress first, std::uint32_t sectors) override;
    void sent(controller::Ticket ticket, std::uint32_t slot, const nand::Operation& op, Time dataAt, Time at) override;
    void finished(controller::Ticket ticket, std::uint32_t slot, const nand::Operation& op, Time at,
                  Time decoded) override;
    void rowEnded(UnitId unit, std::uint32_t slot, Time at) override;
    void retired(UnitId unit, std::uint32_t place, Time at, Time visible) override;
    void fellAsleep(std::uint32_t core, Time at) override;
    void wokeUp(std::uint32_t core, Time at) override;

private:
    struct Issued {
        host::Command command;
        std::uint64_t number;
        Time from, at;
    };
    struct Completed {
        std::uint16_t slot;
        bool isMeasured;
        Time at;
    };
    struct Arrived {
        std::uint16_t slot, hostSlot;
        Time at;
    };
    struct Announced {
        std::uint16_t slot;
        Time at;
    };
    struct Ordered {
        host::ObservedTransfer transfer;
        Time at;
    };
    struct Moved {
        std::uint64_t handle;
        std::uint16_t slot;
        Time at;
    };
    struct Ended {
        std::uint16_t slot;
        Time at;
    };
    struct Listed {
        UnitId unit;
        bool isSynthesized;
        Time at;
    };
    struct Fetched {
        ObservedJob job;
        Time at;
    };
    struct RowStarted {
        UnitId unit;
        std::uint32_t slot, place;
        Time at;
    };
    struct UnitsPlaced {
        UnitId unit;
        std::uint32_t slot;
        BusAddress first;
        std::uint32_t sectors;
    };
    struct Sent {
        controller::Ticket ticket;
        std::uint32_t slot;
        Time dataAt, at;
    };
    struct Finished {
        controller::Ticket ticket;
        std::uint32_t slot;
        ObservedOperation op;
        Time at, decoded;
    };
    struct RowEnded {
        UnitId unit;
        std::uint32_t slot;
        Time at;
    };
    struct Retired {
        UnitId unit;
        std::uint32_t place;
        Time at, visible;
    };
    struct FellAsleep {
        std::uint32_t core;
        Time at;
    };
    struct WokeUp {
        std::uint32_t core;
        Time at;
    };
    struct FinishedForSink {
        controller::Ticket ticket;
        std::uint32_t slot;
        EndedOperation op;
        Time at, decoded;
    };
    struct Granted {
        ObservedOperation op;
        channel::NandInterface::Phase phase;
        Time possible, start, busTime;
    };

    // Events are stored consecutively, each after its kind.
    enum class EventKind : std::uint64_t {
        Issued,
        Completed,
        Arrived,
        Announced,
        Ordered,
        Moved,
        Ended,
        Listed,
        Fetched,
        RowStarted,
        UnitsPlaced,
        Sent,
        Finished,
        RowEnded,
        Retired,
        FellAsleep,
        WokeUp,
        Granted,
        FinishedForSink,
        GrantedForSink,
        End // of the batch
    };
    template <class T>
    struct KeptEvent {
        EventKind kind;
        T event;
    };
    static EventKind kindAt(const std::byte* at); // of the event there
    template <class T>
    static const T& eventAt(const std::byte*& at); // the event there; `at`: after it
    // Constructs the event where it is kept: copied from the stack, its short members would stall the wider loads.
    template <class T, class... Members>
    [[gnu::always_inline]] void add(EventKind kind, const Members&... members);
    // Apart from the others, which thus end with the event and have nothing to keep until then.
    [[gnu::noinline]] void finishedForSink(controller::Ticket ticket, std::uint32_t slot, const nand::Operation& op,
                                           Time at, Time decoded);
    [[gnu::noinline]] void grantedForSink(const nand::Operation& op, channel::NandInterface::Phase phase, Time possible,
                                          Time start, Time busTime);

    static constexpr std::size_t batch = 24 * 1024; // bytes
    static constexpr std::size_t largest = sizeof(KeptEvent<FinishedForSink>);
    HostSlotOf hostSlotOf_;
    StageSink* sink_;
    RequestStages stages_;
    std::vector<std::byte> events_;
    std::byte* next_; // place of the next event in it
    std::byte* full_; // the batch is full if it reaches this place
    struct {
        Time at = never;
        UnitId unit{};
        std::uint32_t slot = 0;
    } row_;         // that was started last
    bool isSimple_; // a row is one operation
};

} // namespace strobe::platform
