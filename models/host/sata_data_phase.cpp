// SPDX-License-Identifier: Apache-2.0
#include "models/host/sata_data_phase.h"

#include <algorithm>

namespace strobe::host {

SataDataPhase::SataDataPhase(DataMode dataMode) : dataMode_(dataMode)
{
    for (Buffer& buffer : buffers_)
        buffer.staging.resize(maxFrameSectors * stride(dataMode));
}

void SataDataPhase::connect(HostPort& drive, HostSide& host)
{
    drive_ = &drive;
    host_ = &host;
}

void SataDataPhase::begin(Time now)
{
    const TransferOrder& first = orders_.front().order;
    std::uint32_t end = first.first + first.sectors;
    toHost_ = first.toHost;
    slot_ = first.slot;
    toCompose_ = first.sectors;
    std::size_t taken = 1;
    const std::size_t window = std::min(orders_.size(), gatherWindow);
    for (std::size_t i = 1; i < window; ++i) {
        const TransferOrder& order = orders_[i].order;
        if (order.slot != slot_ || order.toHost != toHost_)
            continue;
        if (order.first != end)
            break; // the transfers of a command keep their order
        end += order.sectors;
        toCompose_ += order.sectors;
        orders_.moveUp(i, taken++);
    }
    toSend_ = toCompose_;
    if (toHost_)
        fetch(buffers_[current_], now);
}

void SataDataPhase::startFrame(Time now)
{
    if (!toHost_)
        store(buffers_[current_], now);
    else if (toCompose_ > 0)
        fetch(buffers_[1 - current_], now);
}

void SataDataPhase::finishFrame(Time now)
{
    Buffer& buffer = buffers_[current_];
    toSend_ -= buffer.frame.sectors;
    if (toHost_) {
        current_ = 1 - current_;
        host_->takeReadData(slot_, buffer.frame.first, buffer.frame.sectors, staged(buffer, 0));
    }
    for (std::uint32_t i = 0; i < buffer.pieceCount; ++i) {
        if (buffer.pieces[i].isLast)
            drive_->transferDone(buffer.pieces[i].handle, now);
    }
}

// Takes the phase's next sectors from the waiting transfers.
void SataDataPhase::compose(Buffer& buffer)
{
    Frame& frame = buffer.frame;
    buffer.pieceCount = 0;
    frame.first = orders_.front().order.first + orders_.front().taken;
    frame.sectors = std::min(toCompose_, maxFrameSectors);
    toCompose_ -= frame.sectors;
    for (std::uint32_t left = frame.sectors; left > 0;) {
        Order& front = orders_.front();
        Piece& piece = buffer.pieces[buffer.pieceCount++];
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

Content SataDataPhase::staged(Buffer& buffer, std::uint32_t sector) const
{
    return Content{buffer.staging.data(), dataMode_}.at(sector);
}

void SataDataPhase::fetch(Buffer& buffer, Time now)
{
    compose(buffer);
    buffer.frame.memoryEnd = now;
    std::uint32_t sector = 0;
    for (std::uint32_t i = 0; i < buffer.pieceCount; ++i) {
        const Piece& piece = buffer.pieces[i];
        const Time end = drive_->accessBuffer(piece.handle, piece.first, piece.sectors, staged(buffer, sector), now);
        buffer.frame.memoryEnd = std::max(buffer.frame.memoryEnd, end);
        if (i == 0)
            buffer.frame.firstReady = now + (end - now) / piece.sectors;
        sector += piece.sectors;
    }
}

void SataDataPhase::store(Buffer& buffer, Time now)
{
    compose(buffer);
    host_->fillWriteData(slot_, buffer.frame.first, buffer.frame.sectors, staged(buffer, 0));
    buffer.frame.firstReady = now;
    buffer.frame.memoryEnd = now;
    std::uint32_t sector = 0;
    for (std::uint32_t i = 0; i < buffer.pieceCount; ++i) {
        const Piece& piece = buffer.pieces[i];
        const Time end = drive_->accessBuffer(piece.handle, piece.first, piece.sectors, staged(buffer, sector), now);
        buffer.frame.memoryEnd = std::max(buffer.frame.memoryEnd, end);
        sector += piece.sectors;
    }
}

} // namespace strobe::host
