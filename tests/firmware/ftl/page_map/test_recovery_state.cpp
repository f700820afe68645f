// SPDX-License-Identifier: Apache-2.0
//
// The flash operations of recovery: numbers, counts, and what a handler finds.
#include "tests/firmware/ftl/page_map/recovery_bench.h"

#include <string>

using namespace strobe::test;

namespace {

struct Ended {
    std::uint32_t index;
    flash_status status;
    bool wasBlank;
    flash_spare spare;
};
std::vector<Ended> ended;

void note(ftl* layer, std::uint32_t index, flash_status status)
{
    ended.push_back({index, status, recovery_was_blank(layer, index), recovery_spare(layer, index)});
}

struct Bench : RecoveryBench {
    explicit Bench(const Change& change = {}) : RecoveryBench(change)
    {
        ended.clear();
        run(recovery_prepare_io);
    }
    void read(std::uint32_t index, std::uint32_t unit)
    {
        recovery_read(&layer, index, unit, 1, buffer_address(&layer.buffer, 1), note);
    }
};

} // namespace

TEST_CASE("recovery state: operations end with their index, status and record, and waiting ends after all of them",
          "[recovery]")
{
    Bench b;
    b.put(0, 3, 7, 90);
    b.flash.outcome = [](const flash_descriptor& operation) {
        return operation.blocks == 1 ? FLASH_UNCORRECTABLE : FLASH_OK;
    };
    b.read(0, 3);
    b.read(1, 8);
    CHECK(b.state.io.in_progress == 2);
    recovery_wait(&b.layer);
    CHECK(b.state.io.in_progress == 0);
    CHECK(b.state.io.pages == 2);
    REQUIRE(ended.size() == 2);
    CHECK(ended[0].index == 0);
    CHECK(ended[0].status == FLASH_OK);
    CHECK_FALSE(ended[0].wasBlank);
    CHECK(spare_subject(&ended[0].spare) == 7);
    CHECK(ended[0].spare.word[1] == 90);
    CHECK(ended[1].index == 1);
    CHECK(ended[1].status == FLASH_UNCORRECTABLE);
    CHECK(ended[1].wasBlank);
}

TEST_CASE("recovery state: a handler may begin the next operation of its index", "[recovery]")
{
    Bench b;
    recovery_read(&b.layer, 0, 0, 1, buffer_address(&b.layer.buffer, 1),
                  [](ftl* layer, std::uint32_t index, flash_status) {
                      recovery_read(layer, index, 8, 1, buffer_address(&layer->buffer, 1), note);
                  });
    recovery_wait(&b.layer);
    CHECK(ended.size() == 1);
    CHECK(b.state.io.pages == 2);
    CHECK(b.state.io.in_progress == 0);
}

TEST_CASE("recovery state: a page is read in the mode of its block, or in pSLC mode where the operation says so",
          "[recovery]")
{
    Bench b([](boot_block& boot) {
        boot.program_pages = 3;
        boot.pages_per_block = 24;
        boot.pslc_pages = 8;
        boot.buffer_size = 256 * 2048;
    });
    const auto isPslc = [&b] { return (b.started(0).control & FLASH_DESCRIPTOR_CONTROL_PSLC_MASK) != 0; };
    const std::uint32_t unit = unit_of_page(&b.layer.geometry, 2, 1);
    b.read(0, unit);
    CHECK_FALSE(isPslc());
    CHECK(b.started(0).start_sector == 3 * 4);
    recovery_wait(&b.layer);
    b.state.io.ops[0].is_slc = true;
    b.read(0, unit);
    CHECK(isPslc());
    CHECK(b.started(0).start_sector == 4);
    recovery_wait(&b.layer);
    b.state.io.ops[0].is_slc = false;
    blocks_enter_slc(&b.layer.blocks, 2);
    b.read(0, unit);
    CHECK(isPslc());
}

TEST_CASE("recovery state: the records of all units of a page are read without its data", "[recovery]")
{
    Bench b([](boot_block& boot) {
        boot.page_bytes = 8192;
        boot.mapping_unit = 4096;
        boot.buffer_size = 128 * 4096;
    });
    b.flash.pages[{0, 1, 0}].records = {spare_record(5, 10, SPARE_HOST, 0), spare_record(9, 11, SPARE_MOVED, 0)};
    recovery_read_records(&b.layer, 1, unit_of_page(&b.layer.geometry, 1, 0), note);
    const flash_units table = flash_units_of(&b.layer.flash, b.started(0).cookie, 2);
    CHECK(table.data[0] == 0);
    CHECK(table.data[1] == 0);
    recovery_wait(&b.layer);
    const flash_spare first = recovery_record(&b.layer, 1, 0);
    const flash_spare second = recovery_record(&b.layer, 1, 1);
    CHECK(spare_subject(&first) == 5);
    CHECK(spare_subject(&second) == 9);
    b.read(1, 0);
    recovery_wait(&b.layer);
    const flash_spare kept = recovery_record(&b.layer, 1, 1);
    CHECK(spare_subject(&kept) == 9); // a read without a table leaves it alone
}

TEST_CASE("recovery state: an erase is of one member, in the mode of the block, and is no page read", "[recovery]")
{
    Bench b([](boot_block& boot) {
        boot.planes = boot.row_planes = 2;
        boot.buffer_size = 128 * 2048;
    });
    b.layer.blocks.block[3].slc = true;
    recovery_erase(&b.layer, 1, 3, 1, note);
    REQUIRE(b.flash.pending.size() == 1);
    CHECK(opcodeOf(b.started(0)) == FLASH_ERASE);
    CHECK(b.started(0).blocks == 7);
    CHECK((b.started(0).control & FLASH_DESCRIPTOR_CONTROL_PSLC_MASK) != 0);
    CHECK(b.state.io.ops[1].at == 3);
    CHECK(b.state.io.ops[1].unit == 1);
    recovery_wait(&b.layer);
    CHECK(b.state.io.pages == 0);
    CHECK(ended.size() == 1);
}

TEST_CASE("recovery state: memory of a step is zero, and when it does not fit the message names the step", "[recovery]")
{
    Bench b;
    const auto* zeros = static_cast<const std::uint32_t*>(recovery_array(&b.state, 10, 4));
    for (std::uint32_t i = 0; i < 10; ++i)
        CHECK(zeros[i] == 0);
    b.state.step = "recovery (a step)";
    CHECK_THROWS_WITH(recovery_array(&b.state, 1u << 30, 4), Catch::Matchers::Contains("recovery (a step)"));
}
