// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/study_text.h"

#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

constexpr std::size_t lineWidth = 118;

} // namespace

std::string statementsText(const Study& study)
{
    const auto held =
        std::count_if(study.statements.begin(), study.statements.end(), [](const Statement& s) { return s.holds; });
    std::string text = fmt::format("\nWhat the paper says: {} of {} hold\n", held, study.statements.size());
    TextTable rows({"claim", "statement", "measured", "", "holds"}, {0, 1, 3, 4});
    for (const Statement& s : study.statements)
        rows.row({s.claim, s.statement, shortNumber(s.measured), s.unit, s.holds ? "yes" : "NO"});
    text += rows.text();
    text += "\nHow each was judged\n";
    for (const Statement& s : study.statements) {
        for (const std::string& line : wrapped(fmt::format("{}: {}", s.claim, s.reason), lineWidth))
            text += "  " + line + "\n";
    }
    return text;
}

std::string fittedText(const Study& study)
{
    std::string text = fmt::format("\nFitted: {}, the same in all runs\n", study.fitted.size());
    TextTable fitted({"name", "value", "fitted to", "what it is"}, {0, 2, 3});
    for (const FittedParameter& p : study.fitted)
        fitted.row({p.name, p.value, p.from, p.meaning});
    return text + fitted.text();
}

} // namespace strobe::platform
