// SPDX-License-Identifier: Apache-2.0
#include "models/nand/die_counters.h"
#include "tests/support/catch.h"

using namespace strobe::nand;

namespace {

Part partWithEnergy()
{
    Part part;
    part.energy.readJoule = 1;
    part.energy.programJoule = 10;
    part.energy.eraseJoule = 100;
    part.pslc.programJoule = 4;
    return part;
}

} // namespace

TEST_CASE("a copy-back takes the energy of a read and a program")
{
    DieCounterSet counters;
    counters.countRead(false);
    counters.countProgram(false);
    counters.countCopyBack(false);
    counters.countErase(false);
    const ArrayEnergy energy = arrayEnergy(partWithEnergy(), counters.array, counters.pslc);
    CHECK(energy.reads == 2);
    CHECK(energy.programs == 20);
    CHECK(energy.erases == 100);
}

TEST_CASE("operations in pSLC mode count both ways and have energies of their own, if the part gives them")
{
    DieCounterSet counters;
    counters.countProgram(false);
    counters.countProgram(true);
    counters.countRead(true);
    CHECK(counters.array.programs == 2);
    CHECK(counters.pslc.programs == 1);
    const ArrayEnergy energy = arrayEnergy(partWithEnergy(), counters.array, counters.pslc);
    CHECK(energy.programs == 14);
    CHECK(energy.reads == 1); // none of its own
}

TEST_CASE("array time that will not pass is taken back, at most what was counted")
{
    DieCounterSet counters;
    counters.array.arrayBusy = strobe::picoseconds(100);
    counters.takeBackBusy(strobe::picoseconds(30));
    CHECK(counters.array.arrayBusy == strobe::picoseconds(70));
    counters.takeBackBusy(strobe::picoseconds(300));
    CHECK(counters.array.arrayBusy == strobe::Time{});
}
