// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/calendar.h"
#include "tests/modules/guest/guest_peer.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;
using guest::Calendar;
using guest::ProtocolError;

namespace {

struct Message {
    std::uint32_t operation;
    std::uint32_t sequence;
    std::uint64_t time;
};
enum : std::uint32_t { acknowledge, start, request, wait, getTime, update, runNow, freeUntil, timeOfDay };

struct Kernel {
    Pair pair{"calendar"};
    Calendar calendar{1'000'000};

    // Sends, and returns the time in the acknowledgement.
    std::uint64_t ask(std::uint32_t operation, std::uint64_t time = 0, std::uint64_t now = 0)
    {
        pair.send(Message{operation, ++sequence, time});
        CHECK(calendar.serve(pair.served, now));
        const auto answer = pair.receive<Message>();
        CHECK(answer.operation == acknowledge);
        CHECK(answer.sequence == sequence);
        return answer.time;
    }
    std::string refusal(std::uint32_t operation, std::uint64_t time = 0, std::uint64_t now = 0)
    {
        pair.send(Message{operation, ++sequence, time});
        try {
            calendar.serve(pair.served, now);
        } catch (const ProtocolError& error) {
            return error.what();
        }
        return "";
    }
    std::uint32_t sequence = 0;
};

} // namespace

TEST_CASE("a kernel asks for an instant, waits, and runs at it")
{
    Kernel kernel;
    kernel.ask(start, 7);
    CHECK_FALSE(kernel.calendar.wanted().has_value());
    kernel.ask(request, 500);
    kernel.ask(request, 400); // the last one counts
    CHECK(kernel.calendar.wanted() == 400U);
    CHECK_FALSE(kernel.calendar.isWaiting());
    kernel.ask(wait);
    CHECK(kernel.calendar.isWaiting());
    kernel.calendar.run(kernel.pair.served, 400);
    CHECK_FALSE(kernel.calendar.isWaiting());
    const auto run = kernel.pair.receive<Message>();
    CHECK(run.operation == runNow);
    CHECK(run.time == 400);
    kernel.pair.send(Message{acknowledge, run.sequence, 0});
    CHECK(kernel.calendar.serve(kernel.pair.served, 400));
    CHECK(kernel.pair.isSilent());
}

TEST_CASE("the calendar tells the time and the time of day, and takes an interrupt's request while the kernel waits")
{
    Kernel kernel;
    kernel.ask(start);
    CHECK(kernel.ask(getTime, 0, 1234) == 1234);
    CHECK(kernel.ask(timeOfDay, 0, 1234) == 1'001'234);
    kernel.ask(update, 1234, 1234);
    kernel.ask(request, 9000, 1234);
    kernel.ask(wait, 0, 1234);
    kernel.ask(request, 2000, 2000); // from its signal handler
    CHECK(kernel.calendar.isWaiting());
    CHECK(kernel.calendar.wanted() == 2000U);
}

TEST_CASE("a kernel that sleeps until an interrupt needs no wake-up time")
{
    Kernel kernel;
    kernel.ask(start);
    kernel.ask(request, 100);
    kernel.ask(request, INT64_MAX);
    CHECK_FALSE(kernel.calendar.wanted().has_value());
}

TEST_CASE("messages that the calendar's protocol does not allow are refused with the connection's name")
{
    CHECK(Kernel().refusal(request, 5) == "calendar: the first message must be start");
    Kernel kernel;
    kernel.ask(start);
    CHECK(kernel.refusal(start) == "calendar: a second start");
    CHECK(kernel.refusal(request, 5, 6) == "calendar: the guest asks to run in the past");
    constexpr std::uint64_t last = 9'223'372'036'854'775; // of 2^63 - 1 picoseconds
    kernel.ask(request, last);
    CHECK(kernel.refusal(request, last + 1) == "calendar: the guest asks to run after the end of simulated time");
    CHECK(kernel.refusal(update, 5, 6) == "calendar: the guest's clock differs from the simulation's");
    CHECK(kernel.refusal(acknowledge) == "calendar: an acknowledgement without a request");
    CHECK(kernel.refusal(runNow) == "calendar: operation 6 is unknown");
    CHECK(kernel.refusal(77) == "calendar: operation 77 is unknown");
    kernel.ask(wait);
    CHECK(kernel.refusal(wait) == "calendar: the guest waits already");
}

TEST_CASE("a kernel that closes the calendar is gone; one that goes within a message breaks the protocol")
{
    Kernel gone;
    gone.pair.hangUp();
    CHECK_FALSE(gone.calendar.serve(gone.pair.served, 0));
    Kernel half;
    half.pair.send(std::uint32_t{start});
    half.pair.hangUp();
    CHECK_THROWS_WITH(half.calendar.serve(half.pair.served, 0), "calendar: the peer has gone within a message");
}
