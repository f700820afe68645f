#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A host port without a protocol: any number of command slots, a link with a data line in each direction. For studies
// of the drive, where SATA's 32 tags and 600 MB/s would be the limit. Owns no clock: every call
// passes the present time, advance() is due at nextTime().
//
//   commands, completions   arrive `latency` after they were sent; they do not load the data lines
//   data                    takes its line for bytes / rate, in order of the drive's transfer orders, and does not
//                           arrive before it has left (or entered) the drive's memory
//
// Contents move when a transfer is ordered. All kinds of commands are queued alike. Not modelled: packets, arbitration,
// doorbells, queues in host memory, errors on the link.

#include "models/base/resource.h"
#include "models/base/ring_queue.h"
#include "models/host/command_port.h"

#include <array>
#include <vector>

namespace strobe::host {

struct DirectConfig {
    std::uint64_t bytesPerSecond = 8'000'000'000; // each direction
    Time latency{};                               // one way
};

class DirectLink final : public Front, public HostLink {
public:
    static constexpr std::uint32_t maxSlots = 4096;

    DirectLink(const DirectConfig& config, DataMode dataMode) : config_(config), dataMode_(dataMode) {}
    void connect(HostPort& drive, HostSide& host); // once, before any other call

    // The drive's side.
    void driveReady(Time now) override;
    void transfer(const TransferOrder& order, Time now) override;
    void placed(std::uint16_t slot, std::uint64_t lba, Time) override { host_->placed(slot, lba); }
    void complete(std::uint16_t slot, CommandStatus status, Time now) override;

    // The host's side. REQUIRES: driveReady was called; the slot is free.
    void issue(const Command& command, Time now) override;

    void advance(Time now);
    Time nextTime() const;

    const Resource& toHost() const { return lines_[0]; }
    const Resource& toDrive() const { return lines_[1]; }
    void resetUsage();

private:
    struct Travelling {
        Time at{};
        Command command; // completions: only of this slot
        CommandStatus status = CommandStatus::Ok;
    };
    struct Data {
        Time at{};
        std::uint64_t handle = 0;
    };

    DirectConfig config_;
    DataMode dataMode_;
    HostPort* drive_ = nullptr;
    HostSide* host_ = nullptr;
    std::array<Resource, 2> lines_;

    // Each in order of time.
    RingQueue<Travelling> commands_;
    RingQueue<Travelling> completions_;
    std::array<RingQueue<Data>, 2> data_; // by line
    Time readyAt_ = never;
    std::vector<std::byte> staging_;
};

} // namespace strobe::host
