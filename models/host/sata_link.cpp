// SPDX-License-Identifier: Apache-2.0
#include "models/host/sata_link.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::host {

namespace {

constexpr std::uint64_t slotBit(std::uint16_t slot)
{
    return std::uint64_t{1} << slot;
}

} // namespace

SataLink::SataLink(const SataConfig& config, DataMode dataMode)
    : config_(config), timing_(config), data_(dataMode), errors_(config.errors)
{
}

void SataLink::connect(HostPort& drive, HostSide& host)
{
    check(drive.slots() <= ncqTags, "a SATA port has no more than 32 command slots");
    drive_ = &drive;
    host_ = &host;
    data_.connect(drive, host);
}

// --- requests of the two sides --------------------------------------------------------------------------------------

void SataLink::driveReady(Time now)
{
    controls_.push({Step::Signature, 0, CommandStatus::Ok, now});
    kick(now);
}

void SataLink::transfer(const TransferOrder& order, Time now)
{
    check(order.sectors > 0, "a transfer of no sectors");
    data_.add(order, now);
    kick(now);
}

void SataLink::complete(std::uint16_t slot, CommandStatus status, Time now)
{
    const bool queued = (ncqSlots_ & slotBit(slot)) != 0;
    controls_.push({queued ? Step::QueuedDone : Step::Done, slot, status, now});
    kick(now);
}

void SataLink::issue(const Command& command, Time now)
{
    push(command, false, now);
}

void SataLink::issueUnqueued(const Command& command, Time now)
{
    check(movesData(command.kind), "a command that is never queued");
    push(command, true, now);
}

void SataLink::push(const Command& command, bool isUnqueued, Time now)
{
    check(ready_, "a command before the drive was identified");
    check(command.slot < ncqTags, "a command slot beyond the 32 of NCQ");
    check(!movesData(command.kind) || (command.sectors > 0 && command.sectors <= maxCommandSectors),
          "a command moves 1 to 65,536 sectors");
    commands_.push({command, now, false, isUnqueued});
    kick(now);
}

void SataLink::identify(std::uint16_t slot, Time now)
{
    Command command;
    command.slot = slot;
    commands_.push({command, now, true, false});
    kick(now);
}

void SataLink::notify(Notice notice, Time now)
{
    if (notice_)
        notice_(notice, wire_.slot, now);
}

void SataLink::kick(Time now)
{
    if (!busy_)
        startNext(now);
}

void SataLink::advance(Time now)
{
    if (now < wakeAt_)
        return;
    if (busy_) {
        line_.noteQueue(commands_.size() + controls_.size() + data_.waiting()); // none leaves while the line is busy
        finish(now); // callbacks may queue more frames; the line counts as busy until they return
        busy_ = false;
    }
    startNext(now);
}

void SataLink::resetUsage()
{
    line_.resetUsage();
    counters_ = {};
    errors_.resetCounters();
}

// --- frames ----------------------------------------------------------------------------------------------------------

const SataLink::WireForm& SataLink::wireForm(Step step)
{
    static constexpr std::array<WireForm, 14> forms{{
        /* Signature     */ {FisType::RegisterDeviceToHost, true},
        /* Identify      */ {FisType::RegisterHostToDevice, false},
        /* IdentifySetup */ {FisType::PioSetup, true},
        /* IdentifyData  */ {FisType::Data, true},
        /* Command       */ {FisType::RegisterHostToDevice, false},
        /* Accepted      */ {FisType::RegisterDeviceToHost, true},
        /* TrimActivate  */ {FisType::DmaActivate, true},
        /* TrimData      */ {FisType::Data, false},
        /* DmaSetup      */ {FisType::DmaSetup, true},
        /* DmaActivate   */ {FisType::DmaActivate, true},
        /* ReadData      */ {FisType::Data, true},
        /* WriteData     */ {FisType::Data, false},
        /* QueuedDone    */ {FisType::SetDeviceBits, true},
        /* Done          */ {FisType::RegisterDeviceToHost, true},
    }};
    check(step != Step::None, "a frame without a purpose");
    return forms[static_cast<std::size_t>(step) - 1];
}

// --- which frame is next ---------------------------------------------------------------------------------------------

