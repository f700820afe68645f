#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The inbound feeder (Hydra, section 3.2): gives the sectors of host writes their places in the circular sector buffer,
// in order of arrival, so that they are fetched without firmware. A write is cut into pieces, none longer than
// FEED_PIECE or around the end of the buffer; a piece waits until firmware has freed space for it, and so do the pieces
// after it. Pure bookkeeping: the host interface moves the sectors. Counts are free-running, the buffer a power of two.

#include "models/base/content.h"
#include "models/base/ids.h"
#include "models/base/ring_queue.h"
#include "models/memory/region.h"

#include <algorithm>
#include <optional>

namespace strobe::host {

class InboundFeeder {
public:
    struct Piece {
        std::uint16_t slot = 0;
        std::uint32_t first = 0; // sector within the command
        std::uint32_t sectors = 0;
        std::uint32_t number = 0; // of its first sector, as counted
        BusAddress address{};
    };

    // Restarts; 0 sectors: off. False, and off: not a power of two, a piece that is not 1 to `sectors`, or not all of
    // it in the data buffer.
    bool configure(BusAddress base, std::uint32_t sectors, std::uint32_t piece, const memory::Region& dataBuffer)
    {
        *this = {};
        if (sectors == 0)
            return true;
        const std::uint64_t bytes = std::uint64_t{sectors} * sectorBytes;
        if ((sectors & (sectors - 1)) != 0 || piece == 0 || piece > sectors || raw(base) % sectorBytes != 0 ||
            bytes > dataBuffer.size || !dataBuffer.contains(base, static_cast<std::uint32_t>(bytes)))
            return false;
        base_ = base;
        sectors_ = sectors;
        piece_ = piece;
        return true;
    }
    bool isOn() const { return sectors_ != 0; }

    void add(std::uint16_t slot, std::uint32_t sectors) { writes_.push({slot, 0, sectors}); }

    // The next piece, if there is space for it.
    std::optional<Piece> next()
    {
        if (writes_.empty())
            return std::nullopt;
        Write& write = writes_.front();
        const std::uint32_t place = taken_ & (sectors_ - 1);
        const std::uint32_t count = std::min({write.sectors - write.next, piece_, sectors_ - place});
        if (count > sectors_ - (taken_ - released_))
            return std::nullopt;
        const Piece piece{write.slot, write.next, count, taken_,
                          base_ + static_cast<std::uint32_t>(place * sectorBytes)};
        taken_ += count;
        write.next += count;
        if (write.next == write.sectors)
            writes_.pop();
        return piece;
    }

    // Total number of sectors that firmware has freed. False: more than were taken; nothing changes.
    bool release(std::uint32_t count)
    {
        if (count - released_ > taken_ - released_)
            return false;
        released_ = count;
        return true;
    }
    std::uint32_t taken() const { return taken_; }

private:
    struct Write {
        std::uint16_t slot = 0;
        std::uint32_t next = 0;
        std::uint32_t sectors = 0;
    };

    BusAddress base_{};
    std::uint32_t sectors_ = 0;
    std::uint32_t piece_ = 0;
    std::uint32_t taken_ = 0;
    std::uint32_t released_ = 0;
    RingQueue<Write> writes_;
};

} // namespace strobe::host
