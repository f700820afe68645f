// SPDX-License-Identifier: Apache-2.0
#include "models/base/ring_queue.h"
#include "tests/support/catch.h"

using namespace strobe;

TEST_CASE("an element that moves up passes those before it, also where the ring wraps around")
{
    for (int turn = 0; turn < 16; ++turn) {
        RingQueue<int> queue;
        for (int i = 0; i < turn; ++i) { // the head is at every place of the ring once
            queue.push(0);
            queue.pop();
        }
        for (int i = 0; i < 12; ++i)
            queue.push(i);
        queue.moveUp(9, 2);
        queue.moveUp(0, 0);
        std::vector<int> order;
        while (!queue.empty())
            order.push_back(queue.pop());
        CHECK(order == std::vector<int>{0, 1, 9, 2, 3, 4, 5, 6, 7, 8, 10, 11});
    }
}

TEST_CASE("moving an element that is not there is a bug")
{
    RingQueue<int> queue;
    queue.push(1);
    CHECK_THROWS(queue.moveUp(1, 0));
    CHECK_THROWS(queue.moveUp(0, 1));
}