Time SataLink::commandEligible() const
{
    if (commands_.empty() || driveBusy_)
        return never;
    const HostCommand& next = commands_.front();
    if (!next.identify && !isQueued(next) && queued_ > 0)
        return never;
    return std::max(next.arrival, hostFreeSince_);
}

Time SataLink::dataEligible() const
{
    if (dataNext_ == Step::None)
        return data_.waiting() == 0 ? never : std::max(data_.oldestArrival(), dataSince_);
    if (dataNext_ == Step::ReadData)
        return std::max(dataSince_, data_.frame().firstReady);
    return dataSince_;
}

void SataLink::startNext(Time now)
{
    wakeAt_ = never;
    if (forced_ != Step::None) {
        startForced(now);
        return;
    }
    const Time control = controls_.empty() ? never : controls_.front().arrival;
    const Time data = dataEligible();
    const Time command = commandEligible();
    const Time earliest = std::min({control, data, command});
    if (earliest > now)
        wakeAt_ = earliest; // only a fetch in progress is in the future
    else if (control == earliest)
        startControl(now);
    else if (data == earliest)
        startData(now);
    else
        startCommand(now);
}

void SataLink::sendControl(Step step, std::uint16_t slot, Time arrival, Time now)
{
    const Time own = timing_.frame(wireForm(step).type);
    send(step, slot, arrival, now, errors_.isOn() ? own + errors_.repeats(1, own, own) : own, 0);
}

void SataLink::send(Step step, std::uint16_t slot, Time arrival, Time now, Time duration, std::uint32_t payload)
{
    const WireForm& form = wireForm(step);
    wire_.step = step;
    wire_.slot = slot;
    busy_ = true;
    wakeAt_ = now + duration;
    line_.account(arrival, now, duration);
    line_.holdUntil(wakeAt_);
    ++counters_.frames[static_cast<std::size_t>(form.type)];
    if (observer_)
        observer_({form.type, form.toHost, slot, payload, now, wakeAt_});
}

void SataLink::startControl(Time now)
{
    const Control control = controls_.pop();
    wire_.status = control.status;
    if (control.step == Step::QueuedDone) {
        wire_.tagged[0] = control.slot;
        wire_.taggedCount = 1;
        while (config_.coalesceCompletions && control.status == CommandStatus::Ok && !controls_.empty() &&
               controls_.front().step == Step::QueuedDone && controls_.front().status == CommandStatus::Ok) {
            wire_.tagged[wire_.taggedCount++] = controls_.pop().slot;
            ++counters_.coalesced;
        }
    }
    sendControl(control.step, control.slot, control.arrival, now);
}

void SataLink::startCommand(Time now)
{
    const Time since = commandEligible();
    const HostCommand next = commands_.pop();
    wire_.command = next.command;
    wire_.isQueued = isQueued(next);
    sendControl(next.identify ? Step::Identify : Step::Command, next.command.slot, since, now);
}

void SataLink::startData(Time now)
{
    if (dataNext_ == Step::None) {
        const Time since = dataEligible();
        data_.begin(now);
        ++counters_.dataPhases;
        if ((ncqSlots_ & slotBit(data_.slot())) != 0) {
            dataNext_ = Step::DmaSetup;
            sendControl(Step::DmaSetup, data_.slot(), since, now);
            return;
        }
        dataNext_ = data_.toHost() ? Step::ReadData : Step::DmaActivate;
        dataSince_ = since;
        if (data_.frame().firstReady > now && data_.toHost()) { // the first frame is not out of memory yet
            startNext(now);
            return;
        }
    }
    if (dataNext_ == Step::DmaActivate) {
        sendControl(Step::DmaActivate, data_.slot(), dataSince_, now);
        return;
    }
    data_.startFrame(now);
    const SataDataPhase::Frame& frame = data_.frame();
    const Time end = frame.memoryEnd + (data_.toHost() ? timing_.lastSector() : Time{});
    const Time own = timing_.data(frame.sectors);
    const Time duration = std::max(own, end - now);
    counters_.held += duration - own;
    send(dataNext_, data_.slot(), std::max(dataSince_, frame.firstReady), now, duration,
         frame.sectors * std::uint32_t{sectorBytes});
}

