#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observes what request_stages.h needs. In the thread of the simulation it only writes each event down
// (stage_event.h); blocks of events are analysed in a second thread (block_thread.h), which follows the simulation by
// up to four blocks. The result depends on the events alone, not on the threads.
//
// Who owns what: this object owns the analysis; while the second thread runs, only that thread uses the analysis, the
// statistics and the sink. The caller may use statistics and sink after flush(), and before the next event. Errors of
// the analysis are thrown by a later event or by flush().
// For a sink whose calls may not come late each event is analysed at once, in the caller's thread.

#include "models/controller/flash_observer.h"
#include "models/cpu/sleep_observer.h"
#include "models/host/request_observer.h"
#include "platform/assembly/block_thread.h"
#include "platform/assembly/stage_analysis.h"

#include <cstddef>
#include <functional>

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
    void flush();                                   // until all events have been analysed
    void end();                                     // the same; later events are ignored
    void stayInThread() { thread_.stayInThread(); } // of the caller, because it forks. Before the first event

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
    // Constructs the event where it is kept: copied from the stack, its short members would stall the wider loads.
    template <class T, class... Members>
    [[gnu::always_inline]] void add(const Members&... members);
    [[gnu::noinline]] void pass(); // hands the block on

    static constexpr std::size_t blockBytes = 256 * 1024;
    HostSlotOf hostSlotOf_;
    StageSink* sink_;
    bool comesLate_; // for the sink
    bool isSimple_;  // a row is one operation
    bool isOver_ = false;
    struct {
        Time at = never;
        UnitId unit{};
        std::uint32_t slot = 0;
    } row_; // that was started last
    StageAnalysis analysis_;
    BlockThread thread_; // it uses analysis_
    std::byte* next_;    // place of the next event in its block
    std::size_t room_;   // bytes of a block after which it is full
    std::byte* full_;    // the block is full if `next_` reaches this place
};

} // namespace strobe::platform
