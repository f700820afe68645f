#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Verbal statements of a paper, judged only by the points of a study. The statements are data, in the
// paper.json of each study:
//
//   "limits":     {"unaffected": 5}                    named numbers that all statements share
//   "lists":      {"clocks": ["10 MHz", "20 MHz"]}     names that expressions loop over
//   "statements": [{
//       "claim": "12-5",                    unique in the study
//       "section": "4.2.2",                 of the paper
//       "statement": "File Write is best …",
//       "figure": "12",                     of points that do not name one
//       "quantity": "throughput",           the same
//       "values": {"best": "best(m in marks: [file-write|{m}])"},    optional; each may use the others
//       "measured": "change([file-write|watermark 14 MiB], [file-write|{best}])",
//       "unit": "%",
//       "holds": [{"at least": 1}, {"value": "best", "is not": "watermark 1 MiB"}],     all of them
//       "how": "gain of the best, {best}, …",                        {name:.1f} is replaced
//       "why not": "…",                                              optional: added when it does not hold
//       "not evidence": "…"}]               optional: why a verdict shows nothing (arithmetic on inputs, fitted)
//
// A condition compares "value" (an expression; "measured" if it is absent) by one of: "at least", "at most", "above",
// "below", "equals": a bound; "between": two bounds, inclusive; "within": a share, with "of": of this value; "nearer
// than": a distance, with "to": this value; "is", "is not": a text; "order": "rising" or "falling", of a series. A
// bound is a number or an expression (expression.h). Conditions and expressions are evaluated without side effects, so
// the same statements can be judged on several sets of points. At most 20 values in a row may use the next one.
//
// A statement whose points have samples (points.h) is evaluated once with each seed: its measured value is the mean,
// with the interval of spread.h, and each condition is judged by the interval of its margin (condition.h). It holds if
// every condition does; it does not hold if one of them does not; otherwise it is undecided. Values in "how" are means.
// The settings that a statement compares have the same seeds, so what a seed brings to all of them cancels out. The
// least of several noisy values is below the least of their means: a statement about "all" is judged strictly.

#include "platform/reproduce/condition.h"
#include "platform/reproduce/expression.h"
#include "platform/reproduce/study.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace strobe::platform {

class Judge {
public:
    // `file`: the name for messages. Throws ConfigError with one line for each problem of the three keys.
    Judge(const nlohmann::json& paper, const std::string& file);

    // Throws ConfigError with one line for each statement that names a point, value or list that does not exist.
    void check(const Points& points) const;
    // In the order of the file. A statement with a point that was not measured is left out.
    std::vector<Statement> judge(const Points& points) const;
    std::size_t statements() const { return rules_.size(); }

private:
    struct Rule {
        std::string place; // "paper.json: /statements/3"
        std::string claim, section, statement, figure, quantity, unit, how, deviationReason, noEvidence;
        std::map<std::string, Expression> values; // and "measured"
        std::vector<Condition> conditions;
    };
    struct Evaluation; // of a rule by one seed

    void readLists(const nlohmann::json& paper);
    void readLimits(const nlohmann::json& paper);
    Rule readRule(const nlohmann::json& object, const std::string& place) const;
    Value valueOf(const Rule& rule, const std::string& name, PointsOfSeed& points, bool isCheck,
                  std::vector<std::string>& open) const;
    Scope scopeOf(const Rule& rule, PointsOfSeed& points, bool isCheck, std::vector<std::string>& open) const;
    Evaluation evaluated(const Rule& rule, PointsOfSeed& points, bool isCheck) const;
    std::vector<Evaluation> bySeed(const Rule& rule, const Points& points) const;
    std::string howText(const Rule& rule, const Points& points, std::size_t seeds, bool isCheck) const;
    Statement judged(const Rule& rule, const std::vector<Evaluation>& seeds, const Points& points) const;

    std::string file_;
    Lists lists_;
    std::map<std::string, double> limits_;
    std::vector<Rule> rules_;
};

} // namespace strobe::platform
