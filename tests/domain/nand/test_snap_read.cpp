// SPDX-License-Identifier: Apache-2.0
//
// Reads of a section of a page, which the array senses faster than the page.
#include "models/nand/snap_read.h"

#include "tests/domain/nand/joined_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

// Pages of four sectors in two sections; LSB and MSB pages.
Part snapPart()
{
    Part part = smallPart();
    part.planeIndependentReads = true;
    part.times.tR = 40us;
    part.pageTypes = {{"LSB", 30us, {}}, {"MSB", 50us, {}}};
    part.snapRead = {1024, 20us};
    return part;
}

Operation sectorsOf(PageAddress target, std::uint32_t first, std::uint32_t sectors, Form form = Form::Alone)
{
    Operation op = in(form, make(Opcode::Read, target));
    op.firstSector = first;
    op.sectors = sectors;
    return op;
}

} // namespace

TEST_CASE("a read in one section is a snap read, one that touches two is not")
{
    const Part part = snapPart();
    for (const auto& [first, sectors, isSnap] :
         {std::tuple(0U, 1U, true), std::tuple(0U, 2U, true), std::tuple(2U, 2U, true), std::tuple(3U, 1U, true),
          std::tuple(1U, 2U, false), std::tuple(0U, 4U, false)}) {
        CAPTURE(first, sectors);
        CHECK(isSnapRead(part, sectorsOf({2, 0}, first, sectors)) == isSnap);
    }
}

TEST_CASE("a snap read takes its share of the time of the page type")
{
    const Part part = snapPart();
    Die die(DieId{0}, part, 0, Rng(1, "die"));
    Operation lsb = sectorsOf({2, 0}, 0, 2);
    CHECK(die.issue(lsb, 0us) == 15us); // half of 30 us, as 20 us is of the 40 us of the part
    Operation msb = sectorsOf({2, 1}, 2, 1, Form::PlaneRead);
    CHECK(die.issue(msb, 100us) == 125us);
    Operation whole = sectorsOf({2, 1}, 0, 4);
    CHECK(die.issue(whole, 200us) == 250us);
    CHECK(die.counters().snapReads.reads == 2);
    CHECK(die.counters().array.reads == 3);
    CHECK(die.counters().array.arrayBusy == 15us + 25us + 50us);
}

TEST_CASE("planes of one command, cache reads, soft reads and reads in pSLC mode sense whole pages")
{
    const Part part = snapPart();
    for (const Form form : {Form::Plane, Form::LastPlane, Form::Cache, Form::Sense})
        CHECK_FALSE(isSnapRead(part, sectorsOf({2, 0}, 0, 1, form)));
    Operation op = sectorsOf({2, 0}, 0, 1);
    op.senses = 3;
    CHECK_FALSE(isSnapRead(part, op));
    op = sectorsOf({2, 0}, 0, 1);
    op.pslc = true;
    CHECK_FALSE(isSnapRead(part, op));
    CHECK_FALSE(isSnapRead(part, make(Opcode::Program, {2, 0})));
    CHECK_FALSE(isSnapRead(smallPart(), sectorsOf({2, 0}, 0, 1)));
}
