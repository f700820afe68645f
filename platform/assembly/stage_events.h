#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observes what request_stages.h needs and hands it on in batches, in the order of the reports. Handled one by one,
// each report would displace code and data of the models from the caches of the machine; a batch does so once. Most
// flash jobs are one page: what is observed of such a job is put together (page_jobs.h) and handed on at its end. For a
// sink whose calls may not come late each report is handed on at once.

#include "models/controller/flash_observer.h"
#include "models/cpu/sleep_observer.h"
#include "models/host/request_observer.h"
#include "platform/assembly/page_jobs.h"
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
    struct Completed {
        RequestStages::Request* request;
        bool isMeasured;
        Time at;
    };
    struct Ordered {
        RequestStages::Request* request;
        host::ObservedTransfer transfer;
        std::size_t number; // of the request's
        Time at;
    };
    struct Listed {
        UnitId unit;
        bool isSynthesized;
        Time at;
        CpuSleep::Mark sleeps;
    };
    struct Fetched {
        ObservedJob job;
        Time at;
    };
    struct RowStarted {
        UnitId unit;
        std::uint32_t slot, place;
        Time at;
        UnitWork before;
    };
    struct Begun {
        ObservedJob job;
        Time listed;
        CpuSleep::Mark sleeps;
        Time at;
    };
    struct PageEnded {
        PageJob* page;
    };
    struct FinishedWhole {
        controller::Ticket ticket;
        std::uint32_t slot;
        WholeOperation op;
        Time at, decoded;
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
    struct Slept {
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
        Completed,
        Ordered,
        PageEnded,
        Listed,
        Fetched,
        Begun,
        RowStarted,
        UnitsPlaced,
        Sent,
        Finished,
        FinishedWhole,
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
    // Hands on event by event what is more than a page or an operation that has its die for itself. Apart from the
    // others, which thus have nothing to keep. `page`: what was put together until then, or null.
    [[gnu::noinline]] void reportList();
    [[gnu::noinline]] void reportJob(const Job& job, Time at);
    [[gnu::noinline]] void startRow(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at);
    [[gnu::noinline]] void reportSent(PageJob* page, controller::Ticket ticket, std::uint32_t slot, Time dataAt,
                                      Time at);
    [[gnu::noinline]] void reportFinished(PageJob* page, const WholeOperation* whole, controller::Ticket ticket,
                                          std::uint32_t slot, const nand::Operation& op, Time at, Time decoded);
    [[gnu::noinline]] void reportRowEnd(PageJob* page, UnitId unit, std::uint32_t slot, Time at);
    [[gnu::noinline]] void reportRetired(PageJob* page, UnitId unit, std::uint32_t place, Time at, Time visible);
    [[gnu::noinline]] void reportAlone(const nand::Operation& op, channel::NandInterface::Phase phase,
                                       const GrantedSegment& segment);
    [[gnu::noinline]] void reportPage(PageJob* page);
    void reportGrant(const ObservedOperation& op, channel::NandInterface::Phase phase, const GrantedSegment& segment);
    void reportWhole(DieId die);
    void occupied(const WholeOperation& op, Time at);
    void tell(const WholeOperation& whole, std::uint64_t job);

    static constexpr std::size_t batch = 6 * 1024; // bytes
    static constexpr std::size_t largest = sizeof(KeptEvent<FinishedWhole>);
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
    bool isWhole_;  // what is simple is handed on at its end
    std::uint32_t pageSectors_;
    PageJobs pages_;
    WholeOperations operations_;
    PageJobs::List list_;       // listed last
    std::uint32_t batches_ = 1; // the number of this one
    // Of dies, in this batch: half of what BusyHistory keeps, so that it has what was before the operations of a page
    // when the page is handed on.
    static constexpr std::size_t mostOccupations = BusyHistory::kept / 2;
    std::size_t occupations_ = 0;
};

} // namespace strobe::platform
