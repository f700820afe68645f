// SPDX-License-Identifier: Apache-2.0
//
// Resets of an AHCI adapter, its port and its drive, and stops of its list, with commands in progress.
#include "tests/domain/host/ahci/raw_adapter.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::ahci;
using namespace strobe::test;
using namespace std::chrono_literals;

TEST_CASE("a reset clears the registers, and the signature is sent again")
{
    RawAdapter adapter;
    adapter.start();
    adapter.write(reg::GHC, ghcReset);
    CHECK((adapter.read(reg::GHC) & ghcReset) == 0);
    CHECK(adapter.read(at(port::CMD)) == 0x6); // powered, spun up
    CHECK(adapter.read(at(port::IE)) == 0);
    CHECK(adapter.read(at(port::CLB)) == static_cast<std::uint32_t>(adapter.list)); // the addresses are kept
    CHECK(adapter.read(at(port::TFD)) == 0x80);
    adapter.run();
    CHECK(adapter.read(at(port::TFD)) == 0x0150); // diagnostics have passed
}

TEST_CASE("a reset waits for commands that the drive has")
{
    FakeSsd::Config slow;
    slow.latency = 1ms;
    RawAdapter adapter({}, slow);
    adapter.start();
    adapter.put(0, RawAdapter::queued(AtaCommand::ReadFpdma, 0, 0, 8), {firstPage});
    adapter.write(at(port::SACT), 1);
    adapter.write(at(port::CI), 1);
    adapter.run(adapter.now + 100us);
    adapter.write(reg::GHC, ghcReset);
    CHECK((adapter.read(reg::GHC) & ghcReset) != 0);
    adapter.run();
    CHECK((adapter.read(reg::GHC) & ghcReset) == 0);
}

TEST_CASE("a reset does not wait for a bit of PxSACT without a command")
{
    RawAdapter adapter;
    adapter.start();
    adapter.write(at(port::SACT), 4);
    adapter.write(reg::GHC, ghcReset);
    CHECK((adapter.read(reg::GHC) & ghcReset) == 0);
    CHECK(adapter.read(at(port::SACT)) == 0);
}