// Frames that answer the one before them.
void SataLink::startForced(Time now)
{
    const Step step = std::exchange(forced_, Step::None);
    switch (step) {
    case Step::IdentifyData: send(step, 0, now, now, timing_.data(1), sectorBytes); return;
    case Step::TrimData: {
        const auto blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(trimBlocksLeft_, trimFrameBlocks));
        trimBlocksLeft_ -= blocks;
        send(step, trim_.slot, now, now, timing_.data(blocks), blocks * std::uint32_t{sectorBytes});
        return;
    }
    case Step::WriteData: startData(now); return;
    default: checkFailed("a frame that answers no other", __FILE__, __LINE__);
    }
}

// --- a frame has arrived ---------------------------------------------------------------------------------------------

void SataLink::finish(Time now)
{
    switch (wire_.step) {
    case Step::None: break;
    case Step::Signature:
        ready_ = notice_ != nullptr; // an adapter's driver identifies the drive itself
        if (ready_)
            notify(Notice::Signature, now);
        else
            identify(0, now);
        break;
    case Step::Identify:
        driveBusy_ = true;
        controls_.push({Step::IdentifySetup, 0, CommandStatus::Ok, now});
        break;
    case Step::IdentifySetup: forced_ = Step::IdentifyData; break;
    case Step::IdentifyData:
        driveBusy_ = false;
        hostFreeSince_ = now;
        ready_ = true;
        host_->driveReady(drive_->capacitySectors(), drive_->slots(), now);
        break;
    case Step::Command: finishCommand(now); break;
    case Step::Accepted:
        driveBusy_ = false;
        hostFreeSince_ = now;
        notify(Notice::Accepted, now);
        break;
    case Step::TrimActivate: forced_ = Step::TrimData; break;
    case Step::TrimData:
        if (trimBlocksLeft_ > 0)
            controls_.push({Step::TrimActivate, trim_.slot, CommandStatus::Ok, now});
        else
            drive_->submit(trim_, now);
        break;
    case Step::DmaSetup: notify(Notice::DmaSetup, now); [[fallthrough]];
    case Step::DmaActivate:
    case Step::ReadData:
    case Step::WriteData: finishData(now); break;
    case Step::QueuedDone: finishQueued(now); break;
    case Step::Done:
        driveBusy_ = false;
        hostFreeSince_ = now;
        host_->completed(wire_.slot, wire_.status, now);
        break;
    }
}

void SataLink::finishCommand(Time now)
{
    const Command command = wire_.command;
    driveBusy_ = true;
    if (wire_.isQueued) {
        ++queued_;
        ncqSlots_ |= slotBit(command.slot);
        controls_.push({Step::Accepted, command.slot, CommandStatus::Ok, now});
        drive_->submit(command, now);
        return;
    }
    ncqSlots_ &= ~slotBit(command.slot);
    if (command.kind == RequestKind::Trim) {
        trim_ = command;
        trimBlocksLeft_ =
            std::max<std::uint64_t>((command.sectors + std::uint64_t{trimBlockSectors} - 1) / trimBlockSectors, 1);
        controls_.push({Step::TrimActivate, command.slot, CommandStatus::Ok, now});
        return;
    }
    drive_->submit(command, now);
}

void SataLink::finishData(Time now)
{
    dataSince_ = now;
    if (wire_.step == Step::DmaActivate || (wire_.step == Step::DmaSetup && !data_.toHost() && config_.autoActivate)) {
        dataNext_ = forced_ = Step::WriteData;
        return;
    }
    const Step next = data_.toHost() ? Step::ReadData : Step::DmaActivate;
    if (wire_.step == Step::DmaSetup) {
        dataNext_ = next;
        return;
    }
    (data_.toHost() ? counters_.bytesToHost : counters_.bytesToDrive) +=
        data_.frame().sectors * std::uint32_t{sectorBytes};
    data_.finishFrame(now);
    dataNext_ = data_.isOver() ? Step::None : next;
}

void SataLink::finishQueued(Time now)
{
    // The host reads the whole FIS before it sends the next command.
    queued_ -= wire_.taggedCount;
    if (queued_ == 0)
        hostFreeSince_ = std::max(hostFreeSince_, now);
    for (std::uint32_t i = 0; i < wire_.taggedCount; ++i)
        host_->completed(wire_.tagged[i], wire_.status, now);
}

} // namespace strobe::host
