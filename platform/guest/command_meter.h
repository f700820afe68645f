#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Counts and times the commands of a drive, between its port and its host interface, by phases that the host names: a
// phase lasts until the next begins. Latency runs from when the drive has a command until it answers, so it contains
// neither the link nor the host's software. A command counts for the phase in which it ends.

#include "models/host/command_port.h"
#include "models/host/phase_result.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace strobe::platform::guest {

class CommandMeter final : public host::HostPort, public host::Front {
public:
    void connect(host::HostPort& drive, host::Front& port);
    void onReady(std::function<void(Time at)> handler) { ready_ = std::move(handler); } // before the drive is
    // Each command as the drive gets it.
    void onCommand(std::function<void(const host::Command&, Time at)> handler) { command_ = std::move(handler); }

    void beginPhase(const std::string& name, bool isMeasured, Time now);
    void end(Time now);    // of the last phase
    void dropEmptyPhase(); // the last phase, if it has had no command
    const std::vector<host::PhaseResult>& phases() const { return phases_; }
    Time readyAt() const { return readyAt_; } // never: not yet
    std::uint32_t outstanding() const { return outstanding_; }

    // The port's side.
    void submit(const host::Command& command, Time at) override;
    void transferDone(std::uint64_t handle, Time at) override { drive_->transferDone(handle, at); }
    Time accessBuffer(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors, Content content,
                      Time at) override
    {
        return drive_->accessBuffer(handle, firstSector, sectors, content, at);
    }
    std::uint64_t capacitySectors() const override { return drive_->capacitySectors(); }
    std::uint32_t slots() const override { return drive_->slots(); }
    host::ZoneShape zones() const override { return drive_->zones(); }
    ZoneList zoneStates(std::uint32_t first, std::uint32_t count, Time at) override
    {
        return drive_->zoneStates(first, count, at);
    }

    // The drive's side.
    void driveReady(Time at) override;
    void transfer(const host::TransferOrder& order, Time at) override { port_->transfer(order, at); }
    void placed(std::uint16_t slot, std::uint64_t lba, Time at) override { port_->placed(slot, lba, at); }
    void complete(std::uint16_t slot, host::CommandStatus status, Time at) override;

private:
    struct Sent {
        host::Command command;
        Time at{};
    };
    std::function<void(Time)> ready_;
    std::function<void(const host::Command&, Time)> command_;
    host::HostPort* drive_ = nullptr;
    host::Front* port_ = nullptr;
    std::vector<Sent> sent_; // by slot
    std::vector<host::PhaseResult> phases_;
    Time readyAt_ = never;
    std::uint32_t outstanding_ = 0;
};

} // namespace strobe::platform::guest
