// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/study.h"

#include <fmt/format.h>

namespace strobe::platform {

using nlohmann::ordered_json;

std::optional<double> StudyCell::error() const
{
    return paper ? std::optional(measured / *paper - 1) : std::nullopt;
}

std::string csvOf(const Study& study)
{
    std::string text = "table,cell,op,channels,ways,interface,measured,paper,unit\n";
    for (const StudyCell& c : study.cells) {
        text += fmt::format("{},{},{},{},{},{},{:.4f},{},{}\n", c.table, c.cell, c.operation, c.channels, c.ways,
                            c.interface, c.measured, c.paper ? fmt::format("{:.2f}", *c.paper) : "", c.unit);
    }
    return text;
}

std::string jsonOf(const Study& study, const ordered_json& more)
{
    const auto rounded = [](double value) { return std::stod(fmt::format("{:.9g}", value)); };
    ordered_json fitted = ordered_json::array();
    for (const FittedParameter& p : study.fitted)
        fitted.push_back({{"name", p.name}, {"value", p.value}, {"meaning", p.meaning}, {"from", p.from}});
    ordered_json cells = ordered_json::array();
    for (const StudyCell& c : study.cells) {
        cells.push_back({{"table", c.table},
                         {"cell", c.cell},
                         {"op", c.operation},
                         {"channels", c.channels},
                         {"ways", c.ways},
                         {"interface", c.interface},
                         {"measured", rounded(c.measured)},
                         {"paper", c.paper ? ordered_json(*c.paper) : ordered_json()},
                         {"error", c.paper ? ordered_json(rounded(*c.error())) : ordered_json()},
                         {"unit", c.unit},
                         {"note", c.note},
                         {"doubtful", c.doubtful}});
    }
    ordered_json json = {{"study", study.name}, {"paper", study.paper}, {"fitted", fitted}, {"cells", cells}};
    json.update(more);
    return json.dump(2) + "\n";
}

} // namespace strobe::platform
