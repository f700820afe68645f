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

SataLink::SataLink(const SataConfig& config, DataMode dataMode) : config_(config), dataMode_(dataMode), timing_(config)
{
    for (DataFrame& frame : frames_)
        frame.staging.resize(maxFrameSectors * stride(dataMode));
}

void SataLink::connect(HostPort& drive, HostSide& host)
{
    check(drive.slots() <= ncqTags, "a SATA port has no more than 32 command slots");
    drive_ = &drive;
    host_ = &host;
}

// --- what the two sides ask for --------------------------------------------------------------------------------------

void SataLink::driveReady(Time now)
{
    controls_.push({Step::Signature, 0, CommandStatus::Ok, now});
    kick(now);
}

void SataLink::transfer(const TransferOrder& order, Time now)
{
    check(order.sectors > 0, "a transfer of no sectors");
    orders_.push({order, 0, now});
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
    check(ready_, "a command before the drive was identified");
    check(command.slot < ncqTags, "a command slot beyond the 32 of NCQ");
    check(!isQueued(command.kind) || (command.sectors > 0 && command.sectors <= maxCommandSectors),
          "an NCQ command moves 1 to 65,536 sectors");
    commands_.push({command, now, false});
    kick(now);
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
        line_.noteQueue(commands_.size() + controls_.size() + orders_.size()); // none leaves while the line is busy
        finish(now); // callbacks may queue more; the line counts as busy until they are done
        busy_ = false;
    }
    startNext(now);
}

void SataLink::resetUsage()
{
    line_.resetUsage();
    counters_ = {};
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
    if (!next.identify && !isQueued(next.command.kind) && queued_ > 0)
        return never;
    return std::max(next.arrival, hostFreeSince_);
}

Time SataLink::dataEligible() const
{
    if (phase_.next == Step::None)
        return orders_.empty() ? never : std::max(orders_.front().arrival, phase_.since);
    if (phase_.next == Step::ReadData)
        return std::max(phase_.since, frames_[sending_].firstReady);
    return phase_.since;
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
        wakeAt_ = earliest; // only a fetch that is under way lies in the future
    else if (control == earliest)
        startControl(now);
    else if (data == earliest)
        startData(now);
    else
        startCommand(now);
}

void SataLink::sendControl(Step step, std::uint16_t slot, Time arrival, Time now)
{
    send(step, slot, arrival, now, timing_.frame(wireForm(step).type), 0);
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
    sendControl(next.identify ? Step::Identify : Step::Command, next.command.slot, since, now);
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
    default: checkFailed("a frame that answers none", __FILE__, __LINE__);
    }
}

void SataLink::startData(Time now)
{
    if (phase_.next == Step::None) {
        const Time since = dataEligible();
        announce();
        if (phase_.toHost)
            fetch(frames_[sending_], now);
        sendControl(Step::DmaSetup, phase_.slot, since, now);
        return;
    }
    if (phase_.next == Step::DmaActivate) {
        sendControl(Step::DmaActivate, phase_.slot, phase_.since, now);
        return;
    }
    DataFrame& frame = frames_[sending_];
    Time end{};
    if (phase_.toHost) {
        end = frame.memoryEnd + timing_.lastSector();
        if (phase_.toCompose > 0)
            fetch(frames_[1 - sending_], now);
    } else {
        store(frame, now);
        end = frame.memoryEnd;
    }
    const Time own = timing_.data(frame.sectors);
    const Time duration = std::max(own, end - now);
    counters_.held += duration - own;
    send(phase_.next, phase_.slot, std::max(phase_.since, frame.firstReady), now, duration,
         frame.sectors * std::uint32_t{sectorBytes});
}

// --- a frame has arrived ---------------------------------------------------------------------------------------------

