#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A Serial ATA link with its two ends: the host's port (which the driver hands commands to) and the drive's port (which
// the SSD's host interface orders transfers and completions from). Half-duplex: one frame at a time, in either
// direction, in order of arrival (the drive first when both arrive at once); other frames may be sent between the
// frames of a data phase. Owns no clock: every call passes the present time, advance() is due at nextTime().
//
//   start      Register (signature), then IDENTIFY DEVICE: Register, PIO Setup, Data
//   read       Register, Register (BSY clear) … DMA Setup, Data … Set Device Bits
//   write      Register, Register (BSY clear) … DMA Setup, (DMA Activate, Data) … Set Device Bits
//   read, write outside NCQ   Register … Data … Register; Register … (DMA Activate, Data) … Register
//   flush      Register … Register; not queued: the host first drains the queue and holds later commands
//   trim       Register, (DMA Activate, Data with 64 ranges per 512 bytes) … Register; not queued
//
// Each data phase (sata_data_phase.h) has one DMA Setup; commands take turns. Data frames cut through: the fetch of a
// frame to the host begins with the frame before it, the frame may start when its first sector is out of memory (taken
// as an even share of the fetch) and does not end before its last sector could follow the fetch's end; a frame to the
// drive does not end before it is in memory. The line is held (HOLD) in between.
//
// Planned errors: the receiver of a frame without data whose CRC is wrong answers R_ERR in place of R_OK, and the
// sender's transport layer sends it again (error handling of the Serial ATA specification): each time costs one more
// frame. Not modelled: errors of Data FISes (they are not sent again; they fail their command, which the
// host's driver repeats after error recovery), NCQ error recovery (an error completes its own command only), PIO.

#include "models/base/content.h"
#include "models/base/resource.h"
#include "models/base/ring_queue.h"
#include "models/base/statistics.h"
#include "models/host/command_port.h"
#include "models/host/sata_data_phase.h"
#include "models/host/sata_frame.h"

#include <array>
#include <functional>
#include <vector>

namespace strobe::host {

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

    // For a host adapter (models/host/ahci) that presents received FISes to its driver: reports arrived FISes that are
    // otherwise not passed to the host. With it, the link does not identify the drive by itself: identify() does.
    enum class Notice : std::uint8_t { Signature, Accepted, DmaSetup };
    using NoticeHandler = std::function<void(Notice, std::uint16_t slot, Time now)>;
    void onNotice(NoticeHandler handler) { notice_ = std::move(handler); }
    // IDENTIFY DEVICE; ends with HostSide::driveReady. REQUIRES: the signature has arrived, no command is outstanding.
    void identify(std::uint16_t slot, Time now);
    std::uint64_t capacitySectors() const { return drive_->capacitySectors(); }

    // The drive's side.
    void driveReady(Time now) override;
    void transfer(const TransferOrder& order, Time now) override;
    void complete(std::uint16_t slot, CommandStatus status, Time now) override;

    // The host's side. REQUIRES: driveReady was called; slot < 32 and free; reads and writes: 1 to 65,536
    // sectors.
    void issue(const Command& command, Time now) override;
    void issueUnqueued(const Command& command, Time now); // a read or write outside NCQ; it waits as a flush does

    void advance(Time now);                   // finishes the frame that is due and starts the next one
    Time nextTime() const { return wakeAt_; } // when to call it

    const SataConfig& config() const { return config_; }
    const Resource& line() const { return line_; }
    const SataCounters& counters() const { return counters_; }
    const LinkErrorCounters& errors() const { return errors_.counters(); }
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
        bool isUnqueued = false; // a read or write
    };
    struct Control { // a control frame that the drive has to send
        Step step = Step::None;
        std::uint16_t slot = 0;
        CommandStatus status = CommandStatus::Ok;
        Time arrival{};
    };
    struct OnWire {
        Step step = Step::None;
        std::uint16_t slot = 0;
        CommandStatus status = CommandStatus::Ok;
        Command command;
        bool isQueued = false;
        std::uint32_t taggedCount = 0;
        std::array<std::uint16_t, ncqTags> tagged{}; // completed by one Set Device Bits FIS
    };

    static const WireForm& wireForm(Step step);
    static bool movesData(RequestKind kind) { return kind == RequestKind::Read || kind == RequestKind::Write; }
    static bool isQueued(const HostCommand& command)
    {
        return !command.identify && !command.isUnqueued && movesData(command.command.kind);
    }
    void push(const Command& command, bool isUnqueued, Time now);

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

    SataConfig config_;
    FrameTiming timing_;
    HostPort* drive_ = nullptr;
    HostSide* host_ = nullptr;
    std::function<void(const FrameRecord&)> observer_;
    NoticeHandler notice_;

    RingQueue<HostCommand> commands_; // at the host
    RingQueue<Control> controls_;     // at the drive
    SataDataPhase data_;
    Step dataNext_ = Step::None; // next frame of the data phase; None: no phase is open
    Time dataSince_{};           // end of the phase's last frame
    Step forced_ = Step::None;   // the other side's answer, which must be sent first
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
    LinkErrorDraws errors_;
};

} // namespace strobe::host
