// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/study_text.h"

#include "platform/report/text_table.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

constexpr std::size_t lineWidth = 118;

// "+/- 0.12": of several seeds.
std::string intervalText(const Spread& measured)
{
    return measured.seeds == 1 ? "" : fmt::format("+/- {}", shortNumber(measured.halfWidth));
}

std::string verdictText(const Statement& statement)
{
    const std::string verdict = statement.holds()                         ? "yes"
                                : statement.verdict == Verdict::Undecided ? "undecided"
                                                                          : "NO";
    return statement.isEvidence() ? verdict : verdict + ", no evidence";
}

} // namespace

std::string statementsText(const Study& study)
{
    const Tally tally = tallyOf(study.statements);
    std::string text = fmt::format("\nWhat the paper says: {} of {} hold", tally.held, tally.counted());
    if (tally.undecided != 0)
        text += fmt::format(", {} undecided", tally.undecided);
    if (tally.notEvidence != 0)
        text += fmt::format("; {} more {} not count as evidence", tally.notEvidence,
                            tally.notEvidence == 1 ? "does" : "do");
    text += "\n";
    TextTable rows({"claim", "statement", "measured", "", "", "holds"}, {0, 1, 3, 4, 5});
    for (const Statement& s : study.statements)
        rows.row(
            {s.claim, s.statement, shortNumber(s.measured.mean), intervalText(s.measured), s.unit, verdictText(s)});
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
