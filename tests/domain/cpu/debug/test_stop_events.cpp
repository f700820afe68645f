// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/stop_events.h"
#include "tests/support/catch.h"

using strobe::cpu::StopEvent;
using strobe::cpu::StopEvents;

TEST_CASE("a debugger stops on all events at first, and then on those of the list")
{
    StopEvents events;
    CHECK(events.choose("") == "the debugger stops on: trap panic stall misuse mismatch power-loss\n");
    CHECK(events.has(StopEvent::Mismatch));
    CHECK(events.choose("panic,trap") == "the debugger stops on: trap panic\n");
    CHECK(events.has(StopEvent::Trap));
    CHECK_FALSE(events.has(StopEvent::Mismatch));
    CHECK(events.choose("none") == "the debugger stops on: nothing but breakpoints\n");
    CHECK_FALSE(events.has(StopEvent::Trap));
    events.choose("all");
    CHECK(events.has(StopEvent::PowerLoss));
}

TEST_CASE("a list with an unknown event is refused with the known ones, and changes nothing")
{
    StopEvents events;
    CHECK(events.choose("trap,tarp") ==
          "there is no event \"tarp\"; there are trap, panic, stall, misuse, mismatch, power-loss, and instead of a "
          "list, separated by commas: all, none\n");
    CHECK(events.has(StopEvent::Panic));
}
