#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host of a drive whose requests come from outside, with their data: turns them into commands for any protocol's
// port. Owns no clock.
//
//   read, write   commands of at most mostCommandSectors
//
//   zero          writes of zeros; with mayTrim a trim of the whole mapping units inside, and writes beside it
//
//   trim          trims; the drive frees the mapping units that are wholly inside
//
//   flush         one command
//
// A write with FUA is a write command with FUA; a trim with FUA is followed by a flush. Commands are sent in the order
// of the requests as command slots become free. Requests that overlap in time may take effect in either order.
//
// Not modelled: the time of client, network and operating system; merging of requests.

#include "models/host/command_port.h"
#include "models/host/outstanding_commands.h"
#include "models/host/phase_result.h"
#include "platform/serve/block_request.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>

namespace strobe::platform::serve {

class BlockHost final : public host::HostSide {
public:
    static constexpr std::uint32_t mostCommandSectors = 65536; // of all protocols

    // A request has ended, at the instant of its last command. `status`: of the first command that failed.
    using Ended = std::function<void(std::uint64_t ticket, host::CommandStatus status, BlockRequest& request)>;

    // `unitSectors`: of the drive's mapping units.
    explicit BlockHost(std::uint32_t unitSectors);
    void connect(host::HostLink& link) { link_ = &link; } // once, before any request
    void onEnded(Ended ended) { ended_ = std::move(ended); }
    // The drive is ready, or a request has ended.
    void onChange(std::function<void()> listener) { changed_ = std::move(listener); }

    // Returns the ticket. REQUIRES: the drive is ready; the range is within it, and empty for a flush only; `data` of a
    // write has all sectors.
    std::uint64_t submit(BlockRequest request, Time now);
    // Commands that have not been sent will not be; their requests end with DeviceFault when nothing of them is
    // outstanding.
    void dropWaiting();

    bool isReady() const { return commands_.slots() != 0; }
    bool isIdle() const { return active_.empty(); }
    std::uint64_t capacitySectors() const { return capacitySectors_; }
    const host::OutstandingCommands& commands() const { return commands_; }
    Time readyAt() const { return readyAt_; } // never: not yet
    Time waitingSince() const; // commands are outstanding, and none has ended since; never: there are none

    // The measured phase: from the first call on, until the second.
    void beginPhase(Time now);
    void endPhase(Time now);
    const std::vector<host::PhaseResult>& phases() const { return phases_; }

    // The port's side.
    void driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time now) override;
    void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination) override;
    void takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source) override;
    void completed(std::uint16_t slot, host::CommandStatus status, Time now) override;

private:
    struct Active {
        BlockRequest request;
        Time arrived{};
        std::uint32_t open = 0; // commands that have not ended
        bool flushFollows = false;
        host::CommandStatus status = host::CommandStatus::Ok;
    };
    struct Waiting {
        std::uint64_t ticket;
        host::Request command;
    };

    void plan(std::uint64_t ticket, Active& active);
    void add(std::uint64_t ticket, host::RequestKind kind, std::uint64_t lba, std::uint64_t sectors);
    void addFlush(std::uint64_t ticket);
    void pump(Time now);
    void end(std::uint64_t ticket);
    std::byte* dataAt(std::uint16_t slot, std::uint32_t first); // null: the request has none

    std::uint32_t unitSectors_;
    host::HostLink* link_ = nullptr;
    Ended ended_;
    std::function<void()> changed_;
    std::uint64_t capacitySectors_ = 0;
    Time readyAt_ = never;
    Time lastEnd_{};
    std::uint64_t tickets_ = 0;
    std::unordered_map<std::uint64_t, Active> active_; // by ticket
    std::deque<Waiting> waiting_;
    host::OutstandingCommands commands_;
    std::vector<host::PhaseResult> phases_;
};

} // namespace strobe::platform::serve
