// SPDX-License-Identifier: Apache-2.0
#include "models/host/driver.h"

#include "models/base/bytes.h"
#include "models/base/check.h"
#include "models/base/config_error.h"

#include <algorithm>

namespace strobe::host {

HostDriver::HostDriver(const HostDriverConfig& config, PhaseMaker makePhases)
    : config_(config), makePhases_(std::move(makePhases)), recovery_(config.lost)
{
}

HostDriver::~HostDriver() = default;

HostDriver::PhaseMaker HostDriver::phasesOf(WorkloadConfig workload, std::uint64_t seed)
{
    return [workload = std::move(workload), seed](std::uint64_t capacitySectors) {
        return makePhases(workload, capacitySectors, seed);
    };
}

void HostDriver::driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time now)
{
    check(!isPowered_, "the drive became ready twice");
    isPowered_ = true;
    poweredAt_ = now;
    if (isReady()) {
        check(slots == commands_.slots(), "the drive has come back from a power loss with other slots");
        if (capacitySectors != capacitySectors_)
            throw OtherCapacity("the drive has come back from a power loss with " + std::to_string(capacitySectors) +
                                " sectors, it had " + std::to_string(capacitySectors_));
        beginReadBack(config_.readsBack, now);
        return;
    }
    commands_.resize(slots, config_.queues);
    integrity_ = std::make_unique<Integrity>(config_.dataMode, capacitySectors, slots, config_.mappingUnitSectors);
    if (config_.expectsPowerLoss)
        integrity_->expectPowerLoss(config_.acknowledged);
    capacitySectors_ = capacitySectors;
    recovery_.divide(partition(config_.namespaces, capacitySectors));
    readyTime_ = now;
    phases_ = makePhases_(capacitySectors);
    results_.reserve(phases_.size());
    if (earlier_)
        takeOver(now);
    else
        pump(now);
}

HostDriver::Record HostDriver::record() const
{
    if (!isReady())
        return earlier_.value_or(Record{});
    ByteWriter versions;
    integrity_->save(versions);
    Record record{capacitySectors_, versions.bytes()};
    constexpr std::uint32_t most = 1U << 20U;
    for (auto range = integrity_->writtenFrom(0, most); range.sectors != 0;
         range = integrity_->writtenFrom(range.lba + range.sectors, most))
        record.writtenSectors += range.sectors;
    return record;
}

void HostDriver::takeOver(Time now)
{
    if (earlier_->capacitySectors != capacitySectors_)
        throw OtherCapacity("a drive of " + std::to_string(earlier_->capacitySectors) +
                            " sectors was written, this drive has " + std::to_string(capacitySectors_));
    ByteReader file(earlier_->versions);
    integrity_->restore(file);
    earlier_.reset();
    beginReadBack(readsRecordBack_, now);
}

// --- issue -----------------------------------------------------------------------------------------------------------

void HostDriver::pump(Time now)
{
    if (!isServing())
        return;
    while (hasPhase() && !isStopped_) {
        if (awaitsSwitch()) {
            if (switchRequested_)
                switchRequested_(now);
            return;
        }
        if (!jobs_.isActive())
            beginPhase(now);
        while (issueNext(now)) {
        }
        const PhaseResult& result = results_[phaseIndex_];
        if (!phase().isExhausted() || (phase().config().drain && result.issued != result.completed))
            return;
        endPhase();
    }
    finishIfIdle(now);
}

bool HostDriver::awaitsSwitch() const
{
    return isServing() && hasPhase() && !isStopped_ && !jobs_.isActive() &&
           phases_[phaseIndex_].config().isFunctional != isFunctional_;
}

void HostDriver::switchTo(HostLink& link, bool isFunctional, Time now)
{
    check(commands_.count() == 0, "the host's link is replaced while commands are outstanding");
    link_ = &link;
    isFunctional_ = isFunctional;
    pump(now);
}

void HostDriver::beginPhase(Time now)
{
    PhaseResult& result = results_.emplace_back(PhaseResult::of(phase(), commands_.slots(), config_.queues));
    result.isFunctional = isFunctional_;
    result.start = now;
    result.end = now;
    jobs_.begin(phase(), now);
    if (phaseObserver_)
        phaseObserver_(result, true);
}

void HostDriver::endPhase()
{
    PhaseResult& result = results_[phaseIndex_];
    result.takeSourceCounts(phase());
    result.isOver = true;
    jobs_.end();
    ++phaseIndex_;
    if (phaseObserver_)
        phaseObserver_(result, false);
}