TEST_CASE("a stop clears PxCI and PxSACT, and the list runs until the drive has finished")
{
    FakeSsd::Config slow;
    slow.latency = 1ms;
    const bool isQueued = GENERATE(true, false);
    RawAdapter adapter(200ns, slow);
    adapter.start();
    adapter.write(at(port::SACT), 8); // never issued
    adapter.put(0,
                isQueued ? RawAdapter::queued(AtaCommand::ReadFpdma, 0, 0, 8)
                         : RegisterFis::command(AtaCommand::FlushCacheExt),
                {firstPage});
    if (isQueued)
        adapter.write(at(port::SACT), 1);
    adapter.write(at(port::CI), 1);
    adapter.run(adapter.now + GENERATE(Time{0ns}, Time{100us})); // being fetched; at the drive
    adapter.write(at(port::IS), 0xFFFF'FFFF);
    adapter.write(at(port::CMD), cmdReceive);
    CHECK(adapter.read(at(port::CI)) == 0);
    CHECK(adapter.read(at(port::SACT)) == 0);
    CHECK((adapter.read(at(port::CMD)) & cmdListRunning) != 0);
    adapter.run();
    CHECK((adapter.read(at(port::CMD)) & cmdListRunning) == 0);
    CHECK(adapter.read(at(port::IS)) == 0);
    adapter.write(at(port::CMD), cmdReceive | cmdStart);
    adapter.put(0, RegisterFis::command(AtaCommand::FlushCacheExt), {});
    adapter.issue(0, false);
    CHECK(adapter.read(at(port::CI)) == 0);
    CHECK(adapter.read(at(port::TFD)) == taskReady);
}

TEST_CASE("after COMRESET the drive sends its signature again, when it has finished what it had")
{
    FakeSsd::Config slow;
    slow.latency = 1ms;
    RawAdapter adapter({}, slow);
    adapter.start();
    adapter.put(0, RawAdapter::queued(AtaCommand::ReadFpdma, 0, 0, 8), {firstPage});
    adapter.write(at(port::SACT), 1);
    adapter.write(at(port::CI), 1);
    adapter.run(adapter.now + 100us);
    adapter.write(at(port::SCTL), 0x301);
    adapter.write(at(port::SCTL), 0x300);
    CHECK(adapter.read(at(port::SACT)) == 0);
    adapter.run();
    CHECK(adapter.read(at(port::TFD)) == 0x0150);
    CHECK(adapter.read(at(port::SIG)) == diskSignature);
    CHECK(adapter.receivedByte(received::registers) == 0x34);
    CHECK(adapter.receivedByte(received::registers + 3) == 1); // error register
    CHECK(adapter.receivedByte(received::registers + 4) == 1); // address
    CHECK(adapter.receivedByte(received::registers + 5) == 0);
    CHECK(adapter.receivedByte(received::registers + 12) == 1); // count
}

TEST_CASE("a reset under load shows a busy drive until its signature, a command waits for that")
{
    FakeSsd::Config slow;
    slow.latency = 2ms;
    RawAdapter adapter(200ns, slow);
    adapter.start();
    loadWithWrites(adapter);
    const bool isSoft = GENERATE(false, true);
    if (isSoft) {
        RegisterFis control;
        control.byte[0] = 0x27;
        for (const std::uint8_t reset : {std::uint8_t{4}, std::uint8_t{0}}) {
            control.byte[15] = reset;
            adapter.put(9, control, {});
            adapter.write(at(port::CI), 1U << 9U);
            adapter.run(adapter.now + 1us);
        }
    } else {
        adapter.write(at(port::CMD), cmdReceive);
        adapter.write(at(port::SCTL), 0x301);
        adapter.write(at(port::SCTL), 0x300);
        adapter.write(at(port::CMD), cmdReceive | cmdStart);
    }
    const std::uint32_t slot = GENERATE(0U, 12U); // one that was busy; another one
    const auto isBusy = [&] {
        return adapter.read(at(port::TFD)) == taskBusy && adapter.read(at(port::SIG)) == 0xFFFF'FFFF;
    };
    CHECK(isBusy());
    adapter.write(at(port::IS), 0xFFFF'FFFF);
    const std::uint64_t page = putIdentify(adapter, slot);
    adapter.write(at(port::CI), 1U << slot);
    adapter.run(adapter.now + 1ms);
    CHECK(isBusy());
    CHECK(adapter.read(at(port::CI)) == 1U << slot);
    CHECK(adapter.read(at(port::IS)) == 0);
    adapter.run();
    CHECK(adapter.read(at(port::CI)) == 0);
    CHECK(adapter.read(at(port::SIG)) == diskSignature);
    CHECK(adapter.read(at(port::TFD)) == taskReady);
    CHECK(adapter.read(at(port::IS)) == (interruptRegister | interruptPio)); // signature, then data
    CHECK(isIdentified(adapter, page));
    CHECK(adapter.hba.counters().aborted == 0);
}

TEST_CASE("a command that is issued while a stopped list still runs is executed afterwards")
{
    FakeSsd::Config slow;
    slow.latency = 2ms;
    RawAdapter adapter(200ns, slow);
    adapter.start();
    loadWithWrites(adapter);
    adapter.write(at(port::CMD), cmdReceive);
    adapter.write(at(port::CMD), cmdReceive | cmdStart);
    const std::uint32_t slot = GENERATE(0U, 12U);
    const std::uint64_t page = putIdentify(adapter, slot);
    adapter.write(at(port::CI), 1U << slot);
    adapter.run(adapter.now + 1ms);
    CHECK(adapter.read(at(port::CI)) == 1U << slot);
    adapter.run();
    CHECK(adapter.read(at(port::CI)) == 0);
    CHECK(isIdentified(adapter, page));
}

TEST_CASE("reads that were dropped no longer write to memory")
{
    FakeSsd::Config slow;
    slow.latency = 1ms;
    slow.mode = DataMode::Bytes;
    RawAdapter adapter({}, slow);
    adapter.start();
    adapter.put(0, RawAdapter::queued(AtaCommand::ReadFpdma, 0, 0, 8), {firstPage});
    adapter.write(at(port::SACT), 1);
    adapter.write(at(port::CI), 1);
    adapter.run(adapter.now + 100us);
    const bool isDropped = GENERATE(false, true);
    adapter.buffer.assign(adapter.buffer.size(), std::byte{0xEE});
    if (isDropped) {
        adapter.write(at(port::SCTL), 0x301);
        adapter.write(at(port::SCTL), 0x300);
    }
    adapter.run();
    CHECK((adapter.buffer[0] == std::byte{0xEE}) == isDropped);
    CHECK((adapter.receivedByte(received::dmaSetup) == 0) == isDropped);
}

TEST_CASE("SRST, set and cleared, resets the drive")
{
    RawAdapter adapter;
    adapter.start();
    adapter.put(0, RegisterFis::command(AtaCommand::FlushCacheExt), {});
    adapter.issue(0, false);
    REQUIRE(adapter.read(at(port::TFD)) == taskReady);
    RegisterFis control;
    control.byte[0] = 0x27;
    for (const std::uint8_t reset : {std::uint8_t{4}, std::uint8_t{0}}) {
        CHECK(adapter.read(at(port::TFD)) == taskReady);
        control.byte[15] = reset;
        adapter.put(0, control, {});
        adapter.issue(0, false);
        CHECK(adapter.read(at(port::CI)) == 0);
    }
    CHECK(adapter.read(at(port::TFD)) == 0x0150);
    CHECK(adapter.receivedByte(received::registers + 4) == 1);
}
