#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host: runs the phases of a workload on the drive through a protocol front, measures, and checks every sector
// (integrity.h). Owns no clock: advance() is due at nextTime().
//
// Its parts: the jobs of a phase, their requests and when they are due (phase_jobs.h), the commands at the drive
// (outstanding_commands.h), what follows a power loss (power_loss_recovery.h), results (phase_result.h). Latency runs
// from arrival in an open loop, from when a dependent request was due, and from issue in a closed loop; device latency
// runs from issue.
//
// Power loss: powerLost() ends every outstanding command. When the drive is ready again the host reads back everything
// that was ever written, with nothing else outstanding, then issues the lost commands again in order, or drops them,
// and continues. What a zone has taken of a lost write or append is not written again: its write pointer tells that.
// Arrivals and think times elapse meanwhile; a latency counts from the first issue.
//
// Requests are issued in their order; if a protocol must not mix commands (flush and trim with queued commands on
// SATA), its front delays them. Not modelled: the time of driver and operating system (think time can represent it).

#include "models/base/config_error.h"
#include "models/base/partition.h"
#include "models/host/command_port.h"
#include "models/host/integrity.h"
#include "models/host/lost_commands.h"
#include "models/host/outstanding_commands.h"
#include "models/host/phase_jobs.h"
#include "models/host/phase_result.h"
#include "models/host/power_loss_recovery.h"
#include "models/host/request_observer.h"
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
    std::uint64_t zoneSectors = 0;      // from one zone to the next; 0: the drive has none
    std::vector<PartSize> namespaces{}; // of the drive: no read back crosses their borders
    std::uint32_t queues = 1;           // of the front, if a phase chooses among them (outstanding_commands.h)
    bool endsWithFlush = false; // after the last phase, in no phase's results: what was written outlives an orderly
                                // power-off; see isFlushed()
};

class HostDriver final : public HostSide {
public:
    static constexpr std::size_t keptFailures = 16;

    // The phases can be made only when the capacity of the drive is known.
    using PhaseMaker = std::function<std::vector<Phase>(std::uint64_t capacitySectors)>;
    HostDriver(const HostDriverConfig& config, PhaseMaker makePhases);
    ~HostDriver() override;
    static PhaseMaker phasesOf(WorkloadConfig workload, std::uint64_t seed);

    void connect(HostLink& link) { link_ = &link; } // again after a power loss
    // Called once, when all phases are over (or the driver was stopped) and nothing is outstanding.
    void onFinished(std::function<void(Time)> finished) { finished_ = std::move(finished); }
    // A phase begins or has ended (also if stopped), before anything else happens at that instant.
    using PhaseObserver = std::function<void(const PhaseResult& phase, bool begins)>;
    void onPhase(PhaseObserver observer) { phaseObserver_ = std::move(observer); }
    // A command has returned wrong data: the first of its mismatches.
    void onMismatch(std::function<void(const Mismatch&)> listener) { mismatch_ = std::move(listener); }
    void observe(RequestObserver* observer) { observer_ = observer; } // of the requests of phases; null: none

    // The drive is ready after a power loss, or with contents of an earlier run; what was written is read back now.
    void onReturned(std::function<void(Time)> returned) { returned_ = std::move(returned); }
    // The workload goes on after a power loss: the drive is ready, and what was written has been read back.
    void onResumed(std::function<void(Time)> resumed) { resumed_ = std::move(resumed); }

    // How many sectors of a zone the drive has taken: its write pointer, read after a power loss.
    using WritePointer = std::function<std::uint64_t(std::uint64_t zone)>;
    void readsPointers(WritePointer pointer) { writePointer_ = std::move(pointer); }

    // The host's record of a drive, for a later process. Empty: nothing.
    struct Record {
        std::uint64_t capacitySectors = 0;
        std::string versions;             // Integrity::save()
        std::uint64_t writtenSectors = 0; // at least once, in whole 4 KiB; set by record()
    };
    // Loads the record of a drive with that capacity, saved by another process; to be called before the drive is ready
    // for the first time. Every read is checked against it; `readsBack`: everything that was ever written is read
    // before the workload begins, as after a power loss. driveReady() throws OtherCapacity, or DamagedBytes for a file
    // that cannot be read.
    void continueFrom(Record record, bool readsBack)
    {
        earlier_ = std::move(record);
        readsRecordBack_ = readsBack;
    }
    // The same record of this drive; if the drive was never ready, the record that was loaded.
    Record record() const;

