// SPDX-License-Identifier: Apache-2.0
#include "models/host/driver.h"

#include "models/base/bytes.h"
#include "models/base/check.h"
#include "models/base/config_error.h"

#include <algorithm>
#include <limits>

namespace strobe::host {

HostDriver::HostDriver(const HostDriverConfig& config, PhaseMaker makePhases)
    : config_(config), makePhases_(std::move(makePhases))
{
}

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
        check(capacitySectors == capacitySectors_ && slots == slots_.size(),
              "the drive has come back from a power loss with another capacity");
        isReadingBack_ = true;
        readBackAt_ = config_.readsBack ? 0 : capacitySectors_;
        readBack(now);
        return;
    }
    check(slots > 0 && slots <= std::numeric_limits<std::uint16_t>::max(), "a drive has 1 to 65,535 command slots");
    integrity_ = std::make_unique<Integrity>(config_.dataMode, capacitySectors, slots, config_.mappingUnitSectors);
    if (config_.expectsPowerLoss)
        integrity_->expectPowerLoss(config_.acknowledged);
    capacitySectors_ = capacitySectors;
    readyTime_ = now;
    slots_.resize(slots);
    for (std::uint32_t slot = slots; slot-- > 0;)
        freeSlots_.push_back(static_cast<std::uint16_t>(slot));
    phases_ = makePhases_(capacitySectors);
    results_.reserve(phases_.size());
    if (known_)
        takeOver(now);
    else
        pump(now);
}

HostDriver::Known HostDriver::known() const
{
    if (!isReady())
        return known_.value_or(Known{});
    ByteWriter versions;
    integrity_->save(versions);
    Known known{capacitySectors_, versions.bytes()};
    constexpr std::uint32_t most = 1U << 20U;
    for (auto range = integrity_->writtenFrom(0, most); range.sectors != 0;
         range = integrity_->writtenFrom(range.lba + range.sectors, most))
        known.writtenSectors += range.sectors;
    return known;
}

void HostDriver::takeOver(Time now)
{
    if (known_->capacitySectors != capacitySectors_)
        throw OtherCapacity("a drive of " + std::to_string(known_->capacitySectors) +
                            " sectors was written, this drive has " + std::to_string(capacitySectors_));
    ByteReader file(known_->versions);
    integrity_->restore(file);
    known_.reset();
    isReadingBack_ = true;
    readBackAt_ = readsKnownBack_ ? 0 : capacitySectors_;
    readBack(now);
}

// --- issue -----------------------------------------------------------------------------------------------------------

