// SPDX-License-Identifier: Apache-2.0
#include "models/controller/prioritized_forwarder.h"
#include "tests/domain/controller/two_by_two.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::controller;
using strobe::test::operationOn;
using strobe::test::twoByTwo;

namespace {

// Units 0 and 1 are background units, unit 2 is the foreground unit.
struct Forwarding {
    void send(std::uint16_t die)
    {
        const nand::Operation op = operationOn(die, forwarder.priorityOf(UnitId{2}));
        forwarder.note(dispatcher, twoByTwo, op);
        dispatcher.issue(UnitId{2}, op);
    }

    Dispatcher dispatcher{twoByTwo, 3, 4};
    PrioritizedForwarder forwarder{2, true};
};

} // namespace

TEST_CASE("operations of foreground units have priority, those of background units have none")
{
    const PrioritizedForwarder forwarder(2, true);
    CHECK(forwarder.priorityOf(UnitId{0}) == nand::Priority::Background);
    CHECK(forwarder.priorityOf(UnitId{1}) == nand::Priority::Background);
    CHECK(forwarder.priorityOf(UnitId{2}) == nand::Priority::Foreground);
    CHECK(forwarder.priorityOf(UnitId{3}) == nand::Priority::Foreground);
}

TEST_CASE("without priority all operations are equal")
{
    const PrioritizedForwarder forwarder(2, false);
    CHECK(forwarder.priorityOf(UnitId{1}) == nand::Priority::Background);
    CHECK(forwarder.priorityOf(UnitId{2}) == nand::Priority::Background);
}

TEST_CASE("a foreground operation waits for a background operation of its chip, and passes those of its bus")
{
    Forwarding bench;
    bench.dispatcher.issue(UnitId{0}, operationOn(0));
    bench.send(0); // its chip
    CHECK(bench.forwarder.counters().atOperation == 1);
    CHECK(bench.forwarder.counters().atPrimitive == 0);
    bench.send(1); // its bus
    CHECK(bench.forwarder.counters().atOperation == 1);
    CHECK(bench.forwarder.counters().atPrimitive == 1);
    bench.send(2); // another bus
    CHECK(bench.forwarder.counters().atOperation == 1);
    CHECK(bench.forwarder.counters().atPrimitive == 1);
    CHECK(bench.forwarder.counters().operations == 3);
}

TEST_CASE("foreground operations and finished background operations delay nothing")
{
    Forwarding bench;
    bench.send(0);
    bench.send(0);
    bench.dispatcher.issue(UnitId{0}, operationOn(0));
    bench.dispatcher.finished(UnitId{0}, operationOn(0));
    bench.send(0);
    CHECK(bench.forwarder.counters().operations == 3);
    CHECK(bench.forwarder.counters().atOperation == 0);
    CHECK(bench.forwarder.counters().atPrimitive == 0);
}

TEST_CASE("a reset sets the counters of the forwarder to zero")
{
    Forwarding bench;
    bench.dispatcher.issue(UnitId{0}, operationOn(0));
    bench.send(0);
    bench.forwarder.resetCounters();
    CHECK(bench.forwarder.counters().operations == 0);
    CHECK(bench.forwarder.counters().atOperation == 0);
}
