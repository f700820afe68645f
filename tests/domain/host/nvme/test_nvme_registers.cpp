// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_registers.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

namespace {

constexpr std::uint32_t sevenAndSeven = 0x0007'0007; // AQA: eight entries each
constexpr std::uint32_t shutDownNormal = 1U << 14U;

struct Enabled {
    ControllerRegisters registers{4096, 0};

    Enabled()
    {
        registers.driveReady();
        registers.write(reg::AQA, sevenAndSeven);
        registers.write(reg::CC, ccEnable);
        registers.enable();
        registers.updateReady(true);
    }
    std::uint32_t status() const { return registers.read(reg::CSTS); }
};

} // namespace

TEST_CASE("a write of CC requests enable, reset or shutdown, other registers nothing")
{
    ControllerRegisters registers(4096, 0);
    CHECK_FALSE(registers.write(reg::AQA, sevenAndSeven).isControl);
    CHECK(registers.write(reg::CC, 0).request == ControllerRegisters::Request::None);
    CHECK(registers.write(reg::CC, shutDownNormal).request == ControllerRegisters::Request::None); // while disabled
    CHECK(registers.write(reg::CC, ccEnable).request == ControllerRegisters::Request::Enable);
    CHECK(registers.write(reg::CC, ccEnable).request == ControllerRegisters::Request::None);
    CHECK(registers.write(reg::CC, ccEnable | shutDownNormal).request == ControllerRegisters::Request::ShutDown);
    CHECK(registers.write(reg::CC, ccEnable | shutDownNormal).request ==
          ControllerRegisters::Request::None); // only once
    CHECK(registers.write(reg::CC, 0).request == ControllerRegisters::Request::Reset);
    CHECK(registers.write(reg::CSTS, 0xFFFF'FFFF).isControl == false);
    CHECK(registers.read(reg::CSTS) == 0);
}

TEST_CASE("enabling latches the memory page size and describes the admin queues")
{
    ControllerRegisters registers(4096, 0);
    registers.write(reg::AQA, 0x0009'0004);
    registers.write(reg::ASQ, 0x1'2000);
    registers.write(reg::ASQ + 4, 3);
    registers.write(reg::ACQ, 0x2'0000);
    registers.write(reg::CC, ccEnable | 1U << 7U | 1U << 11U); // pages of 8 KiB, weighted round robin
    CHECK(registers.pageBytes() == 4096);
    const auto queues = registers.enable();
    REQUIRE(queues);
    CHECK(registers.pageBytes() == 8192);
    CHECK(queues->arbitration == Arbitration::Weighted);
    CHECK(queues->sqBase == 0x3'0001'2000);
    CHECK(queues->sqEntries == 5);
    CHECK(queues->cqBase == 0x2'0000);
    CHECK(queues->cqEntries == 10);
    registers.write(reg::CC, ccEnable); // the page size of an enabled controller does not change
    CHECK(registers.pageBytes() == 8192);
}

TEST_CASE("settings that are not supported leave the controller without queues and not ready")
{
    const std::uint32_t cc = GENERATE(1U << 4U, 5U << 7U, 3U << 11U);
    ControllerRegisters registers(4096, 0);
    registers.driveReady();
    registers.write(reg::AQA, sevenAndSeven);
    registers.write(reg::CC, ccEnable | cc);
    CHECK_FALSE(registers.enable());
    registers.updateReady(true);
    CHECK_FALSE(registers.isRunning());
}

TEST_CASE("ready rises and falls only while the drive is idle")
{
    ControllerRegisters registers(4096, 0);
    registers.write(reg::AQA, sevenAndSeven);
    registers.write(reg::CC, ccEnable);
    REQUIRE(registers.enable());
    registers.updateReady(true);
    CHECK_FALSE(registers.isRunning()); // firmware has not enabled the port
    registers.driveReady();
    registers.updateReady(false);
    CHECK_FALSE(registers.isRunning());
    registers.updateReady(true);
    CHECK(registers.isRunning());
    registers.write(reg::CC, 0);
    registers.reset();
    registers.updateReady(false);
    CHECK((registers.read(reg::CSTS) & cstsReady) != 0);
    CHECK_FALSE(registers.isRunning()); // disabled all the same
    registers.updateReady(true);
    CHECK((registers.read(reg::CSTS) & cstsReady) == 0);
}

TEST_CASE("a shutdown is busy until the flush is done, and a reset ends it")
{
    Enabled enabled;
    ControllerRegisters& registers = enabled.registers;
    CHECK_FALSE(registers.isShutDown());
    registers.shutDown();
    CHECK((enabled.status() & cstsShutdownMask) == cstsShutdownBusy);
    CHECK(registers.isFlushPending());
    registers.flushStarted();
    CHECK_FALSE(registers.isFlushPending());
    CHECK(registers.isShutDown());
    registers.flushed();
    CHECK((enabled.status() & cstsShutdownMask) == cstsShutdownDone);
    registers.reset();
    CHECK_FALSE(registers.isShutDown());
}

TEST_CASE("a controller that has failed is not running until it is reset")
{
    Enabled enabled;
    CHECK(enabled.registers.isRunning());
    enabled.registers.fail();
    CHECK_FALSE(enabled.registers.isRunning());
    CHECK((enabled.status() & cstsFatal) != 0);
    enabled.registers.reset();
    CHECK((enabled.status() & cstsFatal) == 0);
}

// --- through a controller -------------------------------------------------------------------------------------------

TEST_CASE("capabilities and version read as NVMe 1.4 lays them out")
{
    RawHost host;
    const std::uint64_t cap = host.controller.readRegister(reg::CAP, 8);
    CHECK((cap & 0xFFFF) == 4095);  // MQES
    CHECK((cap >> 16 & 1) == 1);    // contiguous queues required
    CHECK((cap >> 17 & 3) == 1);    // weighted round robin
    CHECK((cap >> 32 & 0xF) == 0);  // doorbell stride
    CHECK((cap >> 37 & 0xFF) == 1); // NVM command set
    CHECK((cap >> 48 & 0xF) == 0);  // pages of 4 KiB
    CHECK(host.read(reg::CAP + 4) == cap >> 32);
    CHECK(host.read(reg::VS) == 0x0001'0400);
    host.write(reg::VS, 7);
    CHECK(host.read(reg::VS) == 0x0001'0400);
}

TEST_CASE("accesses of other sizes and off their alignment change nothing")
{
    RawHost host;
    host.write(reg::AQA, 0x0007'0007, 2);
    host.write(reg::AQA + 2, 0x0007'0007, 4);
    CHECK(host.read(reg::AQA) == 0);
    CHECK(host.controller.readRegister(reg::VS, 2) == 0);
    CHECK(host.controller.readRegister(reg::CAP + 4, 8) == 0);
    host.write(reg::ASQ, 0x1234'5678'9ABC'DEFF, 8);
    CHECK(host.controller.readRegister(reg::ASQ, 8) == 0x1234'5678'9ABC'D000);
    host.write(reg::ASQ + 4, 1);
    CHECK(host.controller.readRegister(reg::ASQ, 8) == 0x1'9ABC'D000);
}

TEST_CASE("interrupt masks are set and cleared by their own registers")
{
    RawHost host;
    host.write(reg::INTMS, 5);
    host.write(reg::INTMC, 1);
    CHECK(host.read(reg::INTMS) == 4);
    CHECK(host.read(reg::INTMC) == 4);
}