bool HostDriver::issueNext(Time now)
{
    if (commands_.isFull())
        return false;
    const std::optional<PhaseJobs::Due> due = jobs_.next(now, commands_.fullQueues());
    if (!due)
        return false;
    OutstandingCommand command;
    command.request = due->request.request;
    command.arrived = due->request.arrived;
    command.issued = now;
    command.phase = phaseIndex_;
    command.job = due->job;
    command.number = due->request.number;
    command.queues = due->queues;
    results_[phaseIndex_].issue(due->job);
    send(command, now);
    return true;
}

void HostDriver::send(const OutstandingCommand& sent, Time now)
{
    const std::uint16_t slot = commands_.add(sent);
    const Request& request = sent.request;
    integrity_->issued(slot, request.kind, request.lba, request.sectors, request.fua);
    const Command command{slot, request.kind, request.fua, request.lba, request.sectors, 0, request.placement};
    if (observer_ != nullptr && sent.purpose == CommandPurpose::Phase && !isFunctional_)
        observer_->issued(command, commands_.sent(), sent.arrived, now);
    link_->issue(command, now);
}

// --- power loss ------------------------------------------------------------------------------------------------------

void HostDriver::powerLost(Time now)
{
    isPowered_ = false;
    if (!isReady()) {
        recovery_.end();
        return;
    }
    integrity_->powerLost();
    std::vector<OutstandingCommand> lost;
    for (const OutstandingCommand& command : commands_.removeAll()) {
        if (command.purpose == CommandPurpose::ClosingFlush)
            closing_ = Closing::Open;
        else if (command.purpose == CommandPurpose::Phase)
            lost.push_back(command);
    }
    if (recovery_.powerLost(lost, !isStopped_))
        return;
    for (const OutstandingCommand& command : lost)
        drop(command, now);
    finishIfIdle(now);
}

void HostDriver::drop(const OutstandingCommand& command, Time now)
{
    results_[command.phase].drop(command.job, now);
    if (isOfCurrentPhase(command))
        jobs_.lost(command.job, command.number, now);
}

void HostDriver::beginReadBack(bool readsAll, Time now)
{
    if (returned_)
        returned_(now);
    recovery_.begin(readsAll ? 0 : capacitySectors_);
    readBack(now);
}

// Everything that was ever written, in long reads, as many at a time as there are slots.
void HostDriver::readBack(Time now)
{
    while (!isStopped_ && !commands_.isFull()) {
        const Integrity::Range range = recovery_.next(*integrity_, config_.zoneSectors);
        if (range.sectors == 0)
            break;
        OutstandingCommand command;
        command.request.lba = range.lba;
        command.request.sectors = range.sectors;
        command.purpose = CommandPurpose::ReadBack;
        command.arrived = command.issued = now;
        send(command, now);
    }
    if (commands_.count() == 0)
        resume(now);
}

// Without what a zone has taken of a lost write. False: that is all of it.
bool HostDriver::keepRest(OutstandingCommand& command) const
{
    Request& request = command.request;
    const bool isAppend = request.kind == RequestKind::Append;
    const std::optional<std::uint64_t> place = std::exchange(command.place, std::nullopt);
    if (!writePointer_ || !takesData(request.kind) || (isAppend && !place))
        return true;
    const std::uint64_t first = place.value_or(request.lba);
    const std::uint64_t zone = first / config_.zoneSectors;
    const std::uint64_t pointer = zone * config_.zoneSectors + writePointer_(zone);
    if (pointer >= first + request.sectors)
        return false;
    const std::uint64_t taken = pointer > first ? pointer - first : 0;
    request.sectors -= static_cast<std::uint32_t>(taken);
    if (!isAppend)
        request.lba += taken;
    return true;
}

void HostDriver::resume(Time now)
{
    recovery_.end();
    integrity_->readBackEnds();
    if (resumed_)
        resumed_(now);
    for (OutstandingCommand& command : recovery_.takeLost()) {
        if (isStopped_ || !keepRest(command))
            drop(command, now);
        else
            send(command, now);
    }
    pump(now);
}

// --- timers ----------------------------------------------------------------------------------------------------------

void HostDriver::advance(Time now)
{
    jobs_.advance(now);
    if (!isFinished_)
        pump(now);
}

Time HostDriver::nextTime() const
{
    if (isStopped_ || !isServing())
        return never;
    return commands_.isFull() ? jobs_.nextThinkEnd()
                              : std::min(jobs_.nextThinkEnd(), jobs_.nextArrival(commands_.fullQueues()));
}

