// SPDX-License-Identifier: Apache-2.0
//
// The pool of superblocks: which free one is taken next, against the plain rule; replaced blocks.
#include "tests/firmware/ftl/superblock_map/policy_bench.h"
#include "tests/support/catch.h"

#include <vector>

namespace {

// One group of 40 superblocks on one die.
class Pool {
public:
    explicit Pool(bool leastWornFirst) : members_(count), heap_(count), superblocks_(count)
    {
        layout_.bus = layout_.chip = layout_.positions = layout_.dies = layout_.planes = layout_.pages = 1;
        layout_.page_sectors = 4;
        layout_complete(&layout_, count, 0);
        list_ = {members_.data(), heap_.data(), 0};
        all.layout = &layout_;
        all.reads = &reads;
        all.superblock = superblocks_.data();
        all.free = &list_;
        all.least_worn_first = leastWornFirst;
        for (std::uint32_t number = 0; number < count; ++number)
            superblocks_release(&all, number);
    }

    // The rule: of the free ones without reads the least worn, or without wear levelling the one that is free longest.
    std::uint32_t expected() const
    {
        std::uint32_t best = NONE;
        for (std::uint32_t number = 0; number < count; ++number) {
            const superblock& s = superblocks_[number];
            if (s.state != SUPERBLOCK_FREE || static_cast<std::int32_t>(reads.ended - s.fence.read) < 0)
                continue;
            const bool isLessWorn = best != NONE && s.erases < superblocks_[best].erases;
            const bool isWorn = best != NONE && s.erases > superblocks_[best].erases;
            const bool isOlder = best == NONE || s.freed_at < superblocks_[best].freed_at;
            if (all.least_worn_first ? isLessWorn || (!isWorn && isOlder) : isOlder)
                best = number;
        }
        return best;
    }

    static constexpr std::uint32_t count = 40;
    superblocks all{};
    read_progress reads{};

private:
    layout layout_{};
    free_list list_{};
    std::vector<std::uint32_t> members_, heap_;
    std::vector<superblock> superblocks_;
};

} // namespace

TEST_CASE("superblocks: the pool follows the rule while superblocks are read, taken, freed and worn")
{
    for (const bool leastWornFirst : {true, false}) {
        Pool pool(leastWornFirst);
        std::uint32_t state = 7;
        const auto draw = [&state](std::uint32_t limit) {
            state = state * 1664525 + 1013904223;
            return (state >> 8) % limit;
        };
        std::vector<std::uint32_t> taken;
        std::uint32_t found = 0;
        for (int step = 0; step < 20'000; ++step) {
            switch (draw(5)) {
            case 0:
            case 1: {
                const std::uint32_t wanted = pool.expected();
                REQUIRE(superblocks_take(&pool.all, 0) == wanted);
                if (wanted != NONE) {
                    ++found;
                    pool.all.superblock[wanted].erases += 1 + draw(3);
                    taken.push_back(wanted);
                }
                break;
            }
            case 2:
                if (!taken.empty()) {
                    std::swap(taken[draw(static_cast<std::uint32_t>(taken.size()))], taken.back());
                    superblocks_release(&pool.all, taken.back());
                    taken.pop_back();
                }
                break;
            case 3: // a given one
                if (const std::uint32_t number = draw(Pool::count);
                    pool.all.superblock[number].state == SUPERBLOCK_FREE) {
                    superblocks_take_this(&pool.all, number);
                    taken.push_back(number);
                }
                break;
            default: // reads begin and end
                pool.reads.begun += draw(3);
                pool.reads.ended += draw(pool.reads.begun - pool.reads.ended + 1);
            }
        }
        CHECK(found > 1000);
    }
}

using strobe::test::PolicyBench;

TEST_CASE(
    "superblocks: a failed block is replaced by the lowest spare of its die; without a spare the superblock is lost")
{
    PolicyBench bench;
    superblocks& all = bench.sbm.superblocks;
    const std::uint32_t number = bench.map(1);
    const std::uint32_t usable = all.usable[1];
    const std::uint32_t other = all.blocks[number * 2];
    CHECK(superblocks_replace(&all, number, 1));
    CHECK(all.blocks[number * 2 + 1] == 26); // the first block after the superblocks
    CHECK(superblocks_replace(&all, number, 1));
    CHECK(all.blocks[number * 2 + 1] == 27);
    CHECK(all.blocks[number * 2] == other);
    CHECK(all.usable[1] == usable);
    CHECK_FALSE(superblocks_replace(&all, number, 1));
    CHECK(all.superblock[number].state == SUPERBLOCK_UNUSABLE);
    CHECK(all.usable[1] == usable - 1);
    REQUIRE(all.replacements == 3);
    CHECK(all.replaced[0].superblock == number);
    CHECK(all.replaced[0].chip_and_block == (1U << 24U | 26U));
    CHECK(all.replaced[2].chip_and_block == (1U << 24U | SUPERBLOCK_DROPPED));
}

TEST_CASE("superblocks: recorded replacements, applied to a new pool, give the same blocks")
{
    PolicyBench before;
    PolicyBench after;
    superblocks& old = before.sbm.superblocks;
    const std::uint32_t number = superblocks_take(&old, 0);
    for (int i = 0; i < 3; ++i)
        superblocks_replace(&old, number, 0);
    for (std::uint32_t i = 0; i < old.replacements; ++i)
        superblocks_replace_again(&after.sbm.superblocks, old.replaced[i]);
    CHECK(after.sbm.superblocks.blocks[number * 2] == old.blocks[number * 2]);
    CHECK(after.sbm.superblocks.superblock[number].state == SUPERBLOCK_UNUSABLE);
    CHECK(after.sbm.superblocks.usable[0] == old.usable[0]);
    CHECK_FALSE(superblocks_replace(&after.sbm.superblocks, superblocks_take(&after.sbm.superblocks, 0), 0));
}

TEST_CASE("superblocks: a superblock that reads may use is taken only after they have ended")
{
    PolicyBench bench;
    superblocks& all = bench.sbm.superblocks;
    std::uint32_t last = NONE;
    while (all.free[1].count != 0)
        last = superblocks_take(&all, 1);
    bench.sbm.read_progress.begun = 1;
    superblocks_release(&all, last);
    CHECK(superblocks_take(&all, 1) == NONE);
    bench.sbm.read_progress.ended = 1;
    CHECK(superblocks_take(&all, 1) == last);
    CHECK(all.superblock[last].state == SUPERBLOCK_TARGET);
}
