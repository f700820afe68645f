// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_console.h"

#include <utility>

namespace strobe::platform::guest {

void GuestConsole::take(std::string_view text, Time now)
{
    for (const char c : text) {
        if (c == '\n' || open_.size() == longestLine)
            finishLine(now);
        if (c != '\n' && c != '\r')
            open_ += c;
    }
}

void GuestConsole::end(Time now)
{
    if (!open_.empty())
        finishLine(now);
}

void GuestConsole::finishLine(Time now)
{
    const std::string line = std::exchange(open_, {});
    if (line.empty() || line.front() != markCharacter)
        return line_(now, line);
    const std::string_view mark = std::string_view(line).substr(1);
    const std::size_t space = mark.find(' ');
    mark_(now, mark.substr(0, space), space == std::string_view::npos ? std::string_view() : mark.substr(space + 1));
}

} // namespace strobe::platform::guest
