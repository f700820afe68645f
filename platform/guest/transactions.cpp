// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/transactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace strobe::platform::guest {

bool PowerLossFindings::isGood() const
{
    return (found || isRepeated) && lost() == 0 &&
           std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.isGood; });
}

bool Transactions::mark(Time at, std::string_view word, std::string_view argument)
{
    if (word == "committed") {
        if (const auto count = number(word, argument)) {
            committed_ = std::max(committed_, *count);
            begin_ = begin_.value_or(at);
        }
    } else if (word == "found") {
        const auto count = number(word, argument);
        if (count && !losses_.empty()) {
            losses_.back().found = *count;
            committed_ = *count;
        }
    } else if (word == "checked") {
        const std::size_t space = argument.rfind(' ');
        const std::string_view result = space == std::string_view::npos ? "" : argument.substr(space + 1);
        if (mistake_.empty() && result != "ok" && result != "failed")
            mistake_ = fmt::format("the script reports \"checked {}\"; must end with ok or failed", argument);
        else if (!losses_.empty())
            losses_.back().checks.push_back({std::string(argument.substr(0, space)), result == "ok"});
    } else {
        return false;
    }
    return true;
}

void Transactions::powerLost(Time at)
{
    if (!losses_.empty())
        losses_.back().isRepeated = !losses_.back().found;
    PowerLossFindings& loss = losses_.emplace_back();
    loss.at = at;
    loss.committed = committed_;
}

std::optional<std::uint64_t> Transactions::number(std::string_view word, std::string_view argument)
{
    std::uint64_t value = 0;
    const char* const end = argument.data() + argument.size();
    const auto [last, error] = std::from_chars(argument.data(), end, value);
    if (error == std::errc() && last == end && !argument.empty())
        return value;
    if (mistake_.empty())
        mistake_ = fmt::format("the script reports \"{} {}\"; must be a number", word, argument);
    return std::nullopt;
}

} // namespace strobe::platform::guest
