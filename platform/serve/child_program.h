#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A program that runs beside the simulation, with this program's standard output and error: the NBD server, or a
// command of the user. It is killed when this process ends, whatever ends it; what it has started, only if the object
// goes.
//
// Errors: ConfigError if it cannot be started.

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace strobe::platform::serve {

struct ChildOptions {
    std::vector<std::string> words;                                 // the program's path, then its arguments
    std::vector<std::pair<std::string, std::string>> environment{}; // added to this process's
    int listening = -1;           // a socket that it gets as systemd's socket activation says; -1: none
    std::vector<int> inherited{}; // further descriptors that it gets, with the same numbers
    bool isApart = false;         // a process group of its own: no signals of the terminal, and no input
    bool printsToError = false;   // its standard output goes to standard error
};

// The path of an executable file of this name in a directory of PATH; empty: there is none.
std::string findProgram(const std::string& name);

class ChildProgram {
public:
    explicit ChildProgram(const ChildOptions& options);
    ~ChildProgram(); // if it still runs: SIGTERM, and SIGKILL 0.3 s later; with isApart to its whole group
    ChildProgram(const ChildProgram&) = delete;
    ChildProgram& operator=(const ChildProgram&) = delete;

    bool hasEnded();                       // looks, does not wait
    int status() const { return status_; } // exit status, or 128 + the signal that ended it. REQUIRES: it has ended
    void signal(int number) const;

private:
    void takeStatus(int raw);

    bool isApart_;
    pid_t process_ = -1; // -1: it has ended
    int status_ = 0;
};

} // namespace strobe::platform::serve
