#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One table per enum serves the scenario reader, the report and the help: `EnumRow<Mode> rows[] = {{Mode::A, "a",
// "…"}}`. An enum takes part by providing `constexpr auto& enumTable(Mode)`, found by argument-dependent lookup.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace strobe {

template <class E>
struct EnumRow {
    E value;
    std::string_view name; // as written in a scenario and printed in a report
    std::string_view help; // one sentence
};

template <class E>
std::string_view enumName(E value)
{
    for (const auto& row : enumTable(E{})) {
        if (row.value == value)
            return row.name;
    }
    return "?";
}

template <class E>
std::optional<E> enumValue(std::string_view name)
{
    for (const auto& row : enumTable(E{})) {
        if (row.name == name)
            return row.value;
    }
    return std::nullopt;
}

// "a, b or c"
template <class E>
std::string enumChoices()
{
    const auto& table = enumTable(E{});
    std::string text;
    for (std::size_t i = 0; i < table.size(); ++i) {
        text += i == 0 ? "" : i + 1 == table.size() ? " or " : ", ";
        text += '"';
        text += table[i].name;
        text += '"';
    }
    return text;
}

} // namespace strobe
