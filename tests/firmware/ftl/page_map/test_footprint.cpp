// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/support/catch.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/ftl/page_map/footprint.h"

using namespace strobe;
using namespace strobe::test;

namespace {

std::uint32_t footprintOf(const MockOptions& options)
{
    boot_block boot{};
    options.boot.fill(reinterpret_cast<std::byte*>(&boot));
    boot.buffer_size = options.bufferPages * boot.page_bytes;
    boot.bad_block_table = options.badBlockTable ? 1 : 0;
    return static_cast<std::uint32_t>((page_map_footprint(&boot) + 3) / 4 * 4);
}

bool starts(MockOptions options, std::uint32_t bytes)
{
    options.memoryBytes = bytes;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    try {
        drive.run(strobe_firmware_entry, host);
    } catch (const FirmwarePanic& panic) {
        const std::string text = panic.what();
        CAPTURE(text);
        CHECK(text.find("control memory too small") == 0);
        return false;
    }
    return true;
}

using Change = std::pair<const char*, std::function<void(MockOptions&)>>;
const std::vector<Change> changes{
    {"small", [](MockOptions&) {}},
    {"two planes", [](MockOptions& o) { o.boot.planes = 2; }},
    {"many planes",
     [](MockOptions& o) {
         o.boot.channels = 8;
         o.boot.ways = 8;
         o.boot.planes = 4;
     }},
    {"larger blocks", [](MockOptions& o) { o.boot.pagesPerBlock = 64; }},
    {"more blocks", [](MockOptions& o) { o.boot.blocksPerPlane = 300; }},
    {"large pages", [](MockOptions& o) { o.boot.pageBytes = 16384; }},
    {"many slots of the host", [](MockOptions& o) { o.boot.hostSlots = 200; }},
    {"a large buffer", [](MockOptions& o) { o.bufferPages = 2000; }},
    {"commands on a channel, one after the other",
     [](MockOptions& o) {
         o.boot.commandPlacement = COMMAND_PLACEMENT_CHANNEL;
         o.boot.serialWrites = 1;
     }},
    {"bad block scan", [](MockOptions& o) { o.badBlockTable = false; }},
    {"recovery", [](MockOptions& o) { o.boot.recover = 1; }},
    {"given capacity", [](MockOptions& o) { o.boot.capacityLo = 900; }},
};

} // namespace

TEST_CASE("page mapping starts with as much control memory as its footprint, and not with much less")
{
    for (const auto& [name, change] : changes) {
        MockOptions options = smallDrive();
        change(options);
        const std::uint32_t bytes = footprintOf(options);
        INFO(name << ": " << bytes << " bytes");
        CHECK(starts(options, bytes));
        CHECK_FALSE(starts(options, (bytes - bytes / 10 - 3072) / 4 * 4));
    }
}
