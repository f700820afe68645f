// SPDX-License-Identifier: Apache-2.0
//
// The array's state machine alone: times, status byte, suspension and what a power loss catches.
#include "models/nand/array_state.h"
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

constexpr std::uint8_t idle = statusNotProtected | statusReady | statusArrayReady;

void program(ArrayState& array, PageAddress target, Time now, Time busy = 200us, Time after = {})
{
    array.beginCommand(now);
    array.beginChange();
    array.enter(Opcode::Program, target, now, busy, after, Time{});
}

bool isCut(const ArrayState::Cut& cut, PageAddress target, bool hasBegun)
{
    return cut.target == target && cut.hasBegun == hasBegun;
}

} // namespace

TEST_CASE("the array is busy until R/B# rises, one tick before and not one tick longer")
{
    ArrayState array(2);
    CHECK(array.statusByte(0us) == idle);
    program(array, {1, 0}, 10us);
    CHECK(array.readyAt() == 210us);
    CHECK_FALSE(array.isReady(210us - picoseconds(1)));
    CHECK(array.statusByte(210us - picoseconds(1)) == statusNotProtected);
    CHECK(array.isReady(210us));
    CHECK(array.statusByte(210us) == idle);
}

TEST_CASE("after a cache form R/B# is high while the array works, and the next command starts when it is free")
{
    ArrayState array(2);
    program(array, {1, 0}, 0us, 3us, 200us);
    CHECK(array.readyAt() == 3us);
    CHECK(array.freeAt() == 203us);
    CHECK(array.statusByte(3us) == (statusNotProtected | statusReady));
    program(array, {1, 1}, 50us, 3us, 200us);
    CHECK(array.readyAt() == 206us);
    CHECK(array.freeAt() == 406us);
}

TEST_CASE("a failure is in the FAIL bit, and in FAILC while the next program of a cache sequence follows")
{
    ArrayState array(2);
    program(array, {1, 0}, 0us, 3us, 200us);
    array.noteFailure();
    CHECK(array.statusByte(300us) == (idle | statusFail));
    program(array, {1, 1}, 50us, 3us, 200us);
    CHECK(array.statusByte(500us) == (idle | statusFailBefore));
    program(array, {1, 2}, 1000us);
    CHECK(array.statusByte(2000us) == idle);
}

TEST_CASE("the outcome of a multi-plane command is one for all planes")
{
    ArrayState array(2);
    program(array, {0, 0}, 0us, 1us);
    array.noteFailure();
    array.setGroupOpen(true);
    array.latch({0, 0});
    array.beginChange(); // second plane
    array.setGroupOpen(false);
    array.enter(Opcode::Program, {1, 0}, 1us, 200us, {}, {});
    CHECK(array.statusByte(300us) == (idle | statusFail));
}

TEST_CASE("a program is suspended with the time that is left, and resumed with that")
{
    ArrayState array(2);
    program(array, {1, 0}, 0us);
    CHECK_FALSE(array.maySuspend(Opcode::Erase, 50us, 1));
    CHECK_FALSE(array.maySuspend(Opcode::Program, 200us, 1));
    CHECK_FALSE(array.maySuspend(Opcode::Program, 50us, 0));
    REQUIRE(array.maySuspend(Opcode::Program, 50us, 1));
    CHECK(array.suspend({1, 0}, 50us, 20us) == 150us);
    CHECK(array.isSuspended());
    CHECK(array.touchesSuspended(1));
    CHECK_FALSE(array.touchesSuspended(2));
    CHECK_FALSE(array.mayResume(Opcode::Program, 69us));
    REQUIRE(array.mayResume(Opcode::Program, 70us));
    CHECK(array.resume(100us, 5us) == 150us);
    CHECK(array.readyAt() == 255us);
    CHECK_FALSE(array.maySuspend(Opcode::Program, 120us, 1)); // once was allowed
    program(array, {1, 1}, 300us);
    CHECK(array.maySuspend(Opcode::Program, 301us, 1));
}

TEST_CASE("a reset stops all planes; a reset of a reset stops nothing")
{
    ArrayState array(2);
    program(array, {0, 0}, 0us, 1us);
    array.setGroupOpen(true);
    array.latch({0, 0});
    array.enter(Opcode::Program, {1, 0}, 1us, 200us, {}, {});
    const std::vector<PageAddress> stopped = array.stop(50us);
    REQUIRE(stopped.size() == 2);
    CHECK(stopped[0] == PageAddress{0, 0});
    CHECK(stopped[1] == PageAddress{1, 0});
    CHECK_FALSE(array.isGroupOpen());
    CHECK(array.isFree(50us));
    array.enter(Opcode::Reset, {}, 50us, 10us, {}, {});
    CHECK(array.stop(55us).empty());
}

