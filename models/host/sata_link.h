#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A Serial ATA link with its two ends: the host's port (which the driver hands commands to) and the drive's port (which
// the SSD's host interface orders transfers and completions from). Half-duplex: one frame at a time, in either
// direction, in order of arrival (the drive first when both arrive at once); between the frames of a data phase other
// frames may slip in. Owns no clock: every call says the present time, advance() is due at nextTime().
//
//   start      Register (signature), then IDENTIFY DEVICE: Register, PIO Setup, Data
//   read       Register, Register (BSY clear) … DMA Setup, Data … Set Device Bits
//   write      Register, Register (BSY clear) … DMA Setup, (DMA Activate, Data) … Set Device Bits
//   flush      Register … Register; not queued: the host first lets the queue run empty and holds what comes behind
//   trim       Register, (DMA Activate, Data with 64 ranges per 512 bytes) … Register; not queued
//
// Transfers of a command are done in order; commands take turns. Waiting transfers that continue each other form one
// data phase (one DMA Setup) whose frames are filled up to 8 KiB: the port looks through the first 64 waiting transfers
// for those that continue the oldest one. Data frames cut through: the fetch of a frame to the host begins with the
// frame before it, the frame may start when its first sector is out of memory (taken as an even share of the fetch) and
// does not end before its last sector could follow the fetch's end; a frame to the drive does not end before it is in
// memory. The line is held (HOLD) in between. Not modelled: errors on the link, NCQ error recovery (an error completes
// its own command only), reads and writes outside NCQ.

#include "models/base/content.h"
#include "models/base/resource.h"
#include "models/base/ring_queue.h"
#include "models/base/statistics.h"
#include "models/host/command_port.h"
#include "models/host/sata_frame.h"

#include <array>
#include <functional>
#include <vector>

namespace strobe::host {

inline constexpr std::size_t gatherWindow = 64; // waiting transfers that the port looks through for a data phase

struct SataCounters {
    std::array<std::uint64_t, fisTable.size()> frames{}; // by FisType
    std::uint64_t bytesToHost = 0;                       // payload of reads
    std::uint64_t bytesToDrive = 0;                      // payload of writes
    std::uint64_t dataPhases = 0;
    std::uint64_t coalesced = 0; // completions that shared a Set Device Bits FIS with an earlier one
    Time held{};                 // link time lost waiting for the drive's memory

    void declare(Statistics& stats)
    {
        stats.add("data_phases", Unit::Count, "data phases, each of one or more Data FISes", dataPhases);
        stats.add("completions_coalesced", Unit::Count,
                  "completions that shared a Set Device Bits FIS with an earlier one", coalesced);
        stats.add("held_for_memory", Unit::Duration, "link time lost waiting for the drive's memory", held);
    }
};

// One frame as it begins, for recorders and tests.
struct FrameRecord {
    FisType type;
    bool toHost;
    std::uint16_t slot;
    std::uint32_t payload; // bytes
    Time start;
    Time end; // handshake included
};

class SataLink final : public Front, public HostLink {
public:
    SataLink(const SataConfig& config, DataMode dataMode);
    void connect(HostPort& drive, HostSide& host); // once, before any other call
    void observe(std::function<void(const FrameRecord&)> observer) { observer_ = std::move(observer); }

    // For a host adapter (models/host/ahci) that shows its driver what it receives: FISes that are not told to the host
    // otherwise, when they have arrived. With it, the link does not identify the drive by itself: identify() does.
    enum class Notice : std::uint8_t { Signature, Accepted, DmaSetup };
    using NoticeHandler = std::function<void(Notice, std::uint16_t slot, Time now)>;
    void onNotice(NoticeHandler handler) { notice_ = std::move(handler); }
    // IDENTIFY DEVICE; ends with HostSide::driveReady. REQUIRES: the signature has come, no command is outstanding.
    void identify(std::uint16_t slot, Time now);
    std::uint64_t capacitySectors() const { return drive_->capacitySectors(); }

    // The drive's side.
    void driveReady(Time now) override;
    void transfer(const TransferOrder& order, Time now) override;
    void complete(std::uint16_t slot, CommandStatus status, Time now) override;

    // The host's side. REQUIRES: the host has been told driveReady; slot < 32 and free; reads and writes: 1 to 65,536
    // sectors.
    void issue(const Command& command, Time now) override;

    void advance(Time now);                   // finishes the frame that is due and starts the next one
    Time nextTime() const { return wakeAt_; } // when to call it

