// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_order.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

namespace {

TraceRecord recordAt(Time at, std::uint64_t offset)
{
    TraceRecord record;
    record.at = at;
    record.offset = offset;
    return record;
}

} // namespace

TEST_CASE("records come in the order of their times, equal ones in that of the file")
{
    TraceOrder order;
    order.add(recordAt(3us, 0));
    order.add(recordAt(1us, 1));
    order.add(recordAt(3us, 2));
    order.add(recordAt(2us, 3));
    order.add(recordAt(1us, 4));
    CHECK(order.reordered() == 3);
    for (const std::uint64_t offset : {1U, 4U, 3U, 0U, 2U})
        CHECK(order.take().offset == offset);
    CHECK(order.isEmpty());
}

TEST_CASE("sorted records are not counted as reordered")
{
    TraceOrder order;
    for (std::uint64_t i = 0; i < 100; ++i)
        order.add(recordAt(1us * (i / 2), i));
    CHECK(order.reordered() == 0);
    for (std::uint64_t i = 0; i < 100; ++i)
        CHECK(order.take().offset == i);
}

TEST_CASE("the window bounds the number of records")
{
    TraceOrder order;
    for (std::size_t i = 0; i < TraceOrder::window; ++i) {
        CHECK_FALSE(order.isFull());
        order.add(recordAt(1us * (i % 7), i));
    }
    CHECK(order.isFull());
}
