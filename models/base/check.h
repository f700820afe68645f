#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Our own bugs: check() stays on in release builds and throws InternalError, which main() prints with its place and
// turns into exit code 3. User mistakes are ConfigError (models/base/config_error.h); modelled failures are values.

#include <stdexcept>

namespace strobe {

class InternalError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

[[noreturn, gnu::cold]] void checkFailed(const char* what, const char* file, int line);

// The default arguments name the caller (std::source_location is C++20; gcc and clang both offer these).
inline void check(bool holds, const char* what, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    if (!holds)
        checkFailed(what, file, line);
}

} // namespace strobe
