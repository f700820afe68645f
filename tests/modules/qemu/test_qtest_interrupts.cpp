// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/qtest_interrupts.h"
#include "tests/support/catch.h"

#include <array>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

using namespace strobe;
using platform::guest::FileDescriptor;
using platform::guest::ProtocolError;
using platform::qemu::QtestInterrupts;

namespace {

std::array<int, 2> socketPair()
{
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    return ends;
}

struct Ends {
    std::array<int, 2> numbers = socketPair();
    FileDescriptor peer{numbers[1]};
    QtestInterrupts interrupts{FileDescriptor(numbers[0])};

    std::string taken() const
    {
        std::array<char, 65536> text{};
        const ssize_t got = ::recv(peer.get(), text.data(), text.size(), MSG_DONTWAIT);
        return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : "";
    }
    void say(std::string_view text) const
    {
        REQUIRE(::send(peer.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    }
    std::string refusal()
    {
        try {
            interrupts.serve();
        } catch (const ProtocolError& error) {
            return error.what();
        }
        return "none";
    }
};

} // namespace

TEST_CASE("an interrupt is a line, and its answer is taken when it comes")
{
    Ends ends;
    ends.interrupts.send(0xFEE01004, 0x4021);
    CHECK(ends.taken() == "writel 0xfee01004 0x4021\n");
    CHECK(ends.interrupts.serve());
    CHECK(ends.interrupts.unanswered() == 1);
    ends.say("O");
    CHECK(ends.interrupts.serve());
    CHECK(ends.interrupts.unanswered() == 1);
    ends.say("K\n");
    CHECK(ends.interrupts.serve());
    CHECK(ends.interrupts.unanswered() == 0);
    CHECK(ends.interrupts.sent() == 1);
}

TEST_CASE("a peer that does not read keeps nothing waiting, and misses nothing")
{
    Ends ends;
    std::size_t sent = 0;
    while (!ends.interrupts.hasWaiting())
        ends.interrupts.send(0xFEE00000, static_cast<std::uint32_t>(sent++ % 10));
    std::string text;
    for (std::string part = ends.taken(); !part.empty(); part = ends.taken()) {
        text += part;
        CHECK(ends.interrupts.serve());
    }
    CHECK_FALSE(ends.interrupts.hasWaiting());
    CHECK(text.size() == sent * std::string_view("writel 0xfee00000 0x0\n").size());
}

TEST_CASE("the end of the peer")
{
    Ends ends;
    ends.peer = FileDescriptor();
    CHECK_FALSE(ends.interrupts.serve());
    ends.interrupts.send(0xFEE00000, 1); // without effect
}

TEST_CASE("answers that are none")
{
    Ends other;
    other.interrupts.send(0xFEE00000, 1);
    other.say("FAIL Unknown command\n");
    CHECK(other.refusal() == "qtest: the answer \"FAIL Unknown command\" to an interrupt; must be \"OK\"");

    Ends early;
    early.say("OK\n");
    CHECK(early.refusal() == "qtest: an answer without an interrupt");

    Ends endless;
    endless.say(std::string(300, 'O'));
    CHECK(endless.refusal() == "qtest: a line of more than 256 characters");
}
