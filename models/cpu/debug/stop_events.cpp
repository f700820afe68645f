// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/stop_events.h"

#include <algorithm>

namespace strobe::cpu {

std::string StopEvents::choose(std::string_view list)
{
    std::bitset<stopEventTable.size()> chosen;
    const bool asks = list.empty();
    if (list == "all")
        chosen.set();
    while (!list.empty() && list != "all" && list != "none") {
        const std::size_t comma = list.find(',');
        const std::string_view name = list.substr(0, comma);
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
        const auto* const row = std::find_if(stopEventTable.begin(), stopEventTable.end(),
                                             [&](const auto& known) { return known.name == name; });
        if (row == stopEventTable.end()) {
            std::string names;
            for (const auto& known : stopEventTable)
                names += std::string(known.name) + ", ";
            return "there is no event \"" + std::string(name) + "\"; there are " + names +
                   "and instead of a list, separated by commas: all, none\n";
        }
        chosen.set(static_cast<std::size_t>(row->value));
    }
    if (!asks)
        chosen_ = chosen;
    std::string text = "the debugger stops on:";
    for (const auto& row : stopEventTable)
        text += has(row.value) ? " " + std::string(row.name) : "";
    return text + (chosen_.none() ? " nothing but breakpoints\n" : "\n");
}

} // namespace strobe::cpu
