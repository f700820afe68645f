// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/time_bridge.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace std::chrono_literals;

TEST_CASE("domain time and kernel time are the same integer of picoseconds")
{
    const test::KernelFixture kernel;
    CHECK(toSc(1us) == sc_core::sc_time(1, sc_core::SC_US));
    CHECK(toSc(picoseconds(19'814)) == sc_core::sc_time(19'814, sc_core::SC_PS));
    for (const Time time : {Time{}, picoseconds(1), Time{std::chrono::hours(24 * 100)}})
        CHECK(fromSc(toSc(time)) == time);
}

TEST_CASE("now is the kernel's time and starts at zero in each context")
{
    for (int round = 0; round < 2; ++round) {
        test::KernelFixture kernel;
        CHECK(now() == 0us);
        kernel.run(3us);
        CHECK(now() == 3us);
    }
}
