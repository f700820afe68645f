#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a guest prints, line by line, with the simulated time of each line's end. Lines that begin with the control
// character GS (0x1D) are marks for Strobe: a word and its argument (scripts/lib/linux/init writes them).

#include "models/base/time.h"

#include <functional>
#include <string>
#include <string_view>

namespace strobe::platform::guest {

class GuestConsole {
public:
    using LineHandler = std::function<void(Time at, std::string_view line)>;
    using MarkHandler = std::function<void(Time at, std::string_view word, std::string_view argument)>;

    GuestConsole(LineHandler line, MarkHandler mark) : line_(std::move(line)), mark_(std::move(mark)) {}
    void take(std::string_view text, Time now);
    void end(Time now); // a line without an end is one

    static constexpr char markCharacter = 0x1D;
    static constexpr std::size_t longestLine = 4096; // longer ones are divided

private:
    void finishLine(Time now);

    LineHandler line_;
    MarkHandler mark_;
    std::string open_;
};

} // namespace strobe::platform::guest
