#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A host interface between a protocol front that records what it gets and a memory in which every burst takes 1 us. The
// port is enabled, with a ring of events.

#include "models/base/strobe_registers.h"
#include "models/host/host_interface.h"
#include "tests/support/catch.h"

#include <cstring>
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

    Time move(BusAddress address, std::uint32_t length, Content content, bool isWrite, Time at) override
    {
        if (std::size_t{raw(address)} + length > bytes.size())
            return never;
        bursts.push_back({raw(address), length, isWrite, at});
        if (isWrite)
            std::memcpy(bytes.data() + raw(address), content.data, length);
        else
            std::memcpy(content.data, bytes.data() + raw(address), length);
        return at + 1us;
    }
    std::uint32_t word(std::uint32_t address) const
    {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + address, sizeof value);
        return value;
    }
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

    void driveReady(Time) override { ++readyCalls; }
    void transfer(const TransferOrder& order, Time at) override
    {
        transfers.push_back(order);
        transferTimes.push_back(at);
    }
    void complete(std::uint16_t slot, CommandStatus status, Time at) override { done.push_back({slot, status, at}); }
};

struct InterfaceBench {
    BurstMemory memory;
    RecordingFront front;
    HostInterface block{{32, {BusAddress{bufferAt}, bufferBytes}}, memory};
    std::vector<std::pair<bool, Time>> line;
    std::vector<std::string> faults;
    Time now{};

    explicit InterfaceBench(std::uint32_t ringEntries = 16)
    {
        block.connect(front);
        block.onLine([this](bool asserted, Time at) { line.emplace_back(asserted, at); });
        block.onFault([this](const std::string& text, Time) { faults.push_back(text); });
        write(regs::host::CAPACITY_LO, 5000);
        write(regs::host::CAPACITY_HI, 1);
        write(regs::host::COMMANDS, recordsAt);
        write(regs::host::RING_BASE, ringAt);
        write(regs::host::RING_ENTRIES, ringEntries);
        write(regs::host::CONTROL, 1);
        run(now);
    }
    void write(std::uint32_t offset, std::uint32_t value) { writeAt(offset, value, now); }
    void writeAt(std::uint32_t offset, std::uint32_t value, Time at)
    {
        REQUIRE(block.writeRegister(offset, value, at) == Access::Ok);
    }
    std::uint32_t read(std::uint32_t offset)
    {
        std::uint32_t value = 0;
        REQUIRE(block.readRegister(offset, value) == Access::Ok);
        return value;
    }
    void run(Time until)
    {
        while (block.nextTime() <= until) {
            now = block.nextTime();
            block.advance(now);
        }
        now = until;
        block.advance(now);
    }
    void startTransfer(std::uint32_t start, std::uint32_t first, std::uint32_t count, std::uint32_t buffer, Time at)
    {
        writeAt(regs::host::XFER_RANGE, first | (count - 1) << regs::host::XFER_RANGE_more_shift, at);
        writeAt(regs::host::XFER_BUFFER, buffer, at);
        writeAt(regs::host::XFER_COOKIE, 0xC00C1E, at);
        writeAt(regs::host::XFER_START, start, at);
    }
};

inline Command readCommand(std::uint16_t slot, std::uint32_t sectors)
{
    return {slot, RequestKind::Read, false, 0x1'2345'6789, sectors};
}

} // namespace strobe::test
