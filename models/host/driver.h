#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host: runs the phases of a workload on the drive through a protocol front, measures, and checks every sector
// (integrity.h). Owns no clock: advance() is due at nextTime().
//
//   closed loop  keeps min(queueDepth, slots) requests outstanding; after think time a completion allows the
//                next. Latency runs from issue to completion.
//   open loop    a request waits from its arrival until a slot is free, however many wait. Latency runs from arrival,
//                device latency from issue.
//   dependent    the requests of a trace, each due when those that preceded it in the recording are complete
//                (workload/trace_dependencies.h); then as in an open loop, with latency from when it was due.
//
// Power loss: powerLost() ends every outstanding command. When the drive is ready again the host reads back everything
// that was ever written, with nothing else outstanding, then issues the lost commands again in order, or drops them,
// and continues. Arrivals and think times elapse meanwhile; a latency counts from the first issue.
//
// Requests are issued in their order; if a protocol must not mix commands (flush and trim with queued commands on
// SATA), its front delays them. Not modelled: the time of driver and operating system (think time can represent it).

#include "models/base/config_error.h"
#include "models/base/ring_queue.h"
#include "models/host/command_port.h"
#include "models/host/integrity.h"
#include "models/host/lost_commands.h"
#include "models/host/phase_result.h"
#include "models/host/request_observer.h"
#include "models/host/workload/trace_dependencies.h"
#include "models/host/workload/workload_phase.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strobe::host {

// The capacity of the drive differs from the one for which the host's record was saved.
class OtherCapacity : public ConfigError {
public:
    using ConfigError::ConfigError;
};

struct HostDriverConfig {
    DataMode dataMode = DataMode::Tags;
    std::uint32_t mappingUnitSectors = 8; // of the drive's translation layer, for trims (integrity.h)
    bool expectsPowerLoss = false;
    Durable acknowledged = Durable::Forced; // what outlives a power loss without a flush
    bool readsBack = true;                  // after a power loss
    LostCommands lost = LostCommands::Reissue;
    bool endsWithFlush = false; // after the last phase, in no phase's results: what was written outlives an orderly
                                // power-off; see isFlushed()
};

class HostDriver final : public HostSide {
public:
    static constexpr std::size_t keptFailures = 16;

    // The phases can be made only when the capacity of the drive is known.
    using PhaseMaker = std::function<std::vector<Phase>(std::uint64_t capacitySectors)>;
    HostDriver(const HostDriverConfig& config, PhaseMaker makePhases);
    static PhaseMaker phasesOf(WorkloadConfig workload, std::uint64_t seed);

    void connect(HostLink& link) { link_ = &link; } // again after a power loss
    // Called once, when all phases are over (or the driver was stopped) and nothing is outstanding.
    void onFinished(std::function<void(Time)> finished) { finished_ = std::move(finished); }
    // A phase begins or has ended (also if stopped), before anything else happens at that instant.
    using PhaseObserver = std::function<void(const PhaseResult& phase, bool begins)>;
    void onPhase(PhaseObserver observer) { phaseObserver_ = std::move(observer); }
    void observe(RequestObserver* observer) { observer_ = observer; } // of the requests of phases; null: none

    // The workload goes on after a power loss: the drive is ready, and what was written has been read back.
    void onResumed(std::function<void(Time)> resumed) { resumed_ = std::move(resumed); }

    // The host's record of a drive, for a later process. Empty: nothing.
    struct Known {
        std::uint64_t capacitySectors = 0;
        std::string versions;             // Integrity::save()
        std::uint64_t writtenSectors = 0; // at least once, in whole 4 KiB; set by known()
    };
    // Loads the record of a drive with that capacity, saved by another process; to be called before the drive is ready
    // for the first time. Every read is checked against it; `readsBack`: everything that was ever written is read
    // before the workload begins, as after a power loss. driveReady() throws OtherCapacity, or DamagedBytes for a file
    // that cannot be read.
    void knowFrom(Known known, bool readsBack)
    {
        known_ = std::move(known);
        readsKnownBack_ = readsBack;
    }
    // The same record of this drive; if the drive was never ready, the record that was loaded.
    Known known() const;

    // Functional phases (PhaseConfig::isFunctional) wait until the platform has a link without time for them: then
    // awaitsSwitch(), and onSwitch is called. So do the phases after them. switchTo() begins what has waited. The
    // requests of functional phases are not observed.
    bool awaitsSwitch() const;
    void onSwitch(std::function<void(Time)> wanted) { switchWanted_ = std::move(wanted); }
    void switchTo(HostLink& link, bool isFunctional, Time now); // REQUIRES: nothing is outstanding

    void powerLost(Time now); // power of the drive; the next driveReady() means that it is on again

