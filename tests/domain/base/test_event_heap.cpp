// SPDX-License-Identifier: Apache-2.0
#include "models/base/event_heap.h"
#include "models/base/rng.h"
#include "tests/support/catch.h"

#include <memory>

using namespace strobe;
using namespace std::chrono_literals;

TEST_CASE("events come out in order of time, equal times in order of insertion")
{
    EventHeap<int> heap;
    heap.push(2us, 20);
    heap.push(1us, 10);
    heap.push(2us, 21);
    heap.push(1us, 11);
    heap.push(2us, 22);
    std::vector<int> order;
    while (!heap.empty())
        order.push_back(heap.pop());
    CHECK(order == std::vector<int>{10, 11, 20, 21, 22});
}

TEST_CASE("an event is due at its time and not a picosecond before")
{
    EventHeap<int> heap;
    CHECK(heap.nextTime() == never);
    CHECK_FALSE(heap.isDue(never));
    heap.push(3us, 1);
    CHECK(heap.nextTime() == 3us);
    CHECK_FALSE(heap.isDue(3us - picoseconds(1)));
    CHECK(heap.isDue(3us));
    heap.clear();
    CHECK(heap.empty());
}

TEST_CASE("thousands of random events come out sorted and stable")
{
    struct Event {
        Time at;
        int number;
    };
    EventHeap<Event> heap;
    Rng rng(3, "event heap test");
    int pushed = 0;
    int popped = 0;
    Event last{Time{}, -1};
    while (popped < 5000) {
        if (pushed < 5000 && (heap.empty() || rng.chance(0.6))) {
            // never before what has been popped, as in a simulation
            const Event event{last.at + picoseconds(static_cast<std::int64_t>(rng.below(20))), pushed++};
            heap.push(event.at, event);
        } else {
            const Event event = heap.pop();
            REQUIRE((event.at > last.at || (event.at == last.at && event.number > last.number)));
            last = event;
            ++popped;
        }
    }
    CHECK(heap.size() == 0);
}

TEST_CASE("an event may be a value that can only be moved")
{
    EventHeap<std::unique_ptr<int>> heap;
    heap.push(2us, std::make_unique<int>(2));
    heap.push(1us, std::make_unique<int>(1));
    CHECK(*heap.pop() == 1);
    CHECK(*heap.pop() == 2);
    CHECK_THROWS_AS(heap.pop(), InternalError);
}