void HostDriver::pump(Time now)
{
    if (!isServing())
        return;
    while (hasPhase() && !isStopped_) {
        if (awaitsSwitch()) {
            if (switchWanted_)
                switchWanted_(now);
            return;
        }
        if (!hasBegun_)
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
    return isServing() && hasPhase() && !isStopped_ && !hasBegun_ &&
           phases_[phaseIndex_].config().isFunctional != isFunctional_;
}

void HostDriver::switchTo(HostLink& link, bool isFunctional, Time now)
{
    check(outstanding_ == 0, "the host's link is replaced while commands are outstanding");
    link_ = &link;
    isFunctional_ = isFunctional;
    pump(now);
}

void HostDriver::beginPhase(Time now)
{
    const PacingConfig& pacing = phase().config().pacing;
    PhaseResult& result = results_.emplace_back();
    result.name = phase().config().name;
    result.workload = phase().describe();
    result.measured = phase().config().measured;
    result.isFunctional = isFunctional_;
    result.pacing = pacing.mode;
    const auto slots = static_cast<std::uint32_t>(slots_.size());
    result.queueDepth = phase().followsTimes() ? slots : std::min(slots, pacing.queueDepth);
    result.start = now;
    result.end = now;
    credits_ = pacing.queueDepth;
    dependencies_.begin(now);
    hasBegun_ = true;
    if (phaseObserver_)
        phaseObserver_(result, true);
}

void HostDriver::endPhase()
{
    PhaseResult& result = results_[phaseIndex_];
    result.source = phase().counts();
    result.isOver = true;
    while (!thinking_.empty())
        thinking_.pop();
    hasBegun_ = false;
    ++phaseIndex_;
    if (phaseObserver_)
        phaseObserver_(result, false);
}

bool HostDriver::issueNext(Time now)
{
    if (freeSlots_.empty())
        return false;
    return phase().followsTimes() ? issueAtItsTime(now) : issueFromSlot(now);
}

bool HostDriver::issueFromSlot(Time now)
{
    if (credits_ == 0)
        return false;
    const std::optional<Request> request = phase().next(now - results_[phaseIndex_].start);
    if (!request)
        return false;
    --credits_;
    issue(*request, now, now);
    return true;
}

bool HostDriver::issueAtItsTime(Time now)
{
    if (!waiting_)
        takeWaiting(now);
    if (!waiting_)
        return false;
    const Time due = dueTime();
    const Time limit = phase().config().maxTime;
    if (phase().isDependent() && limit != never && due != never && due - results_[phaseIndex_].start >= limit &&
        !phase().isCut()) {
        phase().cut();
        waiting_.reset();
        return issueAtItsTime(now); // a closing flush
    }
    if (due > now)
        return false;
    issue(*waiting_, due, now);
    waiting_.reset();
    return true;
}

void HostDriver::takeWaiting(Time now)
{
    waiting_ = phase().next(now - results_[phaseIndex_].start);
    if (waiting_ && phase().isDependent()) {
        const Time response = waiting_->response;
        dependencies_.arrived(waiting_->arrival, response > Time{} ? response : phase().config().pacing.traceResponse);
    }
}

Time HostDriver::dueTime() const
{
    return phases_[phaseIndex_].isDependent() ? dependencies_.due() : results_[phaseIndex_].start + waiting_->arrival;
}

void HostDriver::issue(const Request& request, Time arrived, Time now)
{
    Slot slot;
    slot.request = request;
    slot.arrived = arrived;
    slot.issued = now;
    slot.phase = phaseIndex_;
    slot.number = phase().isDependent() ? dependencies_.issued() : 0;
    ++results_[phaseIndex_].issued;
    send(slot, now);
}

void HostDriver::send(Slot slot, Time now)
{
    const std::uint16_t number = freeSlots_.back();
    const Request& request = slot.request;
    freeSlots_.pop_back();
    slot.order = order_++;
    slot.isOut = true;
    slots_[number] = slot;
    ++outstanding_;
    integrity_->issued(number, request.kind, request.lba, request.sectors, request.fua);
    const Command command{number, request.kind, request.fua, request.lba, request.sectors};
    if (observer_ != nullptr && !slot.isReadBack && !slot.isClosing && !isFunctional_)
        observer_->issued(command, order_, slot.arrived, now); // counted from 1 by now
    link_->issue(command, now);
}

void HostDriver::takeBack(std::uint16_t number)
{
    slots_[number].isOut = false;
    freeSlots_.push_back(number);
    --outstanding_;
}

// --- power loss ------------------------------------------------------------------------------------------------------

void HostDriver::powerLost(Time now)
{
    isPowered_ = isReadingBack_ = false;
    if (!isReady())
        return;
    integrity_->powerLost();
    std::vector<Slot> lost;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (!slots_[i].isOut)
            continue;
        if (slots_[i].isClosing)
            closing_ = Closing::Open;
        else if (!slots_[i].isReadBack)
            lost.push_back(slots_[i]);
        takeBack(static_cast<std::uint16_t>(i));
    }
    power_.lostCommands += lost.size();
    std::sort(lost.begin(), lost.end(), [](const Slot& a, const Slot& b) { return a.order < b.order; });
    if (config_.lost == LostCommands::Reissue && !isStopped_) {
        lost_.insert(lost_.begin(), lost.begin(), lost.end()); // before those of an earlier power loss
        return;
    }
    for (const Slot& slot : lost)
        drop(slot, now);
    finishIfIdle(now);
}

void HostDriver::drop(const Slot& slot, Time now)
{
    PhaseResult& result = results_[slot.phase];
    ++result.completed;
    ++result.lost;
    result.end = now;
    const bool isCurrent = hasBegun_ && slot.phase == phaseIndex_;
    if (isCurrent && phase().isDependent())
        dependencies_.completed(slot.number, now);
    if (isCurrent && !phase().followsTimes())
        ++credits_;
}

// Everything that was ever written, in long reads, as many at a time as there are slots.
void HostDriver::readBack(Time now)
{
    constexpr std::uint32_t longest = 256; // sectors
    while (!isStopped_ && !freeSlots_.empty()) {
        const Integrity::Range range = integrity_->writtenFrom(readBackAt_, longest);
        readBackAt_ = range.lba + range.sectors;
        if (range.sectors == 0)
            break;
        Slot slot;
        slot.request.lba = range.lba;
        slot.request.sectors = range.sectors;
        slot.isReadBack = true;
        slot.arrived = slot.issued = now;
        send(slot, now);
    }
    if (outstanding_ == 0)
        resume(now);
}

