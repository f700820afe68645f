// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/child_process.h"

#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/cpu/firmware_fault.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace strobe::platform {

namespace {

constexpr int exitWithText = 0;    // the text has the outcome
constexpr int exitWithoutText = 3; // the text could not be written

struct Child {
    pid_t process = -1;
    int end = -1; // of the pipe that its text comes through
    std::size_t number = 0;
    std::string text;
};

// The first character marks the rest: the result, or an exception.
constexpr char success = '=';
constexpr char mistake = '?';
constexpr char fault = '#';
constexpr char bug = '!';

constexpr int askingInterval = 200; // ms: how often `stop` is polled

void writeAll(int descriptor, const std::string& text)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const ssize_t count = ::write(descriptor, text.data() + at, text.size() - at);
        if (count < 0 && errno != EINTR)
            ::_exit(exitWithoutText);
        at += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
}

// While this object exists the two signals are blocked: between fork() and its first line a child still has the
// parent's handlers.
class SignalsWait {
public:
    SignalsWait()
    {
        sigset_t both;
        sigemptyset(&both);
        sigaddset(&both, SIGINT);
        sigaddset(&both, SIGTERM);
        ::sigprocmask(SIG_BLOCK, &both, &before_);
    }
    ~SignalsWait() { end(); }
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;
    void end() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_{};
};

[[noreturn]] void runChild(const std::function<std::string()>& work, int descriptor, SignalsWait& wait)
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    wait.end();
    std::string text;
    try {
        text = success + work();
    } catch (const ConfigError& error) {
        text = mistake + std::string(error.what());
    } catch (const cpu::FirmwareFault& error) {
        text = fault + std::string(error.what());
    } catch (const std::exception& error) {
        text = bug + std::string(error.what());
    }
    writeAll(descriptor, text);
    ::_exit(exitWithText); // no destructors of objects of the parent
}

Child start(const std::function<std::string()>& work, std::size_t number)
{
    int ends[2];
    if (::pipe(ends) != 0)
        throw InternalError("no pipe to a child process");
    std::fflush(nullptr); // or the child would print it again
    Child child;
    child.number = number;
    SignalsWait wait;
    child.process = ::fork();
    if (child.process < 0)
        throw InternalError("no child process");
    if (child.process == 0) {
        ::close(ends[0]);
        runChild(work, ends[1], wait);
    }
    ::close(ends[1]);
    child.end = ends[0];
    return child;
}

// False: it has closed its end.
bool receive(Child& child)
{
    char part[65536];
    const ssize_t count = ::read(child.end, part, sizeof part);
    if (count < 0)
        return errno == EINTR;
    child.text.append(part, static_cast<std::size_t>(count));
    return count != 0;
}

std::string finish(Child& child)
{
    ::close(child.end);
    child.end = -1;
    int status = 0;
    while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR)
        continue;
    child.process = -1;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM))
        throw Interrupted(WTERMSIG(status));
    if (status != 0 || child.text.empty())
        throw InternalError("a child process failed");
    std::string said = child.text.substr(1);
    if (child.text.front() == mistake)
        throw ConfigError(said);
    if (child.text.front() == fault)
        throw cpu::FirmwareFault(said);
    if (child.text.front() == bug)
        throw InternalError(said);
    return said;
}

// Children that still run when an exception is thrown are ended.
class Children {
public:
    Children() = default;
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;
    ~Children()
    {
        for (Child& child : running) {
            ::kill(child.process, SIGKILL);
            ::waitpid(child.process, nullptr, 0);
            ::close(child.end);
        }
    }

    std::vector<Child> running;
};

} // namespace

std::vector<std::string> inChildren(const std::vector<std::function<std::string()>>& works, std::size_t jobs,
                                    const std::function<void(std::size_t)>& done, const std::function<bool()>& stop)
{
    check(jobs > 0, "no jobs, no work");
    std::vector<std::string> texts(works.size());
    Children children;
    std::size_t next = 0;
    std::size_t ended = 0;
    while (ended < works.size()) {
        if (stop && stop())
            return texts;
        while (next < works.size() && children.running.size() < jobs) {
            children.running.push_back(start(works[next], next));
            ++next;
        }
        std::vector<pollfd> waits;
        for (const Child& child : children.running)
            waits.push_back({child.end, POLLIN, 0});
        const int ready = ::poll(waits.data(), waits.size(), stop ? askingInterval : -1);
        if (ready < 0 && errno != EINTR)
            throw InternalError("cannot wait for child processes");
        if (stop && stop()) // before children ended by the same Ctrl-C are examined
            return texts;
        for (std::size_t i = ready > 0 ? waits.size() : 0; i-- > 0;) {
            if (waits[i].revents == 0 || receive(children.running[i]))
                continue;
            Child child = std::move(children.running[i]);
            children.running.erase(children.running.begin() + static_cast<std::ptrdiff_t>(i));
            texts[child.number] = finish(child);
            done(++ended);
        }
    }
    return texts;
}

std::string inChild(const std::function<std::string()>& work)
{
    return inChildren({work}, 1, [](std::size_t) {}).front();
}

std::size_t processors()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

} // namespace strobe::platform
