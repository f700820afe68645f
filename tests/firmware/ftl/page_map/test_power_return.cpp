// SPDX-License-Identifier: Apache-2.0
//
// Which blocks planes have when power returns, after an orderly power-off and with blocks that fail.
#include "tests/firmware/ftl/page_map/small_drive.h"
#include "tests/support/catch.h"

#include <array>

using namespace strobe;
using namespace strobe::test;

TEST_CASE("after an orderly power-off the planes go on with their open, free and spare blocks", "[power]")
{
    struct State {
        std::uint32_t free, spares;
        std::array<std::uint32_t, STREAMS> open, taken;
    };
    const auto stateOf = [](const ftl& layer, MockDrive& drive, std::uint32_t number) {
        const plane& p = layer.blocks.plane[number];
        State state{p.free, p.spares, {}, {}};
        // Taken for tables, but not begun: free again.
        for (std::uint32_t block = 0; block < layer.geometry.blocks; ++block) {
            const std::uint32_t perDie = layer.geometry.blocks_per_group;
            const bool isBegun = drive.flash().die(block / perDie).block(block % perDie).nextPage != 0;
            const struct block& b = layer.blocks.block[block];
            state.free += b.plane == number && b.state == BLOCK_TABLES && !isBegun ? 1U : 0U;
        }
        for (std::uint32_t stream = 0; stream < STREAMS; ++stream) {
            state.open[stream] = p.open[stream];
            state.taken[stream] = p.open[stream] == NONE ? 0U : layer.blocks.block[p.open[stream]].taken;
        }
        return state;
    };
    MockOptions options = smallDrive();
    options.seed = GENERATE(range<std::uint64_t>(1, 5));
    options.boot.planes = GENERATE(1U, 2U);
    options.boot.ways = 2 / options.boot.planes;
    options.boot.blocksPerPlane = 24;
    options.boot.spareBlocks = 4;
    CAPTURE(options.seed, options.boot.planes);
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.writesAreDurable = true;
    host.random(2500, {});
    REQUIRE(drive.run(strobe_firmware_entry, host));
    std::vector<State> before;
    for (std::uint32_t plane = 0; plane < request_ftl()->geometry.planes; ++plane)
        before.push_back(stateOf(*request_ftl(), drive, plane));
    const std::uint64_t erases = drive.flash().counters().erases;

    drive.switchOff();
    std::uint32_t open = 0;
    bool isSeen = false;
    drive.onSleep = [&] {
        if (isSeen || !drive.isReady())
            return;
        isSeen = true;
        CHECK(drive.flash().counters().erases == erases);
        for (std::uint32_t plane = 0; plane < before.size(); ++plane) {
            INFO("plane " << plane);
            CHECK(before[plane].free != 0);
            const State now = stateOf(*request_ftl(), drive, plane);
            const State& then = before[plane];
            CHECK(now.free == then.free);
            CHECK(now.spares == then.spares);
            CHECK(now.open == then.open);
            CHECK(now.taken == then.taken);
            open += before[plane].open[STREAM_HOST] != NONE ? 1U : 0U;
        }
        checkTables(*request_ftl());
    };
    HostModel again = hostOf(options);
    again.verifiesAtEnd = false;
    again.writesAreDurable = true;
    again.script(std::vector<HostCommand>(400, HostCommand{HostCommand::Write, false, 0, 8})); // into the open blocks
    CHECK(drive.run(strobe_firmware_entry, again));
    CHECK(isSeen);
    CHECK(open != 0);
    checkAtRest(*request_ftl());
}

