#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A POSIX extended regular expression, as the C library has it: std::regex would take seconds to compile.

#include <regex.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

class TextPattern {
public:
    explicit TextPattern(const char* expression); // REQUIRES: it is well-formed
    ~TextPattern() { regfree(&compiled_); }
    TextPattern(const TextPattern&) = delete;
    TextPattern& operator=(const TextPattern&) = delete;

    struct Match {
        std::size_t begin = 0; // in the text
        std::size_t end = 0;
        std::vector<std::string> groups; // in parentheses
    };
    std::optional<Match> find(const std::string& text) const; // the first one

private:
    regex_t compiled_{};
};

} // namespace strobe::platform
