// SPDX-License-Identifier: Apache-2.0
//
// Enabling, reset and shutdown of an NVMe controller. Its parts have tests of their own.
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;
using namespace std::chrono_literals;

TEST_CASE("a register write takes effect when its packet arrives")
{
    RawHost host;
    host.controller.writeRegister(reg::INTMS, 4, 1, host.now);
    CHECK(host.read(reg::INTMS) == 0);
    const Time arrival = host.link.lineTime(24) + host.link.config().latency;
    host.run(arrival - picoseconds(1));
    CHECK(host.read(reg::INTMS) == 0);
    host.run(arrival);
    CHECK(host.read(reg::INTMS) == 1);
}

TEST_CASE("ready follows enable once firmware has enabled the port")
{
    RawHost host;
    host.write(reg::AQA, 0x0007'0007);
    host.write(reg::ASQ, host.queues[0].sq, 8);
    host.write(reg::ACQ, host.queues[0].cq, 8);
    host.write(reg::CC, 1U | 6U << 16U | 4U << 20U);
    CHECK_FALSE(host.isReady());
    host.controller.driveReady(host.now);
    CHECK(host.isReady());
    host.write(reg::CC, 0);
    CHECK_FALSE(host.isReady());
    host.write(reg::CC, 1U | 6U << 16U | 4U << 20U);
    CHECK(host.isReady());
}

TEST_CASE("unsupported settings make the controller fail until it is reset")
{
    struct Bad {
        std::uint32_t cc;
        std::uint32_t aqa;
        std::uint64_t asqOffset;
    };
    const Bad bad = GENERATE(Bad{1U << 4U, 0x0007'0007, 0},                             // command set
                             Bad{5U << 7U, 0x0007'0007, 0},                             // memory page of 128 KiB
                             Bad{3U << 11U, 0x0007'0007, 0},                            // arbitration
                             Bad{0, 0x0007'0000, 0},                                    // a queue of one entry
                             Bad{0, 0x0000'0007, 0}, Bad{1U << 7U, 0x0007'0007, 4096}); // queue not on an 8 KiB page
    RawHost host;
    host.controller.driveReady(host.now);
    const std::uint64_t asq = (host.queues[0].sq & ~std::uint64_t{8191}) + bad.asqOffset;
    host.write(reg::AQA, bad.aqa);
    host.write(reg::ASQ, asq, 8);
    host.write(reg::ACQ, host.queues[0].cq & ~std::uint64_t{8191}, 8);
    host.write(reg::CC, 1U | bad.cc);
    CHECK_FALSE(host.isReady());
    CHECK((host.read(reg::CSTS) & cstsFatal) != 0);
    host.write(reg::CC, 0);
    CHECK((host.read(reg::CSTS) & cstsFatal) == 0);
    host.enable();
    CHECK(host.isReady());
}

TEST_CASE("a queue that is not in memory makes the controller fail")
{
    RawHost host;
    host.queues[0].sq = 0x1000;
    host.enable();
    CHECK(host.isReady());
    host.write(reg::doorbells, 1);
    CHECK((host.read(reg::CSTS) & cstsFatal) != 0);
}

TEST_CASE("a reset waits for the drive, and outstanding commands are not completed")
{
    RawHost host(slowDrive(1ms));
    host.enable();
    host.createPair(1);
    host.put(1, RawHost::blocks(IoOpcode::Read, 0, 8));
    host.controller.writeRegister(reg::doorbells + 8, 4, 1, host.now);
    host.run(host.now + 100us);
    REQUIRE(host.ssd.submitted.size() == 1);
    host.controller.writeRegister(reg::CC, 4, 0, host.now);
    host.run(host.now + 10us);
    CHECK(host.isReady()); // still
    host.run();
    CHECK_FALSE(host.isReady());
    CHECK(host.take(1).empty());
    host.enable();
    CHECK(host.isReady());
    host.clearCq(1);
    host.createPair(1);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 0, 8)) == NvmeStatus::Success);
}

TEST_CASE("commands that a reset overtakes on their way from host memory are dropped")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    host.put(1, RawHost::blocks(IoOpcode::Read, 0, 8));
    host.put(1, RawHost::blocks(IoOpcode::Read, 8, 8));
    host.controller.writeRegister(reg::doorbells + 8, 4, 2, host.now);
    host.controller.writeRegister(reg::CC, 4, 0, host.now); // arrives before the entries
    host.run();
    CHECK(host.controller.counters().fetches == 1);
    CHECK(host.controller.counters().commands == 2);
    CHECK(host.ssd.submitted.empty());
    CHECK(host.take(1).empty());
    CHECK_FALSE(host.isReady());
    host.enable();
    CHECK(host.isReady());
}

TEST_CASE("a shutdown flushes the drive and then sets its status")
{
    RawHost host(slowDrive(50us));
    host.enable();
    host.controller.writeRegister(reg::CC, 4, 1U | 1U << 14U | 6U << 16U | 4U << 20U, host.now);
    host.run(host.now + 10us);
    CHECK((host.read(reg::CSTS) & cstsShutdownMask) == cstsShutdownBusy);
    host.run();
    CHECK((host.read(reg::CSTS) & cstsShutdownMask) == cstsShutdownDone);
    REQUIRE(host.ssd.submitted.size() == 1);
    CHECK(host.ssd.submitted[0].kind == RequestKind::Flush);
    host.write(reg::CC, 0);
    CHECK((host.read(reg::CSTS) & cstsShutdownMask) == 0);
}

TEST_CASE("misuse of an NVMe port fails a check")
{
    FakeSsd::Config drive;
    drive.slots = 4097;
    CHECK_THROWS(RawHost(drive));
    ControllerOptions apart;
    apart.doorbellStride = 8;
    CHECK_THROWS(RawHost({}, apart));
    RawHost host;
    CHECK_THROWS(host.controller.complete(0, CommandStatus::Ok, host.now));
}
