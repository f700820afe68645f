// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/memory/bulk_memory.h"
#include "tests/support/catch.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace strobe;
using namespace strobe::memory;
using namespace std::chrono_literals;

namespace {

// 64 KiB at 0x80000000; sectors in [0x80004000, 0x80008000).
BulkMemoryConfig smallMemory(DataMode mode = DataMode::Tags)
{
    BulkMemoryConfig config;
    config.region = {BusAddress{0x80000000}, 0x10000};
    config.dataBuffer = {BusAddress{0x80004000}, 0x4000};
    config.dataMode = mode;
    config.bytesPerSecond = 320'000'000;
    config.latency = 50ns;
    config.ports = {"host", "flash"};
    return config;
}

// Pages of [start, start + size) that are backed by host memory.
std::size_t residentPages(const std::byte* start, std::size_t size)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> map(size / page);
    REQUIRE(mincore(const_cast<std::byte*>(start), size, map.data()) == 0);
    std::size_t resident = 0;
    for (const unsigned char state : map)
        resident += state & 1u;
    return resident;
}

} // namespace

TEST_CASE("a burst takes the first-access latency and its transfer time")
{
    BulkMemory memory(smallMemory());
    CHECK(memory.access(0, 4096, 0ns) == 50ns + 12'800ns); // 4096 B at 320 MB/s
    CHECK(memory.access(0, 1, 1ms) == 1ms + 50ns + picoseconds(3'125));
}

TEST_CASE("a burst time that is not a whole picosecond is rounded up")
{
    BulkMemoryConfig config = smallMemory();
    config.bytesPerSecond = 300'000'000;
    config.latency = {};
    BulkMemory memory(config);
    CHECK(memory.access(0, 1, 0ns) == picoseconds(3'334)); // 3333.3…
}

TEST_CASE("bursts of any size agree with the exact quotient, beyond 64 bits too")
{
    BulkMemoryConfig config = smallMemory();
    config.latency = {};
    config.bytesPerSecond = GENERATE(1u, 333u, 320'000'000u, 3'999'999'999u);
    const std::uint32_t bytes = GENERATE(0u, 1u, 512u, 18'446'743u, 18'446'744u, 18'446'745u, 4'000'000u);
    BulkMemory memory(config);
    CHECK(memory.access(0, bytes, 0ns) == transferTime(bytes, config.bytesPerSecond));
}

TEST_CASE("two ports share the data path in order of arrival and each accounts for its own waiting")
{
    BulkMemory memory(smallMemory());
    CHECK(memory.access(0, 320, 0ns) == 1050ns);   // host: 0 … 1050
    CHECK(memory.access(1, 64, 100ns) == 1300ns);  // flash waits 950, then 250
    CHECK(memory.access(0, 32, 1200ns) == 1450ns); // host waits 100, then 150
    CHECK(memory.access(1, 32, 2000ns) == 2150ns); // idle path: no waiting

    CHECK(memory.path().usage().busy == 1050ns + 250ns + 150ns + 150ns);
    CHECK(memory.path().usage().jobs == 4);
    CHECK(memory.port(0).usage().busy == 1200ns);
    CHECK(memory.port(0).usage().waited == 100ns);
    CHECK(memory.port(0).usage().jobs == 2);
    CHECK(memory.port(1).usage().busy == 400ns);
    CHECK(memory.port(1).usage().waited == 950ns);
    CHECK(memory.port(1).usage().maxWaited == 950ns);

    memory.resetUsage();
    CHECK(memory.path().usage().jobs == 0);
    CHECK(memory.port(1).usage().waited == Time{});
    CHECK(memory.path().freeAt() == 2150ns); // what is reserved stays reserved
}

TEST_CASE("control memory ends where the data buffer begins and goes on after it")
{
    BulkMemory memory(smallMemory());
    std::byte* first = memory.bytes(BusAddress{0x80000000}, 0x4000);
    REQUIRE(first != nullptr);
    CHECK(memory.bytes(BusAddress{0x80003FFC}, 4) == first + 0x3FFC);
    CHECK(memory.bytes(BusAddress{0x80003FFC}, 5) == nullptr);
    CHECK(memory.bytes(BusAddress{0x80004000}, 1) == nullptr);
    CHECK(memory.bytes(BusAddress{0x80007FFF}, 1) == nullptr);
    CHECK(memory.bytes(BusAddress{0x80008000}, 0x8000) == first + 0x8000);
    CHECK(memory.bytes(BusAddress{0x80008000}, 0x8001) == nullptr);
    CHECK(memory.bytes(BusAddress{0x7FFFFFFF}, 1) == nullptr);
    CHECK(memory.bytes(BusAddress{0x80010000}, 1) == nullptr);
    CHECK(memory.controlAround(BusAddress{0x80009000}).base == BusAddress{0x80008000});
    CHECK(memory.controlAround(BusAddress{0x80009000}).size == 0x8000);
    CHECK(memory.controlAround(BusAddress{0x80005000}).size == 0);
}

TEST_CASE("sectors are stride bytes apart and keep what was written")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    BulkMemory memory(smallMemory(mode));
    const Content first = memory.sectors(BusAddress{0x80004000}, 32);
    const Content third = memory.sectors(BusAddress{0x80004400}, 1);
    CHECK(third.mode == mode);
    CHECK(third.data == first.data + 2 * stride(mode));
    std::memset(third.data, 0x5A, stride(mode));
    CHECK(memory.sectors(BusAddress{0x80004400}, 1).data[stride(mode) - 1] == std::byte{0x5A});
    CHECK(memory.sectors(BusAddress{0x80004600}, 1).data[0] == std::byte{0});
}

TEST_CASE("a timing-only memory has no sector contents")
{
    BulkMemory memory(smallMemory(DataMode::None));
    CHECK(memory.sectors(BusAddress{0x80004000}, 4).empty());
    CHECK(memory.bytes(BusAddress{0x80000000}, 4) != nullptr);
}

TEST_CASE("sectors that are misaligned or outside the buffer are a bug of the caller")
{
    BulkMemory memory(smallMemory());
    CHECK_THROWS_AS(memory.sectors(BusAddress{0x80004001}, 1), InternalError);
    CHECK_THROWS_AS(memory.sectors(BusAddress{0x80004000}, 33), InternalError);
    CHECK_THROWS_AS(memory.sectors(BusAddress{0x80008000}, 1), InternalError);
    CHECK_THROWS_AS(memory.sectors(BusAddress{0x80004000}, 0xFFFFFFFF), InternalError);
    CHECK_THROWS_AS(memory.access(2, 4, 0ns), InternalError);
}

TEST_CASE("a gigabyte of memory takes host memory only where it is touched")
{
    BulkMemoryConfig config = smallMemory(DataMode::Bytes);
    config.region = {BusAddress{0x40000000}, 0x40000000};
    config.dataBuffer = {BusAddress{0x60000000}, 0x20000000};
    BulkMemory memory(config);
    constexpr std::size_t half = 0x20000000;
    std::byte* control = memory.bytes(config.region.base, half);
    std::byte* buffer = memory.sectors(config.dataBuffer.base, half / sectorBytes).data;
    CHECK(residentPages(control, half) == 0);
    CHECK(residentPages(buffer, half) == 0);
    control[123'456'789] = std::byte{1};
    *memory.sectors(BusAddress{0x7FFFFE00}, 1).data = std::byte{1};
    // one page each, or one huge page where the host uses those
    CHECK(residentPages(control, half) >= 1);
    CHECK(residentPages(control, half) <= 512);
    CHECK(residentPages(buffer, half) >= 1);
    CHECK(residentPages(buffer, half) <= 512);
}

TEST_CASE("a memory that cannot be built says why")
{
    using Catch::Matchers::Matches;
    BulkMemoryConfig config = smallMemory();
    SECTION("no bandwidth")
    {
        config.bytesPerSecond = 0;
        CHECK_THROWS_WITH(BulkMemory(config), Matches(".*bandwidth must be above zero.*"));
    }
    SECTION("buffer outside")
    {
        config.dataBuffer.size = 0x10000;
        CHECK_THROWS_WITH(BulkMemory(config), Matches(".*must lie inside the memory.*"));
    }
    SECTION("buffer misaligned")
    {
        config.dataBuffer.size = 0x3F00;
        CHECK_THROWS_WITH(BulkMemory(config), Matches(".*multiple of 512.*"));
    }
    SECTION("region beyond 32 bits")
    {
        config.region = {BusAddress{0xFFFF0000}, 0x20000};
        CHECK_THROWS_WITH(BulkMemory(config), Matches(".*32-bit.*"));
    }
    SECTION("negative latency")
    {
        config.latency = -1ns;
        CHECK_THROWS_AS(BulkMemory(config), ConfigError);
    }
}
