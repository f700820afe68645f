#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The result of a study of a paper: points that were measured, beside the printed values where the paper has them; the
// paper's statements and their verdicts; and the parameters that were fitted or assumed. Written as JSON and CSV; each
// study draws its own text tables.

#include "platform/reproduce/points.h"
#include "platform/reproduce/spread.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct StudyCell : PointName {
    double measured = 0;
    std::string unit{};
    std::optional<double> paper{}; // absent: a prediction
    std::string note{};            // special conditions of this cell, or empty
    bool doubtful = false;         // the printed value contradicts its neighbours
    bool predicted = false;        // the printed value became known after model and parameters had been fixed
    std::optional<double> bar{};   // of a printed value: the largest error at which it agrees, as a share
    std::vector<double> samples{}; // by seed; empty: it does not depend on the seed

    // Measured against printed, as a share; absent for predictions.
    std::optional<double> error() const;
    bool isWithinBar() const; // REQUIRES: it has a printed value and a bar
};

// A parameter that was chosen so that some cells agree with the paper, or that was assumed.
struct FittedParameter {
    std::string name;
    std::string value; // with its unit, as the scenario has it
    std::string meaning;
    std::string from; // the cells that it was fitted to, or its source
};

// A statement of the paper and its verdict (judge.h).
struct Statement {
    std::string claim;   // "12-1"
    std::string section; // of the paper
    std::string statement;
    Spread measured; // basis of the verdict
    std::string unit;
    Verdict verdict = Verdict::Holds;
    std::string reason;     // how it was judged; and why it does not hold
    std::string noEvidence; // why the verdict shows nothing: such a statement is not counted. Empty: it is

    bool holds() const { return verdict == Verdict::Holds; }
    bool isEvidence() const { return noEvidence.empty(); }
};

// Statements by verdict.
struct Tally {
    std::size_t held = 0;
    std::size_t undecided = 0;
    std::size_t failed = 0;
    std::size_t notEvidence = 0; // none of the others

    std::size_t counted() const { return held + undecided + failed; }
    // "23 of 35", "23 of 35, 4 undecided"
    std::string text() const;
};
Tally tallyOf(const std::vector<Statement>& statements);

// What a page calls a figure, for figures of a study that the paper does not have.
struct FigureHeading {
    std::string figure;
    std::string name;  // "Table 3"
    std::string title; // what it shows
};

struct Study {
    std::string name;
    std::string paper;
    std::vector<FigureHeading> headings; // may be empty
    std::vector<FittedParameter> fitted;
    std::vector<StudyCell> cells;
    std::vector<Statement> statements; // may be empty

    Points points() const; // of all cells
    // Null: there is no such cell.
    const StudyCell* find(const PointName& wanted) const;
    // Each text of one part of the names, once and in order: find the settings of a figure and quantity. Empty figure
    // or quantity: any.
    std::vector<std::string> distinct(std::string PointName::*part, const std::string& figure,
                                      const std::string& quantity) const;
};

// Mean of the absolute errors over the cells that have a printed value and that `chosen` picks; absent: there is none.
template <class Predicate>
std::optional<double> meanError(const Study& study, Predicate chosen)
{
    double sum = 0;
    std::size_t count = 0;
    for (const StudyCell& cell : study.cells) {
        if (!cell.paper || !chosen(cell))
            continue;
        sum += *cell.error() < 0 ? -*cell.error() : *cell.error();
        ++count;
    }
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

// figure,workload,setting,quantity,measured,paper,unit; a text with a comma or a quote is in quotes
std::string csvOf(const Study& study);
// claim,statement,measured,half_width,seeds,unit,verdict,evidence,reason; texts in quotes
std::string statementsCsvOf(const Study& study);
std::string jsonOf(const Study& study, const nlohmann::ordered_json& more);

} // namespace strobe::platform
