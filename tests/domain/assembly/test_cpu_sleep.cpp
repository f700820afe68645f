// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/cpu_sleep.h"
#include "platform/assembly/near_search.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

TEST_CASE("cores sleep together only while all do")
{
    CpuSleep sleep(2);
    const CpuSleep::Mark near = sleep.mark();
    sleep.fellAsleep(0, 10us);
    sleep.fellAsleep(1, 20us);
    CHECK(sleep.firstSleep(0us, 100us, near) == 20us);
    sleep.wokeUp(0, 30us);
    sleep.fellAsleep(0, 40us);
    CHECK(sleep.firstSleep(31us, 100us, near) == 40us);
    CHECK(sleep.lastWakeUp(0us, 35us, near) == 30us);
    CHECK(sleep.lastWakeUp(0us, 50us, near) == 50us);
    CHECK(sleep.firstSleep(0us, 15us, near) == never);
}

TEST_CASE("sleep of one core is found among many")
{
    CpuSleep sleep(1);
    for (int i = 0; i < 1000; ++i) {
        sleep.fellAsleep(0, 10us * i);
        sleep.wokeUp(0, 10us * i + 5us);
    }
    for (const CpuSleep::Mark near :
         {CpuSleep::Mark{}, sleep.mark(), CpuSleep::Mark{400}, CpuSleep::Mark{UINT32_MAX}}) {
        CHECK(sleep.firstSleep(3us, 100us, near) == 3us);
        CHECK(sleep.firstSleep(6us, 100us, near) == 10us);
        CHECK(sleep.firstSleep(4006us, 4009us, near) == never);
        CHECK(sleep.lastWakeUp(0us, 4008us, near) == 4005us);
        CHECK(sleep.lastWakeUp(4006us, 4009us, near) == 4006us);
        CHECK(sleep.lastWakeUp(0us, 4003us, near) == 4003us);
    }
    sleep.fellAsleep(0, 20ms);
    sleep.wokeUp(0, 20ms); // no sleep
    CHECK(sleep.firstSleep(15ms, 30ms, sleep.mark()) == never);
}

TEST_CASE("a core counts as asleep before the first of its sleeps that is still kept")
{
    constexpr int sleeps = 40'000;
    CpuSleep sleep(1);
    for (int i = 0; i < sleeps; ++i) {
        sleep.fellAsleep(0, 10us * i);
        sleep.wokeUp(0, 10us * i + 9us);
    }
    CHECK(sleep.firstSleep(5us, 400ms, sleep.mark()) == 5us);
    CHECK(sleep.lastWakeUp(5us, 99us, sleep.mark()) == 99us);
    CHECK(sleep.firstSleep(399'999us, 500ms, sleep.mark()) == never); // none is lost at this end
    CpuSleep few(1);
    few.fellAsleep(0, 10us);
    few.wokeUp(0, 20us);
    CHECK(few.firstSleep(5us, 100us, few.mark()) == 10us); // it was awake before
    CHECK(few.lastWakeUp(2us, 8us, few.mark()) == 2us);
}

TEST_CASE("a search finds the first later one from wherever it begins, also outside the sequence")
{
    constexpr int low = 10;
    for (int high = low; high < low + 20; ++high) {
        for (int first = low; first <= high; ++first) {
            for (int near = 0; near < high + 12; ++near)
                REQUIRE(firstLater(low, high, near, [first](int index) { return index >= first; }) == first);
        }
    }
}
