// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/interface_bench.h"

#include <cstring>

namespace strobe::test {

Time BurstMemory::move(BusAddress address, std::uint32_t length, Content content, bool isWrite, Time at)
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

std::uint32_t BurstMemory::word(std::uint32_t address) const
{
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + address, sizeof value);
    return value;
}

void RecordingFront::transfer(const TransferOrder& order, Time at)
{
    transfers.push_back(order);
    transferTimes.push_back(at);
}

InterfaceBench::InterfaceBench(std::uint32_t ringEntries)
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

InterfaceBench::~InterfaceBench() = default;

void InterfaceBench::writeAt(std::uint32_t offset, std::uint32_t value, Time at)
{
    REQUIRE(block.writeRegister(offset, value, at) == Access::Ok);
}

std::uint32_t InterfaceBench::read(std::uint32_t offset)
{
    std::uint32_t value = 0;
    REQUIRE(block.readRegister(offset, value) == Access::Ok);
    return value;
}

void InterfaceBench::run(Time until)
{
    while (block.nextTime() <= until) {
        now = block.nextTime();
        block.advance(now);
    }
    now = until;
    block.advance(now);
}

void InterfaceBench::startTransfer(std::uint32_t start, std::uint32_t first, std::uint32_t count, std::uint32_t buffer,
                                   Time at)
{
    writeAt(regs::host::XFER_RANGE, first | (count - 1) << regs::host::XFER_RANGE_more_shift, at);
    writeAt(regs::host::XFER_BUFFER, buffer, at);
    writeAt(regs::host::XFER_COOKIE, 0xC00C1E, at);
    writeAt(regs::host::XFER_START, start, at);
}

} // namespace strobe::test
