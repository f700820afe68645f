// SPDX-License-Identifier: Apache-2.0
//
// Responses of an AHCI adapter to correct and incorrect uses of its registers and structures.
#include "tests/domain/host/ahci/raw_adapter.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::ahci;
using namespace strobe::test;
using namespace std::chrono_literals;

TEST_CASE("the adapter identifies itself")
{
    RawAdapter adapter;
    CHECK(adapter.read(reg::VS) == 0x0001'0301);
    CHECK(adapter.read(reg::PI) == 1);
    const std::uint32_t cap = adapter.read(reg::CAP);
    CHECK((cap >> 30 & 1) == 1);  // NCQ
    CHECK((cap >> 31 & 1) == 1);  // 64-bit addresses
    CHECK((cap >> 8 & 31) == 31); // 32 slots
    CHECK((cap & 31) == 0);       // one port
    CHECK((cap >> 20 & 15) == 3); // 6 Gb/s
    CHECK(adapter.read(0x500) == 0);
    adapter.write(0x500, 1);
    adapter.write(reg::PI, 5);
    CHECK(adapter.read(reg::PI) == 1);
}

TEST_CASE("the drive's signature sets signature, task file and link status")
{
    RawAdapter adapter;
    CHECK(adapter.read(at(port::TFD)) == 0x80);
    CHECK(adapter.read(at(port::SIG)) == 0xFFFF'FFFF);
    adapter.link.driveReady(adapter.now);
    adapter.run();
    CHECK(adapter.read(at(port::TFD)) == 0x0150); // diagnostics have passed
    CHECK(adapter.read(at(port::SIG)) == 0x101);
    CHECK(adapter.read(at(port::SSTS)) == 0x133);
    CHECK(adapter.read(at(port::IS)) == 0); // its FIS was not posted: FIS receive is off
    CHECK(adapter.interrupts == 0);
    adapter.write(at(port::CMD), cmdReceive);
    adapter.write(at(port::SCTL), 0x301);
    adapter.write(at(port::SCTL), 0x300);
    adapter.run();
    CHECK(adapter.interrupts == 0); // they are not enabled
    CHECK(adapter.read(at(port::IS)) == interruptRegister);
    adapter.write(at(port::IS), interruptRegister);
    CHECK(adapter.read(at(port::IS)) == 0);
}

TEST_CASE("a FIS that is not posted raises no interrupt but that of an error")
{
    RawAdapter adapter;
    adapter.start();
    adapter.write(at(port::CMD), cmdStart);
    adapter.put(0, RegisterFis::command(AtaCommand::FlushCacheExt), {});
    adapter.issue(0, false);
    CHECK(adapter.read(at(port::CI)) == 0);
    CHECK(adapter.read(at(port::IS)) == 0);
    putIdentify(adapter, 0);
    adapter.issue(0, false);
    CHECK(adapter.read(at(port::IS)) == 0);
    adapter.put(0, RegisterFis::command(static_cast<AtaCommand>(0x77)), {});
    adapter.issue(0, false);
    CHECK(adapter.read(at(port::IS)) == interruptError);
}

TEST_CASE("diagnostics return the signature, and are aborted while commands are queued")
{
    FakeSsd::Config slow;
    slow.latency = 1ms;
    RawAdapter adapter({}, slow);
    adapter.start();
    adapter.put(1, RegisterFis::command(AtaCommand::ExecuteDiagnostics), {});
    adapter.issue(1, false);
    CHECK(adapter.read(at(port::CI)) == 0);
    CHECK(adapter.read(at(port::TFD)) == 0x0150);
    CHECK(adapter.read(at(port::IS)) == interruptRegister);
    CHECK(adapter.receivedByte(received::registers + 3) == 1); // error register
    CHECK(adapter.receivedByte(received::registers + 12) == 1);
    adapter.put(0, RawAdapter::queued(AtaCommand::ReadFpdma, 0, 0, 8), {firstPage});
    adapter.write(at(port::SACT), 1);
    adapter.write(at(port::CI), 1);
    adapter.run(adapter.now + 100us);
    adapter.issue(1, false);
    CHECK(adapter.hba.counters().aborted == 1);
    CHECK(adapter.hba.lastStatus(0) == CommandStatus::Ok);
}

TEST_CASE("while the write cache is off, writes are forced to flash, and a reset turns it on")
{
    RawAdapter adapter;
    adapter.start();
    const auto isForced = [&](std::uint32_t feature) {
        if (feature != 0) {
            RegisterFis fis = RegisterFis::command(AtaCommand::SetFeatures);
            fis.setFeatures(feature);
            adapter.put(0, fis, {});
            adapter.issue(0, false);
            CHECK(adapter.read(at(port::TFD)) == taskReady);
        }
        adapter.put(0, RawAdapter::queued(AtaCommand::WriteFpdma, 0, 0, 8), {firstPage});
        adapter.issue(0, true);
        return adapter.ssd.submitted.back().fua;
    };
    CHECK_FALSE(isForced(0));
    CHECK(isForced(0x82));
    CHECK_FALSE(isForced(0x02));
    CHECK(isForced(0x82));
    adapter.write(at(port::SCTL), 0x301);
    adapter.write(at(port::SCTL), 0x300);
    adapter.run();
    CHECK_FALSE(isForced(0));
}

TEST_CASE("nothing is issued before the port is started")
{
    RawAdapter adapter;
    adapter.link.driveReady(adapter.now);
    adapter.run();
    adapter.issue(0, true);
    CHECK(adapter.read(at(port::CI)) == 0);
    CHECK(adapter.read(at(port::SACT)) == 0);
    adapter.start();
    CHECK((adapter.read(at(port::CMD)) & cmdListRunning) != 0);
    CHECK((adapter.read(at(port::CMD)) & cmdReceiveRunning) != 0);
}

TEST_CASE("a queued command leaves PxCI when it is accepted and PxSACT when it is done")
{
    FakeSsd::Config slow;
    slow.latency = 100us;
    RawAdapter adapter({}, slow);
    adapter.start();
    adapter.put(5, RawAdapter::queued(AtaCommand::ReadFpdma, 5, 0, 8), {firstPage});
    adapter.write(at(port::SACT), 1U << 5U);
    adapter.write(at(port::CI), 1U << 5U);
    CHECK(adapter.read(at(port::TFD)) == taskBusy);
    adapter.run(adapter.now + 10us);
    CHECK(adapter.read(at(port::CI)) == 0);
    CHECK(adapter.read(at(port::SACT)) == 1U << 5U);
    CHECK(adapter.read(at(port::TFD)) == taskReady);
    CHECK(adapter.interrupts == 0);
    adapter.run();
    CHECK(adapter.read(at(port::SACT)) == 0);
    CHECK(adapter.read(at(port::IS)) == interruptDeviceBits);
    CHECK(adapter.interrupts == 1);
    CHECK(adapter.receivedByte(received::deviceBits) == 0xA1);
    CHECK(adapter.receivedByte(received::dmaSetup) == 0x41);
    CHECK(adapter.receivedByte(received::registers) == 0x34);
    CHECK(adapter.ssd.submitted[0].slot == 5);
}

TEST_CASE("an interrupt is raised once, and again if more is pending when IS is cleared")
{
    RawAdapter adapter;
    adapter.start();
    const RegisterFis flush = RegisterFis::command(AtaCommand::FlushCacheExt);
    adapter.put(0, flush, {});
    adapter.issue(0, false);
    CHECK(adapter.interrupts == 1);
    CHECK(adapter.read(reg::IS) == 1);
    adapter.issue(0, false);
    CHECK(adapter.interrupts == 1);
    adapter.write(reg::IS, 1); // PxIS is still set
    CHECK(adapter.interrupts == 2);
    adapter.write(at(port::IS), 0xFFFF'FFFF);
    adapter.write(reg::IS, 1);
    CHECK(adapter.interrupts == 2);
    CHECK(adapter.read(reg::IS) == 0);
    adapter.write(reg::GHC, ghcEnable);
    adapter.issue(0, false);
    CHECK(adapter.interrupts == 2);
    CHECK(adapter.read(reg::IS) == 1); // whether or not it is an interrupt
    adapter.write(reg::GHC, ghcEnable | ghcInterrupts);
    CHECK(adapter.interrupts == 3);
    adapter.write(reg::GHC, ghcEnable | ghcInterrupts);
    CHECK(adapter.interrupts == 3);
    CHECK(adapter.receivedByte(received::registers + 1) == fisInterrupt);
}

TEST_CASE("commands that make no sense are aborted, and the drive never sees them")
{
    RawAdapter adapter;
    adapter.start();
    const auto isAborted = [&](const RegisterFis& fis, const std::vector<RegionEntry>& regions, bool isQueued) {
        adapter.write(at(port::IS), 0xFFFF'FFFF);
        adapter.put(0, fis, regions);
        adapter.issue(0, isQueued);
        return adapter.read(at(port::CI)) == 0 && adapter.read(at(port::SACT)) == 0 &&
               (adapter.read(at(port::IS)) & interruptError) != 0 && adapter.read(at(port::TFD)) == 0x0451 &&
               adapter.hba.lastStatus(0) == CommandStatus::NotSupported;
    };
    const RegisterFis good = RawAdapter::queued(AtaCommand::ReadFpdma, 0, 0, 8);
    RegisterFis otherType = good;
    otherType.byte[0] = 0x34;
    CHECK(isAborted(otherType, {firstPage}, true));
    RegisterFis otherTag = good;
    otherTag.setCount(3U << 3U);
    CHECK(isAborted(otherTag, {firstPage}, true));
    CHECK(isAborted(good, {firstPage}, false)); // PxSACT was not set
    CHECK(isAborted(good, {}, true));           // no room for its data
    RegisterFis beyond = good;
    beyond.setLba(1 << 16);
    CHECK(isAborted(beyond, {firstPage}, true));
    CHECK(isAborted(RegisterFis::command(static_cast<AtaCommand>(0xC8)), {firstPage}, false));
    CHECK(isAborted(RegisterFis::command(AtaCommand::Identify), {}, false));
    CHECK(isAborted(RegisterFis::command(AtaCommand::DataSetManagement), {firstPage}, false));
    CHECK(adapter.ssd.submitted.empty());
    CHECK(adapter.hba.counters().aborted == 8);
    adapter.write(at(port::CLB), 0x1000);
    adapter.write(at(port::CLBU), 0);
    adapter.issue(0, false); // a list that is not there
    CHECK(adapter.hba.counters().aborted == 9);
}

TEST_CASE("a trim of several runs is aborted, one of a run in pieces arrives whole")
{
    RawAdapter adapter;
    adapter.start();
    std::array<std::uint64_t, 64> ranges{};
    const std::uint64_t page = adapter.memory.allocate(512);
    const auto trim = [&](std::uint64_t second) {
        ranges[0] = 100 | std::uint64_t{50} << 48U;
        ranges[1] = second | std::uint64_t{25} << 48U;
        adapter.memory.write(page, ranges.data(), 512);
        RegisterFis fis = RegisterFis::command(AtaCommand::DataSetManagement);
        fis.setFeatures(1);
        fis.setCount(1);
        adapter.put(0, fis, {RegionEntry{page, 0, 511}});
        adapter.issue(0, false);
    };
    trim(150);
    REQUIRE(adapter.ssd.submitted.size() == 1);
    CHECK(adapter.ssd.submitted[0].lba == 100);
    CHECK(adapter.ssd.submitted[0].sectors == 75);
    trim(151);
    CHECK(adapter.ssd.submitted.size() == 1);
    CHECK(adapter.hba.counters().aborted == 1);
}

TEST_CASE("data goes to and from regions of any whole sectors, real bytes of any size")
{
    FakeSsd::Config bytes;
    bytes.mode = DataMode::Bytes;
    RawAdapter adapter({}, bytes);
    adapter.start();
    const std::uint64_t source = adapter.memory.allocate(4096);
    std::vector<std::uint8_t> out(1024);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::uint8_t>(i * 5 + i / 256);
    adapter.memory.write(source, out.data(), 1024);
    // Two sectors in three pieces: 100, 412 and 512 bytes.
    adapter.put(0, RawAdapter::queued(AtaCommand::WriteFpdma, 0, 40, 2),
                {{source, 0, 99}, {source + 100, 0, 411}, {source + 512, 0, 511}});
    adapter.ssd.corrupt = nullptr;
    adapter.issue(0, true);
    CHECK(adapter.hba.counters().aborted == 0);
    CHECK(std::memcmp(adapter.ssd.sector(40), out.data(), 100) == 0);
    CHECK(std::memcmp(adapter.ssd.sector(40) + 100, out.data() + 100, 412) == 0);
}

TEST_CASE("reads and writes outside NCQ move data without DMA Setup, after what is queued")
{
    struct Row {
        AtaCommand write;
        AtaCommand read;
    };
    const Row row =
        GENERATE(Row{AtaCommand::WriteDma, AtaCommand::ReadDma}, Row{AtaCommand::WriteDmaExt, AtaCommand::ReadDmaExt});
    FakeSsd::Config bytes;
    bytes.mode = DataMode::Bytes;
    RawAdapter adapter({}, bytes);
    adapter.start();
    constexpr std::uint32_t size = 256 * 512; // several frames
    std::vector<RegionEntry> pages;
    for (std::uint32_t page = 0; page < size / 4096; ++page)
        pages.push_back({DriverMemory::dataPage(0, page), 0, 4095});
    std::vector<std::byte> out(size);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::byte>(i * 7 + i / 512);
    adapter.buffer = out;
    RegisterFis fis = RegisterFis::command(row.write);
    fis.setLba(300);
    fis.setCount(row.write == AtaCommand::WriteDma ? 0 : 256); // zero is 256 there
    adapter.put(0, fis, pages);
    adapter.issue(0, false);
    CHECK(adapter.read(at(port::TFD)) == taskReady);
    CHECK(adapter.read(at(port::CI)) == 0);
    CHECK(std::memcmp(adapter.ssd.sector(555), out.data() + size - 512, 512) == 0);
    CHECK(adapter.link.counters().frames[static_cast<std::size_t>(FisType::DmaSetup)] == 0);
    adapter.put(3, RawAdapter::queued(AtaCommand::ReadFpdma, 3, 0, 8), pages);
    adapter.write(at(port::SACT), 8);
    adapter.write(at(port::CI), 8);
    fis = RegisterFis::command(row.read);
    fis.setLba(300);
    fis.setCount(row.write == AtaCommand::WriteDma ? 0 : 256);
    adapter.put(0, fis, pages);
    adapter.issue(0, false);
    CHECK(adapter.read(at(port::SACT)) == 0);
    CHECK(std::equal(out.begin(), out.end(), adapter.buffer.begin()));
    CHECK(adapter.link.counters().frames[static_cast<std::size_t>(FisType::DmaSetup)] == 1);
    CommandHeader header;
    adapter.memory.read(adapter.list, &header, headerBytes);
    CHECK(header.moved == size);
    fis.setLba(adapter.ssd.capacitySectors() - 255);
    adapter.put(0, fis, pages);
    adapter.issue(0, false);
    CHECK(adapter.read(at(port::TFD)) == 0x0451);
    CHECK(adapter.receivedByte(received::registers + 3) == 0x04); // the FIS of the error
}

TEST_CASE("the drive's errors show in task file, interrupt status and per slot")
{
    struct Row {
        CommandStatus status;
        std::uint32_t taskFile;
    };
    const Row row = GENERATE(Row{CommandStatus::Uncorrectable, 0x4051}, Row{CommandStatus::OutOfRange, 0x1051},
                             Row{CommandStatus::DeviceFault, 0x0471});
    RawAdapter adapter;
    adapter.start();
    adapter.ssd.judge = [&](const Command&) { return row.status; };
    adapter.put(2, RawAdapter::queued(AtaCommand::ReadFpdma, 2, 0, 8), {firstPage});
    adapter.issue(2, true);
    CHECK(adapter.read(at(port::TFD)) == row.taskFile);
    CHECK(adapter.read(at(port::IS)) == (interruptDeviceBits | interruptError));
    CHECK(adapter.hba.lastStatus(2) == row.status);
}

TEST_CASE("the adapter reads header and table before the link gets the command")
{
    RawAdapter adapter(200ns);
    adapter.start();
    const Time begin = adapter.now;
    adapter.put(0, RegisterFis::command(AtaCommand::FlushCacheExt), {});
    adapter.write(at(port::CI), 1);
    adapter.run(begin + 399ns);
    CHECK(adapter.link.nextTime() == never);
    CHECK(adapter.hba.nextTime() == begin + 400ns);
    adapter.run();
    CHECK(adapter.ssd.submitted.size() == 1);
}

TEST_CASE("identify reports capacity, queue depth and trim")
{
    RawAdapter adapter;
    adapter.start();
    const std::uint64_t page = adapter.memory.allocate(512);
    adapter.put(0, RegisterFis::command(AtaCommand::Identify), {RegionEntry{page, 0, 511}});
    adapter.issue(0, false);
    std::array<std::uint16_t, 256> words{};
    adapter.memory.read(page, words.data(), 512);
    CHECK(words[75] == 31);
    CHECK((words[76] >> 8U & 1U) == 1);
    CHECK((words[83] >> 10U & 1U) == 1);
    CHECK((words[169] & 1U) == 1);
    CHECK((words[100] | std::uint32_t{words[101]} << 16U) == 1U << 16U);
    CHECK(adapter.read(at(port::IS)) == interruptPio);
    CHECK(adapter.receivedByte(received::pioSetup) == 0x5F);
    CHECK(adapter.receivedByte(received::pioSetup + 1) == (fisInterrupt | fisToHost));
    CHECK(adapter.receivedByte(received::pioSetup + 2) == 0x58);  // with DRQ, while data moves
    CHECK(adapter.receivedByte(received::pioSetup + 15) == 0x50); // afterwards
    CHECK(adapter.receivedByte(received::pioSetup + 17) == 2);    // 512 bytes
    CommandHeader header;
    adapter.memory.read(adapter.list, &header, headerBytes);
    CHECK(header.moved == 512);
    CHECK(adapter.read(at(port::CI)) == 0);
}
