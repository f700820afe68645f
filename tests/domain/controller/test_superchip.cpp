// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/controller/superchip.h"
#include "tests/support/catch.h"

#include <set>
#include <string>
#include <vector>

using namespace strobe;
using namespace strobe::controller;

namespace {

constexpr nand::DieGeometry die{1, 8, 4, 2048, 64}; // 4 sectors per page, 4 pages per block

struct Touched {
    std::uint32_t chip, page, firstSector, sectors;
    bool operator==(const Touched& o) const
    {
        return chip == o.chip && page == o.page && firstSector == o.firstSector && sectors == o.sectors;
    }
};

// All page operations of a sector run, in order.
std::vector<Touched> expand(const SuperchipMap& map, std::uint32_t first, std::uint32_t end)
{
    std::vector<Touched> all;
    while (first < end) {
        const RowRun run = map.rowRun(first, end);
        for (std::uint32_t bus = 0; bus < map.degrees().bus; ++bus) {
            const PageRun share = map.pageRun(run, bus);
            if (share.sectors != 0)
                all.push_back({share.chip, run.page, share.firstSector, share.sectors});
        }
        first += run.sectors;
    }
    return all;
}

} // namespace

TEST_CASE("a 1x1 superchip is a die, and its number is the flat die number")
{
    const nand::ArrayGeometry array{2, 2, 2};
    const SuperchipMap map(array, die, {1, 1});
    CHECK(map.superchips() == 8);
    for (std::uint32_t i = 0; i < 8; ++i)
        CHECK(raw(map.die(i, 0)) == i);
    CHECK(map.sectorsPerSuperblock() == 16);
}

TEST_CASE("at 1x1 a run of sectors becomes one operation per page it touches")
{
    const SuperchipMap map({1, 1, 1}, die, {1, 1});
    CHECK(expand(map, 0, 4) == std::vector<Touched>{{0, 0, 0, 4}});
    CHECK(expand(map, 5, 7) == std::vector<Touched>{{0, 1, 1, 2}});
    CHECK(expand(map, 2, 13) == std::vector<Touched>{{0, 0, 2, 2}, {0, 1, 0, 4}, {0, 2, 0, 4}, {0, 3, 0, 1}});
}

TEST_CASE("64 sectors over pages of eight are eight page operations")
{
    const SuperchipMap map({1, 1, 1}, {1, 8, 16, 4096, 128}, {1, 1});
    const auto all = expand(map, 0, 64);
    REQUIRE(all.size() == 8);
    for (std::uint32_t page = 0; page < 8; ++page)
        CHECK(all[page] == Touched{0, page, 0, 8});
}

TEST_CASE("a 4x2 superchip deals the sectors of a row to its buses one by one, as in figure 4 of the paper")
{
    const SuperchipMap map({4, 2, 1}, die, {4, 2});
    CHECK(map.superchips() == 1);
    CHECK(map.sectorsPerSuperpage() == 32); // 16 KiB, as in figure 3

    const RowRun first = map.rowRun(0, 128);
    CHECK(first.page == 0);
    CHECK(first.row == 0);
    CHECK(first.sectors == 16);
    // Sectors 1, 5, 9 and 13 come from bus 1.
    const PageRun bus1 = map.pageRun(first, 1);
    CHECK(bus1.chip == 1);
    CHECK(bus1.offset == 1);
    CHECK(bus1.firstSector == 0);
    CHECK(bus1.sectors == 4);

    const RowRun second = map.rowRun(16, 128); // chip 1 of all buses
    CHECK(second.page == 0);
    CHECK(second.row == 1);
    CHECK(map.pageRun(second, 3).chip == 7);
    CHECK(map.rowRun(32, 128).page == 1);
}

TEST_CASE("a short run of a 4x1 superchip touches only the buses that its sectors fall on")
{
    const SuperchipMap map({4, 1, 1}, die, {4, 1});
    // Sectors 7 and 8: bus 3 column 1, bus 0 column 2.
    CHECK(expand(map, 7, 9) == std::vector<Touched>{{0, 0, 2, 1}, {3, 0, 1, 1}});
    CHECK(map.pageRun(map.rowRun(7, 9), 0).offset == 1);
    CHECK(map.pageRun(map.rowRun(7, 9), 3).offset == 0);
    // Sectors 2 to 8.
    CHECK(expand(map, 2, 9) == std::vector<Touched>{{0, 0, 1, 2}, {1, 0, 1, 1}, {2, 0, 0, 2}, {3, 0, 0, 2}});
}

TEST_CASE("every sector of a superblock has exactly one place, whatever the degrees")
{
    const SuperchipGeometry degrees =
        GENERATE(SuperchipGeometry{1, 1}, SuperchipGeometry{1, 4}, SuperchipGeometry{4, 1}, SuperchipGeometry{2, 2});
    const std::uint32_t step = GENERATE(1u, 3u, 5u, 64u);
    const SuperchipMap map({4, 4, 1}, die, degrees);
    std::set<std::vector<std::uint32_t>> places;
    const std::uint32_t end = map.sectorsPerSuperblock();
    std::uint32_t pages = 0;
    for (std::uint32_t first = 0; first < end; first += step) {
        const std::uint32_t stop = std::min(end, first + step);
        const auto all = expand(map, first, stop);
        CHECK(all.size() == map.pagesTouched(first, stop));
        pages += static_cast<std::uint32_t>(all.size());
        for (const Touched& t : all) {
            CHECK(t.chip < degrees.chips());
            for (std::uint32_t i = 0; i < t.sectors; ++i)
                CHECK(places.insert({t.chip, t.page, t.firstSector + i}).second);
        }
    }
    CHECK(places.size() == end);
    CHECK(pages >= degrees.chips() * die.pagesPerBlock);
}

TEST_CASE("superchips of two buses and two chips tile the array without overlap")
{
    const nand::ArrayGeometry array{4, 2, 2};
    const SuperchipMap map(array, die, {2, 2});
    CHECK(map.superchips() == 4);
    std::set<std::uint16_t> dies;
    for (std::uint32_t s = 0; s < map.superchips(); ++s) {
        for (std::uint32_t chip = 0; chip < map.chips(); ++chip) {
            const DieId id = map.die(s, chip);
            CHECK(dies.insert(raw(id)).second);
            CHECK(raw(array.channelOf(id)) % 2 == chip % 2); // chips of one row are on different channels
        }
    }
    CHECK(dies.size() == 16);
    CHECK(raw(map.die(1, 0)) == 2);  // the next two positions of channels 0 and 1
    CHECK(raw(map.die(2, 3)) == 13); // channel 3, position 1
}

TEST_CASE("degrees that do not divide the array are a configuration error that says so")
{
    const auto message = [](nand::ArrayGeometry array, SuperchipGeometry degrees) {
        try {
            SuperchipMap(array, die, degrees);
        } catch (const ConfigError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message({4, 2, 1}, {3, 1}) == "superchip: bus-level degree 3 must divide the 4 channels");
    CHECK(message({4, 2, 1}, {1, 4}) == "superchip: chip-level degree 4 must divide the 2 dies of a channel");
    CHECK(message({4, 2, 1}, {0, 1}) == "superchip: bus-level degree 0 must divide the 4 channels");
    CHECK(message({4, 2, 1}, {4, 2}).empty());
}
