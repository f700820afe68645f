#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Earlier states of this process, each kept by a copy of it (fork) that waits. A copy that is resumed makes another
// copy of itself, which continues from there, so a state can be resumed any number of times. Memory is shared until one
// of the copies writes to it. At most `most` states are kept: if there are more, every second one is dropped, so that
// their distance grows with the run. At most `mostNamed` states are kept besides under a name until they are dropped
// by it, each with `pastOfNamed` states before it.
//
// The process that the user has started waits (supervise()) and exits with the status of the process that ends the
// run; it passes SIGINT and SIGTERM on to the one that runs, or that takes over. If any of them dies, so do all copies
// that wait.
// REQUIRES: the process has one thread. Not kept: files, and state in other processes.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace strobe::cpu {

class ProcessSnapshots {
public:
    static constexpr std::size_t most = 40;
    static constexpr std::size_t mostNamed = 9;
    static constexpr std::size_t pastOfNamed = 4;
    static constexpr std::size_t longestName = 63;

    // Forks: the caller is the copy that runs. The original never returns.
    ProcessSnapshots();
    ProcessSnapshots(const ProcessSnapshots&) = delete;
    ProcessSnapshots& operator=(const ProcessSnapshots&) = delete;
    ~ProcessSnapshots(); // drops all

    // Keeps the present state as number count(), at a position that is not below that of the last one. Returns nothing
    // to the caller, and to a copy that was resumed from this state the message of resume().
    std::optional<std::string> keep(std::uint64_t position);
    std::size_t count() const { return states_.size(); }
    std::uint64_t position(std::size_t state) const { return states_[state].position; }
    // The last state before the position; nothing: there is none.
    std::optional<std::size_t> before(std::uint64_t position) const;

    // The state takes over from this process, and those after it are dropped. The message is not empty.
    [[noreturn]] void resume(std::size_t state, const std::string& message);
    void forget(); // all states without a name
    // At least this much processor time has passed since the last state was kept.
    bool isDue() const;

    // As keep(); until it is named otherwise, or dropped, the state can be resumed by name: also when the run has gone
    // back, and after forget(). REQUIRES: isRoomFor(name)
    std::optional<std::string> keepAs(std::string_view name, std::uint64_t position);
    bool isRoomFor(std::string_view name) const; // it has a state, or a further name can have one
    std::vector<std::string> names() const;
    // The state takes over, with those that were before it. REQUIRES: there is one of this name
    [[noreturn]] void resumeNamed(std::string_view name, const std::string& message);
    void dropNamed(); // all

private:
    // A state in the list of a copy. Other copies may drop it, and another may get its place: see isAlive().
    struct State {
        std::uint64_t position;
        std::size_t place;
        std::uint32_t generation;
    };
    // By all copies. A place is taken while its generation is not 0. Its users are, as bits, the copy that runs and the
    // names that need it; without any it is going to be free.
    struct Place {
        std::atomic<std::uint32_t> generation;
        std::uint32_t users;
        std::atomic<pid_t> keeper;
    };
    struct Name {
        std::array<char, longestName + 1> text; // empty: not in use
        std::size_t place;
    };
    struct Shared {
        static constexpr std::size_t places = most + mostNamed * (1 + pastOfNamed) + 8; // a few end meanwhile
        std::atomic<pid_t> running; // 0: one is taking over from another
        std::atomic<pid_t> next;    // the keeper of the state that takes over
        std::atomic<int> signal;    // for the one that takes over; 0: none
        std::array<Place, places> place;
        std::array<Name, mostNamed> name;
        std::uint32_t latest; // generation
    };
    struct Pipe {
        int out;
        int in;
    };
    static constexpr std::uint32_t running = 1; // a user
    static std::uint32_t userOf(std::size_t name) { return 2U << name; }

    [[noreturn]] static void supervise(Shared& shared);
    static void passOn(int signal);
    static Pipe newPipe();
    void becomeRunning();
    void handOver(pid_t next);
    std::size_t freePlace() const;
    std::string waitForOrders(const State& state);
    bool isAlive(const State& state) const;
    void adoptStates();
    void release(std::size_t place, std::uint32_t user);
    void releaseName(std::size_t name);
    std::optional<std::size_t> find(std::string_view name) const; // "": one that is not in use
    [[noreturn]] void resumePlace(std::size_t place, const std::string& message);
    void thinOut();

    static Shared* passesOn_; // in the supervisor; its signal handler reads it

    Shared* shared_;
    pid_t supervisor_;
    int lifeline_ = -1;                         // ends when the supervisor ends
    std::array<Pipe, Shared::places> orders_{}; // to the keepers of states
    std::vector<State> states_;
    double keptAt_ = 0;     // seconds of processor time
    double interval_ = 0.3; // between states
};

} // namespace strobe::cpu
