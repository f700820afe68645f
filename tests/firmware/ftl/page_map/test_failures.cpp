// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/support/catch.h"
#include "tests/support/sanitizers.h"

#include <functional>
#include <iterator>

using namespace strobe;
using namespace strobe::test;

namespace {

using Kind = HostCommand::Kind;

std::string panicOf(const MockOptions& options)
{
    MockDrive drive(options);
    HostModel host = hostOf(options);
    try {
        drive.run(strobe_firmware_entry, host);
    } catch (const FirmwarePanic& panic) {
        return panic.what();
    }
    return "none";
}

} // namespace

TEST_CASE("a block that fails is replaced by a spare, and its data survives")
{
    MockOptions options = smallDrive();
    options.boot.blocksPerPlane = 24;
    options.boot.spareBlocks = 8;
    options.boot.completion = 0;
    options.faults = {50, 0, 6};
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.random(3000, {});
    runFirmware(drive, host);
    REQUIRE(drive.flash().wornOut() == 6);
    std::uint32_t bad = 0;
    for (std::uint32_t block = 0; block < request_ftl()->geometry.blocks; ++block) {
        if (request_ftl()->blocks.block[block].state == BLOCK_BAD) {
            ++bad;
            CHECK(drive.flash().die(block / 24).block(block % 24).wornOut);
        }
    }
    CHECK(bad == 6);
    CHECK_FALSE(request_ftl()->read_only);
}

TEST_CASE("without a spare block the drive becomes read-only: writes fail, everything acknowledged can be read")
{
    for (std::uint32_t completion : {0u, 1u}) {
        for (std::uint64_t seed = 1; seed <= (isSanitized ? 6U : 12U); ++seed) {
            MockOptions options = smallDrive();
            options.seed = seed;
            options.boot.completion = completion;
            options.boot.blocksPerPlane = 16;
            options.boot.overprovisionPermille = 500;
            options.boot.spareBlocks = 1;
            options.boot.gcCopyback = seed % 2;
            options.boot.planes = 1 + seed / 2 % 2;
            options.boot.units = 4 - seed / 4 % 2;
            options.boot.readPolls = options.boot.writePolls = seed / 3 % 2;
            options.boot.serialWrites = completion * (seed / 5 % 2);
            options.faults = {200, seed % 3 == 0 ? 50u : 0u, 12};
            CAPTURE(completion, seed);
            MockDrive drive(options);
            HostModel host = hostOf(options);
            host.toleratesFaults = true;
            host.toleratesLoss = true;
            host.random(2500, {});
            REQUIRE_NOTHROW(runFirmware(drive, host));
            CHECK(request_ftl()->read_only);
            CHECK(host.failures(HostStatus::DeviceFault) > 100);
            REQUIRE(drive.console().size() == 1);
            CHECK(drive.console()[0] == "no spare block is left: the drive is read-only");
        }
    }
}

TEST_CASE("uncorrectable data fails the read and is never returned as good, in host reads and in moves")
{
    const std::function<void(cpu::BootBlock&)> kinds[] = {[](cpu::BootBlock&) {},
                                                          [](cpu::BootBlock& boot) { boot.gcCopyback = 1; },
                                                          [](cpu::BootBlock& boot) {
                                                              boot.pageBytes = 16384;
                                                              boot.mappingUnit = 4096;
                                                          },
                                                          [](cpu::BootBlock& boot) {
                                                              boot.pageBytes = 16384;
                                                              boot.mappingUnit = 8192;
                                                              boot.gcCopyback = 1;
                                                          },
                                                          [](cpu::BootBlock& boot) {
                                                              boot.pageBytes = 8192;
                                                              boot.mappingUnit = 4096;
                                                              boot.programPages = 2;
                                                              boot.planes = 2;
                                                          }};
    for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
        for (std::uint64_t seed = 1; seed <= (isSanitized ? 1U : 5U); ++seed) {
            MockOptions options = smallDrive();
            options.seed = seed;
            options.boot.completion = seed % 2;
            kinds[kind](options.boot);
            options.faults = {0, 100, 0};
            CAPTURE(kind, seed);
            MockDrive drive(options);
            HostModel host = hostOf(options);
            host.toleratesLoss = true;
            host.random(3000, {});
            REQUIRE_NOTHROW(runFirmware(drive, host));
            CHECK(host.failures(HostStatus::Uncorrectable) > 10);
            CHECK(host.failures(HostStatus::Ok) > 1000);
        }
    }
}

