#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a study of a paper comes to: cells of its tables, measured beside what is printed there, and the parameters that
// were fitted to get them. Written as JSON and CSV; the text is each study's own.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct StudyCell {
    std::uint32_t table = 0;
    std::string cell;      // SLC or MLC
    std::string operation; // read or write
    std::uint32_t channels = 0;
    std::uint32_t ways = 0;
    std::string interface;
    double measured = 0;
    std::optional<double> paper; // absent: a prediction
    std::string unit;
    std::string note;      // what is special about this cell, or empty
    bool doubtful = false; // the printed value contradicts its neighbours

    // Measured against printed, as a share; absent for predictions.
    std::optional<double> error() const;
};

// A parameter whose value was chosen so that some cells come out.
struct FittedParameter {
    std::string name;
    std::string value; // with its unit, as the scenario says it
    std::string meaning;
    std::string from; // the cells that it was fitted to
};

// What a paper says of its figures in words, judged by cells: never by anything that is not among them.
struct Statement {
    std::string claim; // "12a-1"
    std::string statement;
    double measured = 0; // what the judgement rests on
    std::string unit;
    bool holds = false;
    std::string reason; // how it was judged; and why it does not hold
};

struct Study {
    std::string name;
    std::string paper;
    std::vector<FittedParameter> fitted;
    std::vector<StudyCell> cells;
    std::vector<Statement> statements; // may be empty
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

// table,cell,op,channels,ways,interface,measured,paper,unit
std::string csvOf(const Study& study);
// claim,statement,measured,unit,holds,reason; texts in quotes
std::string statementsCsvOf(const Study& study);
std::string jsonOf(const Study& study, const nlohmann::ordered_json& more);

} // namespace strobe::platform