    // The front's side.
    void driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time now) override;
    void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination) override;
    TagRun writeRunAt(std::uint16_t slot, std::uint32_t first) const override;
    void tookWriteRun(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors) override;
    void takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source) override;
    void completed(std::uint16_t slot, CommandStatus status, Time now) override;

    void advance(Time now); // arrivals and ends of think times
    Time nextTime() const;  // never: only a completion allows the next request
    void stop(Time now);    // no new requests; finished when the outstanding ones are complete

    bool isReady() const { return integrity_ != nullptr; } // the drive has been ready once
    bool isPowered() const { return isPowered_; }          // and is now
    Time poweredAt() const { return poweredAt_; }          // since when
    bool isFinished() const { return isFinished_; }
    bool wasStopped() const { return isStopped_; }
    // The drive has confirmed the flush after the last phase (HostDriverConfig::endsWithFlush).
    bool isFlushed() const { return closing_ == Closing::Confirmed; }
    Time readyTime() const { return readyTime_; }
    std::uint64_t capacitySectors() const { return capacitySectors_; }
    std::uint32_t outstanding() const { return outstanding_; }
    HostProgress progress() const;
    const std::vector<PhaseResult>& results(); // phases begun so far
    KindResults measured() const { return measuredResults(results_); }
    Time measuredTime() const { return measuredLength(results_); }
    const std::vector<FailedRequest>& firstFailures() const { return failures_; }
    // Of the requests outstanding in measured phases: the sum of their times since issue, by RequestKind. Takes a look
    // at every command slot.
    std::array<Time, requestKindTable.size()> outstandingTime(Time now) const;
    // REQUIRES: isReady()
    const Integrity& integrity() const { return *integrity_; }

    struct PowerCounts {
        std::uint64_t lostCommands = 0;
        std::uint64_t unreadable = 0; // sectors that could not be read back
    };
    const PowerCounts& power() const { return power_; }

private:
    struct Slot {
        Request request;
        Time arrived{};
        Time issued{};
        std::size_t phase = 0;
        std::uint64_t number = 0; // dependent: in the phase's dependencies
        std::uint64_t order = 0;  // of issue, over all
        bool isOut = false;
        bool isReadBack = false; // after a power loss; of no phase
        bool isClosing = false;  // the flush after the last phase; of no phase
    };
    enum class Closing : std::uint8_t { Open, Flushing, Confirmed, Refused };

    void pump(Time now);
    bool issueNext(Time now); // false: nothing to issue now
    bool issueFromSlot(Time now);
    bool issueAtItsTime(Time now);
    void takeWaiting(Time now);
    Time dueTime() const; // REQUIRES: waiting_
    void issue(const Request& request, Time arrived, Time now);
    void send(Slot slot, Time now);
    void takeBack(std::uint16_t number);
    void drop(const Slot& slot, Time now);
    void takeOver(Time now);
    void readBack(Time now);
    void resume(Time now);
    bool isServing() const { return isReady() && isPowered_ && !isReadingBack_; }
    void beginPhase(Time now);
    void endPhase();
    void finishIfIdle(Time now);
    bool beginsClosing(Time now);
    void closed(std::uint16_t number, bool isOk, Time now);
    Phase& phase() { return phases_[phaseIndex_]; }
    bool hasPhase() const { return phaseIndex_ < phases_.size(); }

    HostDriverConfig config_;
    PhaseMaker makePhases_;
    HostLink* link_ = nullptr;
    std::function<void(Time)> finished_;
    PhaseObserver phaseObserver_;
    RequestObserver* observer_ = nullptr;
    std::function<void(Time)> switchWanted_;
    bool isFunctional_ = false;

    std::optional<Known> known_;
    bool readsKnownBack_ = true;
    Closing closing_ = Closing::Open;
    std::unique_ptr<Integrity> integrity_; // made when the drive is ready
    std::uint64_t capacitySectors_ = 0;
    std::vector<Slot> slots_;
    std::vector<std::uint16_t> freeSlots_;

    std::vector<Phase> phases_;
    std::vector<PhaseResult> results_;
    std::size_t phaseIndex_ = 0;
    bool hasBegun_ = false;          // the current phase
    std::uint32_t credits_ = 0;      // closed loop: requests that may be issued now
    RingQueue<Time> thinking_;       // closed loop: ends of think times
    std::optional<Request> waiting_; // open loop, dependent: the next arrival
    TraceDependencies dependencies_;

    std::uint32_t outstanding_ = 0;
    std::uint64_t order_ = 0;
    bool isPowered_ = false;
    Time poweredAt_{};
    bool isReadingBack_ = false;
    std::uint64_t readBackAt_ = 0; // next sector
    std::vector<Slot> lost_;       // to be issued again
    PowerCounts power_;
    std::function<void(Time)> resumed_;
    Time readyTime_{};
    bool isStopped_ = false;
    bool isFinished_ = false;
    std::vector<FailedRequest> failures_;
};

} // namespace strobe::host