TEST_CASE("a lost page can be written again, and trimmed")
{
    MockOptions options = smallDrive();
    options.faults = {0, 10000, 0};
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.toleratesLoss = true;
    host.script({{Kind::Write, false, 8, 4}, // good
                 {Kind::Read, false, 8, 4},  // cannot be read
                 {Kind::Write, false, 9, 1}, // cannot be completed: lost
                 {Kind::Read, false, 9, 1},  // lost
                 {Kind::Trim, false, 8, 4},
                 {Kind::Read, false, 8, 4}, // zeros
                 {Kind::Write, false, 8, 4}});
    runFirmware(drive, host, 1);
    using S = HostStatus;
    CHECK(host.statuses() ==
          std::vector<S>{S::Ok, S::Uncorrectable, S::Uncorrectable, S::Uncorrectable, S::Ok, S::Ok, S::Ok});
}

TEST_CASE("factory bad blocks are found by their marks and by the table alike, and never touched")
{
    for (bool table : {true, false}) {
        MockOptions options = smallDrive();
        options.badBlocks = 4;
        options.badBlockTable = table;
        options.boot.blocksPerPlane = 20;
        MockDrive drive(options);
        HostModel host = hostOf(options);
        host.random(500, {});
        runFirmware(drive, host);
        for (std::uint32_t block = 0; block < 80; ++block) {
            const bool isBad = drive.flash().die(block / 20).block(block % 20).factoryBad;
            CHECK((request_ftl()->blocks.block[block].state == BLOCK_BAD) == isBad);
        }
        CHECK(host.capacity() == 64ull * 8 * 700 / 1000 * 4);
    }
}

TEST_CASE("the exported capacity is that of the scenario, or the rest after over-provisioning, or the most that fits")
{
    MockOptions options = smallDrive();
    HostModel host = hostOf(options);
    SECTION("as over-provisioning says")
    {
        options.boot.overprovisionPermille = 400;
        MockDrive drive(options);
        drive.run(strobe_firmware_entry, host);
        CHECK(host.capacity() == 384ull * 600 / 1000 * 4);
    }
    SECTION("exactly, in sectors")
    {
        options.boot.capacityLo = 901;
        MockDrive drive(options);
        drive.run(strobe_firmware_entry, host);
        CHECK(host.capacity() == 901);
    }
    SECTION("reduced to what garbage collection leaves")
    {
        options.boot.overprovisionPermille = 0;
        constexpr std::uint64_t tables = 6ull * 8; // two checkpoints of a block each, four of the journal
        MockDrive drive(options);
        drive.run(strobe_firmware_entry, host);
        CHECK(host.capacity() == (4ull * 9 * 8 - 4 - tables) * 4);
        CHECK(drive.console().size() == 1);
    }
}

TEST_CASE("a configuration that does not fit gives one message with numbers")
{
    MockOptions options = smallDrive();
    SECTION("control memory")
    {
        options.memoryBytes = 16384;
        const std::string text = panicOf(options);
        CHECK(text.find("control memory too small: up to and including ") == 0);
        CHECK(text.find(" bytes; available: 16384") != std::string::npos);
    }
    SECTION("data buffer")
    {
        options.bufferPages = 6;
        CHECK(panicOf(options) == "data buffer too small: 12288 bytes, at least 7 pages (14336) are needed");
    }
    SECTION("capacity")
    {
        options.boot.capacityLo = 100000;
        CHECK(panicOf(options) == "the capacity of 100000 sectors is not possible: good blocks, less spares and the "
                                  "blocks for garbage collection, hold 944");
    }
    SECTION("too few blocks for anything")
    {
        options.boot.blocksPerPlane = 3;
        CHECK(panicOf(options).find("the capacity of 0 sectors is not possible") == 0);
    }
    SECTION("boot block")
    {
        options.boot.pageBytes = 1000;
        options.boot.unitDepth = 0;
        CHECK(panicOf(options) == "boot block: PAGE_BYTES must be 512 to 16384, a multiple of 512");
    }
}
