// SPDX-License-Identifier: Apache-2.0
//
// Host reads that become foreground requests without firmware. Superchips of 1 x 1 on two dies: logical superblocks 0
// and 2 are on die 0, 1 and 3 on die 1, 16 sectors each.
#include "models/base/config_error.h"
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

constexpr BusAddress mapAt = listsAt;
constexpr BusAddress bufferedAt = listsAt + 0x40;
constexpr BusAddress blocksAt = listsAt + 0x80; // block lists of one word
constexpr BusAddress tableAt = listsAt + 0x200; // sector table of superblock 1
constexpr std::uint32_t perSuperblock = 16;

FlashControllerConfig synthesizing()
{
    FlashControllerConfig config = Bench::oneUnit();
    config.array = {2, 1, 1};
    config.hasHost = config.hasForeground = config.hasSynthesizer = true;
    return config;
}

// Superblocks 0 and 1 mapped to block 2 of their dies, and written with tags from lba 0 on; 2 and 3 are not mapped.
struct Synthesizing : Bench {
    explicit Synthesizing(const FlashControllerConfig& config = synthesizing()) : Bench(config)
    {
        putWords(mapAt, std::array<std::uint32_t, 4>{raw(blocksAt), raw(blocksAt), 0, 0});
        putWords(bufferedAt, std::array<std::uint32_t, 4>{});
        putWords(blocksAt, std::array<std::uint32_t, 1>{2});
        write(regs::flash::SYNTH_MAP, raw(mapAt));
        write(regs::flash::SYNTH_BUFFERED, raw(bufferedAt));
        write(regs::flash::SYNTH_SUPERBLOCKS, 4);
        write(regs::flash::SYNTHESIZER, regs::flash::SYNTHESIZER_enable_mask);
        putTags(0, 0, 2 * perSuperblock);
        for (std::uint32_t die = 0; die < 2; ++die) {
            put(die, pages(SuperchipOpcode::Program, die, {2, 0}, 4, die * perSuperblock));
            head(0, descriptorAt(die));
        }
        run();
        run(now + 10us);
        sent.clear();
        bursts.clear();
        takeEvents();
    }
    bool take(std::uint16_t slot, std::uint64_t lba, std::uint32_t sectors)
    {
        return controller.takeRead(slot, lba, sectors, now);
    }
};

} // namespace

TEST_CASE("a host read is looked up, read with priority and sent, with no event and no word written")
{
    Synthesizing bench;
    const Time start = bench.now;
    CHECK(bench.take(3, 4, 4));
    CHECK(bench.read(regs::flash::SYNTH_STARTED) == 1);
    bench.run();
    REQUIRE(bench.sunk.size() == 1);
    CHECK(bench.sunk[0].run.slot == 3);
    CHECK(bench.sunk[0].run.completes);
    CHECK(Bench::isTagged(bench.sunk[0], 0, 4, 4));
    CHECK(bench.sent.at(0).op.priority == nand::Priority::Foreground);
    CHECK(bench.sunk[0].at ==
          start + 3 * Bench::burst(4) + Bench::request + 25us + Bench::response + 3us); // two words and the block list
    for (const Bench::Burst& burst : bench.bursts)
        CHECK(burst.direction == Direction::FromMemory);
    CHECK(bench.takeEvents().empty());
    CHECK(bench.read(regs::flash::SYNTH_ENDED) == 1);
}

TEST_CASE("a read over two superblocks becomes two requests, the last of which completes the command")
{
    Synthesizing bench;
    CHECK(bench.take(0, 12, 8));
    bench.run();
    REQUIRE(bench.sunk.size() == 2);
    CHECK(Bench::isTagged(bench.sunk[0], 0, 12, 4));
    CHECK(Bench::isTagged(bench.sunk[1], 0, 16, 4));
    CHECK(bench.sunk[1].run.first == 4);
    CHECK_FALSE(bench.sunk[0].run.completes);
    CHECK(bench.sunk[1].run.completes);
    CHECK(bench.sent.at(1).op.die == DieId{1});
}

