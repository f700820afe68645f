#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A host interface between a protocol front that records what it gets and a memory in which every burst takes 1 us. The
// port is enabled, with a ring of events.

#include "models/base/strobe_registers.h"
#include "models/host/host_interface.h"
#include "tests/support/catch.h"

#include <string>
#include <utility>
#include <vector>

namespace strobe::test {

using namespace std::chrono_literals;
using namespace strobe::host;

inline constexpr std::uint32_t recordsAt = 0x1000;
inline constexpr std::uint32_t ringAt = 0x2000;
inline constexpr std::uint32_t bufferAt = 0x10000;
inline constexpr std::uint32_t bufferBytes = 0x10000;

// 128 KiB of plain bytes; the upper half is the data buffer, in bytes mode. Every burst takes 1 us.
struct BurstMemory : HostDmaPort {
    std::vector<std::byte> bytes = std::vector<std::byte>(0x20000);
    struct Burst {
        std::uint32_t address;
        std::uint32_t length;
        bool isWrite;
        Time at;
    };
    std::vector<Burst> bursts;

    Time move(BusAddress address, std::uint32_t length, Content content, bool isWrite, Time at) override;
    std::uint32_t word(std::uint32_t address) const;
};

struct RecordingFront : Front {
    int readyCalls = 0;
    std::vector<TransferOrder> transfers;
    std::vector<Time> transferTimes;
    struct Done {
        std::uint16_t slot;
        CommandStatus status;
        Time at;
    };
    std::vector<Done> done;

    std::vector<std::pair<std::uint16_t, std::uint64_t>> places; // slot, first sector

    void driveReady(Time) override { ++readyCalls; }
    void placed(std::uint16_t slot, std::uint64_t lba, Time) override { places.emplace_back(slot, lba); }
    void transfer(const TransferOrder& order, Time at) override;
    void complete(std::uint16_t slot, CommandStatus status, Time at) override { done.push_back({slot, status, at}); }
};

struct InterfaceBench {
    BurstMemory memory;
    RecordingFront front;
    HostInterface block{{32, {BusAddress{bufferAt}, bufferBytes}}, memory};
    std::vector<std::pair<bool, Time>> line;
    std::vector<std::string> faults;
    Time now{};

    explicit InterfaceBench(std::uint32_t ringEntries = 16);
    ~InterfaceBench();

    void write(std::uint32_t offset, std::uint32_t value) { writeAt(offset, value, now); }
    void writeAt(std::uint32_t offset, std::uint32_t value, Time at);
    std::uint32_t read(std::uint32_t offset);
    void run(Time until);
    void startTransfer(std::uint32_t start, std::uint32_t first, std::uint32_t count, std::uint32_t buffer, Time at);
};

inline Command readCommand(std::uint16_t slot, std::uint32_t sectors)
{
    return {slot, RequestKind::Read, false, 0x1'2345'6789, sectors};
}

} // namespace strobe::test
