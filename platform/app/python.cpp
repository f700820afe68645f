// SPDX-License-Identifier: Apache-2.0
#include "platform/app/python.h"

#include "models/base/config_error.h"
#include "platform/app/exit_codes.h"
#include "platform/config/installation.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace strobe::platform {

namespace fs = std::filesystem;

namespace {

std::string fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool isProgram(const fs::path& path)
{
    return ::access(path.c_str(), X_OK) == 0;
}

std::string onPath(const std::string& name)
{
    std::string rest = fromEnvironment("PATH");
    while (!rest.empty()) {
        const std::size_t end = rest.find(':');
        const fs::path candidate = fs::path(rest.substr(0, end)) / name;
        if (isProgram(candidate))
            return candidate.string();
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
    }
    return "";
}

// Empty: there is none.
std::string interpreter()
{
    if (const std::string given = fromEnvironment("STROBE_PYTHON"); !given.empty() && given != "yes") {
        if (given == "no")
            throw ConfigError("strobe: this command needs Python, which STROBE_PYTHON=no refuses");
        std::string found = given.find('/') == std::string::npos ? onPath(given) : given;
        if (found.empty() || !isProgram(found))
            throw ConfigError("strobe: STROBE_PYTHON=" + given +
                              ": there is no such program; allowed are the path of a Python interpreter, and no");
        return found;
    }
    const fs::path home = fromEnvironment("HOME");
    const std::string data = fromEnvironment("XDG_DATA_HOME");
    for (const fs::path& environment :
         {fs::path(runningProgram()).parent_path().parent_path() / "python",
          (data.empty() ? home / ".local" / "share" : fs::path(data)) / "strobe" / "python"}) {
        if (const fs::path candidate = environment / "bin" / "python3"; isProgram(candidate))
            return candidate.string();
    }
    return onPath("python3");
}

std::string packageDirectory()
{
    const std::optional<Installation> installation = installationOf(runningProgram());
    return installation ? installation->python : STROBE_PYTHON_DIRECTORY;
}

[[noreturn]] void withoutPython(const std::string& packages)
{
    if (const std::string file = fromEnvironment("STROBE_NEEDS"); !file.empty())
        std::ofstream(file) << "python-" << packages;
    throw ConfigError("strobe: this command needs Python 3.11 or newer; install the packages python3 and python3-venv");
}

// What is executed, with the environment that Python needs.
std::vector<std::string> prepare(const std::string& packages, const std::vector<std::string>& arguments)
{
    const std::string python = interpreter();
    if (python.empty())
        withoutPython(packages);
    ::setenv("STROBE", runningProgram().c_str(), 1);
    const std::string inherited = fromEnvironment("PYTHONPATH");
    ::setenv("PYTHONPATH", (packageDirectory() + (inherited.empty() ? "" : ":" + inherited)).c_str(), 1);
    ::unsetenv("SC_COPYRIGHT_MESSAGE");
    std::vector<std::string> words{python, "-m", "strobe"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

void execute(std::vector<std::string>& words)
{
    std::vector<char*> raw;
    raw.reserve(words.size() + 1);
    for (std::string& word : words)
        raw.push_back(word.data());
    raw.push_back(nullptr);
    ::execv(raw.front(), raw.data());
}

int wait(pid_t child)
{
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            throw ConfigError(std::string("strobe: Python: ") + std::strerror(errno));
    }
    return WIFSIGNALED(status) ? exitSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
}

int runAndWait(const std::string& packages, const std::vector<std::string>& arguments)
{
    std::vector<std::string> words = prepare(packages, arguments);
    const pid_t child = ::fork();
    if (child < 0)
        throw ConfigError(std::string("strobe: Python: ") + std::strerror(errno));
    if (child == 0) {
        execute(words);
        ::_exit(exitUserMistake);
    }
    return wait(child);
}

std::vector<std::string> commandWords(const PythonCommand& command, const std::vector<std::string>& arguments)
{
    std::vector<std::string> words{command.name};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

} // namespace

const std::vector<PythonCommand>& pythonCommands()
{
    static const std::vector<PythonCommand> commands{
        {"report", "report", "Show a JSON report as one HTML page"},
        {"compare", "report", "Show several JSON reports side by side, as a table or as one HTML page"},
        {"explore", "explore",
         "Search for the best drives: vary parameters, simulate a grid or a search, show the Pareto front"},
        {"torture", "report", "Run random legal scenarios with random requests and power losses, and check each"}};
    return commands;
}

const PythonCommand* findPythonCommand(const std::string& name)
{
    for (const PythonCommand& command : pythonCommands()) {
        if (name == command.name)
            return &command;
    }
    return nullptr;
}

void becomePython(const PythonCommand& command, const std::vector<std::string>& arguments)
{
    std::vector<std::string> words = prepare(command.packages, commandWords(command, arguments));
    execute(words);
    throw ConfigError("strobe: " + words.front() + ": " + std::strerror(errno));
}

void requirePython(const std::string& packages)
{
    if (runAndWait(packages, {"--check", packages}) != exitOk)
        throw ConfigError("strobe: the Python packages are missing, so nothing was run");
}

std::string pythonOutput(const std::vector<std::string>& arguments)
{
    std::vector<std::string> words = prepare("report", arguments);
    int ends[2];
    const pid_t child = ::pipe(ends) == 0 ? ::fork() : -1;
    if (child < 0)
        throw ConfigError(std::string("strobe: Python: ") + std::strerror(errno));
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        execute(words);
        ::_exit(exitUserMistake);
    }
    ::close(ends[1]);
    std::string text;
    char part[4096];
    ssize_t count = 0;
    while ((count = ::read(ends[0], part, sizeof part)) > 0 || (count < 0 && errno == EINTR))
        text.append(part, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    ::close(ends[0]);
    if (wait(child) != exitOk)
        throw ConfigError("strobe: Python has failed");
    return text;
}

int runPython(const PythonCommand& command, const std::vector<std::string>& arguments)
{
    return runAndWait(command.packages, commandWords(command, arguments));
}

} // namespace strobe::platform
