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

Expression expressionAt(const json& value, const std::string& place)
{
    if (value.is_number())
        return Expression(value.dump());
    if (!value.is_string())
        throw ConfigError(fmt::format("{}: must be a number or an expression in quotes, not {}", place, value.dump()));
    try {
        return Expression(value.get<std::string>());
    } catch (const ConfigError& error) {
        throw ConfigError(fmt::format("{}: {}", place, error.what()));
    }
}

bool isOrdered(const Value& value, bool isRising)
{
    const auto* series = std::get_if<Series>(&value);
    if (series == nullptr)
        throw ConfigError("\"order\" is of a series, like each(m in marks: [file-write|{m}])");
    for (std::size_t i = 1; i < series->size(); ++i) {
        const double step = (*series)[i].value - (*series)[i - 1].value;
        if (isRising ? step <= 0 : step >= 0)
            return false;
    }
    return true;
}

std::string textOf(const Value& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    throw ConfigError("\"is\" and \"is not\" are of a text, like best(m in marks: [file-write|{m}])");
}

} // namespace

// A row for each comparison: its key, that of its second bound, and when it holds. One of `holds` and `holdsForText`.
struct Judge::Comparison {
    enum class Bound { Number, Pair, Text };

    const char* key;
    const char* second; // null: it has none
    Bound bound;
    bool (*holds)(double value, double a, double b);
    bool (*holdsForText)(const Value& value, const std::string& text);
};

const std::vector<Judge::Comparison>& Judge::comparisons()
{
    using Bound = Comparison::Bound;
    static const std::vector<Comparison> all{
        {"at least", nullptr, Bound::Number, [](double v, double a, double) { return v >= a; }, nullptr},
        {"at most", nullptr, Bound::Number, [](double v, double a, double) { return v <= a; }, nullptr},
        {"above", nullptr, Bound::Number, [](double v, double a, double) { return v > a; }, nullptr},
        {"below", nullptr, Bound::Number, [](double v, double a, double) { return v < a; }, nullptr},
        {"equals", nullptr, Bound::Number, [](double v, double a, double) { return v == a; }, nullptr},
        {"between", nullptr, Bound::Pair, [](double v, double a, double b) { return v >= a && v <= b; }, nullptr},
        {"within", "of", Bound::Number, [](double v, double a, double b) { return std::abs(v / b - 1) <= a; }, nullptr},
        {"nearer than", "to", Bound::Number, [](double v, double a, double b) { return std::abs(v - b) < a; }, nullptr},
        {"is", nullptr, Bound::Text, nullptr, [](const Value& v, const std::string& t) { return textOf(v) == t; }},
        {"is not", nullptr, Bound::Text, nullptr, [](const Value& v, const std::string& t) { return textOf(v) != t; }},
        {"order", nullptr, Bound::Text, nullptr,
         [](const Value& v, const std::string& t) {
             if (t != "rising" && t != "falling")
                 throw ConfigError(fmt::format("\"order\" is \"rising\" or \"falling\", not \"{}\"", t));
             return isOrdered(v, t == "rising");
         }},
    };
    return all;
}

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
                    "why not"});
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
        rule.conditions.push_back(readCondition(conditions[i], fmt::format("{}/holds/{}", place, i)));
    return rule;
}

Judge::Condition Judge::readCondition(const json& object, const std::string& place) const
{
    const JsonKeys keys(object, place);
    std::vector<std::string> known;
    Condition condition{nullptr, {}, {}, {}};
    for (const Comparison& comparison : comparisons()) {
        known.emplace_back(comparison.key);
        if (!object.contains(comparison.key))
            continue;
        if (condition.comparison != nullptr)
            throw ConfigError(fmt::format("{}: has both \"{}\" and \"{}\"; a condition has one comparison", place,
                                          condition.comparison->key, comparison.key));
        condition.comparison = &comparison;
    }
    if (condition.comparison == nullptr)
        throw ConfigError(
            fmt::format("{}: has no comparison; one of \"{}\" must be there", place, fmt::join(known, "\", \"")));
    const Comparison& comparison = *condition.comparison;
    std::vector<std::string> allowed{"value", comparison.key};
    if (comparison.second != nullptr)
        allowed.emplace_back(comparison.second);
    keys.allowOnly(allowed);
    if (object.contains("value"))
        condition.value = expressionAt(object["value"], place + "/value");
    const auto& bound = keys.at(comparison.key);
    const std::string boundPlace = fmt::format("{}/{}", place, comparison.key);
    switch (comparison.bound) {
    case Comparison::Bound::Text: condition.text = keys.text(comparison.key); break;
    case Comparison::Bound::Pair:
        if (!bound.is_array() || bound.size() != 2)
            throw ConfigError(boundPlace + ": must be a list of two bounds");
        condition.bounds = {expressionAt(bound[0], boundPlace + "/0"), expressionAt(bound[1], boundPlace + "/1")};
        break;
    case Comparison::Bound::Number: condition.bounds = {expressionAt(bound, boundPlace)}; break;
    }
    if (comparison.second != nullptr)
        condition.bounds.push_back(
            expressionAt(keys.at(comparison.second), fmt::format("{}/{}", place, comparison.second)));
    return condition;
}

// `open`: the values in evaluation, to detect circular ones.
Value Judge::valueOf(const Rule& rule, const std::string& name, const Points& points, bool isCheck,
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

Scope Judge::scopeOf(const Rule& rule, const Points& points, bool isCheck, std::vector<std::string>& open) const
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

bool Judge::holds(const Condition& condition, const Scope& scope)
{
    const Value value = condition.value ? condition.value->evaluate(scope) : scope.value(measuredName);
    if (condition.comparison->bound == Comparison::Bound::Text)
        return condition.comparison->holdsForText(value, condition.text);
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr)
        throw ConfigError(fmt::format("\"{}\" is of a number", condition.comparison->key));
    const double a = condition.bounds[0].number(scope);
    const double b = condition.bounds.size() > 1 ? condition.bounds[1].number(scope) : 0;
    return condition.comparison->holds(*number, a, b);
}

Statement Judge::judged(const Rule& rule, const Points& points, bool isCheck) const
{
    std::vector<std::string> open;
    const Scope scope = scopeOf(rule, points, isCheck, open);
    Statement statement;
    statement.claim = rule.claim;
    statement.section = rule.section;
    statement.statement = rule.statement;
    statement.unit = rule.unit;
    statement.measured = rule.values.at(measuredName).number(scope);
    statement.holds = true;
    for (const Condition& condition : rule.conditions)
        statement.holds = holds(condition, scope) && statement.holds;
    statement.reason = filled(rule.how, scope);
    for (const auto& [name, expression] : rule.values) {
        if (isCheck)
            scope.value(name); // also those not needed above
    }
    if (!statement.holds && !rule.deviationReason.empty())
        statement.reason += ". " + rule.deviationReason;
    return statement;
}

void Judge::check(const Points& points) const
{
    const Points ones = points.allWith(1);
    std::vector<std::string> problems;
    for (const Rule& rule : rules_) {
        try {
            judged(rule, ones, true);
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
            statements.push_back(judged(rule, points, false));
        } catch (const NotMeasured&) { // its figure, or a setting of it, has no values
        }
    }
    return statements;
}

} // namespace strobe::platform
