// SPDX-License-Identifier: Apache-2.0
//
// Reads that cannot be corrected, with parity: the host gets its data, whatever the read is for.
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/support/catch.h"

#include <functional>
#include <iterator>

using namespace strobe;
using namespace strobe::test;

namespace {

const std::function<void(MockOptions&)> kinds[] = {
    [](MockOptions&) {},
    [](MockOptions& o) {
        withUnits(o, 8192, 4096);
        withRows(o, 2);
        o.boot.dieDepth = 4;
        o.boot.completion = 0;
        o.bufferPages = 256;
    },
    [](MockOptions& o) {
        withPslcCache(o, PSLC_CACHE_MODE_DYNAMIC);
        o.boot.blocksPerPlane = 24;
        o.boot.completion = 0;
        o.bufferPages = 256;
    },
    [](MockOptions& o) { o.boot.superblockDies = 2; },
};

// Some reads of die 1, which holds data, are uncorrectable.
MockOptions unreadable(std::size_t kind, std::uint64_t seed, std::uint32_t chance)
{
    MockOptions options = smallDrive();
    options.seed = seed;
    withParity(options);
    kinds[kind](options);
    options.faults.uncorrectable = chance;
    options.faults.unreadableDie = 0;
    return options;
}

} // namespace

TEST_CASE("a die of which no read can be corrected loses nothing with parity")
{
    for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const MockOptions options = unreadable(kind, seed, 10000);
            CAPTURE(kind, seed);
            MockDrive drive(options);
            HostModel host = hostOf(options);
            host.random(1000, {});
            checkRun(drive, host, 1000);
        }
    }
}

TEST_CASE("without parity the same die loses data")
{
    MockOptions options = unreadable(0, 1, 10000);
    options.boot.superblockParity = 0;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.toleratesLoss = true;
    host.random(1000, {});
    REQUIRE_NOTHROW(runFirmware(drive, host));
    CHECK(host.failures(HostStatus::Uncorrectable) > 10);
}

TEST_CASE("reads that fail on all dies now and then lose few units, and never return wrong data")
{
    for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
        MockOptions options = unreadable(kind, 7, 300);
        options.faults.unreadableDie = UINT32_MAX;
        CAPTURE(kind);
        MockDrive drive(options);
        HostModel host = hostOf(options);
        host.toleratesLoss = true;
        host.random(1000, {});
        REQUIRE_NOTHROW(runFirmware(drive, host));
        CHECK(host.failures(HostStatus::Ok) > 900);
    }
}

TEST_CASE("a block that fails while its stripes are open loses nothing, though its die cannot be read")
{
    MockOptions options = unreadable(0, 3, 2000);
    options.boot.blocksPerPlane = 40;
    options.boot.spareBlocks = 8;
    options.faults.wearOut = 20;
    options.faults.most = 4;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.toleratesLoss = true;
    host.random(2000, {});
    REQUIRE_NOTHROW(runFirmware(drive, host));
    CHECK(drive.flash().wornOut() == 4);
    CHECK_FALSE(request_ftl()->read_only);
}
