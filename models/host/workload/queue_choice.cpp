// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/workload_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace strobe::host {

namespace {

std::string rangeText(std::uint32_t first, std::uint32_t last)
{
    return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

// A number of a queue at the beginning of `text`, which then begins after it; 0: there is none.
std::uint32_t takeNumber(std::string_view& text)
{
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number > QueueChoice::mostQueues)
        return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

// "3" or "3-5", followed by the end or a comma, which is taken as well. 0: it is neither.
std::uint64_t takeRange(std::string_view& text)
{
    const std::uint32_t first = takeNumber(text);
    std::uint32_t last = first;
    if (first != 0 && !text.empty() && text.front() == '-') {
        text.remove_prefix(1);
        last = takeNumber(text);
    }
    if (first == 0 || last < first)
        return 0;
    if (!text.empty()) {
        if (text.front() != ',' || text.size() == 1)
            return 0;
        text.remove_prefix(1);
    }
    std::uint64_t numbers = 0;
    for (std::uint32_t number = first; number <= last; ++number)
        numbers |= std::uint64_t{1} << (number - 1);
    return numbers;
}

} // namespace

std::string QueueChoice::text() const
{
    if (ofClass)
        return std::string(enumName(*ofClass));
    std::string list;
    for (std::uint32_t number = 1; number <= mostQueues; ++number) {
        const auto isIn = [this](std::uint32_t n) { return n <= mostQueues && (numbers >> (n - 1) & 1U) != 0; };
        if (!isIn(number))
            continue;
        const std::uint32_t first = number;
        while (isIn(number + 1))
            ++number;
        list += (list.empty() ? "" : ",") + rangeText(first, number);
    }
    return list.empty() ? "any" : list;
}

std::optional<QueueChoice> QueueChoice::of(const std::string& text)
{
    QueueChoice choice;
    if (text == "any")
        return choice;
    choice.ofClass = enumValue<QueueClass>(text);
    if (choice.ofClass)
        return choice;
    std::string_view rest = text;
    do {
        const std::uint64_t numbers = takeRange(rest);
        if (numbers == 0)
            return std::nullopt;
        choice.numbers |= numbers;
    } while (!rest.empty());
    choice.mask = choice.numbers;
    return choice;
}

} // namespace strobe::host
