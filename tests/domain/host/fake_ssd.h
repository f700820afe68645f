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
        host::ZoneShape zones{};           // an append is written at the pointer of `zoneTable`
        host::PlacementShape placement{};
        host::DriveHeat* heat = nullptr;
    };

    explicit FakeSsd(const Config& config);
    ~FakeSsd() override;
    void connect(host::Front& front) { front_ = &front; }

    // Called with the sectors of a command on their way out of (read) or into the store.
    std::function<void(const host::Command& command, std::uint32_t first, std::uint32_t sectors, Content content)>
        corrupt;
    std::function<host::CommandStatus(const host::Command& command)> judge; // status of a command

    std::vector<host::ZoneEntry> zoneTable;           // by zone; empty ones at first
    std::vector<host::PlacementEntry> placementTable; // by handle
    std::vector<host::Command> submitted;
    std::vector<Time> submitTimes;

    void submit(const host::Command& command, Time at) override;
    Time accessBuffer(std::uint64_t handle, std::uint32_t first, std::uint32_t sectors, Content content,
                      Time at) override;
    void transferDone(std::uint64_t handle, Time at) override;
    std::uint64_t capacitySectors() const override { return config_.capacity; }
    std::uint32_t slots() const override { return config_.slots; }
    host::ZoneShape zones() const override { return config_.zones; }
    ZoneList zoneStates(std::uint32_t first, std::uint32_t count, Time at) override;
    host::DriveHeat* heat() const override { return config_.heat; }
    host::PlacementShape placement() const override { return config_.placement; }
    std::vector<host::PlacementEntry> placementEntries(Time) override { return placementTable; }

    void advance(Time now);
    Time nextTime() const { return std::min(pending_.nextTime(), orders_.nextTime()); }
    std::byte* sector(std::uint64_t lba) { return store_.data() + lba * stride(config_.mode); }

private:
    host::CommandStatus statusOf(std::uint16_t slot) const;
    void serve(std::uint16_t slot, Time now);

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