void SataLink::finish(Time now)
{
    switch (wire_.step) {
    case Step::None: break;
    case Step::Signature: commands_.push({Command{}, now, true}); break;
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
        break;
    case Step::TrimActivate: forced_ = Step::TrimData; break;
    case Step::TrimData:
        if (trimBlocksLeft_ > 0)
            controls_.push({Step::TrimActivate, trim_.slot, CommandStatus::Ok, now});
        else
            drive_->submit(trim_, now);
        break;
    case Step::DmaSetup:
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
    if (isQueued(command.kind)) {
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

void SataLink::finishQueued(Time now)
{
    // The host reads the whole FIS before it sends the next command.
    queued_ -= wire_.taggedCount;
    if (queued_ == 0)
        hostFreeSince_ = std::max(hostFreeSince_, now);
    for (std::uint32_t i = 0; i < wire_.taggedCount; ++i)
        host_->completed(wire_.tagged[i], wire_.status, now);
}

void SataLink::finishData(Time now)
{
    phase_.since = now;
    if (wire_.step == Step::DmaActivate || (wire_.step == Step::DmaSetup && !phase_.toHost && config_.autoActivate)) {
        phase_.next = Step::WriteData;
        forced_ = Step::WriteData;
        return;
    }
    const Step next = phase_.toHost ? Step::ReadData : Step::DmaActivate;
    if (wire_.step == Step::DmaSetup) {
        phase_.next = next;
        return;
    }

    DataFrame& frame = frames_[sending_];
    const std::uint32_t bytes = frame.sectors * std::uint32_t{sectorBytes};
    phase_.toSend -= frame.sectors;
    phase_.next = phase_.toSend > 0 ? next : Step::None;
    if (phase_.toHost) {
        sending_ = 1 - sending_;
        counters_.bytesToHost += bytes;
        host_->takeReadData(phase_.slot, frame.first, frame.sectors, staged(frame, 0));
    } else {
        counters_.bytesToDrive += bytes;
    }
    for (std::uint32_t i = 0; i < frame.pieceCount; ++i) {
        if (frame.pieces[i].isLast)
            drive_->transferDone(frame.pieces[i].handle, now);
    }
}

// --- data phases -----------------------------------------------------------------------------------------------------

void SataLink::announce()
{
    const TransferOrder& first = orders_.front().order;
    std::uint32_t end = first.first + first.sectors;
    phase_.toHost = first.toHost;
    phase_.slot = first.slot;
    phase_.toCompose = phase_.toSend = first.sectors;
    std::size_t taken = 1;
    const std::size_t window = std::min(orders_.size(), gatherWindow);
    for (std::size_t i = 1; i < window; ++i) {
        const TransferOrder& order = orders_[i].order;
        if (order.slot != phase_.slot || order.toHost != phase_.toHost)
            continue;
        if (order.first != end)
            break; // the transfers of a command keep their order
        end += order.sectors;
        phase_.toCompose = phase_.toSend += order.sectors;
        orders_.moveUp(i, taken++);
    }
    phase_.next = Step::DmaSetup;
    ++counters_.dataPhases;
}

void SataLink::compose(DataFrame& frame)
{
    frame.pieceCount = 0;
    frame.first = orders_.front().order.first + orders_.front().taken;
    frame.sectors = std::min(phase_.toCompose, maxFrameSectors);
    phase_.toCompose -= frame.sectors;
    for (std::uint32_t left = frame.sectors; left > 0;) {
        Order& front = orders_.front();
        Piece& piece = frame.pieces[frame.pieceCount++];
        piece.handle = front.order.handle;
        piece.first = front.taken;
        piece.sectors = std::min(left, front.order.sectors - front.taken);
        piece.isLast = piece.first + piece.sectors == front.order.sectors;
        front.taken += piece.sectors;
        left -= piece.sectors;
        if (piece.isLast)
            orders_.pop();
    }
}

Content SataLink::staged(DataFrame& frame, std::uint32_t sector)
{
    return Content{frame.staging.data(), dataMode_}.at(sector);
}

void SataLink::fetch(DataFrame& frame, Time now)
{
    compose(frame);
    frame.memoryEnd = now;
    std::uint32_t sector = 0;
    for (std::uint32_t i = 0; i < frame.pieceCount; ++i) {
        const Piece& piece = frame.pieces[i];
        const Time end = drive_->accessBuffer(piece.handle, piece.first, piece.sectors, staged(frame, sector), now);
        frame.memoryEnd = std::max(frame.memoryEnd, end);
        if (i == 0)
            frame.firstReady = now + (end - now) / piece.sectors;
        sector += piece.sectors;
    }
}

void SataLink::store(DataFrame& frame, Time now)
{
    compose(frame);
    host_->fillWriteData(phase_.slot, frame.first, frame.sectors, staged(frame, 0));
    frame.firstReady = now;
    frame.memoryEnd = now;
    std::uint32_t sector = 0;
    for (std::uint32_t i = 0; i < frame.pieceCount; ++i) {
        const Piece& piece = frame.pieces[i];
        const Time end = drive_->accessBuffer(piece.handle, piece.first, piece.sectors, staged(frame, sector), now);
        frame.memoryEnd = std::max(frame.memoryEnd, end);
        sector += piece.sectors;
    }
}

} // namespace strobe::host
