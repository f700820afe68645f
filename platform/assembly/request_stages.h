#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Where the time of each host request goes: joins what is observed at the host, the host interface, the flash units,
// the channels and the CPU into one way through the stages (platform/report/stage_path.h) per request, whose lengths
// add up to its latency exactly. Firmware does not take part: any firmware, native or on the RV32 core, is observed at
// its registers.
//
// A request's way follows what ended last:
//   host queue, host link, command fetch     until firmware can see the command
//   read    the job that brought the data of the transfer that ended last; then that transfer
//   write   waiting for a place in the buffer; the transfer that ended last; then what firmware waits for until it
//           completes the command (write-through)
//   flush, trim   what firmware waits for
// Between these firmware has the request. While a core is awake that is firmware's time. From the first instant at
// which all cores sleep until the wake-up before firmware acts, the request waits, and the flash job whose result was
// seen last says for what: its stages, or a wait for the mapping table or for the buffer. What came before that job is
// divided in the same way.
//
// Not divided: the host's link (queueing and transfer are one stage); a job that firmware could see later than it says
// (a list with one report at its end).

#include "models/host/request_observer.h"
#include "platform/assembly/cause_sums.h"
#include "platform/assembly/cpu_sleep.h"
#include "platform/assembly/flash_job_log.h"
#include "platform/assembly/growing_table.h"
#include "platform/report/stage_tally.h"

#include <cstdint>
#include <vector>

namespace strobe::platform {

// The drive in one power cycle.
struct ObservedDrive {
    std::size_t dies = 0;
    std::size_t units = 0;
    std::uint32_t buses = 1; // of a superchip
    std::uint32_t cores = 1;
    memory::Region dataBuffer;
    std::uint32_t slots = 0;
    std::uint32_t planes = 1; // of a die, if they read independently of each other
};

// Its functions are called for what host::RequestObserver and host::CommandObserver report, in the same order.
class RequestStages {
public:
    // `statistics`: of the measured phases; null: for the sink only.
    RequestStages(const ObservedDrive& drive, RequestStatistics* statistics);
    void tell(StageSink* sink); // null: none

    FlashJobLog& jobs() { return jobs_; }
    CpuSleep& sleep() { return sleep_; }
    bool isStopped() const { return isStopped_; } // nothing uses its results any more

    void issued(const host::Command& command, std::uint64_t number, Time from, Time at);
    void completed(std::uint16_t slot, bool isMeasured, Time at);
    void arrived(std::uint16_t slot, std::uint16_t hostSlot, Time at);
    void announced(std::uint16_t slot, Time at);
    void ordered(const host::ObservedTransfer& transfer, Time at);
    void moved(std::uint64_t handle, std::uint16_t slot, Time at);
    void ended(std::uint16_t slot, Time at);
    void keepJobs(); // for requests that have begun and not ended. To be called if jobs().isKeepDue().

    std::uint64_t sharedWaits() const { return sharedWaits_; } // times that a request took sums along a chain

private:
    struct Transfer {
        std::uint64_t handle = 0;
        std::uint32_t job = 0; // that brought the data; 0: none
        Time ordered{};
        Time ended = never;
        CpuSleep::Mark sleeps{}; // when it was ordered
    };
    struct Request { // by slot of the host
        RequestFacts facts;
        Time from{};
        Time issued{};
        Time arrived = never; // at the drive, and so on; never: not yet
        Time announced = never;
        Time firstMoved = never; // the transfer that ended first
        Time ended = never;
        CpuSleep::Mark sleepsAnnounced{};
        CpuSleep::Mark sleepsEnded{};
        std::vector<Transfer> transfers;
        std::size_t moved = 0;      // those before it have ended
        FlashJobLog::RowWay direct; // of the last transfer directly from flash
        JobDies dies;               // of the job that brought its data
        bool isDirect = false;
        bool isOpen = false;
    };
    enum class Waits : std::uint8_t { ForBuffer, ForFlash }; // what a wait before an action of firmware means
    struct Cause {                                           // of an action of firmware
        Time wokeUp{};                                       // up to then all cores slept; `from`: not after that
        std::uint32_t job = 0; // FlashJob::id of the last one whose result was visible then; 0: none
    };
    struct Ended { // what ended a wait: a job, or a transfer of the request; both null: not known
        FlashJob* job;
        const Transfer* transfer;
    };

    Request* inDrive(std::uint16_t slot);
    void serve(const Request& request, FlashJob& last);
    bool isOver(Time at) const;
    // Way: a StagePath, or SharedSums if nothing else of the request is needed.
    void trace(Request& request, Time at); // into traced_
    template <class Way>
    void follow(Request& request, Way& way, Time at);
    template <class Way>
    void followRead(Request& request, Way& way);
    template <class Way>
    void followWrite(Request& request, Way& way);
    // `since`: the sleeps at about the end of the way. `sleeps`: at about `until`.
    template <class Way>
    void addFirmware(Request& request, Way& way, Time until, Waits waits, const CpuSleep::Mark& since,
                     const CpuSleep::Mark& sleeps);
    template <class Way>
    void addFirmware(Request& request, Way& way, FlashJob& job);
    template <class Way>
    void addWait(Request& request, Way& way, const Cause& cause, Waits waits);
    struct Link {   // of a chain of causes
        Time until; // of the wait
        Ended ended;
        Time acted; // firmware, before that
        // Null: the link is one job. Otherwise it is the jobs of a tree from `ended.job` to this one, of which all but
        // `ended.job` come from sums that requests share.
        const CauseNode* last;
        CauseTree::Edge edge;
    };
    bool isLong(const FlashJob& last, Time from) const;
    bool waitsForOthers(const Request& request, const Cause& cause, Waits waits, Time from);
    void share(Link& link, Time from); // REQUIRES: the link has a job that was listed after `from`
    template <class Way>
    void addShared(Request& request, Way& way, const Link& link, RequestStage otherwise, Waits waits);
    template <class Way>
    void addJob(Request& request, Way& way, const FlashJob& job, Time until, Waits waits);
    // Why firmware acted at `until`, if it was woken up after `from`. `near`: id of a job that ended at about that
    // time.
    Cause causeOf(Time from, Time until, const CpuSleep::Mark& sleeps, std::uint32_t near) const;
    Cause causeOf(Time from, FlashJob& job) const; // why it listed the job
    // Whose end the cause was, if it came after `from`.
    Ended endedAt(const Request& request, const Cause& cause, Time from);
    static const Transfer* lastOf(const Request& request);

    RequestStatistics* statistics_;
    StageSink* sink_ = nullptr;
    FlashJobLog jobs_;
    CpuSleep sleep_;
    CauseSums causes_;
    std::uint64_t sharedWaits_ = 0;
    GrowingTable<Link> links_; // of the wait that is added
    std::vector<Request> requests_;
    std::vector<std::uint32_t> hostSlots_; // by slot of the drive, for all that there can be
    TracedRequest traced_;                 // the one that was followed last
    bool isStopped_ = false;
    Time longest_{}; // time of a request in the job that its die is taken from
};

} // namespace strobe::platform
