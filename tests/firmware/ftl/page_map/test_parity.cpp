// SPDX-License-Identifier: Apache-2.0
//
// Parity of stripes in flash: each stripe adds up to nothing, in every arrangement of pages.
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/support/catch.h"

#include <functional>
#include <iterator>

using namespace strobe;
using namespace strobe::test;

namespace {

struct Page {
    std::vector<SectorTag> tags;
    std::vector<nand::Spare> records;
    bool isBlank = false;
};

// All flash pages of a strip, which begin at `place`.
Page read(MockDrive& drive, const flash_place& place, std::uint32_t pages)
{
    const nand::DieGeometry& geometry = drive.flash().part().geometry;
    const std::uint32_t sectors = geometry.sectorsPerPage();
    Page all;
    for (std::uint32_t i = 0; i < pages; ++i) {
        std::vector<SectorTag> tags(sectors);
        std::vector<nand::Spare> records(geometry.spareRecords());
        nand::Operation op;
        op.opcode = nand::Opcode::Read;
        op.pslc = place.pslc;
        op.die = DieId{static_cast<std::uint16_t>(place.die)};
        op.target = {place.block, place.sector / sectors + i};
        op.sectors = sectors;
        op.data = {reinterpret_cast<std::byte*>(tags.data()), DataMode::Tags};
        op.moreSpares = records.size() > 1 ? records.data() + 1 : nullptr;
        drive.flash().die(place.die).executeAtOnce(op);
        drive.flash().die(place.die).fetch(op);
        REQUIRE(op.status == nand::Status::Ok);
        records[0] = op.spare;
        all.isBlank = op.blank;
        all.tags.insert(all.tags.end(), tags.begin(), tags.end());
        all.records.insert(all.records.end(), records.begin(), records.end());
    }
    return all;
}

// False: the stripe is not in flash. Its parity page is `page` of the block.
bool checkStripe(MockDrive& drive, std::uint32_t block, std::uint32_t page, std::uint32_t strip)
{
    const ftl& ftl = *request_ftl();
    const geometry& g = ftl.geometry;
    const std::uint32_t pages = ftl.blocks.block[block].slc ? 1 : g.flash_pages;
    Page sum;
    for (std::uint32_t data = page + 1 - g.width; data <= page; ++data) {
        const std::uint32_t unit = unit_of_strip(&g, unit_of_page(&g, block, data), strip);
        const Page one = read(drive, blocks_place(&ftl.blocks, unit, 0), pages);
        if (data == page && one.isBlank)
            return false;
        if (one.isBlank)
            continue;
        sum.tags.resize(one.tags.size());
        sum.records.resize(one.records.size());
        for (std::size_t i = 0; i < one.tags.size(); ++i)
            sum.tags[i] ^= one.tags[i];
        for (std::size_t i = 0; i < one.records.size(); ++i) {
            for (std::size_t word = 0; word < one.records[i].size(); ++word)
                sum.records[i][word] ^= one.records[i][word];
        }
    }
    CHECK(sum.tags == std::vector<SectorTag>(sum.tags.size()));
    CHECK(sum.records == std::vector<nand::Spare>(sum.records.size()));
    return true;
}

std::uint32_t checkAllStripes(MockDrive& drive)
{
    const ftl& ftl = *request_ftl();
    const geometry& g = ftl.geometry;
    std::uint32_t checked = 0;
    for (std::uint32_t block = 0; block < g.blocks; ++block) {
        const struct block& b = ftl.blocks.block[block];
        if (b.state != BLOCK_OPEN && b.state != BLOCK_FULL)
            continue;
        for (std::uint32_t page = g.width - 1; page < b.taken; page += g.width) {
            for (std::uint32_t strip = 0; strip < g.row_planes; ++strip)
                checked += checkStripe(drive, block, page, strip) ? 1U : 0U;
        }
    }
    return checked;
}

} // namespace

TEST_CASE("the pages of each stripe add up to nothing, and its last one holds no data")
{
    const std::function<void(MockOptions&)> kinds[] = {
        [](MockOptions&) {},
        [](MockOptions& o) {
            withUnits(o, 8192, 4096);
            o.boot.completion = 0;
        },
        [](MockOptions& o) {
            withUnits(o, 8192, 4096);
            withWordLines(o, 3);
            withRows(o, 2);
            o.boot.dieDepth = 4;
            o.bufferPages = 256;
        },
        [](MockOptions& o) {
            withPslcCache(o, PSLC_CACHE_MODE_DYNAMIC);
            o.boot.blocksPerPlane = 24;
            o.bufferPages = 256;
        },
        [](MockOptions& o) {
            o.boot.superblockDies = 2;
            o.boot.planes = 2;
            withHotAndCold(o);
            o.boot.blocksPerPlane = 24;
        },
    };
    for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
        MockOptions options = smallDrive();
        withParity(options);
        kinds[kind](options);
        CAPTURE(kind);
        MockDrive drive(options);
        HostModel host = hostOf(options);
        host.random(1500, {});
        checkRun(drive, host, 1500);
        CHECK(checkAllStripes(drive) > 50);
        const ftl& ftl = *request_ftl();
        for (std::uint32_t unit = 0; unit < ftl.geometry.units; ++unit) {
            if (ftl.map.logical[unit] != NONE)
                CHECK_FALSE(is_parity_page(&ftl.geometry, page_of_unit(&ftl.geometry, unit)));
        }
        for (std::uint32_t plane = 0; plane < ftl.geometry.planes; ++plane)
            CHECK(ftl.blocks.plane[plane].behind == 0);
    }
}

TEST_CASE("parity takes its share of the capacity")
{
    MockOptions options = smallDrive();
    withParity(options);
    std::uint64_t capacities[2];
    for (std::uint32_t parity : {0u, 1u}) {
        options.boot.superblockParity = parity;
        MockDrive drive(options);
        HostModel host = hostOf(options);
        runFirmware(drive, host);
        capacities[parity] = request_ftl()->capacity;
    }
    CHECK(capacities[0] * 3 / 4 - capacities[1] < 8); // units are rounded down
}

TEST_CASE("parity needs superblocks of at least two dies")
{
    MockOptions options = smallDrive();
    options.boot.superblockParity = 1;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    CHECK_THROWS_WITH(runFirmware(drive, host), Catch::Matchers::Contains("SUPERBLOCK_PARITY"));
}
