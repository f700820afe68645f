// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/process_snapshots.h"

#include "models/base/check.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <limits>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace strobe::cpu {

namespace {

static_assert(std::atomic<pid_t>::is_always_lock_free, "used by a signal handler and by several processes");

double processorTime()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

pid_t forked()
{
    std::fflush(nullptr); // or both would write what is buffered
    const pid_t pid = ::fork();
    check(pid >= 0, "no copy of this process can be made (fork)");
    return pid;
}

struct Pipe {
    int out;
    int in;
};

Pipe newPipe()
{
    std::array<int, 2> ends{};
    check(::pipe2(ends.data(), O_CLOEXEC) == 0, "no pipe to a copy of this process");
    return {ends[0], ends[1]};
}

bool writeAll(int file, const std::string& bytes)
{
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t written = ::write(file, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno != EINTR)
            return false;
        done += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    return true;
}

bool readAll(int file, void* bytes, std::size_t count)
{
    auto* at = static_cast<char*>(bytes);
    while (count > 0) {
        const ssize_t got = ::read(file, at, count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

} // namespace

ProcessSnapshots::Shared* ProcessSnapshots::passesOn_ = nullptr;

ProcessSnapshots::ProcessSnapshots() : supervisor_(::getpid())
{
    void* const page = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(page != MAP_FAILED, "no shared memory");
    shared_ = static_cast<Shared*>(page);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1); // the supervisor waits for copies of copies
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, &before); // until the handlers of both are in place
    if (forked() == 0) {
        becomeRunning();
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
        return;
    }
    passesOn_ = shared_;
    struct sigaction action {};
    action.sa_handler = passOn;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    supervise(*shared_);
}

ProcessSnapshots::~ProcessSnapshots()
{
    forget();
    ::munmap(shared_, sizeof(Shared));
}

// Of the signal handler and becomeRunning(), the one that comes last delivers it.
void ProcessSnapshots::passOn(int signal)
{
    passesOn_->signal = signal;
    if (const pid_t running = passesOn_->running; running > 0 && passesOn_->signal.exchange(0) != 0)
        ::kill(running, signal);
}

void ProcessSnapshots::supervise(const Shared& shared)
{
    for (;;) {
        int status = 0;
        const pid_t ended = ::wait(&status);
        if (ended < 0 && errno == EINTR)
            continue;
        if (ended < 0)
            ::_exit(1); // a copy was killed while it took over
        if (ended != shared.running)
            continue;
        if (WIFSIGNALED(status)) {
            ::signal(WTERMSIG(status), SIG_DFL);
            ::raise(WTERMSIG(status));
        }
        ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    }
}

// Signals of the terminal go to the supervisor alone, which passes them on.
void ProcessSnapshots::becomeRunning()
{
    while (::getppid() != supervisor_) { // the process between has not ended yet
        if (::kill(supervisor_, 0) != 0)
            ::_exit(1);
        ::usleep(50);
    }
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    keptAt_ = processorTime();
    shared_->running = ::getpid();
    if (const int signal = shared_->signal.exchange(0); signal != 0)
        ::raise(signal);
}

// --- states ----------------------------------------------------------------------------------------------------------

std::optional<std::string> ProcessSnapshots::keep(std::uint64_t position)
{
    check(states_.empty() || states_.back().position <= position, "states are kept in the order of the run");
    if (states_.size() >= most)
        thinOut();
    auto* const end = shared_->generations + Shared::places;
    auto* const place = std::find(shared_->generations, end, 0U);
    check(place != end, "more states than places");
    *place = ++shared_->latest;
    const Pipe pipe = newPipe();
    const State state{position, pipe.in, static_cast<std::size_t>(place - shared_->generations), *place};
    if (forked() == 0) {
        ::close(pipe.in);
        return waitForOrders(state, pipe.out);
    }
    ::close(pipe.out);
    states_.push_back(state);
    keptAt_ = processorTime();
    return std::nullopt;
}

// In the copy that keeps a state. Returns in copies of it, which run.
std::string ProcessSnapshots::waitForOrders(const State& state, int orders)
{
    std::uint32_t bytes = 0;
    while (readAll(orders, &bytes, sizeof bytes) && bytes != 0) {
        std::string message(bytes, '\0');
        if (!readAll(orders, message.data(), bytes))
            break;
        const Pipe next = newPipe();
        const pid_t between = forked(); // ends, so that the supervisor becomes the parent of the copy that runs
        if (between == 0) {
            if (forked() != 0)
                ::_exit(0);
            ::close(orders);
            ::close(next.out);
            State again = state;
            again.orders = next.in;
            states_.erase(
                std::remove_if(states_.begin(), states_.end(), [this](const State& s) { return !isAlive(s); }),
                states_.end());
            states_.push_back(again);
            becomeRunning();
            return message;
        }
        ::waitpid(between, nullptr, 0);
        ::close(orders);
        ::close(next.in);
        orders = next.out;
    }
    ::_exit(0); // no process can resume it any more
}

bool ProcessSnapshots::isAlive(const State& state) const
{
    return shared_->generations[state.place] == state.generation;
}

std::optional<std::size_t> ProcessSnapshots::before(std::uint64_t position) const
{
    for (std::size_t state = states_.size(); state > 0; --state) {
        if (states_[state - 1].position < position)
            return state - 1;
    }
    return std::nullopt;
}

void ProcessSnapshots::resume(std::size_t state, const std::string& message)
{
    check(!message.empty() && message.size() <= std::numeric_limits<std::uint32_t>::max(),
          "a message to another state");
    while (states_.size() > state + 1) {
        drop(states_.back());
        states_.pop_back();
    }
    const auto bytes = static_cast<std::uint32_t>(message.size());
    std::string order(sizeof bytes, '\0');
    std::memcpy(order.data(), &bytes, sizeof bytes);
    order += message;
    std::fflush(nullptr);
    handOver();
    if (!writeAll(states_[state].orders, order))
        shared_->running = ::getpid(); // the run ends here, with an error
    ::_exit(1);
}

// What arrives from now on is for the state that takes over.
void ProcessSnapshots::handOver()
{
    sigset_t passed;
    sigemptyset(&passed);
    sigaddset(&passed, SIGINT);
    sigaddset(&passed, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &passed, nullptr);
    shared_->running = 0;
    sigset_t arrived;
    ::sigpending(&arrived);
    for (const int signal : {SIGINT, SIGTERM}) {
        if (sigismember(&arrived, signal) == 1)
            shared_->signal = signal;
    }
}

void ProcessSnapshots::drop(const State& state)
{
    const std::uint32_t end = 0;
    static_cast<void>(::write(state.orders, &end, sizeof end));
    ::close(state.orders);
    shared_->generations[state.place] = 0;
}

void ProcessSnapshots::forget()
{
    for (const State& state : states_)
        drop(state);
    states_.clear();
}

// The first state, which the whole run leads from, stays.
void ProcessSnapshots::thinOut()
{
    std::vector<State> kept;
    for (std::size_t i = 0; i < states_.size(); ++i) {
        if (i % 2 == 0)
            kept.push_back(states_[i]);
        else
            drop(states_[i]);
    }
    states_ = kept;
    interval_ *= 2;
}

bool ProcessSnapshots::isDue() const
{
    return states_.empty() || processorTime() - keptAt_ >= interval_;
}

} // namespace strobe::cpu
