// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_process.h"

#include "models/base/config_error.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace strobe::platform::guest {

namespace {

// In the child, between fork and exec.
[[noreturn]] void becomeGuest(int output, int failure, const char* program, char* const* arguments,
                              const char* directory)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE})
        ::signal(signal, SIG_DFL);
    if (::chdir(directory) == 0)
        ::execv(program, arguments);
    const int reason = errno;
    [[maybe_unused]] const ssize_t told = ::write(failure, &reason, sizeof reason);
    ::_exit(127);
}

// In the watcher. The kernel itself dies with its parent; the processes that it traces would run on.
[[noreturn]] void endGuestAfter(int life, pid_t guest)
{
    ::setsid(); // signals of the terminal do not reach it
    char byte = 0;
    while (::read(life, &byte, 1) < 0 && errno == EINTR) {
    }
    ::kill(-guest, SIGKILL);
    ::_exit(0);
}

void waitFor(pid_t process)
{
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace

GuestProcess::GuestProcess(const std::string& program, const std::vector<std::string>& arguments,
                           const std::string& directory)
{
    const auto fail = [&program](int reason) {
        throw ConfigError(program + ": the guest kernel cannot be started: " + std::strerror(reason));
    };
    std::array<int, 2> output{};
    std::array<int, 2> failure{};
    if (::pipe2(output.data(), O_CLOEXEC) != 0)
        fail(errno);
    console_ = FileDescriptor(output[0]);
    const FileDescriptor written(output[1]);
    if (::pipe2(failure.data(), O_CLOEXEC) != 0)
        fail(errno);
    const FileDescriptor result(failure[0]);
    FileDescriptor told(failure[1]);
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = ::fork();
    if (process_ < 0)
        fail(errno);
    if (process_ == 0)
        becomeGuest(written.get(), told.get(), program.c_str(), argv.data(), directory.c_str());
    ::setpgid(process_, process_); // both processes call it; the first one counts
    told = FileDescriptor();
    int reason = 0;
    if (::read(result.get(), &reason, sizeof reason) == sizeof reason) {
        end();
        fail(reason);
    }
    ::fcntl(console_.get(), F_SETFL, O_NONBLOCK);
    try {
        watch();
    } catch (...) {
        end();
        throw;
    }
}

void GuestProcess::watch()
{
    std::array<int, 2> life{};
    if (::pipe2(life.data(), O_CLOEXEC) != 0)
        throw ConfigError(std::string("the guest's processes cannot be watched: ") + std::strerror(errno));
    const FileDescriptor watched(life[0]);
    life_ = FileDescriptor(life[1]);
    watcher_ = ::fork();
    if (watcher_ == 0) {
        ::close(life_.get());
        endGuestAfter(watched.get(), process_);
    }
    if (watcher_ < 0)
        throw ConfigError(std::string("the guest's processes cannot be watched: ") + std::strerror(errno));
}

GuestProcess::~GuestProcess()
{
    end();
}

std::optional<std::string> GuestProcess::takeOutput()
{
    std::string text;
    std::array<char, 4096> part{};
    for (;;) {
        const ssize_t got = ::read(console_.get(), part.data(), part.size());
        if (got > 0)
            text.append(part.data(), static_cast<std::size_t>(got));
        else if (got < 0 && errno == EINTR)
            continue;
        else if (got == 0 && text.empty())
            return std::nullopt;
        else
            return text;
    }
}

void GuestProcess::end()
{
    if (process_ <= 0)
        return;
    ::kill(-process_, SIGKILL);
    life_ = FileDescriptor();
    if (watcher_ > 0)
        waitFor(watcher_);
    waitFor(process_); // last: until then no other group has this number
    process_ = watcher_ = -1;
}

} // namespace strobe::platform::guest
