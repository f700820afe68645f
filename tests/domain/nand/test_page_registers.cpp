// SPDX-License-Identifier: Apache-2.0
#include "models/nand/page_registers.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::nand;
using State = PageRegisters::State;

namespace {
const DieGeometry twoPlanes{2, 4, 4, 2048, 64};
}

TEST_CASE("each plane has its own page register")
{
    PageRegisters registers(twoPlanes);
    CHECK(registers.stateOf({0, 0}) == State::Free);
    registers.load({0, 1});
    registers.load({1, 2});
    CHECK(registers.isLoaded({0, 1}));
    CHECK(registers.isLoaded({1, 2}));
    registers.load({2, 3}); // of plane 0 again
    CHECK(registers.stateOf({0, 1}) == State::Free);
    CHECK(registers.stateOf({2, 3}) == State::Loaded);
    registers.free({0, 0}); // plane 0, whatever it holds
    CHECK(registers.stateOf({2, 3}) == State::Free);
    CHECK(registers.stateOf({1, 2}) == State::Loaded);
}

TEST_CASE("a page in the cache register can be fetched, but it is not in its plane's page register")
{
    PageRegisters registers(twoPlanes);
    registers.load({0, 1});
    registers.moveToCache({0, 1});
    registers.load({0, 2});
    CHECK(registers.stateOf({0, 1}) == State::Loaded);
    CHECK_FALSE(registers.isLoaded({0, 1}));
    CHECK(registers.isLoaded({0, 2}));
    registers.freePlanes();
    CHECK(registers.stateOf({0, 2}) == State::Free);
    CHECK(registers.stateOf({0, 1}) == State::Loaded);
    registers.freeAll();
    CHECK(registers.stateOf({0, 1}) == State::Free);
}

TEST_CASE("a read of dead flash leaves a register without contents, which is loaded nevertheless")
{
    PageRegisters registers(twoPlanes);
    registers.load({3, 0});
    registers.lose({3, 0});
    CHECK(registers.stateOf({3, 0}) == State::Lost);
    CHECK(registers.isLoaded({3, 0}));
}

TEST_CASE("an aborted read leaves its register aborted, which is not loaded")
{
    PageRegisters registers(twoPlanes);
    registers.load({3, 0});
    registers.abort({3, 0});
    CHECK(registers.stateOf({3, 0}) == State::Aborted);
    CHECK_FALSE(registers.isLoaded({3, 0}));
}
