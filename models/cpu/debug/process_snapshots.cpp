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
#include <poll.h>
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

// The run cannot go on: a process that keeps a state was killed. Not a mistake of firmware, nor of Strobe.
[[noreturn]] void endWithoutState()
{
    constexpr int killed = 137; // as a shell reports SIGKILL
    std::fputs("strobe: a process that keeps a state of the run was killed (out of memory?): the run ends here\n",
               stderr);
    ::_exit(killed);
}

} // namespace

ProcessSnapshots::Shared* ProcessSnapshots::passesOn_ = nullptr;

ProcessSnapshots::ProcessSnapshots() : supervisor_(::getpid())
{
    void* const pages = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    check(pages != MAP_FAILED, "no shared memory");
    shared_ = static_cast<Shared*>(pages);
    for (Pipe& pipe : orders_)
        pipe = newPipe();
    const Pipe life = newPipe();
    lifeline_ = life.out;
    ::prctl(PR_SET_CHILD_SUBREAPER, 1); // the supervisor waits for copies of copies
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, &before); // until the handlers of both are in place
    if (forked() == 0) {
        ::close(life.in);
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

ProcessSnapshots::Pipe ProcessSnapshots::newPipe()
{
    std::array<int, 2> ends{};
    check(::pipe2(ends.data(), O_CLOEXEC) == 0, "no pipe to a copy of this process");
    return {ends[0], ends[1]};
}

ProcessSnapshots::~ProcessSnapshots()
{
    forget();
    dropNamed();
    for (const Pipe& pipe : orders_) {
        ::close(pipe.in);
        ::close(pipe.out);
    }
    ::close(lifeline_);
    ::munmap(shared_, sizeof(Shared));
}

// Of the signal handler and becomeRunning(), the one that comes last delivers it.
void ProcessSnapshots::passOn(int signal)
{
    passesOn_->signal = signal;
    if (const pid_t running = passesOn_->running; running > 0 && passesOn_->signal.exchange(0) != 0)
        ::kill(running, signal);
}

void ProcessSnapshots::supervise(Shared& shared)
{
    for (;;) {
        int status = 0;
        const pid_t ended = ::wait(&status);
        if (ended < 0 && errno == EINTR)
            continue;
        if (ended < 0)
            endWithoutState();              // it was killed while it took over
        for (Place& place : shared.place) { // one that keeps a state was killed
            pid_t keeper = ended;
            place.keeper.compare_exchange_strong(keeper, 0);
        }
        if (ended != shared.running) {
            if (shared.running == 0 && ended == shared.next)
                endWithoutState();
            continue;
        }
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
    const State state{position, freePlace(), ++shared_->latest};
    Place& place = shared_->place[state.place];
    place.generation = state.generation;
    place.users = running;
    states_.push_back(state);
    const pid_t keeper = forked();
    if (keeper == 0)
        return waitForOrders(state);
    place.keeper = keeper;
    keptAt_ = processorTime();
    return std::nullopt;
}

// Copies that were told to end free their places soon.
std::size_t ProcessSnapshots::freePlace() const
{
    const auto isFree = [](const Place& place) { return place.generation == 0; };
    const auto& places = shared_->place;
    auto free = std::find_if(places.begin(), places.end(), isFree);
    for (int wait = 0; free == places.end() && wait < 50'000; ++wait) {
        ::usleep(100);
        free = std::find_if(places.begin(), places.end(), isFree);
    }
    check(free != places.end(), "more states than places");
    return static_cast<std::size_t>(free - places.begin());
}

// In the copy that keeps a state. Returns in copies of it, which run.
std::string ProcessSnapshots::waitForOrders(const State& state)
{
    const int orders = orders_[state.place].out;
    std::array<pollfd, 2> ends{{{orders, POLLIN, 0}, {lifeline_, POLLIN, 0}}};
    for (;;) {
        if (::poll(ends.data(), ends.size(), -1) < 0)
            continue;
        std::uint32_t bytes = 0;
        if (ends[1].revents != 0 || !readAll(orders, &bytes, sizeof bytes))
            ::_exit(0);
        if (bytes == 0)
            break;
        std::string message(bytes, '\0');
        if (!readAll(orders, message.data(), bytes))
            ::_exit(0);
        const pid_t between = forked(); // ends, so that the supervisor becomes the parent of the copy that runs
        if (between == 0) {
            if (forked() != 0)
                ::_exit(0);
            adoptStates();
            becomeRunning();
            return message;
        }
        ::waitpid(between, nullptr, 0);
    }
    shared_->place[state.place].keeper = 0;
    shared_->place[state.place].generation = 0;
    ::_exit(0);
}

bool ProcessSnapshots::isAlive(const State& state) const
{
    const Place& place = shared_->place[state.place];
    return place.generation == state.generation && place.users != 0;
}

// The states that the copy which runs can resume are those of its list. Others stay only for a name.
void ProcessSnapshots::adoptStates()
{
    states_.erase(std::remove_if(states_.begin(), states_.end(), [this](const State& s) { return !isAlive(s); }),
                  states_.end());
    for (std::size_t place = 0; place < Shared::places; ++place) {
        const auto isHere = [place](const State& state) { return state.place == place; };
        if (std::any_of(states_.begin(), states_.end(), isHere))
            shared_->place[place].users |= running;
        else
            release(place, running);
    }
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
    resumePlace(states_[state].place, message);
}

void ProcessSnapshots::resumePlace(std::size_t place, const std::string& message)
{
    check(!message.empty() && message.size() <= std::numeric_limits<std::uint32_t>::max(),
          "a message to another state");
    const auto bytes = static_cast<std::uint32_t>(message.size());
    std::string order(sizeof bytes, '\0');
    std::memcpy(order.data(), &bytes, sizeof bytes);
    order += message;
    std::fflush(nullptr);
    const pid_t keeper = shared_->place[place].keeper;
    if (keeper == 0)
        endWithoutState();
    handOver(keeper);
    ::_exit(writeAll(orders_[place].in, order) ? 0 : 1);
}

// What arrives from now on is for the state that takes over.
void ProcessSnapshots::handOver(pid_t next)
{
    sigset_t passed;
    sigemptyset(&passed);
    sigaddset(&passed, SIGINT);
    sigaddset(&passed, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &passed, nullptr);
    shared_->next = next;
    shared_->running = 0;
    sigset_t arrived;
    ::sigpending(&arrived);
    for (const int signal : {SIGINT, SIGTERM}) {
        if (sigismember(&arrived, signal) == 1)
            shared_->signal = signal;
    }
}

// The last user ends the copy.
void ProcessSnapshots::release(std::size_t place, std::uint32_t user)
{
    std::uint32_t& users = shared_->place[place].users;
    if ((users & user) == 0)
        return;
    users &= ~user;
    const std::uint32_t end = 0;
    if (users == 0)
        static_cast<void>(::write(orders_[place].in, &end, sizeof end));
}

void ProcessSnapshots::forget()
{
    for (const State& state : states_)
        release(state.place, running);
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
            release(states_[i].place, running);
    }
    states_ = kept;
    interval_ *= 2;
}

bool ProcessSnapshots::isDue() const
{
    return states_.empty() || processorTime() - keptAt_ >= interval_;
}

// --- names -----------------------------------------------------------------------------------------------------------

std::optional<std::string> ProcessSnapshots::keepAs(std::string_view name, std::uint64_t position)
{
    check(isRoomFor(name), "more names than states can have");
    if (auto message = keep(position))
        return message;
    if (const auto known = find(name))
        releaseName(*known);
    const std::size_t free = *find({});
    Name& entry = shared_->name[free];
    name.copy(entry.text.data(), longestName);
    entry.place = states_.back().place;
    const std::size_t last = states_.size() - std::min(states_.size(), pastOfNamed);
    for (std::size_t state = 0; state < states_.size(); ++state) {
        if (state == 0 || state >= last)
            shared_->place[states_[state].place].users |= userOf(free);
    }
    return std::nullopt;
}

std::optional<std::size_t> ProcessSnapshots::find(std::string_view name) const
{
    for (std::size_t i = 0; i < mostNamed; ++i) {
        if (name == shared_->name[i].text.data())
            return i;
    }
    return std::nullopt;
}

bool ProcessSnapshots::isRoomFor(std::string_view name) const
{
    return !name.empty() && name.size() <= longestName && (find(name) || find({}));
}

std::vector<std::string> ProcessSnapshots::names() const
{
    std::vector<std::string> all;
    for (const Name& name : shared_->name) {
        if (name.text.front() != '\0')
            all.emplace_back(name.text.data());
    }
    return all;
}

void ProcessSnapshots::resumeNamed(std::string_view name, const std::string& message)
{
    const auto known = find(name);
    check(known.has_value(), "no state has this name");
    resumePlace(shared_->name[*known].place, message);
}

void ProcessSnapshots::releaseName(std::size_t name)
{
    shared_->name[name] = {};
    for (std::size_t place = 0; place < Shared::places; ++place)
        release(place, userOf(name));
}

void ProcessSnapshots::dropNamed()
{
    for (std::size_t name = 0; name < mostNamed; ++name)
        releaseName(name);
}

} // namespace strobe::cpu
