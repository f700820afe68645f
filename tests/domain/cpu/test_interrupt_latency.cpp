// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/interrupt_latency.h"
#include "tests/support/catch.h"

using namespace strobe;
using cpu::InterruptLatency;
using cpu::InterruptSource;
using cpu::InterruptTimes;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t hostBit = 1;
constexpr std::uint32_t timerBit = 4;

} // namespace

TEST_CASE("a rise counts once, however often the line interrupts until it falls")
{
    InterruptLatency latency;
    latency.changed(InterruptSource::Host, true, 10us);
    latency.taken(hostBit, 13us, 0x40);
    latency.taken(hostBit, 20us, 0x50);
    latency.changed(InterruptSource::Host, false, 21us);
    CHECK(latency.times().latency.times == 1);
    CHECK(latency.times().latency.longest == 3us);
    CHECK(latency.times().latency.pc == 0x40u);
    CHECK(latency.times().polled == 0);
    latency.changed(InterruptSource::Host, true, 30us);
    latency.taken(hostBit, 31us, 0x60);
    CHECK(latency.times().latency.times == 2);
    CHECK(latency.times().latency.took == 4us);
}

TEST_CASE("a line that falls before it is taken was polled")
{
    InterruptLatency latency;
    latency.changed(InterruptSource::Host, true, 10us);
    latency.changed(InterruptSource::Host, false, 90us);
    latency.taken(hostBit, 95us, {});
    CHECK(latency.times().polled == 1);
    CHECK(latency.times().latency.times == 0);
}

TEST_CASE("lines that are taken together count each, and only those that the CPU takes")
{
    InterruptLatency latency;
    latency.changed(InterruptSource::Host, true, 10us);
    latency.changed(InterruptSource::Flash, true, 11us);
    latency.changed(InterruptSource::Timer, true, 4us);
    latency.taken(hostBit | timerBit, 12us, {});
    CHECK(latency.times().latency.times == 2);
    CHECK(latency.times().latency.longest == 8us);
    CHECK(latency.times().longestOf == InterruptSource::Timer);
    latency.reset();
    latency.taken(0xFF, 31us, {}); // the flash line has waited on
    CHECK(latency.times().latency.longest == 20us);
    CHECK(latency.times().longestOf == InterruptSource::Flash);
}

TEST_CASE("the line of the longest latency comes from the part that has it")
{
    InterruptTimes sum{{1, 5us, 5us, 1us, {}}, InterruptSource::Host, 2};
    CHECK_FALSE(sum.merge({{1, 4us, 4us, 9us, {}}, InterruptSource::Timer, 3}));
    CHECK(sum.longestOf == InterruptSource::Host);
    CHECK(sum.merge({{1, 6us, 6us, 20us, {}}, InterruptSource::Timer, 0}));
    CHECK(sum.longestOf == InterruptSource::Timer);
    CHECK(sum.polled == 5);
    CHECK(sum.latency.times == 3);
}
