// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_logs.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

#include <array>
#include <cstring>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

TEST_CASE("logs count commands and keep the latest errors")
{
    RawHost host({}, {64, 4096, 0, true, 3});
    host.enable();
    host.createPair(1);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Write, 0, 8)) == NvmeStatus::Success);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 0, 8)) == NvmeStatus::Success);
    SubmissionEntry bad = RawHost::blocks(IoOpcode::Read, 1 << 20, 8, 77);
    CHECK(host.status(1, bad) == NvmeStatus::LbaOutOfRange);
    const std::uint64_t address = host.memory.allocate(4096);
    std::array<std::uint8_t, 512> page{};
    const auto log = [&](std::uint32_t number, std::uint32_t bytes = 512, std::uint64_t offset = 0) {
        SubmissionEntry s = RawHost::make(AdminOpcode::GetLogPage);
        s.setQuad(6, address);
        s.dword[10] = number | (bytes / 4 - 1) << 16U;
        s.setQuad(12, offset);
        const NvmeStatus status = host.status(0, s);
        host.memory.read(address, page.data(), 512);
        return status;
    };
    CHECK(log(2) == NvmeStatus::Success);
    CHECK(page[32] == 1);  // thousands of sectors read, rounded up
    CHECK(page[64] == 1);  // reads
    CHECK(page[80] == 1);  // writes
    CHECK(page[176] == 1); // errors
    CHECK(page[112] == 4); // power cycles
    CHECK(page[144] == 3); // unsafe shutdowns
    CHECK(log(1, 64) == NvmeStatus::Success);
    CHECK(page[8] == 1);   // queue
    CHECK(page[10] == 77); // command
    CHECK((page[12] | page[13] << 8U) == 0x080 << 1U);
    CHECK(log(3) == NvmeStatus::Success);
    CHECK(page[8] == '1');
    CHECK(log(2, 512, 2) == NvmeStatus::InvalidField);
    CHECK(log(2, 512, 1024) == NvmeStatus::InvalidField);
    CHECK(log(0x42) == NvmeStatus::InvalidLogPage);
    SubmissionEntry smart = RawHost::make(AdminOpcode::GetLogPage);
    smart.setQuad(6, address);
    smart.dword[10] = 2;
    for (const std::uint32_t space : {0U, allNamespaces}) {
        smart.dword[1] = space;
        CHECK(host.status(0, smart) == NvmeStatus::Success);
    }
    for (const std::uint32_t space : {1U, 2U}) { // the log is the controller's
        smart.dword[1] = space;
        CHECK(host.status(0, smart) == NvmeStatus::InvalidField);
    }
}

TEST_CASE("health logs show what the flash counts")
{
    DriveHealth health;
    ControllerOptions config;
    config.powerLosses = 3;
    config.health = [&health] { return health; };
    RawHost host({}, config);
    host.enable();
    const std::uint64_t address = host.memory.allocate(4096);
    std::array<std::uint8_t, 512> page{};
    const auto log = [&](std::uint32_t number) {
        SubmissionEntry s = RawHost::make(AdminOpcode::GetLogPage);
        s.setQuad(6, address);
        s.dword[10] = number | (512 / 4 - 1) << 16U;
        const NvmeStatus status = host.status(0, s);
        host.memory.read(address, page.data(), 512);
        return status;
    };
    const auto number = [&page](std::size_t offset, std::size_t bytes) {
        std::uint64_t value = 0;
        std::memcpy(&value, page.data() + offset, bytes);
        return value;
    };
    CHECK(log(2) == NvmeStatus::Success); // a new drive
    CHECK(page[0] == 0);
    CHECK(page[3] == 100);
    CHECK(page[5] == 0);
    health.bytesProgrammed = 5'000'000'000;
    health.bytesRead = 7'000'000'000;
    health.failedBlocks = 19;
    health.spareBlocks = 20;
    health.meanErases = 1500;
    health.fewestErases = 1400;
    health.mostErases = 1700;
    health.endurance = 3000;
    CHECK(log(2) == NvmeStatus::Success); // each time anew
    CHECK(page[0] == 1);                  // critical warning: spare below the threshold
    CHECK(page[3] == 5);
    CHECK(page[4] == 10);
    CHECK(page[5] == 50);
    CHECK(log(0xC0) == NvmeStatus::Success);
    CHECK(number(0, 8) == 5'000'000'000);
    CHECK(number(16, 8) == 7'000'000'000);
    CHECK(number(32, 6) == 19);
    CHECK(number(38, 2) == 5);
    CHECK(number(88, 4) == 1700);
    CHECK(number(92, 4) == 1400);
    CHECK(number(112, 4) == 3);
    CHECK(number(496, 8) == 0xA4F2BFEA2810AFC5); // GUID
    health.meanErases = 9000;
    health.failedBlocks = 21;
    CHECK(log(2) == NvmeStatus::Success);
    CHECK(page[3] == 0);
    CHECK(page[5] == 255); // the field's largest value
}

TEST_CASE("the lists of log pages and of commands name what the controller does")
{
    RawHost host;
    host.enable();
    const std::uint64_t address = host.memory.allocate(4096);
    std::array<std::uint32_t, 1024> page{};
    const auto log = [&](std::uint32_t number, std::uint32_t bytes) {
        SubmissionEntry s = RawHost::make(AdminOpcode::GetLogPage);
        s.setQuad(6, address);
        s.dword[10] = number | (bytes / 4 - 1) << 16U;
        const NvmeStatus status = host.status(0, s);
        host.memory.read(address, page.data(), bytes);
        return status;
    };
    REQUIRE(log(0, 1024) == NvmeStatus::Success);
    const auto pages = page;
    for (std::uint32_t number = 0; number < 256; ++number) {
        const bool isListed = pages[number] != 0;
        CHECK((log(number, 512) == NvmeStatus::Success) == isListed);
    }
    REQUIRE(log(5, 4096) == NvmeStatus::Success);
    CHECK(page[0x80] == (1U << 16U | 3U)); // format: supported, changes blocks, alone
    CHECK(page[0x7F] == 0);
    CHECK(page[256 + 0x02] == 1); // read
    CHECK(page[256 + 0x01] == 3); // write changes blocks
    CHECK(page[256 + 0x1D] == 0);
}
