// SPDX-License-Identifier: Apache-2.0
//
// Data phases of the SATA link: which transfers form one, its frames, and the drive's memory behind them.
#include "models/host/sata_link.h"

#include <algorithm>

namespace strobe::host {

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
