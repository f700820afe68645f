#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Work in child processes: SystemC elaborates once per process, so each of many simulations needs a separate process.
// The parent must not have elaborated. Exceptions of a child are rethrown in the parent: ConfigError and FirmwareFault
// as such, anything else as InternalError; a child that SIGINT or SIGTERM has ended is Interrupted. A child does not
// inherit the parent's handlers of these signals: they terminate it.

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace strobe::platform {

struct Interrupted : std::runtime_error {
    explicit Interrupted(int number, const std::string& what = "interrupted") : std::runtime_error(what), signal(number)
    {
    }
    int signal;
};

// Returns the text that `work` returns in a child.
std::string inChild(const std::function<std::string()>& work);

// The same for many, at most `jobs` at a time; `done` is called in the parent after each, with how many have ended.
// As soon as `stop` (polled a few times per second; null: never) returns true, work in progress is ended, and its text,
// like that of work not begun, is empty.
std::vector<std::string> inChildren(const std::vector<std::function<std::string()>>& works, std::size_t jobs,
                                    const std::function<void(std::size_t)>& done,
                                    const std::function<bool()>& stop = nullptr);

std::size_t processors(); // of this machine, at least 1

} // namespace strobe::platform
