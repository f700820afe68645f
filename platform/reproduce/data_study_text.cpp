// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "platform/report/text_table.h"
#include "platform/reproduce/data_study.h"
#include "platform/reproduce/study_text.h"
#include "platform/reproduce/units.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

const StudyCell& cellOf(const Study& study, const PlannedFigure& figure, const std::string& workload,
                        const std::string& quantity, const std::string& setting)
{
    const StudyCell* found = study.find({figure.figure, workload, setting, quantity});
    check(found != nullptr, "a figure without one of its cells");
    return *found;
}

std::vector<std::string> quantitiesOf(const PlannedFigure& figure)
{
    std::vector<std::string> names;
    for (const PlannedQuantity& quantity : figure.quantities)
        names.push_back(quantity.name);
    return names;
}

// A row for each value that is published, with its error and whether it is within its bar. Empty: none is.
std::string comparisonText(const Study& study, const PlannedFigure& figure)
{
    TextTable rows({"", "", "published", "Strobe", "error", "bar", ""}, {0, 1, 6});
    std::string last;
    for (const PlannedRun& run : figure.runs) {
        for (const PlannedQuantity& quantity : figure.quantities) {
            const StudyCell& cell = cellOf(study, figure, run.workload, quantity.name, run.setting);
            if (!cell.paper)
                continue;
            const std::string place = fmt::format("{}{}{}", run.workload, run.setting.empty() ? "" : " ", run.setting);
            rows.row({place == last ? "" : place, fmt::format("{}, {}", quantity.name, cell.unit),
                      shortNumber(*cell.paper), shortNumber(cell.measured),
                      fmt::format("{:+.1f} %", *cell.error() * percent),
                      cell.bar ? fmt::format("{:.0f} %", *cell.bar * percent) : "-",
                      cell.bar && !cell.isWithinBar() ? "outside" : ""});
            last = place;
        }
    }
    return rows.empty() ? "" : rows.text();
}

// Settings are rows. Columns are workloads if there are several, else quantities.
std::string figureText(const Study& study, const PlannedFigure& figure)
{
    const std::vector<std::string> quantities = quantitiesOf(figure);
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
    const auto unitOf = [&](const std::string& quantity) {
        return cellOf(study, figure, figure.workloads[0], quantity, figure.settings[0]).unit;
    };
    text += fmt::format("\n{}: {}\n", figure.name, figure.title);
    if (!figure.note.empty())
        text += fmt::format("({})\n", figure.note);
    if (const std::string comparison = comparisonText(study, figure); !comparison.empty())
        return text + comparison;
    if (figure.workloads.size() > 1) {
        for (const std::string& quantity : quantities) {
            text += fmt::format("{}, {}\n", quantity, unitOf(quantity));
            table(figure.workloads, [&](const std::string& workload, const std::string& setting) -> const StudyCell& {
                return cellOf(study, figure, workload, quantity, setting);
            });
        }
        return text;
    }
    const bool haveOneUnit = std::all_of(quantities.begin(), quantities.end(), [&](const std::string& quantity) {
        return unitOf(quantity) == unitOf(quantities[0]);
    });
    if (quantities.size() > 1 && haveOneUnit) { // the names are the headings
        text += unitOf(quantities[0]);
    } else {
        for (const std::string& quantity : quantities)
            text += fmt::format("{}{}, {}", quantity == quantities[0] ? "" : "; ", quantity, unitOf(quantity));
    }
    text += "\n";
    table(quantities, [&](const std::string& quantity, const std::string& setting) -> const StudyCell& {
        return cellOf(study, figure, figure.workloads[0], quantity, setting);
    });
    return text;
}

// The overrides that each workload and setting ran with.
nlohmann::ordered_json runsOf(const PlannedFigure& figure)
{
    auto runs = nlohmann::ordered_json::array();
    for (const PlannedRun& run : figure.runs) {
        auto sets = nlohmann::ordered_json::array();
        for (const Override& set : run.variants.front().sets)
            sets.push_back(set.assignment);
        runs.push_back({{"workload", run.workload}, {"setting", run.setting}, {"sets", sets}});
    }
    return runs;
}

} // namespace

std::string dataStudyText(const DataStudy& result)
{
    const Study& study = result.study;
    std::string text = study.paper + "\n";
    for (const PlannedFigure& figure : result.figures)
        text += figureText(study, figure);
    return text + statementsText(study) + fittedText(study);
}

std::string dataStudyJson(const DataStudy& result)
{
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    for (const PlannedFigure& f : result.figures)
        figures.push_back({{"figure", f.figure},
                           {"name", f.name},
                           {"title", f.title},
                           {"note", f.note},
                           {"workloads", f.workloads},
                           {"settings", f.settings},
                           {"quantities", quantitiesOf(f)},
                           {"runs", runsOf(f)}});
    nlohmann::ordered_json more{{"figures", figures}};
    if (!result.unfinished.empty())
        more["interrupted_without"] = result.unfinished;
    return jsonOf(result.study, more);
}

} // namespace strobe::platform
