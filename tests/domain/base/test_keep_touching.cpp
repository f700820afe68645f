// SPDX-License-Identifier: Apache-2.0
#include "models/base/keep_touching.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace std::chrono_literals;

namespace {

struct Item {
    Time start;
    Time end;
};

// What is left of `count` items, each a microsecond after the one before and 1.5 us long.
std::vector<Item> kept(int count, Time from, Time until)
{
    std::vector<Item> items;
    for (int i = 0; i < count; ++i)
        items.push_back({1us * i, 1us * i + 1500ns});
    keepTouching(
        items, [](const Item& item) { return item.start; }, [](const Item& item) { return item.end; },
        [from, until](Time start, Time end) { return end > from && start < until; });
    return items;
}

} // namespace

TEST_CASE("items that touch the span are kept in their order, whichever block they are in")
{
    for (const auto& [from, until] :
         {std::pair<Time, Time>{10us, 12us}, {1023us, 1026us}, {1500us, 4000us}, {0us, 1us}}) {
        std::size_t expected = 0;
        for (int i = 0; i < 5000; ++i)
            expected += 1us * i + 1500ns > from && 1us * i < until ? 1U : 0U;
        const std::vector<Item> items = kept(5000, from, until);
        REQUIRE(items.size() == expected);
        Time before = -1us;
        bool isRight = true;
        for (const Item& item : items) {
            isRight = isRight && item.end > from && item.start < until && item.start > before;
            before = item.start;
        }
        CHECK(isRight);
    }
}

TEST_CASE("nothing is kept of an empty list, nor outside the span")
{
    CHECK(kept(0, 0us, 1s).empty());
    CHECK(kept(3000, 4s, 5s).empty());
    CHECK(kept(3000, 0us, 5s).size() == 3000);
}
