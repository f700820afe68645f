// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/superblock_map/small_superblocks.h"
#include "tests/support/catch.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "firmware/ftl/superblock_map/footprint.h"

using namespace strobe;
using namespace strobe::test;

namespace {

std::uint32_t footprintOf(const MockOptions& options)
{
    boot_block boot{};
    options.boot.fill(reinterpret_cast<std::byte*>(&boot));
    boot.buffer_size = options.bufferPages * boot.page_bytes;
    boot.bad_block_table = options.badBlockTable ? 1 : 0;
    return static_cast<std::uint32_t>((superblock_map_footprint(&boot) + 3) / 4 * 4);
}

bool starts(MockOptions options, std::uint32_t bytes)
{
    options.memoryBytes = bytes;
    MockDrive drive(options);
    HostModel host(options.boot.hostSlots, options.boot.pageBytes / 512, options.seed);
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
    {"more blocks", [](MockOptions& o) { o.boot.blocksPerPlane = 200; }},
    {"two planes",
     [](MockOptions& o) {
         o.boot.planes = 2;
         o.boot.blocksPerPlane = 40;
     }},
    {"larger blocks", [](MockOptions& o) { o.boot.pagesPerBlock = 32; }},
    {"software units", [](MockOptions& o) { useSoftwareUnits(o); }},
    {"parking", [](MockOptions& o) { o.boot.parkingSuperblocks = 3; }},
    {"many slots of the host", [](MockOptions& o) { o.boot.hostSlots = 100; }},
    {"a limit of superblocks", [](MockOptions& o) { o.boot.superblockLimit = 20; }},
};

} // namespace

TEST_CASE("superblock mapping starts with as much control memory as its footprint, and not with much less")
{
    for (const auto& [name, change] : changes) {
        MockOptions options = smallSuperblocks();
        change(options);
        const std::uint32_t bytes = footprintOf(options);
        INFO(name << ": " << bytes << " bytes");
        CHECK(starts(options, bytes));
        CHECK_FALSE(starts(options, (bytes - bytes / 10 - 3072) / 4 * 4));
    }
}
