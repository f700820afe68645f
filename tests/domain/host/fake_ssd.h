#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A drive behind the host command port that takes `latency` per command and keeps its sectors in an array. A hook can
// corrupt its data. Its memory delivers a sector in `perSector`, one chunk at a time.

#include "models/base/check.h"
#include "models/base/event_heap.h"
#include "models/base/resource.h"
#include "models/host/command_port.h"

#include <functional>
#include <vector>

namespace strobe::test {

class FakeSsd : public host::HostPort {
public:
    struct Config {
        std::uint64_t capacity = 1 << 16; // sectors
        DataMode mode = DataMode::Tags;
        Time latency{};
        Time perSector{};
        std::uint32_t slots = 32;
        std::uint32_t transferSectors = 0; // orders transfers of so many sectors; 0: the whole command
        Time betweenTransfers{};           // of a command, as pages come from flash one after the other
        std::uint32_t unitSectors = 8;     // trims free whole units
    };

    explicit FakeSsd(const Config& config)
        : config_(config), store_(config.capacity * stride(config.mode)), commands_(config.slots), left_(config.slots)
    {
    }
    void connect(host::Front& front) { front_ = &front; }

    // Called with the sectors of a command on their way out of (read) or into the store.
    std::function<void(const host::Command& command, std::uint32_t first, std::uint32_t sectors, Content content)>
        corrupt;
    std::function<host::CommandStatus(const host::Command& command)> judge; // status of a command

    std::vector<host::Command> submitted;
    std::vector<Time> submitTimes;

    void submit(const host::Command& command, Time at) override
    {
        submitted.push_back(command);
        submitTimes.push_back(at);
        commands_[command.slot] = command;
        pending_.push(at + config_.latency, command.slot);
    }
    Time accessBuffer(std::uint64_t handle, std::uint32_t first, std::uint32_t sectors, Content content,
                      Time at) override
    {
        const auto slot = static_cast<std::uint16_t>(handle >> 32);
        const host::Command& command = commands_[slot];
        const std::uint32_t sector = static_cast<std::uint32_t>(handle) + first;
        const Content stored = Content{store_.data(), config_.mode}.at(command.lba + sector);
        if (command.kind == host::RequestKind::Write && corrupt)
            corrupt(command, sector, sectors, content);
        if (command.kind == host::RequestKind::Write)
            copySectors(stored, content, sectors);
        else
            copySectors(content, stored, sectors);
        if (command.kind == host::RequestKind::Read && corrupt)
            corrupt(command, sector, sectors, content);
        return memory_.reserve(at, config_.perSector * sectors);
    }
    void transferDone(std::uint64_t handle, Time at) override
    {
        const auto slot = static_cast<std::uint16_t>(handle >> 32);
        if (--left_[slot] == 0)
            front_->complete(slot, statusOf(slot), at);
    }
    std::uint64_t capacitySectors() const override { return config_.capacity; }
    std::uint32_t slots() const override { return config_.slots; }

    void advance(Time now)
    {
        while (pending_.isDue(now))
            serve(pending_.pop(), now);
        while (orders_.isDue(now))
            front_->transfer(orders_.pop(), now);
    }
    Time nextTime() const { return std::min(pending_.nextTime(), orders_.nextTime()); }
    std::byte* sector(std::uint64_t lba) { return store_.data() + lba * stride(config_.mode); }

private:
    host::CommandStatus statusOf(std::uint16_t slot) const
    {
        return judge ? judge(commands_[slot]) : host::CommandStatus::Ok;
    }
    void serve(std::uint16_t slot, Time now)
    {
        const host::Command& command = commands_[slot];
        if (command.kind == host::RequestKind::Trim) {
            const std::uint64_t unit = config_.unitSectors;
            const std::uint64_t from = (command.lba + unit - 1) / unit * unit;
            const std::uint64_t to = (command.lba + command.sectors) / unit * unit;
            if (from < to)
                clearSectors(Content{store_.data(), config_.mode}.at(from), to - from);
        }
        if (command.kind == host::RequestKind::Trim || command.kind == host::RequestKind::Flush) {
            front_->complete(slot, statusOf(slot), now);
            return;
        }
        const std::uint32_t step = config_.transferSectors == 0 ? command.sectors : config_.transferSectors;
        left_[slot] = (command.sectors + step - 1) / step;
        for (std::uint32_t first = 0; first < command.sectors; first += step) {
            orders_.push(now + config_.betweenTransfers * (first / step),
                         {slot, command.kind == host::RequestKind::Read, first, std::min(step, command.sectors - first),
                          std::uint64_t{slot} << 32 | first});
        }
    }

    Config config_;
    host::Front* front_ = nullptr;
    std::vector<std::byte> store_;
    std::vector<host::Command> commands_;
    std::vector<std::uint32_t> left_; // transfers
    EventHeap<std::uint16_t> pending_;
    EventHeap<host::TransferOrder> orders_;
    Resource memory_;
};

} // namespace strobe::test
