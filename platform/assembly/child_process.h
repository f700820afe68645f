#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Work in child processes: SystemC elaborates once per process, so each of many simulations needs one of its own. The
// parent must not have elaborated. What a child throws is thrown again in the parent: ConfigError as such, anything
// else as InternalError; a child that SIGINT or SIGTERM has ended is Interrupted.

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace strobe::platform {

struct Interrupted : std::runtime_error {
    explicit Interrupted(int number) : std::runtime_error("interrupted"), signal(number) {}
    int signal;
};

// The text that `work` returns, from a child.
std::string inChild(const std::function<std::string()>& work);

// The same for many, at most `jobs` at a time; `done` is called in the parent after each, with how many have ended.
std::vector<std::string> inChildren(const std::vector<std::function<std::string()>>& works, std::size_t jobs,
                                    const std::function<void(std::size_t)>& done);

std::size_t processors(); // of this machine, at least 1

} // namespace strobe::platform
