#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The data of a study: scenarios/papers/<study>/paper.json. Common to all studies are
//
//   "paper":      title of the paper
//   "fitted":     parameters that were fitted or assumed: [{"name", "value", "meaning", "from"}]; in place of "value",
//                 "where" and "pointer" (a file beside paper.json and a JSON pointer in it), or "resolved" and
//                 "pointer" (the same in the scenario with all its defaults)
//   "printed":    values that the paper prints: [{"figure", "workload", "setting", "quantity", "value"}]; "doubtful"
//                 says why a printed value cannot be right; "predicted": true, that it became known after the model
//                 and its parameters had been fixed. In place of "quantity" and "value", "values":
//                 {quantity: value}
//   "bars":       optional: {quantity: per cent}: a printed value of this quantity agrees up to this error. With bars,
//                 the tables show whether each value agrees, and statements may use ofBar() (expression.h)
//   "headings":   what the pages call the figures: [{"figure", "name", "title"}]; absent: "Figure" and its number
//   "figures", "axes":                 the runs (plan.h)
//   "limits", "lists", "statements":   what the paper says in words (judge.h)
//
// A study may have further keys. Errors: ConfigError with file, place and what is allowed.

#include "platform/config/load.h"
#include "platform/reproduce/judge.h"
#include "platform/reproduce/plan.h"
#include "platform/reproduce/study.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace strobe::platform {

class Paper {
public:
    // `further`: keys of this study alone.
    Paper(const std::string& scenariosDirectory, std::string study, const std::vector<std::string>& further = {});

    const nlohmann::json& data() const { return data_; }
    PlanFile file() const { return {directory_, file_}; }

    Study emptyStudy(const LoadOptions& load) const; // with its name and parameters
    // Throws ConfigError if a statement or a printed value names a point that is not declared. Made before the runs.
    void check(const Points& declared) const;
    // Sets the printed values of the cells and judges the statements. `isWhole`: every point was measured, so that
    // every statement must have a verdict.
    void finish(Study& study, Points declared, bool isWhole) const;
    // All of these: the cells that are `computed` without a run, then those of the plan. Throws as check() and
    // runPlan().
    Study run(const Plan& plan, const VariantOptions& options, std::vector<StudyCell> computed = {}) const;

private:
    struct Printed {
        PointName name;
        double value;
        std::string doubt; // why the value cannot be right, or empty
        bool isPredicted;  // known only after the model and its parameters had been fixed
    };
    void readPrinted();
    void readBars();
    Points withPublished(Points points) const;
    FittedParameter parameter(const nlohmann::json& object, const std::string& place, const LoadOptions& load) const;

    std::string name_;
    std::string directory_;
    std::string file_;
    nlohmann::json data_;
    Judge judge_;
    std::vector<Printed> printed_;
    std::map<std::string, double> bars_; // by quantity, as shares
};

} // namespace strobe::platform
