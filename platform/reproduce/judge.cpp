// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/judge.h"

#include "models/base/config_error.h"
#include "platform/reproduce/filled_text.h"
#include "platform/reproduce/json_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace strobe::platform {

using nlohmann::json;

namespace {

constexpr const char* measuredName = "measured";
constexpr std::size_t longestChain = 20; // of values, each of which uses the next; an evaluation is several calls deep

} // namespace

// All numbers of a rule with one seed.
struct Judge::Evaluation {
    double measured;
    std::vector<std::vector<Margin>> margins; // by condition

    bool isFinite() const
    {
        return std::isfinite(measured) && std::all_of(margins.begin(), margins.end(), [](const auto& ofCondition) {
                   return std::all_of(ofCondition.begin(), ofCondition.end(),
                                      [](const Margin& margin) { return std::isfinite(margin.value); });
               });
    }
};

Judge::Judge(const json& paper, const std::string& file) : file_(file)
{
    std::vector<std::string> problems;
    const auto tried = [&](const auto& work) {
        try {
            work();
        } catch (const ConfigError& error) {
            problems.emplace_back(error.what());
        }
    };
    tried([&] { readLists(paper); });
    tried([&] { readLimits(paper); });
    const json statements = paper.value("statements", json::array());
    if (!statements.is_array())
        problems.push_back(file_ + ": /statements: must be a list of objects");
    for (std::size_t i = 0; statements.is_array() && i < statements.size(); ++i) {
        tried([&] {
            Rule rule = readRule(statements[i], fmt::format("{}: /statements/{}", file_, i));
            for (const Rule& other : rules_) {
                if (other.claim == rule.claim)
                    throw ConfigError(
                        fmt::format("{}/claim: \"{}\" is taken by {}", rule.place, rule.claim, other.place));
            }
            rules_.push_back(std::move(rule));
        });
    }
    if (!problems.empty())
        throw ConfigError(fmt::format("{}", fmt::join(problems, "\n")));
}

void Judge::readLists(const json& paper)
{
    const json lists = paper.value("lists", json::object());
    for (const auto& [name, texts] : lists.items()) {
        const bool isList =
            texts.is_array() && std::all_of(texts.begin(), texts.end(), [](const json& t) { return t.is_string(); });
        if (!isList)
            throw ConfigError(fmt::format("{}: /lists/{}: must be a list of texts", file_, name));
        lists_[name] = texts.get<std::vector<std::string>>();
    }
}

void Judge::readLimits(const json& paper)
{
    const json limits = paper.value("limits", json::object());
    for (const auto& [name, value] : limits.items()) {
        if (!value.is_number())
            throw ConfigError(fmt::format("{}: /limits/{}: must be a number, not {}", file_, name, value.dump()));
        limits_[name] = value.get<double>();
    }
}

Judge::Rule Judge::readRule(const json& object, const std::string& place) const
{
    const JsonKeys keys(object, place);
    keys.allowOnly({"claim", "section", "statement", "figure", "quantity", "values", "measured", "unit", "holds", "how",
                    "why not", "not evidence"});
    Rule rule;
    rule.place = place;
    rule.claim = keys.text("claim");
    rule.section = keys.text("section");
    rule.statement = keys.text("statement");
    rule.figure = keys.text("figure");
    rule.quantity = keys.textOr("quantity", "");
    rule.unit = keys.text("unit");
    rule.how = keys.text("how");
    rule.deviationReason = keys.textOr("why not", "");
    rule.noEvidence = keys.textOr("not evidence", "");
    rule.values.emplace(measuredName, expressionAt(keys.at("measured"), place + "/measured"));
    if (object.contains("values")) {
        if (!object["values"].is_object())
            throw ConfigError(place + "/values: must be an object of expressions by name");
        for (const auto& [name, value] : object["values"].items()) {
            if (limits_.count(name) != 0 || name == measuredName)
                throw ConfigError(fmt::format("{}/values/{}: the name is taken", place, name));
            rule.values.emplace(name, expressionAt(value, fmt::format("{}/values/{}", place, name)));
        }
    }
    const auto& conditions = keys.at("holds");
    if (!conditions.is_array() || conditions.empty())
        throw ConfigError(place + "/holds: must be a list of conditions, at least one");
    for (std::size_t i = 0; i < conditions.size(); ++i)
        rule.conditions.emplace_back(conditions[i], fmt::format("{}/holds/{}", place, i));
    return rule;
}

// `open`: the values in evaluation, to detect circular ones.
Value Judge::valueOf(const Rule& rule, const std::string& name, PointsOfSeed& points, bool isCheck,
                     std::vector<std::string>& open) const
{
    if (const auto limit = limits_.find(name); limit != limits_.end())
        return limit->second;
    const auto found = rule.values.find(name);
    if (found == rule.values.end()) {
        std::vector<std::string> all;
        for (const auto& [known, expression] : rule.values)
            all.push_back(known);
        for (const auto& [known, limit] : limits_)
            all.push_back(known);
        throw ConfigError(fmt::format("there is no value \"{}\"; there are {}", name, fmt::join(all, ", ")));
    }
    if (std::find(open.begin(), open.end(), name) != open.end())
        throw ConfigError(fmt::format("the value \"{}\" depends on itself", name));
    if (open.size() == longestChain)
        throw ConfigError(
            fmt::format("the value \"{}\" depends on a chain of more than {} values", open[0], longestChain));
    open.push_back(name);
    Value value = found->second.evaluate(scopeOf(rule, points, isCheck, open));
    open.pop_back();
    return value;
}

