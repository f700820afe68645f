#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A parallel ATA cable with its two ends, one command at a time (no tagged queuing): the host writes the task file,
// moves data in Ultra DMA bursts when the drive requests them, and reads the status when the drive interrupts. Owns no
// clock: every call passes the present time, advance() is due at nextTime().
//
//   start       IDENTIFY DEVICE and SET FEATURES, with the host's software and an interrupt for each
//   read, write software, registers … bursts … interrupt, status
//   flush       software, registers … interrupt, status
//   trim        software, registers, bursts with 64 ranges per 512 bytes … interrupt, status
//
// Firmware's transfers are done in order, each in bursts of its own. Data cuts through as on the SATA link: the fetch
// of a burst to the host begins with the burst before it; a burst may start when its first sector is out of memory (an
// even share of the fetch) and does not end before its last sector could follow the fetch; a burst to the drive does
// not end before it is in memory. Not modelled: what pata_timing.h leaves out, and errors on the cable.

#include "models/base/content.h"
#include "models/base/resource.h"
#include "models/base/ring_queue.h"
#include "models/base/statistics.h"
#include "models/host/command_port.h"
#include "models/host/pata_timing.h"

#include <array>
#include <vector>

namespace strobe::host {

struct PataCounters {
    std::uint64_t bursts = 0;
    Time hostPaused{}; // within bursts, because the host is slower than the mode
    Time held{};       // within bursts, waiting for the drive's memory

    void declare(Statistics& stats)
    {
        stats.add("bursts", Unit::Count, "DMA bursts", bursts);
        stats.add("paused_for_host", Unit::Duration,
                  "time within bursts lost because the host is slower than the transfer mode", hostPaused);
        stats.add("held_for_memory", Unit::Duration, "time within bursts lost waiting for the drive's memory", held);
    }
};

class PataLink final : public Front, public HostLink {
public:
    static constexpr std::uint32_t maxSlots = 1;

    PataLink(const PataConfig& config, DataMode dataMode);
    void connect(HostPort& drive, HostSide& host); // once, before any other call

    // The drive's side.
    void driveReady(Time now) override;
    void transfer(const TransferOrder& order, Time now) override;
    void complete(std::uint16_t slot, CommandStatus status, Time now) override;

    // The host's side. REQUIRES: driveReady was called; no command is outstanding; 1 to 65,536 sectors.
    void issue(const Command& command, Time now) override;

    void advance(Time now);
    Time nextTime() const { return wakeAt_; }

    const Resource& line() const { return line_; }
    const PataCounters& counters() const { return counters_; }
    void resetUsage();

private:
    enum class Step : std::uint8_t { Idle, StartUp, Command, Trim, Working, Status };
    struct Burst {
        std::uint64_t handle = 0;
        bool toHost = false;
        bool isLast = false;          // of its transfer
        std::uint32_t first = 0;      // sector within the command
        std::uint32_t inTransfer = 0; // sector within the transfer
        std::uint32_t sectors = 0;
        Time firstReady{}; // to the host: the first sector is out of memory
        Time memoryEnd{};  // all sectors are in or out of memory
        std::vector<std::byte> staging;
    };
    struct Order {
        TransferOrder order;
        std::uint32_t taken = 0; // sectors already put into bursts
    };

    void occupy(Time arrived, Time start, Time duration);
    void commandArrived(Time now);
    void trimArrived(Time now);
    void pump(Time now); // the next burst, if the drive has asked for one
    bool prepare(Burst& burst, Time now);
    void startBurst(Time now);
    void finishBurst(Time now);
    Content staged(Burst& burst) { return {burst.staging.data(), dataMode_}; }

    PataConfig config_;
    DataMode dataMode_;
    PataTiming timing_;
    HostPort* drive_ = nullptr;
    HostSide* host_ = nullptr;

    Step step_ = Step::Idle;
    Command command_;
    CommandStatus status_ = CommandStatus::Ok;
    RingQueue<Order> orders_;
    std::array<Burst, 2> bursts_; // the one on the line and the one being fetched
    std::size_t current_ = 0;
    bool isPrepared_ = false; // the current burst
    bool isOnLine_ = false;
    Time wakeAt_ = never;

    Resource line_;
    PataCounters counters_;
};

} // namespace strobe::host
