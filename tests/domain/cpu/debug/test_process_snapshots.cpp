// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/process_snapshots.h"
#include "tests/support/catch.h"

#include <csignal>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using strobe::cpu::ProcessSnapshots;

// A failed REQUIRE ends the copy that runs, and with it the test: the exit code of the last copy is that of the
// process.
namespace {

struct Visits { // by all copies
    int count = 0;
    int values[64] = {};
};

Visits& sharedVisits()
{
    void* const page = ::mmap(nullptr, sizeof(Visits), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(page != MAP_FAILED);
    return *static_cast<Visits*>(page);
}

} // namespace

TEST_CASE("a state is resumed with its memory and a message, any number of times, and those after it are dropped")
{
    Visits& visits = sharedVisits();
    ProcessSnapshots states;
    std::string said;
    std::vector<int> history; // of this copy
    for (int step = 0; step < 5; ++step) {
        history.push_back(step);
        if (const auto message = states.keep(10U * static_cast<unsigned>(step))) {
            said = *message;
            REQUIRE(history.back() == step);
            REQUIRE(states.count() == static_cast<std::size_t>(step) + 1);
            visits.values[visits.count] = step;
        }
    }
    REQUIRE(history == std::vector<int>{0, 1, 2, 3, 4});
    REQUIRE(states.count() == 5);
    REQUIRE(states.before(10) == std::size_t{0});
    REQUIRE(states.before(11) == std::size_t{1});
    REQUIRE_FALSE(states.before(0).has_value());
    switch (++visits.count) {
    case 1: states.resume(2, "a");
    case 2: REQUIRE(said == "a"); states.resume(2, "b");
    case 3: REQUIRE(said == "b"); states.resume(4, std::string(300000, 'c')); // more than a pipe holds
    case 4: REQUIRE(said == std::string(300000, 'c')); states.resume(0, "d");
    case 5: REQUIRE(said == "d"); states.resume(3, "e");
    default: break;
    }
    REQUIRE(said == "e");
    REQUIRE(visits.values[1] == 2);
    REQUIRE(visits.values[2] == 2);
    REQUIRE(visits.values[3] == 4);
    REQUIRE(visits.values[4] == 0);
    REQUIRE(visits.values[5] == 3);
}

TEST_CASE("of many states every second one is dropped, the first never, and all that are left can be resumed")
{
    Visits& visits = sharedVisits();
    ProcessSnapshots states;
    std::uint64_t resumedAt = 0;
    std::uint64_t position = 100;
    for (; position < 100 + 3 * ProcessSnapshots::most; ++position) {
        if (const auto message = states.keep(position))
            resumedAt = position;
    }
    REQUIRE(states.count() <= ProcessSnapshots::most);
    REQUIRE(states.position(0) == 100);
    if (visits.count > 0)
        REQUIRE(resumedAt == static_cast<std::uint64_t>(visits.values[0]));
    if (visits.count < 4) {
        const std::size_t state = visits.count % 2 == 0 ? states.count() / 2 : 0;
        ++visits.count;
        visits.values[0] = static_cast<int>(states.position(state));
        states.resume(state, "again");
    }
    states.forget();
    REQUIRE(states.count() == 0);
    REQUIRE_FALSE(states.before(1000).has_value());
    REQUIRE(states.isDue());
}

TEST_CASE("a signal to the process that the user started reaches the copy that runs")
{
    static volatile std::sig_atomic_t received = 0;
    const pid_t started = ::getpid();
    ProcessSnapshots states;
    REQUIRE(::getpid() != started);
    std::signal(SIGTERM, [](int signal) { received = signal; });
    Visits& visits = sharedVisits();
    states.keep(1);
    if (visits.count++ == 0)
        states.resume(0, "again");
    ::kill(started, SIGTERM);
    for (int i = 0; i < 1000 && received == 0; ++i)
        ::usleep(1000);
    REQUIRE(received == SIGTERM);
}

TEST_CASE("a signal that arrives while a state takes over reaches the state")
{
    static volatile std::sig_atomic_t received = 0;
    const pid_t started = ::getpid();
    ProcessSnapshots states;
    std::signal(SIGTERM, [](int signal) { received = signal; });
    Visits& visits = sharedVisits();
    states.keep(1);
    if (visits.count++ == 0) {
        sigset_t blocked;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTERM);
        ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
        ::kill(started, SIGTERM);
        for (int i = 0; i < 1000 && ::sigpending(&blocked) == 0 && sigismember(&blocked, SIGTERM) != 1; ++i)
            ::usleep(1000);
        states.resume(0, "again");
    }
    for (int i = 0; i < 1000 && received == 0; ++i)
        ::usleep(1000);
    REQUIRE(received == SIGTERM);
}

TEST_CASE("a state with a name is resumed with those before it, whatever was dropped meanwhile, until it is dropped")
{
    Visits& visits = sharedVisits();
    ProcessSnapshots states;
    std::string said;
    for (unsigned step = 0; step < 3; ++step) {
        if (const auto message = states.keep(10U * step))
            said = *message;
    }
    if (visits.count == 1) { // resumed at 0: 10 and 20 are kept for the name, and once more for this copy
        REQUIRE(said == "back");
        ++visits.count;
        states.forget();
        states.resumeNamed("one", "forth");
    }
    if (visits.count == 3) { // resumed at 10
        ++visits.count;
        states.resumeNamed("one", "again");
    }
    if (const auto message = states.keepAs("one", 30))
        said = *message;
    REQUIRE(states.names() == std::vector<std::string>{"one"});
    REQUIRE(states.count() == 4);
    REQUIRE(states.position(1) == 10);
    switch (visits.count++) {
    case 0: states.resume(0, "back");
    case 2: REQUIRE(said == "forth"); states.resume(1, "to the one before");
    default: break;
    }
    REQUIRE(visits.count == 5);
    REQUIRE(said == "again");
    states.dropNamed();
    REQUIRE(states.names().empty());
    REQUIRE(states.count() == 4);
}

TEST_CASE("a name is used again for another state, and so many names are refused as have no room")
{
    Visits& visits = sharedVisits();
    ProcessSnapshots states;
    std::uint64_t resumedAt = 0;
    const unsigned rounds = 3 * ProcessSnapshots::mostNamed; // more states than there is room for at a time
    for (unsigned i = 0; i < rounds; ++i) {
        const std::string name = "n" + std::to_string(i % ProcessSnapshots::mostNamed);
        if (states.keepAs(name, i))
            resumedAt = i;
    }
    REQUIRE(states.names().size() == ProcessSnapshots::mostNamed);
    REQUIRE(states.isRoomFor("n0"));
    REQUIRE_FALSE(states.isRoomFor("other"));
    REQUIRE_FALSE(states.isRoomFor(""));
    if (visits.count++ == 0)
        states.resumeNamed("n1", "again");
    REQUIRE(resumedAt == rounds - ProcessSnapshots::mostNamed + 1);
}
