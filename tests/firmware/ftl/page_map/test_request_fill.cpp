// SPDX-License-Identifier: Apache-2.0
//
// Writes past the buffer where no time passes: which writes join the line, when its pages are programmed, and what the
// others do.
#include "tests/firmware/ftl/page_map/request_bench.h"

using namespace strobe::test;

namespace {

using Completions = std::vector<RequestBench::Completion>;

// A drive with pages of two units of 4 KiB whose strips are stored at once.
struct Bench : RequestBench {
    struct Stored {
        std::uint32_t block, sector;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces; // command, first sector
    };
    std::vector<Stored> strips;
    flash_status status = FLASH_OK;

    explicit Bench(const LayerBench::Change& change = {})
        : RequestBench([&change](boot_block& words) {
              words.page_bytes = 8192;
              words.mapping_unit = 4096;
              words.buffer_size = 128 * 4096;
              words.spare_blocks = 2;
              words.overprovision_permille = 600;
              if (change)
                  change(words);
          })
    {
        hal.onStore = [this](const hal_strip& strip) {
            Stored stored{strip.block, strip.sector, {}};
            std::uint32_t sectors = 0;
            for (const hal_piece* piece = strip.pieces; sectors < strip.sectors; sectors += piece++->sectors)
                stored.pieces.emplace_back(piece->command, piece->first);
            strips.push_back(stored);
            return static_cast<std::uint32_t>(status);
        };
    }
    bool takes(std::uint32_t slot, std::uint64_t lba, std::uint32_t sectors)
    {
        put(slot, HOST_WRITE, lba, sectors);
        return fill_takes(&app, slot);
    }
    bool serve()
    {
        const bool hasMore = fill_serve(&app);
        look();
        return hasMore;
    }
    std::uint32_t placeOf(std::uint32_t logical) const { return map_find(&app.ftl.map, logical); }
};

} // namespace

TEST_CASE("fill: only whole units, of at least a page of the flash, join the line, and only where no time passes",
          "[fill]")
{
    Bench b;
    CHECK_FALSE(b.takes(0, 0, 8));  // one unit
    CHECK_FALSE(b.takes(0, 4, 16)); // not whole units
    CHECK_FALSE(b.takes(0, 0, 20));
    CHECK(b.app.fills.head == NONE);
    CHECK(b.takes(0, 0, 24));
    CHECK(b.app.fill_units == 3);
    CHECK(fill_is_waiting(&b.app));
    Bench inTime;
    inTime.hal.onStore = nullptr;
    CHECK_FALSE(inTime.takes(0, 0, 24));
}

TEST_CASE("fill: the first write does not join while versions are in the buffer or a plane is collected", "[fill]")
{
    for (const int why : {0, 1, 2, 3}) {
        CAPTURE(why);
        Bench b;
        if (why == 0)
            ftl_place(&b.app.ftl, 30, 0x1, 0, false);
        b.app.ftl.read_only = why == 1;
        b.app.ftl.is_saving = why == 2;
        if (why == 3)
            b.app.ftl.collection.planes[0].phase = COLLECT_MOVING;
        CHECK_FALSE(b.takes(0, 0, 16));
    }
}

TEST_CASE("fill: drives with refresh, or whose order of writes is kept or planned, do not fill", "[fill]")
{
    CHECK(Bench().app.can_fill);
    CHECK_FALSE(Bench([](boot_block& boot) { boot.refresh_reads = 5; }).app.can_fill);
    CHECK_FALSE(Bench([](boot_block& boot) { boot.serial_writes = 1; }).app.can_fill);
    CHECK_FALSE(Bench([](boot_block& boot) { boot.write_polls = 1; }).app.can_fill);
}

TEST_CASE("fill: pages are programmed from the line, across commands, and complete them in order", "[fill]")
{
    Bench b;
    REQUIRE(b.takes(2, 0, 24));  // units 0 to 2
    REQUIRE(b.takes(1, 80, 24)); // units 10 to 12
    CHECK(b.serve());
    CHECK(b.completions == Completions{{2, HOST_OK}});
    CHECK(b.strips.size() == 2); // as many as the die takes at a time
    CHECK(b.serve());
    REQUIRE(b.strips.size() == 3);
    CHECK(b.completions == Completions{{2, HOST_OK}, {1, HOST_OK}});
    CHECK(b.app.fills.head == NONE);
    CHECK(b.app.fill_units == 0);
    using Pieces = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    CHECK(b.strips[0].pieces == Pieces{{2, 0}});
    CHECK(b.strips[1].pieces == Pieces{{2, 16}, {1, 0}});
    CHECK(b.strips[2].pieces == Pieces{{1, 8}});
    CHECK(b.placeOf(0) == 0);
    CHECK(b.placeOf(2) == 2);
    CHECK(b.placeOf(10) == 3);
    CHECK(b.placeOf(12) == 5);
    CHECK(b.flash.pending.empty());
    CHECK(b.used(USE_WRITE) == 0);
    CHECK(b.app.ftl.room.die_programs[0] == 0);
}

