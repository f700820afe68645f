// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/real_drives.h"

#include "platform/report/text_table.h"
#include "platform/reproduce/study_text.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace strobe::platform {

namespace {

struct Count {
    std::size_t published = 0;
    std::size_t met = 0;
};

std::string figureText(const Study& study, const PlannedFigure& figure, Count& count)
{
    TextTable rows({"", "", "published", "Strobe", "error", "bar", ""}, {0, 1});
    for (const StudyCell& cell : study.cells) {
        const std::optional<double> bar = barOf(cell.quantity);
        if (cell.figure != figure.figure || !cell.paper || !bar)
            continue;
        const bool isMet = std::abs(*cell.error()) <= *bar;
        ++count.published;
        count.met += isMet ? 1 : 0;
        rows.row({cell.setting, fmt::format("{}, {}", cell.quantity, cell.unit), shortNumber(*cell.paper),
                  shortNumber(cell.measured), fmt::format("{:+.1f} %", *cell.error() * 100),
                  fmt::format("{:.0f} %", *bar * 100), isMet ? "" : "outside"});
    }
    return fmt::format("\n{}: {}\n{}", figure.name, figure.title, rows.text());
}

} // namespace

std::optional<double> barOf(const std::string& quantity)
{
    static const std::map<std::string, double> bars{
        {"requests", 0.10}, {"latency", 0.10}, {"p50", 0.10}, {"p99", 0.25}, {"p99.9", 0.40}};
    const auto found = bars.find(quantity);
    return found == bars.end() ? std::nullopt : std::optional(found->second);
}

std::string realDrivesText(const DataStudy& result)
{
    std::string text = result.study.paper + "\n";
    std::string counts;
    for (const PlannedFigure& figure : result.figures) {
        Count count;
        text += figureText(result.study, figure, count);
        counts +=
            fmt::format("{}: {} of {} published values within their bars\n", figure.name, count.met, count.published);
    }
    return text + "\n" + counts + statementsText(result.study) + fittedText(result.study);
}

} // namespace strobe::platform
