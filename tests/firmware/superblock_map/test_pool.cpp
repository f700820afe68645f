// SPDX-License-Identifier: Apache-2.0
//
// The pool of free superblocks alone: which one is taken next, against the plain rule.
#include "tests/firmware/superblock_map/superblock_headers.h"
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

    // The rule: of those that are free and that nobody reads the least worn, else the one that is free the longest.
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

TEST_CASE("the pool gives what the rule says, whatever is read, taken, freed and worn meanwhile")
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
            case 3: // a certain one
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
