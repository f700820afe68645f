// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/terminal_guard.h"

#include <fcntl.h>
#include <unistd.h>

namespace strobe::platform::qemu {

namespace {

bool isOwnTerminal(int descriptor)
{
    return ::isatty(descriptor) == 1 && ::tcgetpgrp(descriptor) == ::getpgrp();
}

} // namespace

TerminalGuard::TerminalGuard(std::array<int, 2> descriptors)
{
    for (std::size_t i = 0; i < saved_.size(); ++i) {
        Saved& saved = saved_.at(i);
        saved.descriptor = descriptors.at(i);
        saved.flags = ::fcntl(saved.descriptor, F_GETFL);
        termios terminal{};
        if (isOwnTerminal(saved.descriptor) && ::tcgetattr(saved.descriptor, &terminal) == 0)
            saved.terminal = terminal;
    }
}

TerminalGuard::~TerminalGuard()
{
    for (const Saved& saved : saved_) {
        if (saved.flags >= 0)
            ::fcntl(saved.descriptor, F_SETFL, saved.flags);
        if (saved.terminal && isOwnTerminal(saved.descriptor))
            ::tcsetattr(saved.descriptor, TCSANOW, &*saved.terminal);
    }
}

} // namespace strobe::platform::qemu