TEST_CASE("a power loss catches a program as not begun, begun or finished")
{
    const Part part = smallPart();
    const auto cutAt = [&](Time at) {
        ArrayState array(2);
        array.beginCommand(100us);
        array.beginChange();
        array.enter(Opcode::CopyBack, {1, 0}, 100us, part.times.tR + part.times.tPROG, {}, {});
        const auto cuts = array.powerOff(at, part, false);
        CHECK(array.isReady(Time{})); // as new
        return cuts;
    };
    const Time changes = 100us + part.times.tR; // a copy-back reads first
    REQUIRE(cutAt(99us).size() == 1);
    CHECK(isCut(cutAt(99us)[0], {1, 0}, false));
    CHECK(isCut(cutAt(changes - picoseconds(1))[0], {1, 0}, false));
    CHECK(isCut(cutAt(changes)[0], {1, 0}, true));
    CHECK(cutAt(changes + part.times.tPROG).empty());
}

TEST_CASE("a power loss catches a suspended operation as begun and latched planes as not begun")
{
    const Part part = smallPart();
    ArrayState suspended(2);
    program(suspended, {1, 0}, 0us);
    suspended.suspend({1, 0}, 50us, 20us);
    const auto one = suspended.powerOff(60us, part, false);
    REQUIRE(one.size() == 1);
    CHECK(isCut(one[0], {1, 0}, true));
    CHECK_FALSE(suspended.isSuspended());

    ArrayState latched(2);
    program(latched, {1, 0}, 0us, 1us);
    latched.setGroupOpen(true);
    latched.latch({1, 0});
    const auto two = latched.powerOff(10us, part, false);
    REQUIRE(two.size() == 1);
    CHECK(isCut(two[0], {1, 0}, false));

    ArrayState reads(2);
    reads.beginCommand(0us);
    reads.enter(Opcode::Read, {1, 0}, 0us, 1us, {}, {});
    reads.setGroupOpen(true);
    reads.latch({1, 0});
    CHECK(reads.powerOff(10us, part, false).empty());
}

TEST_CASE("planes are latched while the array executes the command before, and a power loss tells the two apart")
{
    const Part part = smallPart();
    ArrayState array(2);
    array.beginCommand(0us);
    array.setGroupOpen(true);
    array.latch({0, 0});
    CHECK(array.enterLatch(Opcode::Program, {0, 0}, 0us, 1us, {}, false) == 1us);
    CHECK_FALSE(array.follows());
    array.setGroupOpen(false);
    array.enter(Opcode::Program, {1, 0}, 1us, 3us, part.times.tPROG, {}); // 15h
    const Time firstEnd = array.freeAt();
    array.beginCommand(10us);
    array.setGroupOpen(true);
    array.latch({0, 1});
    CHECK(array.enterLatch(Opcode::Program, {0, 1}, 10us, 1us, {}, false) == 0us); // the array works on
    CHECK(array.readyAt() == 11us);
    CHECK(array.freeAt() == firstEnd);
    CHECK(array.follows());
    CHECK(array.pagesBefore() == std::vector<PageAddress>{{0, 0}, {1, 0}});
    CHECK(array.latched() == std::vector<PageAddress>{{0, 1}});
    SECTION("the second command is latched")
    {
        const auto cuts = array.powerOff(firstEnd - picoseconds(1), part, false);
        REQUIRE(cuts.size() == 3);
        CHECK(isCut(cuts[0], {0, 1}, false));
        CHECK(isCut(cuts[1], {0, 0}, true));
        CHECK(isCut(cuts[2], {1, 0}, true));
    }
    SECTION("the first command is over")
    {
        CHECK(array.powerOff(firstEnd, part, false).size() == 1);
    }
    SECTION("both are in the die")
    {
        array.setGroupOpen(false);
        array.enter(Opcode::Program, {1, 1}, 11us, 3us, part.times.tPROG, {});
        const auto cuts = array.powerOff(firstEnd - picoseconds(1), part, false);
        REQUIRE(cuts.size() == 4);
        CHECK(isCut(cuts[0], {0, 1}, false));
        CHECK(isCut(cuts[1], {1, 1}, false));
        CHECK(isCut(cuts[2], {0, 0}, true));
        CHECK(isCut(cuts[3], {1, 0}, true));
    }
    SECTION("a reset stops both")
    {
        CHECK(array.stop(20us).size() == 4); // the page that was latched last is listed twice
    }
    SECTION("a reset does not touch what is finished")
    {
        array.setGroupOpen(false);
        array.enter(Opcode::Program, {1, 1}, 11us, 3us, part.times.tPROG, {});
        CHECK(array.stop(firstEnd) == std::vector<PageAddress>{{0, 1}, {1, 1}});
    }
}