Scope Judge::scopeOf(const Rule& rule, PointsOfSeed& points, bool isCheck, std::vector<std::string>& open) const
{
    return {points,
            lists_,
            rule.figure,
            rule.quantity,
            [this, &rule, &points, isCheck, &open](const std::string& name) {
                return valueOf(rule, name, points, isCheck, open);
            },
            isCheck};
}

Judge::Evaluation Judge::evaluated(const Rule& rule, PointsOfSeed& points, bool isCheck) const
{
    std::vector<std::string> open;
    const Scope scope = scopeOf(rule, points, isCheck, open);
    Evaluation result{rule.values.at(measuredName).number(scope), {}};
    for (const Condition& condition : rule.conditions)
        result.margins.push_back(condition.margins(scope, measuredName));
    for (const auto& [name, expression] : rule.values) {
        if (isCheck)
            scope.value(name); // also those not needed above
    }
    if (!isCheck && !result.isFinite()) // in a check all points have one value, so that differences are zero
        throw ConfigError(fmt::format("{} (claim {}): a division by zero in a run", rule.place, rule.claim));
    return result;
}

std::vector<Judge::Evaluation> Judge::bySeed(const Rule& rule, const Points& points) const
{
    std::vector<Evaluation> seeds;
    std::size_t count = 1;
    for (std::size_t i = 0; i < count; ++i) {
        PointsOfSeed seen(points, i);
        seeds.push_back(evaluated(rule, seen, false));
        count = i == 0 ? seen.seeds() : std::min(count, seen.seeds());
    }
    seeds.resize(count);
    return seeds;
}

std::string Judge::howText(const Rule& rule, const Points& points, std::size_t seeds, bool isCheck) const
{
    PointsOfSeed first(points, 0);
    std::vector<std::string> open;
    Scope scope = scopeOf(rule, first, isCheck, open);
    scope.value = [&](const std::string& name) {
        std::vector<Value> values;
        for (std::size_t i = 0; i < seeds; ++i) {
            PointsOfSeed seen(points, i);
            values.push_back(valueOf(rule, name, seen, isCheck, open));
        }
        return overRuns(values);
    };
    return filled(rule.how, scope);
}

Statement Judge::judged(const Rule& rule, const std::vector<Evaluation>& seeds, const Points& points) const
{
    Statement statement;
    statement.claim = rule.claim;
    statement.section = rule.section;
    statement.statement = rule.statement;
    statement.unit = rule.unit;
    statement.noEvidence = rule.noEvidence;
    std::vector<double> measured;
    measured.reserve(seeds.size());
    for (const Evaluation& seed : seeds)
        measured.push_back(seed.measured);
    statement.measured = spreadOf(measured);
    std::string undecided;
    for (std::size_t condition = 0; condition < rule.conditions.size(); ++condition) {
        for (std::size_t side = 0; side < seeds.front().margins[condition].size(); ++side) {
            std::vector<Margin> margins;
            margins.reserve(seeds.size());
            for (const Evaluation& seed : seeds)
                margins.push_back(seed.margins[condition][side]);
            const Verdict verdict = verdictOf(margins);
            statement.verdict = both(statement.verdict, verdict);
            if (verdict == Verdict::Undecided)
                undecided += (undecided.empty() ? "" : ", or that ") + rule.conditions[condition].text();
        }
    }
    statement.reason = howText(rule, points, seeds.size(), false);
    if (statement.verdict == Verdict::Undecided)
        statement.reason += ". The seeds do not decide that " + undecided;
    if (statement.verdict == Verdict::DoesNotHold && !rule.deviationReason.empty())
        statement.reason += ". " + rule.deviationReason;
    if (!rule.noEvidence.empty())
        statement.reason += ". Not evidence: " + rule.noEvidence;
    return statement;
}

void Judge::check(const Points& points) const
{
    const Points ones = points.allWith(1);
    std::vector<std::string> problems;
    for (const Rule& rule : rules_) {
        try {
            PointsOfSeed seen(ones, 0);
            evaluated(rule, seen, true);
            howText(rule, ones, 1, true);
        } catch (const ConfigError& error) {
            problems.push_back(fmt::format("{} (claim {}): {}", rule.place, rule.claim, error.what()));
        }
    }
    if (!problems.empty())
        throw ConfigError(fmt::format("{}", fmt::join(problems, "\n")));
}

std::vector<Statement> Judge::judge(const Points& points) const
{
    std::vector<Statement> statements;
    for (const Rule& rule : rules_) {
        try {
            statements.push_back(judged(rule, bySeed(rule, points), points));
        } catch (const NotMeasured&) { // its figure, or a setting of it, has no values
        }
    }
    return statements;
}

} // namespace strobe::platform