    // Functional phases (PhaseConfig::isFunctional) wait until the platform has a link without time for them: then
    // awaitsSwitch(), and onSwitch is called. So do the phases after them. switchTo() begins what has waited. The
    // requests of functional phases are not observed.
    bool awaitsSwitch() const;
    void onSwitch(std::function<void(Time)> wanted) { switchRequested_ = std::move(wanted); }
    void switchTo(HostLink& link, bool isFunctional, Time now); // REQUIRES: nothing is outstanding

    void powerLost(Time now); // power of the drive; the next driveReady() means that it is on again

    // The front's side.
    void driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time now) override;
    void placed(std::uint16_t slot, std::uint64_t lba) override;
    void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination) override;
    TagRun writeRunAt(std::uint16_t slot, std::uint32_t first) const override;
    void tookWriteRun(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors) override;
    void takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source) override;
    void completed(std::uint16_t slot, CommandStatus status, Time now) override;
    void sentAgain(Time now) override { lastEnd_ = now; }

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
    std::uint32_t outstanding() const { return commands_.count(); }
    const OutstandingCommands& commands() const { return commands_; }
    // Since when commands have been outstanding without the end of any, and without a planned reset, which sends them
    // again; never: there are none. REQUIRES: isPowered()
    Time waitingSince() const;
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

    const RecoveryCounts& power() const { return recovery_.counts(); }

private:
    enum class Closing : std::uint8_t { Open, Flushing, Confirmed, Refused };

    void pump(Time now);
    bool issueNext(Time now); // false: nothing to issue now
    void send(const OutstandingCommand& sent, Time now);
    void drop(const OutstandingCommand& command, Time now);
    void takeOver(Time now);
    void beginReadBack(bool readsAll, Time now);
    void readBack(Time now);
    void resume(Time now);
    bool keepRest(OutstandingCommand& command) const;
    bool isServing() const { return isReady() && isPowered_ && !recovery_.isReadingBack(); }
    void beginPhase(Time now);
    void endPhase();
    void finishIfIdle(Time now);
    bool beginsClosing(Time now);
    bool isOfCurrentPhase(const OutstandingCommand& command) const
    {
        return jobs_.isActive() && command.phase == phaseIndex_;
    }
    Phase& phase() { return phases_[phaseIndex_]; }
    bool hasPhase() const { return phaseIndex_ < phases_.size(); }

    HostDriverConfig config_;
    PhaseMaker makePhases_;
    HostLink* link_ = nullptr;
    std::function<void(Time)> finished_;
    PhaseObserver phaseObserver_;
    RequestObserver* observer_ = nullptr;
    std::function<void(Time)> switchRequested_;
    std::function<void(const Mismatch&)> mismatch_;
    bool isFunctional_ = false;

    std::optional<Record> earlier_;
    bool readsRecordBack_ = true;
    Closing closing_ = Closing::Open;
    std::unique_ptr<Integrity> integrity_; // made when the drive is ready
    std::uint64_t capacitySectors_ = 0;
    OutstandingCommands commands_;
    PowerLossRecovery recovery_;

    std::vector<Phase> phases_;
    std::vector<PhaseResult> results_;
    std::size_t phaseIndex_ = 0;
    PhaseJobs jobs_; // active: the current phase has begun

    bool isPowered_ = false;
    Time poweredAt_{};
    std::function<void(Time)> returned_;
    std::function<void(Time)> resumed_;
    WritePointer writePointer_;
    Time readyTime_{};
    Time lastEnd_{}; // of a command, or of a planned reset
    bool isStopped_ = false;
    bool isFinished_ = false;
    std::vector<FailedRequest> failures_;
};

} // namespace strobe::host
