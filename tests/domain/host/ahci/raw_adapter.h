#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An AHCI adapter with a drive behind it, whose registers and structures a test writes itself.
#include "models/host/ahci/ahci_hba.h"
#include "tests/domain/host/fake_ssd.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace strobe::host::ahci {

using namespace std::chrono_literals;
using namespace strobe::test;

constexpr std::uint32_t at(std::uint32_t offset)
{
    return reg::port0 + offset;
}

struct RawAdapter : HostSide { // as the data windows of its memory
    FakeSsd ssd;
    SataLink link;
    DriverMemory memory;
    Hba hba;
    Time now{};
    int interrupts = 0;
    static constexpr std::uint32_t tableBytes = 1024; // of a slot
    std::uint64_t list;
    std::uint64_t received;
    std::uint64_t tables;
    std::vector<std::byte> buffer = std::vector<std::byte>(1 << 16);

    explicit RawAdapter(Time memoryLatency = {}, const FakeSsd::Config& drive = {})
        : ssd(drive), link({}, drive.mode), hba(memoryLatency, link, memory), list(memory.allocate(1024)),
          received(memory.allocate(receivedBytes)), tables(memory.allocate(slots * tableBytes))
    {
        memory.connect(*this);
        link.connect(ssd, hba);
        ssd.connect(link);
        hba.onInterrupt([this](Time) { ++interrupts; });
    }
    void run(Time until = never)
    {
        for (;;) {
            const Time next = std::min({link.nextTime(), hba.nextTime(), ssd.nextTime()});
            if (next == never || next > until)
                return;
            now = std::max(now, next);
            ssd.advance(now);
            link.advance(now);
            hba.advance(now);
        }
    }
    void write(std::uint32_t offset, std::uint32_t value) { hba.writeRegister(offset, value, now); }
    std::uint32_t read(std::uint32_t offset) { return hba.readRegister(offset); }
    void start()
    {
        link.driveReady(now);
        run();
        write(at(port::CLB), static_cast<std::uint32_t>(list));
        write(at(port::CLBU), static_cast<std::uint32_t>(list >> 32));
        write(at(port::FB), static_cast<std::uint32_t>(received));
        write(at(port::FBU), static_cast<std::uint32_t>(received >> 32));
        write(at(port::CMD), cmdReceive);
        write(at(port::IS), 0xFFFF'FFFF);
        write(at(port::IE), 0xFFFF'FFFF);
        write(reg::GHC, ghcEnable | ghcInterrupts);
        write(at(port::CMD), cmdReceive | cmdStart);
    }
    // A command in a slot whose data is pages [0, pages) of window 0.
    void put(std::uint32_t slot, const RegisterFis& fis, const std::vector<RegionEntry>& regions)
    {
        const std::uint64_t table = tables + std::uint64_t{slot} * tableBytes;
        memory.write(table, fis.byte.data(), 20);
        memory.write(table + tableEntries, regions.data(), static_cast<std::uint32_t>(regions.size() * entryBytes));
        const CommandHeader header{5U | static_cast<std::uint32_t>(regions.size()) << 16U, 0, table};
        memory.write(list + slot * headerBytes, &header, headerBytes);
    }
    static RegisterFis queued(AtaCommand command, std::uint32_t slot, std::uint64_t lba, std::uint32_t sectors)
    {
        RegisterFis fis = RegisterFis::command(command);
        fis.setLba(lba);
        fis.setFeatures(sectors);
        fis.setCount(slot << 3U);
        return fis;
    }
    void issue(std::uint32_t slot, bool isQueued)
    {
        if (isQueued)
            write(at(port::SACT), 1U << slot);
        write(at(port::CI), 1U << slot);
        run();
    }
    std::uint8_t receivedByte(std::uint32_t offset)
    {
        std::uint8_t byte = 0;
        memory.read(received + offset, &byte, 1);
        return byte;
    }

    void driveReady(std::uint64_t, std::uint32_t, Time) override {}
    void completed(std::uint16_t, CommandStatus, Time) override {}
    void fillWriteData(std::uint16_t, std::uint32_t first, std::uint32_t sectors, Content destination) override
    {
        copySectors(destination, Content{buffer.data(), destination.mode}.at(first), sectors);
    }
    void takeReadData(std::uint16_t, std::uint32_t first, std::uint32_t sectors, Content source) override
    {
        copySectors(Content{buffer.data(), source.mode}.at(first), source, sectors);
    }
};

inline const RegionEntry firstPage{DriverMemory::dataPage(0, 0), 0, 4095};

// Eight writes, of which the drive works on all.
inline void loadWithWrites(RawAdapter& adapter)
{
    for (std::uint32_t slot = 0; slot < 8; ++slot) {
        adapter.put(slot, RawAdapter::queued(AtaCommand::WriteFpdma, slot, slot * 8, 8), {firstPage});
        adapter.write(at(port::SACT), 1U << slot);
        adapter.write(at(port::CI), 1U << slot);
    }
    adapter.run(adapter.now + 300us);
    REQUIRE(adapter.read(at(port::SACT)) == 0xFF);
    REQUIRE(adapter.ssd.submitted.size() == 8);
}

inline std::uint64_t putIdentify(RawAdapter& adapter, std::uint32_t slot)
{
    const std::uint64_t page = adapter.memory.allocate(512);
    adapter.put(slot, RegisterFis::command(AtaCommand::Identify), {RegionEntry{page, 0, 511}});
    return page;
}

inline bool isIdentified(RawAdapter& adapter, std::uint64_t page)
{
    std::array<std::uint16_t, 256> words{};
    adapter.memory.read(page, words.data(), 512);
    return words[75] == 31;
}

} // namespace strobe::host::ahci
