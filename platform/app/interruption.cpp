// SPDX-License-Identifier: Apache-2.0
#include "platform/app/interruption.h"

#include "models/tlm/agenda.h"
#include "platform/app/exit_codes.h"
#include "platform/app/output_file.h"

#include <atomic>
#include <csignal>
#include <unistd.h>

namespace strobe::platform {

namespace {

std::atomic<int> receivedSignal{0};
static_assert(std::atomic<int>::is_always_lock_free, "set by a signal handler");
std::atomic<bool> isSimulating{false};
constexpr unsigned patience = 1; // seconds from a signal, or from a call of interruption() after it, to the next call

// As a signal handler may.
template <std::size_t Size>
void say(const char (&text)[Size])
{
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text, Size - 1);
}

void onSignal(int signal)
{
    receivedSignal = signal;
    say("\nstrobe: ending the run; interrupt again to end at once\n");
    if (isSimulating) {
        Agenda::pauseSoon();
        ::alarm(patience);
    }
}

void onAlarm(int)
{
    say("strobe: the simulation does not end: native firmware that runs without calling the HAL? Ended without "
        "results\n");
    OutputFile::abandonAll();
    ::_exit(exitSignalBase + receivedSignal);
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
    action.sa_handler = onAlarm;
    ::sigaction(SIGALRM, &action, nullptr);
}

int interruption()
{
    if (receivedSignal != 0 && isSimulating)
        ::alarm(patience);
    return receivedSignal;
}

void watchSimulation(bool begins)
{
    isSimulating = begins;
    ::alarm(begins && receivedSignal != 0 ? patience : 0);
}

int exitCodeAfter(int otherwise)
{
    return interruption() == 0 ? otherwise : exitSignalBase + interruption();
}

} // namespace strobe::platform