// Collection has taken the last free block of a plane, and power is switched off while no program and no erase is in
// progress: as at the end of functional preconditioning, where time stands still. What is moved then has to fit into
// the open block, whatever the policy.
TEST_CASE("after an orderly power-off a plane without a free block goes on with its collection", "[power]")
{
    MockOptions options = smallDrive();
    options.seed = GENERATE(range<std::uint64_t>(1, 9));
    options.boot.gcPolicy = GENERATE(0U, 1U);
    CAPTURE(options.seed, options.boot.gcPolicy);
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.writesAreDurable = true;
    host.random(4000, {});
    const auto pagesOf = [&drive](std::uint32_t block) { // programmed
        const std::uint32_t perDie = request_ftl()->geometry.blocks_per_group;
        return drive.flash().die(block / perDie).block(block % perDie).nextPage;
    };
    const auto isCollectedWithoutFreeBlock = [&pagesOf](std::uint32_t number) {
        const block_table& table = request_ftl()->blocks;
        const plane& p = table.plane[number];
        for (std::uint32_t block = 0; block < table.geometry.blocks; ++block) {
            const struct block& b = table.block[block];
            if (b.plane == number && b.state != BLOCK_BAD && pagesOf(block) == 0)
                return false; // taken, but not begun: free again
        }
        return p.free == 0 && p.open[STREAM_MOVE] != NONE &&
               request_ftl()->collection.planes[number].phase == COLLECT_MOVING;
    };
    const auto hasChanges = [&drive] {
        for (std::uint32_t die = 0; die < request_ftl()->geometry.dies; ++die) {
            const nand::Die::Running* running = drive.flash().die(die).running(drive.now());
            if (running != nullptr && running->opcode != nand::Opcode::Read)
                return true;
        }
        return false;
    };
    struct Plane { // that was being collected
        std::uint32_t number;
        std::uint32_t taken; // pages of the open block
    };
    std::vector<Plane> planes;
    drive.onSleep = [&] {
        if (!planes.empty() || !drive.isReady() || hasChanges())
            return;
        for (std::uint32_t number = 0; number < request_ftl()->geometry.planes; ++number) {
            if (!isCollectedWithoutFreeBlock(number))
                continue;
            const std::uint32_t open = request_ftl()->blocks.plane[number].open[STREAM_MOVE];
            planes.push_back({number, pagesOf(open)});
        }
        if (!planes.empty())
            drive.cutAfter(0);
    };
    REQUIRE_FALSE(drive.run(strobe_firmware_entry, host));
    REQUIRE_FALSE(planes.empty());

    drive.switchOff();
    const std::uint64_t erases = drive.flash().counters().erases;
    bool isSeen = false;
    drive.onSleep = [&] {
        if (isSeen || !drive.isReady())
            return;
        isSeen = true;
        CHECK(drive.flash().counters().erases == erases);
        for (const auto& [number, taken] : planes) {
            INFO("plane " << number);
            const block_table& table = request_ftl()->blocks;
            const collector& collector = request_ftl()->collection.planes[number];
            CHECK(table.plane[number].free == 0);
            CHECK((collector.phase == COLLECT_MOVING || collector.phase == COLLECT_ERASING));
            REQUIRE(collector.victim != NONE);
            CHECK(table.block[collector.victim].valid + taken <= table.geometry.pages_per_block);
            for (std::uint32_t block = 0; block < table.geometry.blocks; ++block) {
                const struct block& b = table.block[block];
                CHECK((b.plane != number || b.state != BLOCK_FULL || b.valid >= table.block[collector.victim].valid));
            }
        }
        checkTables(*request_ftl());
    };
    REQUIRE(drive.run(strobe_firmware_entry, host)); // reads everything back
    CHECK(isSeen);
    checkAtRest(*request_ftl());
}

TEST_CASE("a block that fails during recovery costs a spare, and the drive works", "[power]")
{
    const std::uint64_t seed = GENERATE(range<std::uint64_t>(1, 9));
    CAPTURE(seed);
    MockOptions options = smallDrive();
    options.seed = seed;
    options.boot.blocksPerPlane = 24;
    options.boot.spareBlocks = 3;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.writesAreDurable = true;
    host.random(1500, {});
    drive.cutAfter(4000);
    REQUIRE_FALSE(drive.run(strobe_firmware_entry, host));
    drive.flash().faults() = {seed % 2 == 0 ? 10000u : 3000u, 0, 2};
    CHECK(drive.run(strobe_firmware_entry, host));
    CHECK(drive.flash().wornOut() == 2);
    CHECK_FALSE(request_ftl()->read_only);
    checkAtRest(*request_ftl());
}

// Checkpoints list them beside the blocks that failed in use, which spares have replaced.
TEST_CASE("factory bad blocks cost no spare when power returns", "[power]")
{
    const bool isOrderly = GENERATE(false, true);
    const bool hasTable = GENERATE(false, true);
    CAPTURE(isOrderly, hasTable);
    MockOptions options = smallDrive();
    options.boot.blocksPerPlane = 24;
    options.boot.spareBlocks = 3;
    options.boot.checkpointPages = 64;
    options.badBlocks = 3;
    options.badBlockTable = hasTable;
    MockDrive drive(options);
    HostModel host = hostOf(options);
    host.writesAreDurable = true;
    host.random(800, {});
    REQUIRE(drive.run(strobe_firmware_entry, host));
    REQUIRE(request_ftl()->checkpoint.number > 2);
    isOrderly ? drive.switchOff() : drive.powerOff();
    HostModel again = hostOf(options);
    again.writesAreDurable = true;
    again.verifiesAtEnd = false;
    again.script({{HostCommand::Write, false, 0, 4}});
    REQUIRE(drive.run(strobe_firmware_entry, again));
    for (std::uint32_t number = 0; number < request_ftl()->geometry.planes; ++number) {
        const plane& p = request_ftl()->blocks.plane[number];
        CHECK(p.spares + p.owed == 3);
    }
}
