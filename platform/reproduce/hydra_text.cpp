// SPDX-License-Identifier: Apache-2.0
#include "platform/report/text_table.h"
#include "platform/reproduce/hydra.h"
#include "platform/reproduce/study_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

const StudyCell& cellOf(const Study& study, const HydraFigure& figure, const std::string& workload,
                        const std::string& quantity, const std::string& setting)
{
    return *std::find_if(study.cells.begin(), study.cells.end(), [&](const StudyCell& c) {
        return c.table == figure.number && c.cell == workload && c.operation == quantity && c.interface == setting;
    });
}

// Settings are rows. Columns are workloads if there are several, else quantities.
std::string figureText(const Study& study, const HydraFigure& figure)
{
    const bool byWorkload = figure.workloads.size() > 1;
    std::string text;
    const auto table = [&](const std::vector<std::string>& columns, auto cell) {
        std::vector<std::string> headings{""};
        headings.insert(headings.end(), columns.begin(), columns.end());
        TextTable rows(headings);
        for (const std::string& setting : figure.settings) {
            std::vector<std::string> row{setting};
            for (const std::string& column : columns)
                row.push_back(shortNumber(cell(column, setting).measured));
            rows.row(row);
        }
        text += rows.text();
    };
    const std::string name = figure.number == 0   ? "Sensitivity"
                             : figure.number == 1 ? "Recorded"
                             : figure.number == 3 ? "Table 3"
                                                  : fmt::format("Figure {}", figure.number);
    text += fmt::format("\n{}: {}\n", name, figure.title);
    if (!figure.note.empty())
        text += fmt::format("({})\n", figure.note);
    if (byWorkload) {
        for (const std::string& quantity : figure.quantities) {
            const StudyCell& any = cellOf(study, figure, figure.workloads[0], quantity, figure.settings[0]);
            text += fmt::format("{}, {}\n", quantity, any.unit);
            table(figure.workloads, [&](const std::string& workload, const std::string& setting) -> const StudyCell& {
                return cellOf(study, figure, workload, quantity, setting);
            });
        }
        return text;
    }
    for (const std::string& quantity : figure.quantities)
        text += fmt::format("{}{}, {}", quantity == figure.quantities[0] ? "" : "; ", quantity,
                            cellOf(study, figure, figure.workloads[0], quantity, figure.settings[0]).unit);
    text += "\n";
    table(figure.quantities, [&](const std::string& quantity, const std::string& setting) -> const StudyCell& {
        return cellOf(study, figure, figure.workloads[0], quantity, setting);
    });
    return text;
}

} // namespace

std::string hydraText(const HydraStudy& result)
{
    const Study& study = result.study;
    std::string text = study.paper + "\n";
    for (const HydraFigure& figure : result.figures)
        text += figureText(study, figure);
    return text + statementsText(study) + fittedText(study);
}

std::string hydraJson(const HydraStudy& result)
{
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    for (const HydraFigure& f : result.figures)
        figures.push_back({{"figure", f.number},
                           {"title", f.title},
                           {"note", f.note},
                           {"workloads", f.workloads},
                           {"settings", f.settings},
                           {"quantities", f.quantities}});
    nlohmann::ordered_json more{{"figures", figures}};
    if (!result.unfinished.empty())
        more["interrupted_without"] = result.unfinished;
    return jsonOf(result.study, more);
}

} // namespace strobe::platform
