#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The drive's end of SATA data phases: waiting transfers, which of them form the next phase, the frames of the phase,
// and the movement of sectors between the drive's memory and a frame. SataLink decides when a frame is on the line.
//
// Transfers of a command are done in order. Waiting transfers that continue each other form one phase whose frames are
// filled up to 8 KiB: the first `gatherWindow` waiting transfers are searched for those that continue the oldest one.
// Owns no clock.

#include "models/base/content.h"
#include "models/base/ring_queue.h"
#include "models/host/command_port.h"
#include "models/host/sata_frame.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::host {

inline constexpr std::size_t gatherWindow = 64; // waiting transfers that are searched for a data phase

class SataDataPhase {
public:
    struct Frame {
        std::uint32_t first = 0; // sector within the command
        std::uint32_t sectors = 0;
        Time firstReady{}; // to the host: first sector out of memory; to the drive: the frame's start
        Time memoryEnd{};  // all sectors in or out of memory
    };

    explicit SataDataPhase(DataMode dataMode);
    void connect(HostPort& drive, HostSide& host); // once, before any other call

    void add(const TransferOrder& order, Time now) { orders_.push({order, 0, now}); }
    std::size_t waiting() const { return orders_.size(); } // transfers with sectors that are in no frame yet
    Time oldestArrival() const { return orders_.empty() ? never : orders_.front().arrival; }

    // Forms the next phase. To the host: its first frame is fetched from the drive's memory. REQUIRES: waiting() > 0
    void begin(Time now);
    bool toHost() const { return toHost_; }
    std::uint16_t slot() const { return slot_; }
    const Frame& frame() const { return buffers_[current_].frame; } // on the line, or the next one on it

    // A frame starts on the line. To the host: the frame after it is fetched; to the drive: the host's data is taken
    // and stored.
    void startFrame(Time now);
    // The frame has arrived: data to the host is delivered, transfers that end with it are reported to the drive.
    void finishFrame(Time now);
    bool isOver() const { return toSend_ == 0; } // all frames of the phase have arrived

private:
    struct Order {
        TransferOrder order;
        std::uint32_t taken = 0; // sectors that are in frames
        Time arrival{};
    };
    struct Piece { // part of a frame that belongs to one transfer
        std::uint64_t handle = 0;
        std::uint32_t first = 0; // sector within the transfer
        std::uint32_t sectors = 0;
        bool isLast = false; // the transfer ends with this piece
    };
    struct Buffer {
        Frame frame;
        std::array<Piece, maxFrameSectors> pieces;
        std::uint32_t pieceCount = 0;
        std::vector<std::byte> staging;
    };
    void compose(Buffer& buffer);
    void fetch(Buffer& buffer, Time now);
    void store(Buffer& buffer, Time now);
    Content staged(Buffer& buffer, std::uint32_t sector) const;

    DataMode dataMode_;
    HostPort* drive_ = nullptr;
    HostSide* host_ = nullptr;
    RingQueue<Order> orders_;
    bool toHost_ = false;
    std::uint16_t slot_ = 0;
    std::uint32_t toCompose_ = 0;   // sectors of the phase that are in no frame yet
    std::uint32_t toSend_ = 0;      // sectors of the phase that have not arrived
    std::array<Buffer, 2> buffers_; // the frame on the line and the one being fetched
    std::size_t current_ = 0;
};

} // namespace strobe::host
