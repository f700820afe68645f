// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/study_page.h"

#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace strobe::platform {

namespace {

struct StudySummary { // one study in a line
    std::string printed = "none";
    std::string error = "-";
    std::string held = "none";
};

StudySummary summaryOf(const Study& study)
{
    StudySummary summary;
    const auto printed =
        std::count_if(study.cells.begin(), study.cells.end(), [](const StudyCell& c) { return c.paper.has_value(); });
    if (printed != 0)
        summary.printed = fmt::format("{}", printed);
    if (const auto error = meanError(study, [](const StudyCell&) { return true; }))
        summary.error = shortPercent(*error);
    if (!study.statements.empty())
        summary.held = tallyOf(study.statements).text();
    return summary;
}

// A cell of a Markdown table.
std::string escaped(const std::string& text)
{
    std::string out;
    for (const char c : text)
        out += c == '|' ? std::string("\\|") : c == '\n' ? std::string(" ") : std::string(1, c);
    return out;
}

std::string tableOfStudies(const StudyPage& page)
{
    std::string text = "| study | paper | cells beside printed values | mean error of these | statements that hold | "
                       "fitted parameters |\n|---|---|---|---|---|---|\n";
    for (const Chapter& chapter : page.chapters) {
        const StudySummary summary = summaryOf(chapter.study);
        text += fmt::format("| [{0}](#{0}) | {1} | {2} | {3} | {4} | {5} |\n", chapter.study.name,
                            escaped(chapter.study.paper), summary.printed, summary.error, summary.held,
                            chapter.study.fitted.size());
    }
    return text;
}

std::string tableOfFailures(const StudyPage& page)
{
    std::string rows;
    for (const Chapter& chapter : page.chapters) {
        for (const Statement& s : chapter.study.statements) {
            if (s.holds())
                continue;
            const std::string interval =
                s.measured.seeds == 1 ? "" : fmt::format(" +/- {}", shortNumber(s.measured.halfWidth));
            rows +=
                fmt::format("| {} | {} | {} | {}{} {} | {} | {} |\n", chapter.study.name, s.claim, escaped(s.statement),
                            shortNumber(s.measured.mean), interval, s.unit, nameOf(s.verdict), escaped(s.reason));
        }
    }
    if (rows.empty())
        return page.chapters.empty() ? "Nothing was run.\n" : "Nothing.\n";
    return "| study | claim | statement | measured | verdict | why |\n|---|---|---|---|---|---|\n" + rows;
}

// Each line of a CSV text after the name of its study; the heading only once.
void addNamed(std::string& all, const std::string& name, const std::string& csv)
{
    std::size_t start = 0;
    for (bool isHead = true; start < csv.size(); isHead = false) {
        const std::size_t end = csv.find('\n', start) + 1;
        const std::string line = csv.substr(start, end - start);
        if (!isHead)
            all.append(name).append(",").append(line);
        else if (all.empty())
            all.append("study,").append(line);
        start = end;
    }
}

} // namespace

std::string markdownOf(const StudyPage& page)
{
    std::string text = "# Published systems on one platform\n\n" + page.program + "\n\n";
    if (!page.settings.empty())
        text += fmt::format("Set for all runs: `{}`\n\n", fmt::join(page.settings, "`, `"));
    if (!page.missing.empty())
        text += fmt::format("MISSING: {}\n\n", fmt::join(page.missing, "; "));
    text += tableOfStudies(page);
    text += "\n## What does not hold or is undecided\n\n" + tableOfFailures(page);
    for (const Chapter& chapter : page.chapters)
        text +=
            fmt::format("\n## {}\n\n`{}` prints:\n\n```\n{}```\n", chapter.study.name, chapter.command, chapter.text);
    return text;
}

std::string summaryText(const StudyPage& page)
{
    TextTable table({"study", "cells beside printed values", "mean error", "statements that hold", "fitted"}, {0});
    for (const Chapter& chapter : page.chapters) {
        const StudySummary summary = summaryOf(chapter.study);
        table.row({chapter.study.name, summary.printed, summary.error, summary.held,
                   fmt::format("{}", chapter.study.fitted.size())});
    }
    std::string text =
        page.missing.empty() ? std::string() : fmt::format("MISSING: {}\n\n", fmt::join(page.missing, "; "));
    return text + table.text();
}

std::string csvOf(const StudyPage& page)
{
    std::string all;
    for (const Chapter& chapter : page.chapters)
        addNamed(all, chapter.study.name, csvOf(chapter.study));
    return all;
}

std::string statementsCsvOf(const StudyPage& page)
{
    std::string all;
    for (const Chapter& chapter : page.chapters)
        addNamed(all, chapter.study.name, statementsCsvOf(chapter.study));
    return all;
}

} // namespace strobe::platform