TEST_CASE("buffered sectors are found by the superblock's sector table")
{
    Synthesizing bench;
    bench.putTags(40, 21, 1, 2);
    std::vector<int> table(perSuperblock, -1);
    table[5] = 40;
    bench.putTable(tableAt, table);
    bench.putWords(bufferedAt + 4, std::array<std::uint32_t, 1>{raw(tableAt)});
    CHECK(bench.take(0, 20, 4));
    bench.run();
    REQUIRE(bench.sunk.size() == 1);
    CHECK(Bench::isTagged(bench.sunk[0], 0, 20, 1, 1));
    CHECK(Bench::isTagged(bench.sunk[0], 1, 21, 1, 2));
    CHECK(Bench::isTagged(bench.sunk[0], 2, 22, 2, 1));
}

TEST_CASE("reads of superblocks unmapped or left to firmware are handed back whole when that is known")
{
    Synthesizing bench;
    const Time start = bench.now;
    CHECK(bench.take(4, 28, 8)); // its second half is not mapped
    bench.run();
    bench.putWords(bufferedAt, std::array<std::uint32_t, 1>{0xFFFFFFFF});
    CHECK(bench.take(5, 0, 1));
    bench.run();
    REQUIRE(bench.handedBack.size() == 2);
    CHECK(bench.handedBack[0].first == 4);
    CHECK(bench.handedBack[0].second == start + 4 * Bench::burst(4));
    CHECK(bench.handedBack[1].first == 5);
    CHECK(bench.sunk.empty());
    CHECK(bench.sent.empty());
    CHECK(bench.read(regs::flash::SYNTH_ENDED) == 2);
    CHECK(bench.controller.synthesizer().counters().handedBack == 2);
}

TEST_CASE("a synthesizer that is off, absent, or has no tables for a read takes nothing")
{
    Synthesizing bench;
    CHECK_FALSE(bench.take(0, 63, 2));
    bench.write(regs::flash::SYNTHESIZER, 0);
    CHECK(bench.read(regs::flash::SYNTHESIZER) == regs::flash::SYNTHESIZER_present_mask);
    CHECK_FALSE(bench.take(0, 0, 1));
    FlashControllerConfig config = synthesizing();
    config.hasSynthesizer = false;
    Synthesizing without(config);
    CHECK_FALSE(without.take(0, 0, 1));
    CHECK((without.read(regs::flash::SYNTHESIZER) & regs::flash::SYNTHESIZER_present_mask) == 0);
    config.hasSynthesizer = true;
    config.hasForeground = false;
    CHECK_THROWS_AS(Bench(config), ConfigError);
}

TEST_CASE("a read that fails in flash ends its command with an error, and reads end in order")
{
    Synthesizing bench;
    bench.putWords(blocksAt + 4, std::array<std::uint32_t, 1>{99}); // no such block
    bench.putWords(mapAt, std::array<std::uint32_t, 1>{raw(blocksAt) + 4});
    CHECK(bench.take(6, 0, 4));
    CHECK(bench.take(7, 32, 1)); // handed back while the first is in progress
    bench.run(bench.now + 500ns);
    CHECK(bench.handedBack.size() == 1);
    CHECK(bench.read(regs::flash::SYNTH_ENDED) == 0);
    bench.run();
    REQUIRE(bench.failedReads.size() == 1);
    CHECK(bench.failedReads[0].first == 6);
    CHECK(bench.sunk.empty());
    CHECK(bench.read(regs::flash::SYNTH_ENDED) == 2);
    CHECK(bench.controller.isIdle());
}

TEST_CASE("tables outside control memory leave all reads to firmware")
{
    Synthesizing bench;
    bench.write(regs::flash::SYNTH_MAP, 0x70000000);
    CHECK(bench.take(1, 0, 1));
    bench.run();
    bench.write(regs::flash::SYNTH_MAP, raw(bufferAt(0)));
    CHECK(bench.take(2, 0, 1));
    bench.run();
    CHECK(bench.handedBack.size() == 2);
}