    const SataConfig& config() const { return config_; }
    const Resource& line() const { return line_; }
    const SataCounters& counters() const { return counters_; }
    void resetUsage();

private:
    // What a frame is for; the FIS type follows from it.
    enum class Step : std::uint8_t {
        None,
        Signature,
        Identify,
        IdentifySetup,
        IdentifyData,
        Command,
        Accepted, // BSY clear: the host may send the next command
        TrimActivate,
        TrimData,
        DmaSetup,
        DmaActivate,
        ReadData,
        WriteData,
        QueuedDone,
        Done
    };
    struct WireForm {
        FisType type;
        bool toHost;
    };
    struct HostCommand {
        Command command;
        Time arrival{};
        bool identify = false;
    };
    struct Control { // a control frame that the drive wants to send
        Step step = Step::None;
        std::uint16_t slot = 0;
        CommandStatus status = CommandStatus::Ok;
        Time arrival{};
    };
    struct Order {
        TransferOrder order;
        std::uint32_t taken = 0; // sectors already put into frames
        Time arrival{};
    };
    struct Piece { // part of a data frame that belongs to one transfer
        std::uint64_t handle = 0;
        std::uint32_t first = 0; // sector within the transfer
        std::uint32_t sectors = 0;
        bool isLast = false; // the transfer ends with this piece
    };
    struct DataFrame {
        std::array<Piece, maxFrameSectors> pieces;
        std::uint32_t pieceCount = 0;
        std::uint32_t first = 0; // sector within the command
        std::uint32_t sectors = 0;
        Time firstReady{}; // first sector out of memory
        Time memoryEnd{};  // all sectors in or out of memory
        std::vector<std::byte> staging;
    };
    struct DataPhase {
        Step next = Step::None; // None: no phase is open
        bool toHost = false;
        std::uint16_t slot = 0;
        std::uint32_t toCompose = 0; // sectors announced but not yet put into a frame
        std::uint32_t toSend = 0;    // sectors announced but not yet across
        Time since{};                // end of its last frame
    };
    struct OnWire {
        Step step = Step::None;
        std::uint16_t slot = 0;
        CommandStatus status = CommandStatus::Ok;
        Command command;
        std::uint32_t taggedCount = 0;
        std::array<std::uint16_t, ncqTags> tagged{}; // completed by one Set Device Bits FIS
    };

    static const WireForm& wireForm(Step step);
    static bool isQueued(RequestKind kind) { return kind == RequestKind::Read || kind == RequestKind::Write; }

    void kick(Time now);
    void startNext(Time now);
    void startControl(Time now);
    void startCommand(Time now);
    void startData(Time now);
    void startForced(Time now);
    void sendControl(Step step, std::uint16_t slot, Time arrival, Time now);
    void send(Step step, std::uint16_t slot, Time arrival, Time now, Time duration, std::uint32_t payload);
    void finish(Time now);
    void notify(Notice notice, Time now);
    void finishCommand(Time now);
    void finishData(Time now);
    void finishQueued(Time now);

    Time commandEligible() const; // never: none, or it must wait for the drive
    Time dataEligible() const;
    void announce();                        // forms the next data phase from the waiting transfers
    void compose(DataFrame& frame);         // takes the phase's next sectors from the waiting transfers
    void fetch(DataFrame& frame, Time now); // out of the drive's memory
    void store(DataFrame& frame, Time now); // from the host into the drive's memory
    Content staged(DataFrame& frame, std::uint32_t sector);

    SataConfig config_;
    DataMode dataMode_;
    FrameTiming timing_;
    HostPort* drive_ = nullptr;
    HostSide* host_ = nullptr;
    std::function<void(const FrameRecord&)> observer_;
    NoticeHandler notice_;

    RingQueue<HostCommand> commands_; // at the host
    RingQueue<Control> controls_;     // at the drive
    RingQueue<Order> orders_;         // at the drive
    DataPhase phase_;
    std::array<DataFrame, 2> frames_; // the one on the line and the one being fetched
    std::size_t sending_ = 0;
    Step forced_ = Step::None; // the other side's answer, which nothing may precede
    Command trim_;
    std::uint64_t trimBlocksLeft_ = 0;

    OnWire wire_;
    bool busy_ = false;          // the line
    bool driveBusy_ = false;     // BSY: the host may not send a command
    Time hostFreeSince_{};       // since when it may
    std::uint32_t queued_ = 0;   // NCQ commands outstanding, as the host sees them
    std::uint64_t ncqSlots_ = 0; // bit per slot: completes with Set Device Bits
    bool ready_ = false;
    Time wakeAt_ = never;

    Resource line_;
    SataCounters counters_;
};

} // namespace strobe::host
