// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/controller/dispatcher.h"
#include "tests/domain/controller/two_by_two.h"
#include "tests/support/catch.h"

#include <cstddef>

using namespace strobe;
using namespace strobe::controller;
using strobe::test::operationOn;
using strobe::test::twoByTwo;

TEST_CASE("an operation goes to the channel of its die")
{
    Dispatcher dispatcher(twoByTwo, 2, 4);
    CHECK(dispatcher.issue(UnitId{0}, operationOn(0)) == ChannelId{0});
    CHECK(dispatcher.issue(UnitId{0}, operationOn(1)) == ChannelId{0});
    CHECK(dispatcher.issue(UnitId{1}, operationOn(2)) == ChannelId{1});
}

TEST_CASE("operations in progress are known by unit and by die until they are finished")
{
    Dispatcher dispatcher(twoByTwo, 2, 4);
    dispatcher.issue(UnitId{0}, operationOn(0));
    dispatcher.issue(UnitId{0}, operationOn(2));
    dispatcher.issue(UnitId{1}, operationOn(2));
    CHECK(dispatcher.underWay() == 3);
    CHECK(dispatcher.underWay(UnitId{0}) == 2);
    CHECK(dispatcher.underWay(UnitId{1}) == 1);
    CHECK(dispatcher.underWay(DieId{2}) == 2);
    CHECK(dispatcher.underWay(DieId{1}) == 0);
    dispatcher.finished(UnitId{0}, operationOn(2));
    CHECK(dispatcher.underWay() == 2);
    CHECK(dispatcher.underWay(UnitId{0}) == 1);
    CHECK(dispatcher.underWay(DieId{2}) == 1);
    CHECK(dispatcher.counters().issued == 3);
    CHECK(dispatcher.counters().finished == 1);
    CHECK(dispatcher.counters().maxUnderWay == 3);
}

TEST_CASE("background operations are counted by die and by channel, foreground ones are not among them")
{
    Dispatcher dispatcher(twoByTwo, 2, 4);
    dispatcher.issue(UnitId{0}, operationOn(2));
    dispatcher.issue(UnitId{1}, operationOn(3, nand::Priority::Foreground));
    CHECK(dispatcher.background(DieId{2}) == 1);
    CHECK(dispatcher.background(DieId{3}) == 0);
    CHECK(dispatcher.background(ChannelId{0}) == 0);
    CHECK(dispatcher.background(ChannelId{1}) == 1);
    dispatcher.finished(UnitId{1}, operationOn(3, nand::Priority::Foreground));
    CHECK(dispatcher.background(ChannelId{1}) == 1);
    dispatcher.finished(UnitId{0}, operationOn(2));
    CHECK(dispatcher.background(ChannelId{1}) == 0);
    CHECK(dispatcher.background(DieId{2}) == 0);
}

TEST_CASE("a die is shared if the unit before still has an operation on it")
{
    Dispatcher dispatcher(twoByTwo, 3, 4);
    dispatcher.issue(UnitId{0}, operationOn(1));
    dispatcher.issue(UnitId{0}, operationOn(1)); // the same unit
    CHECK(dispatcher.counters().dieUsedByAnotherUnit == 0);
    dispatcher.issue(UnitId{1}, operationOn(1));
    CHECK(dispatcher.counters().dieUsedByAnotherUnit == 1);
    dispatcher.issue(UnitId{2}, operationOn(0)); // another die
    CHECK(dispatcher.counters().dieUsedByAnotherUnit == 1);
    for (const UnitId unit : {UnitId{0}, UnitId{0}, UnitId{1}})
        dispatcher.finished(unit, operationOn(1));
    dispatcher.issue(UnitId{2}, operationOn(1)); // nothing is in progress on it
    CHECK(dispatcher.counters().dieUsedByAnotherUnit == 1);
}

TEST_CASE("finished operations are counted by purpose and kind")
{
    Dispatcher dispatcher(twoByTwo, 1, 4);
    nand::Operation op = operationOn(0);
    op.opcode = nand::Opcode::Erase;
    op.purpose = nand::Purpose::Metadata;
    dispatcher.issue(UnitId{0}, op);
    const auto count = [&](nand::Purpose purpose, nand::Opcode opcode) {
        return dispatcher.counters()
            .operations.at(static_cast<std::size_t>(purpose))
            .at(static_cast<std::size_t>(opcode));
    };
    CHECK(count(nand::Purpose::Metadata, nand::Opcode::Erase) == 0);
    dispatcher.finished(UnitId{0}, op);
    CHECK(count(nand::Purpose::Metadata, nand::Opcode::Erase) == 1);
    CHECK(count(nand::Purpose::Host, nand::Opcode::Erase) == 0);
    CHECK(count(nand::Purpose::Metadata, nand::Opcode::Read) == 0);
}

TEST_CASE("a reset of the counters leaves operations in progress alone")
{
    Dispatcher dispatcher(twoByTwo, 1, 4);
    dispatcher.issue(UnitId{0}, operationOn(0));
    dispatcher.resetCounters();
    CHECK(dispatcher.counters().issued == 0);
    CHECK(dispatcher.counters().maxUnderWay == 0);
    CHECK(dispatcher.underWay(UnitId{0}) == 1);
    dispatcher.finished(UnitId{0}, operationOn(0));
    CHECK(dispatcher.counters().finished == 1);
}

TEST_CASE("an operation beyond the bound of its unit, or one that was not issued, is an error of the program")
{
    Dispatcher dispatcher(twoByTwo, 2, 1);
    dispatcher.issue(UnitId{0}, operationOn(0));
    CHECK_THROWS_AS(dispatcher.issue(UnitId{0}, operationOn(1)), InternalError);
    CHECK_NOTHROW(dispatcher.issue(UnitId{1}, operationOn(1)));
    CHECK_THROWS_AS(dispatcher.finished(UnitId{0}, operationOn(2)), InternalError);
}
