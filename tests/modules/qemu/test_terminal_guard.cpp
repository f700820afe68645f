// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/socket.h"
#include "platform/qemu/terminal_guard.h"
#include "tests/support/catch.h"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using strobe::platform::guest::FileDescriptor;
using strobe::platform::qemu::TerminalGuard;

TEST_CASE("descriptors block again as before")
{
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    const FileDescriptor input(ends[0]);
    const FileDescriptor output(ends[1]);
    ::fcntl(output.get(), F_SETFL, O_WRONLY | O_NONBLOCK);
    {
        const TerminalGuard guard({input.get(), output.get()});
        ::fcntl(input.get(), F_SETFL, O_NONBLOCK);
        ::fcntl(output.get(), F_SETFL, 0);
    }
    CHECK((::fcntl(input.get(), F_GETFL) & O_NONBLOCK) == 0);
    CHECK((::fcntl(output.get(), F_GETFL) & O_NONBLOCK) != 0);
}

TEST_CASE("the terminal of another job is left alone")
{
    const FileDescriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    REQUIRE(terminal.isOpen());
    const auto echo = [&terminal] {
        termios state{};
        ::tcgetattr(terminal.get(), &state);
        return (state.c_lflag & ECHO) != 0;
    };
    REQUIRE(echo());
    {
        const TerminalGuard guard({terminal.get(), terminal.get()});
        termios raw{};
        ::tcgetattr(terminal.get(), &raw);
        raw.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(terminal.get(), TCSANOW, &raw);
    }
    CHECK_FALSE(echo());
}
