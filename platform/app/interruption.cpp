// SPDX-License-Identifier: Apache-2.0
#include "platform/app/interruption.h"

#include "platform/app/exit_codes.h"

#include <atomic>
#include <csignal>
#include <unistd.h>

namespace strobe::platform {

namespace {

std::atomic<int> receivedSignal{0};
static_assert(std::atomic<int>::is_always_lock_free, "set by a signal handler");

void onSignal(int signal)
{
    receivedSignal = signal;
    static constexpr char text[] = "\nstrobe: ending the run; interrupt again to end at once\n";
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text, sizeof text - 1); // safe in a handler
}

} // namespace

void catchInterruptions()
{
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = static_cast<int>(SA_RESETHAND); // the second one ends the program
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

int interruption()
{
    return receivedSignal;
}

int exitCodeAfter(int otherwise)
{
    return interruption() == 0 ? otherwise : exitSignalBase + interruption();
}

} // namespace strobe::platform
