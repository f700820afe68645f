// SPDX-License-Identifier: Apache-2.0
#include "models/base/interrupt_output.h"
#include "tests/support/catch.h"

#include <utility>
#include <vector>

using namespace strobe;
using namespace std::chrono_literals;

TEST_CASE("an interrupt output reports changes only, in order of time")
{
    InterruptOutput line;
    std::vector<std::pair<bool, Time>> changes;
    line.set(true, 1us); // without a listener
    line.onChange([&](bool asserted, Time at) { changes.emplace_back(asserted, at); });
    line.set(true, 2us);
    CHECK(changes.empty());
    line.set(false, 5us);
    line.set(true, 4us); // the fall is still in the future
    CHECK(line.isHigh());
    CHECK(line.changedAt() == 5us);
    line.set(false, 6us);
    CHECK(changes == std::vector<std::pair<bool, Time>>{{false, 5us}, {true, 5us}, {false, 6us}});
}