void HostDriver::resume(Time now)
{
    isReadingBack_ = false;
    integrity_->readBackEnds();
    if (resumed_)
        resumed_(now);
    std::vector<Slot> again;
    again.swap(lost_);
    for (const Slot& slot : again) {
        if (isStopped_)
            drop(slot, now);
        else
            send(slot, now);
    }
    pump(now);
}

// --- timers ----------------------------------------------------------------------------------------------------------

void HostDriver::advance(Time now)
{
    while (!thinking_.empty() && thinking_.front() <= now) {
        thinking_.pop();
        ++credits_;
    }
    if (!isFinished_)
        pump(now);
}

Time HostDriver::nextTime() const
{
    if (isStopped_ || !isServing())
        return never;
    Time next = thinking_.empty() ? never : thinking_.front();
    if (waiting_ && !freeSlots_.empty())
        next = std::min(next, dueTime());
    return next;
}

void HostDriver::stop(Time now)
{
    if (isFinished_)
        return;
    isStopped_ = true;
    waiting_.reset();
    if (!isServing()) {
        for (const Slot& slot : lost_)
            drop(slot, now);
        lost_.clear();
    }
    finishIfIdle(now);
}

void HostDriver::finishIfIdle(Time now)
{
    if (isFinished_ || outstanding_ > 0 || (hasPhase() && !isStopped_) || beginsClosing(now))
        return;
    isFinished_ = true;
    if (hasBegun_ && phaseObserver_) // stopped in the middle
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
    Slot slot;
    slot.request.kind = RequestKind::Flush;
    slot.isClosing = true;
    slot.arrived = slot.issued = now;
    send(slot, now);
    return true;
}

void HostDriver::closed(std::uint16_t number, bool isOk, Time now)
{
    closing_ = isOk ? Closing::Confirmed : Closing::Refused;
    takeBack(number);
    finishIfIdle(now);
}

// --- data and completion ---------------------------------------------------------------------------------------------

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

void HostDriver::completed(std::uint16_t number, CommandStatus status, Time now)
{
    const bool isOk = status == CommandStatus::Ok;
    integrity_->completed(number, isOk, now);

    const Slot& slot = slots_[number];
    if (slot.isClosing) {
        closed(number, isOk, now);
        return;
    }
    if (slot.isReadBack) {
        power_.unreadable += isOk ? 0 : slot.request.sectors;
        if (!isOk && failures_.size() < keptFailures)
            failures_.push_back({slot.request, status, now});
        takeBack(number);
        readBack(now);
        return;
    }
    PhaseResult& result = results_[slot.phase];
    KindResult& kind = result.kinds[static_cast<std::size_t>(slot.request.kind)];
    if (observer_ != nullptr && !isFunctional_)
        observer_->completed(number, result.measured, now);
    ++kind.requests;
    kind.sectors += isOk ? slot.request.sectors : 0;
    kind.failed += isOk ? 0 : 1;
    kind.latency.record(now - slot.arrived);
    kind.device.record(now - slot.issued);
    ++result.completed;
    result.end = now;
    if (!isOk && failures_.size() < keptFailures)
        failures_.push_back({slot.request, status, now});

    const bool isCurrent = hasBegun_ && slot.phase == phaseIndex_;
    if (isCurrent && phase().isDependent())
        dependencies_.completed(slot.number, now);
    if (isCurrent && !phase().followsTimes()) {
        const Time think = phase().config().pacing.thinkTime;
        if (think > Time{})
            thinking_.push(now + think);
        else
            ++credits_;
    }
    takeBack(number);
    pump(now);
}

// --- results ---------------------------------------------------------------------------------------------------------

HostProgress HostDriver::progress() const
{
    HostProgress progress;
    progress.phases = static_cast<std::uint32_t>(phases_.size());
    progress.phase = static_cast<std::uint32_t>(phaseIndex_);
    if (!hasPhase() || !hasBegun_)
        return progress;
    progress.done = results_[phaseIndex_].completed;
    progress.total = phases_[phaseIndex_].total();
    return progress;
}

const std::vector<PhaseResult>& HostDriver::results()
{
    if (hasBegun_)
        results_[phaseIndex_].source = phase().counts();
    return results_;
}

std::array<Time, requestKindTable.size()> HostDriver::outstandingTime(Time now) const
{
    std::array<Time, requestKindTable.size()> sums{};
    for (const Slot& slot : slots_) {
        if (slot.isOut && !slot.isReadBack && results_[slot.phase].measured)
            sums[static_cast<std::size_t>(slot.request.kind)] += now - slot.issued;
    }
    return sums;
}

} // namespace strobe::host
