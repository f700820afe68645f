// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/child_program.h"

#include "models/base/config_error.h"
#include "platform/guest/socket.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace strobe::platform::serve {

namespace {

constexpr int activated = 3;    // the descriptor of socket activation
constexpr int outOfTheWay = 10; // descriptors from here on do not collide with it
constexpr const char* pidName = "LISTEN_PID=";

std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environmentFor(const ChildOptions& options)
{
    std::vector<std::string> environment;
    for (char** one = environ; *one != nullptr; ++one) {
        if (std::strncmp(*one, "LISTEN_", 7) != 0)
            environment.emplace_back(*one);
    }
    for (const auto& [name, value] : options.environment)
        environment.emplace_back(name).append("=").append(value);
    if (options.listening >= 0) {
        environment.emplace_back("LISTEN_FDS=1");
        environment.push_back(std::string(pidName) + std::string(20, '\0')); // the child fills it in
    }
    return environment;
}

// In the child, between fork and exec. `pid`: where its number belongs; null: nowhere.
[[noreturn]] void become(const ChildOptions& options, char* const* arguments, char* const* environment, char* pid,
                         int failure)
{
    if (options.isApart) {
        ::setpgid(0, 0); // before exec, for which the parent waits
        const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        ::dup2(input, STDIN_FILENO);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGALRM})
        ::signal(signal, SIG_DFL);
    if (options.printsToError)
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
    for (const int descriptor : options.inherited)
        ::fcntl(descriptor, F_SETFD, 0);
    const int told = ::fcntl(failure, F_DUPFD_CLOEXEC, outOfTheWay);
    if (options.listening >= 0) {
        const int listening = ::fcntl(options.listening, F_DUPFD_CLOEXEC, outOfTheWay);
        ::dup2(listening, activated);
        std::snprintf(pid, 20, "%d", static_cast<int>(::getpid()));
    }
    ::execve(arguments[0], arguments, environment);
    const int reason = errno;
    [[maybe_unused]] const ssize_t written = ::write(told, &reason, sizeof reason);
    ::_exit(127);
}

} // namespace

std::string findProgram(const std::string& name)
{
    const char* const path = std::getenv("PATH");
    std::istringstream directories(path == nullptr ? "" : path);
    for (std::string directory; std::getline(directories, directory, ':');) {
        std::string program = directory;
        program.append("/").append(name);
        std::error_code error;
        if (!directory.empty() && std::filesystem::is_regular_file(program, error) &&
            ::access(program.c_str(), X_OK) == 0)
            return program;
    }
    return {};
}

ChildProgram::ChildProgram(const ChildOptions& options) : isApart_(options.isApart)
{
    const auto fail = [&options](int reason) {
        throw ConfigError(options.words.front() + ": cannot be started: " + std::strerror(reason));
    };
    std::array<int, 2> failure{};
    if (::pipe2(failure.data(), O_CLOEXEC) != 0)
        fail(errno);
    const guest::FileDescriptor result(failure[0]);
    guest::FileDescriptor told(failure[1]);
    std::vector<std::string> words = options.words;
    std::vector<std::string> variables = environmentFor(options);
    const std::vector<char*> arguments = pointersTo(words);
    const std::vector<char*> environment = pointersTo(variables);
    char* const pid = options.listening < 0 ? nullptr : variables.back().data() + std::strlen(pidName);
    process_ = ::fork();
    if (process_ < 0)
        fail(errno);
    if (process_ == 0)
        become(options, arguments.data(), environment.data(), pid, told.get());
    told = guest::FileDescriptor();
    int reason = 0;
    if (::read(result.get(), &reason, sizeof reason) == sizeof reason) {
        ::waitpid(process_, nullptr, 0);
        fail(reason);
    }
}

ChildProgram::~ChildProgram()
{
    if (process_ <= 0)
        return;
    const pid_t all = isApart_ ? -process_ : process_; // with what it has started
    ::kill(all, SIGTERM);
    constexpr int looks = 30;
    constexpr useconds_t pause = 10'000;
    for (int i = 0; i < looks && !hasEnded(); ++i)
        ::usleep(pause);
    ::kill(all, SIGKILL);
    while (process_ > 0 && ::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

bool ChildProgram::hasEnded()
{
    int raw = 0;
    if (process_ > 0 && ::waitpid(process_, &raw, WNOHANG) == process_)
        takeStatus(raw);
    return process_ < 0;
}

void ChildProgram::takeStatus(int raw)
{
    process_ = -1;
    status_ = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
}

void ChildProgram::signal(int number) const
{
    if (process_ > 0)
        ::kill(process_, number);
}

} // namespace strobe::platform::serve
