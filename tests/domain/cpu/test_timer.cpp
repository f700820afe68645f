// SPDX-License-Identifier: Apache-2.0
#include "models/base/strobe_registers.h"
#include "models/cpu/timer.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::regs::timer;
using namespace std::chrono_literals;

namespace {
std::uint32_t readAt(cpu::Timer& timer, std::uint32_t offset, Time now)
{
    std::uint32_t value = 0;
    REQUIRE(timer.read(offset, value, now) == Access::Ok);
    return value;
}
} // namespace

TEST_CASE("the time is read in whole nanoseconds, the high half as latched with the low half")
{
    cpu::Timer timer;
    CHECK(readAt(timer, TIME_LO, picoseconds(1'999)) == 1);
    const Time wrap = (std::int64_t{1} << 32) * Time(1ns);
    CHECK(readAt(timer, TIME_LO, wrap - picoseconds(1)) == 0xFFFFFFFF);
    CHECK(readAt(timer, TIME_HI, wrap) == 0); // the low half wrapped meanwhile; the pair is still consistent
    CHECK(readAt(timer, TIME_LO, wrap) == 0);
    CHECK(readAt(timer, TIME_HI, wrap) == 1);
}

TEST_CASE("the line is asserted from the compare instant on, not a picosecond earlier")
{
    cpu::Timer timer;
    timer.write(CONTROL, 1);
    CHECK_FALSE(timer.isAsserted(never - 1s)); // nothing is armed at reset
    timer.write(COMPARE_LO, 25'000);
    timer.write(COMPARE_HI, 0);
    CHECK(timer.risesAt() == 25us);
    CHECK_FALSE(timer.isAsserted(25us - picoseconds(1)));
    CHECK(timer.isAsserted(25us));
    CHECK(timer.isAsserted(1s));
}

TEST_CASE("a disabled timer asserts nothing, and enabling it late asserts at once")
{
    cpu::Timer timer;
    timer.write(COMPARE_LO, 10);
    timer.write(COMPARE_HI, 0);
    CHECK_FALSE(timer.isAsserted(1us));
    timer.write(CONTROL, 1);
    CHECK(timer.isAsserted(1us));
    timer.write(CONTROL, 0);
    CHECK(timer.risesAt() == never);
}

TEST_CASE("the low half alone has no effect: the compare takes both halves at the write of the high one")
{
    cpu::Timer timer;
    timer.write(CONTROL, 1);
    timer.write(COMPARE_LO, 100);
    timer.write(COMPARE_HI, 0);
    timer.write(COMPARE_LO, 5);
    CHECK(timer.risesAt() == 100ns);
    timer.write(COMPARE_HI, 1);
    CHECK(timer.risesAt() == (std::int64_t{1} << 32) * Time(1ns) + 5ns);
}

TEST_CASE("a compare value beyond the end of time is never reached")
{
    cpu::Timer timer;
    timer.write(CONTROL, 1);
    timer.write(COMPARE_LO, 0);
    timer.write(COMPARE_HI, 0x80000000);
    CHECK(timer.risesAt() == never);
    CHECK_FALSE(timer.isAsserted(never));
}

TEST_CASE("a view shows the time without the latch, and does not latch")
{
    cpu::Timer timer;
    const Time wrap = (std::int64_t{1} << 32) * Time(1ns);
    CHECK(readAt(timer, TIME_LO, 5ns) == 5);
    std::uint32_t value = 0;
    REQUIRE(timer.view(TIME_LO, value, wrap + 7ns) == Access::Ok);
    CHECK(value == 7);
    REQUIRE(timer.view(TIME_HI, value, wrap + 7ns) == Access::Ok);
    CHECK(value == 1);
    CHECK(readAt(timer, TIME_HI, wrap + 7ns) == 0);
    timer.write(COMPARE_LO, 25);
    REQUIRE(timer.view(COMPARE_LO, value, wrap) == Access::Ok);
    CHECK(value == 25);
    CHECK(timer.view(0x800, value, wrap) == Access::Unmapped);
}