void HostDriver::stop(Time now)
{
    if (isFinished_)
        return;
    isStopped_ = true;
    jobs_.stop();
    if (!isServing()) {
        for (const OutstandingCommand& command : recovery_.takeLost())
            drop(command, now);
    }
    finishIfIdle(now);
}

void HostDriver::finishIfIdle(Time now)
{
    if (isFinished_ || commands_.count() > 0 || (hasPhase() && !isStopped_) || beginsClosing(now))
        return;
    isFinished_ = true;
    if (jobs_.isActive() && phaseObserver_) // stopped in the middle
        phaseObserver_(results_[phaseIndex_], false);
    if (finished_)
        finished_(now);
}

// With the power off it waits until the drive is back.
bool HostDriver::beginsClosing(Time now)
{
    if (!config_.endsWithFlush || isStopped_ || closing_ != Closing::Open)
        return false;
    if (!isServing())
        return true;
    closing_ = Closing::Flushing;
    OutstandingCommand command;
    command.request.kind = RequestKind::Flush;
    command.purpose = CommandPurpose::ClosingFlush;
    command.arrived = command.issued = now;
    send(command, now);
    return true;
}

// --- data and completion ---------------------------------------------------------------------------------------------

void HostDriver::placed(std::uint16_t slot, std::uint64_t lba)
{
    integrity_->placed(slot, lba);
    commands_.placed(slot, lba);
}

void HostDriver::fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination)
{
    integrity_->fill(slot, first, sectors, destination);
}

TagRun HostDriver::writeRunAt(std::uint16_t slot, std::uint32_t first) const
{
    return integrity_->runAt(slot, first);
}

void HostDriver::tookWriteRun(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors)
{
    integrity_->tookRun(slot, first, sectors);
}

void HostDriver::takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source)
{
    integrity_->check(slot, first, sectors, source);
}

void HostDriver::completed(std::uint16_t slot, CommandStatus status, Time now)
{
    const bool isOk = status == CommandStatus::Ok;
    lastEnd_ = now;
    const std::uint64_t wrong = integrity_->completed(slot, isOk, now);
    if (wrong != 0 && mismatch_)
        mismatch_(integrity_->latestMismatch());
    const OutstandingCommand& command = commands_.at(slot);
    if (!isOk && command.purpose != CommandPurpose::ClosingFlush && failures_.size() < keptFailures)
        failures_.push_back({command.request, status, now});
    switch (command.purpose) {
    case CommandPurpose::Phase:
        if (observer_ != nullptr && !isFunctional_)
            observer_->completed(slot, results_[command.phase].measured, now);
        results_[command.phase].complete(command.job, command.request, isOk, command.arrived, command.issued, now);
        if (isOfCurrentPhase(command))
            jobs_.completed(command.job, command.number, now);
        commands_.remove(slot);
        pump(now);
        break;
    case CommandPurpose::ReadBack:
        recovery_.unreadable(isOk ? 0 : command.request.sectors);
        commands_.remove(slot);
        readBack(now);
        break;
    case CommandPurpose::ClosingFlush:
        closing_ = isOk ? Closing::Confirmed : Closing::Refused;
        commands_.remove(slot);
        finishIfIdle(now);
        break;
    }
}

Time HostDriver::waitingSince() const
{
    Time oldest = never;
    commands_.forEach([&](const OutstandingCommand& command) { oldest = std::min(oldest, command.issued); });
    return commands_.count() == 0 ? never : std::max({oldest, lastEnd_, poweredAt_});
}

// --- results ---------------------------------------------------------------------------------------------------------

HostProgress HostDriver::progress() const
{
    HostProgress progress;
    progress.phases = static_cast<std::uint32_t>(phases_.size());
    progress.phase = static_cast<std::uint32_t>(phaseIndex_);
    if (!hasPhase() || !jobs_.isActive())
        return progress;
    progress.done = results_[phaseIndex_].completedOf(0);
    progress.total = phases_[phaseIndex_].total();
    return progress;
}

const std::vector<PhaseResult>& HostDriver::results()
{
    if (jobs_.isActive())
        results_[phaseIndex_].takeSourceCounts(phase());
    return results_;
}

std::array<Time, requestKindTable.size()> HostDriver::outstandingTime(Time now) const
{
    std::array<Time, requestKindTable.size()> sums{};
    commands_.forEach([&](const OutstandingCommand& command) {
        if (command.purpose == CommandPurpose::Phase && results_[command.phase].measured)
            sums[static_cast<std::size_t>(command.request.kind)] += now - command.issued;
    });
    return sums;
}

} // namespace strobe::host
