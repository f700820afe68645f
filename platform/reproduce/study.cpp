// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace strobe::platform {

using nlohmann::ordered_json;

std::optional<double> StudyCell::error() const
{
    return paper ? std::optional(measured / *paper - 1) : std::nullopt;
}

bool StudyCell::isWithinBar() const
{
    return std::abs(*error()) <= *bar;
}

Points Study::points() const
{
    Points points;
    for (const StudyCell& cell : cells)
        points.measure(cell, cell.measured, cell.samples);
    return points;
}

std::string Tally::text() const
{
    return fmt::format("{} of {}{}", held, counted(), undecided == 0 ? "" : fmt::format(", {} undecided", undecided));
}

Tally tallyOf(const std::vector<Statement>& statements)
{
    Tally tally;
    for (const Statement& s : statements) {
        if (!s.isEvidence())
            ++tally.notEvidence;
        else
            ++(s.verdict == Verdict::Holds       ? tally.held
               : s.verdict == Verdict::Undecided ? tally.undecided
                                                 : tally.failed);
    }
    return tally;
}

const StudyCell* Study::find(const PointName& wanted) const
{
    const auto found =
        std::find_if(cells.begin(), cells.end(), [&](const StudyCell& c) { return !(c < wanted) && !(wanted < c); });
    return found == cells.end() ? nullptr : &*found;
}

std::vector<std::string> Study::distinct(std::string PointName::*part, const std::string& figure,
                                         const std::string& quantity) const
{
    std::vector<std::string> texts;
    for (const StudyCell& cell : cells) {
        if ((figure.empty() || cell.figure == figure) && (quantity.empty() || cell.quantity == quantity) &&
            std::find(texts.begin(), texts.end(), cell.*part) == texts.end())
            texts.push_back(cell.*part);
    }
    return texts;
}

namespace {

std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string quotedIfNeeded(const std::string& text)
{
    return text.find_first_of(",\"\n") == std::string::npos ? text : quoted(text);
}

} // namespace

std::string csvOf(const Study& study)
{
    std::string text = "figure,workload,setting,quantity,measured,paper,unit\n";
    for (const StudyCell& c : study.cells) {
        text += fmt::format("{},{},{},{},{:.4f},{},{}\n", quotedIfNeeded(c.figure), quotedIfNeeded(c.workload),
                            quotedIfNeeded(c.setting), quotedIfNeeded(c.quantity), c.measured,
                            c.paper ? fmt::format("{:.2f}", *c.paper) : "", c.unit);
    }
    return text;
}

std::string statementsCsvOf(const Study& study)
{
    std::string text = "claim,statement,measured,half_width,seeds,unit,verdict,evidence,reason\n";
    for (const Statement& s : study.statements) {
        text += fmt::format("{},{},{:.4f},{:.4f},{},{},{},{},{}\n", s.claim, quoted(s.statement), s.measured.mean,
                            s.measured.halfWidth, s.measured.seeds, s.unit, nameOf(s.verdict),
                            s.isEvidence() ? "yes" : "no", quoted(s.reason));
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
        cells.push_back({{"figure", c.figure},
                         {"workload", c.workload},
                         {"setting", c.setting},
                         {"quantity", c.quantity},
                         {"measured", rounded(c.measured)},
                         {"paper", c.paper ? ordered_json(*c.paper) : ordered_json()},
                         {"error", c.paper ? ordered_json(rounded(*c.error())) : ordered_json()},
                         {"unit", c.unit},
                         {"note", c.note},
                         {"doubtful", c.doubtful},
                         {"predicted", c.predicted}});
        if (c.bar)
            cells.back()["bar"] = *c.bar;
        for (const double sample : c.samples)
            cells.back()["samples"].push_back(rounded(sample));
    }
    ordered_json headings = ordered_json::array();
    for (const FigureHeading& h : study.headings)
        headings.push_back({{"figure", h.figure}, {"name", h.name}, {"title", h.title}});
    ordered_json out = {
        {"study", study.name}, {"paper", study.paper}, {"fitted", fitted}, {"headings", headings}, {"cells", cells}};
    for (const Statement& s : study.statements) {
        out["statements"].push_back({{"claim", s.claim},
                                     {"section", s.section},
                                     {"statement", s.statement},
                                     {"measured", rounded(s.measured.mean)},
                                     {"half_width", rounded(s.measured.halfWidth)},
                                     {"seeds", s.measured.seeds},
                                     {"unit", s.unit},
                                     {"verdict", nameOf(s.verdict)},
                                     {"evidence", s.isEvidence()},
                                     {"reason", s.reason}});
    }
    out.update(more);
    return out.dump(2) + "\n";
}

} // namespace strobe::platform
