#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Earlier states of this process, each kept by a copy of it (fork) that waits. A copy that is resumed makes another
// copy of itself, which continues from there, so a state can be resumed any number of times. Memory is shared until one
// of the copies writes to it. At most `most` states are kept: if there are more, every second one is dropped, so that
// their distance grows with the run.
//
// The process that the user has started waits (supervise()) and exits with the status of the process that ends the
// run; it passes SIGINT
// and SIGTERM on to the one that runs, or that takes over. If any of them dies, so do all copies that wait.
// REQUIRES: the process has one thread. Not kept: files, and state in other processes.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace strobe::cpu {

class ProcessSnapshots {
public:
    static constexpr std::size_t most = 24;

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
    void forget(); // all states
    // At least this much processor time has passed since the last state was kept.
    bool isDue() const;

private:
    struct State {
        std::uint64_t position;
        int orders; // its copy reads from the other end
        std::size_t place;
        std::uint32_t generation;
    };
    // By all copies. A state that another copy has dropped is known by the generation of its place.
    struct Shared {
        static constexpr std::size_t places = 4 * most;
        std::atomic<pid_t> running; // 0: one is taking over from another
        std::atomic<int> signal;    // for the one that takes over; 0: none
        std::uint32_t generations[places];
        std::uint32_t latest;
    };

    [[noreturn]] static void supervise(const Shared& shared);
    static void passOn(int signal);
    void becomeRunning();
    void handOver();
    std::string waitForOrders(const State& state, int orders);
    bool isAlive(const State& state) const;
    void drop(const State& state);
    void thinOut();

    static Shared* passesOn_; // in the supervisor; its signal handler reads it

    Shared* shared_;
    pid_t supervisor_;
    std::vector<State> states_;
    double keptAt_ = 0;     // seconds of processor time
    double interval_ = 0.3; // between states
};

} // namespace strobe::cpu