TEST_CASE("fill: units that do not fill a page wait for more commands, and else take their way through the buffer",
          "[fill]")
{
    for (const bool arrives : {true, false}) {
        CAPTURE(arrives);
        Bench b;
        b.hal.onArrive = [arrives] { return arrives; };
        REQUIRE(b.takes(1, 0, 24));
        b.serve(); // a page
        CHECK(b.strips.size() == 1);
        CHECK(b.app.fill_units == 1);
        b.serve();
        CHECK((b.app.fills.head == 1) == arrives);
        CHECK(b.transfers.size() == (arrives ? 0 : 1));
        if (arrives)
            continue;
        CHECK(b.transfers[0].first == 16);
        b.endTransfers();
        CHECK(b.completions == Completions{{1, HOST_OK}});
        CHECK(buffer_find(&b.app.ftl.buffer, 2) != NONE);
    }
}

TEST_CASE("fill: it waits for operations in progress, and gives way when the drive has something else to do", "[fill]")
{
    Bench b;
    REQUIRE(b.takes(1, 0, 16));
    map_write(&b.app.ftl.map, 30, 100);
    ftl_read(&b.app.ftl, buffer_take(&b.app.ftl.buffer, USE_READ), 100, 0, 8);
    CHECK_FALSE(b.serve());
    CHECK(b.strips.empty());
    CHECK(b.app.fills.head == 1);
    b.app.ftl.collection.planes[0].phase = COLLECT_MOVING;
    CHECK(b.serve());
    CHECK(b.app.fills.head == NONE);
    CHECK(b.strips.empty());
    CHECK_FALSE(b.transfers.empty()); // through the buffer
}

TEST_CASE("fill: a page whose program fails takes its way through the buffer, and its block fails", "[fill]")
{
    Bench b;
    b.status = FLASH_PROGRAM_FAILED;
    REQUIRE(b.takes(1, 0, 32));
    b.serve();
    CHECK(b.strips.size() == 1); // from now on there are versions in the buffer
    CHECK(b.app.ftl.blocks.block[0].failed);
    CHECK(b.app.ftl.blocks.block[0].flying == 0);
    CHECK(b.placeOf(0) == MAP_UNMAPPED);
    REQUIRE_FALSE(b.transfers.empty());
    CHECK(b.transfers[0].first == 0);
    CHECK(b.transfers[0].sectors == 16);
    b.serve(); // the rest gives way
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
    for (std::uint32_t unit = 0; unit < 4; ++unit)
        CHECK(buffer_find(&b.app.ftl.buffer, unit) != NONE);
}

TEST_CASE("fill: of a row only the units of the failed strip are written again", "[fill]")
{
    Bench b([](boot_block& boot) {
        boot.planes = boot.row_planes = 2;
        boot.buffer_size = 256 * 4096;
    });
    b.hal.onStore = [](const hal_strip& strip) {
        return static_cast<std::uint32_t>(strip.block % 2 != 0 ? FLASH_PROGRAM_FAILED : FLASH_OK);
    };
    REQUIRE(b.takes(1, 0, 32));
    b.serve();
    CHECK(b.placeOf(0) == 0);
    CHECK(b.placeOf(1) == 1);
    CHECK(b.placeOf(2) == MAP_UNMAPPED);
    REQUIRE(b.transfers.size() == 1);
    CHECK(b.transfers[0].first == 16);
    CHECK(b.completions.empty());
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}});
}

TEST_CASE("fill: another command makes all writes of the line give way", "[fill]")
{
    Bench b;
    REQUIRE(b.takes(1, 0, 16));
    REQUIRE(b.takes(2, 80, 16));
    fill_give_way(&b.app);
    b.look();
    CHECK_FALSE(fill_is_waiting(&b.app));
    CHECK(b.app.fill_units == 0);
    CHECK(b.transfers.size() == 2);
    b.endTransfers();
    CHECK(b.completions == Completions{{1, HOST_OK}, {2, HOST_OK}});
}

TEST_CASE("fill: what was read ahead of a stored unit is out of date", "[fill]")
{
    Bench b([](boot_block& boot) {
        boot.read_ahead_streams = 1;
        boot.read_ahead_window = 4;
    });
    b.fill(0);
    for (std::uint32_t unit = 0; unit < 3; ++unit)
        b.read(unit, unit * 8, 8);
    while (!b.flash.pending.empty())
        b.endFlash();
    b.endTransfers();
    REQUIRE(read_ahead_find(&b.app.ahead, 4) != NONE);
    REQUIRE(b.takes(3, 32, 16));
    b.serve();
    CHECK(b.strips.size() == 1);
    CHECK(read_ahead_find(&b.app.ahead, 4) == NONE);
    CHECK(read_ahead_find(&b.app.ahead, 5) == NONE);
}
