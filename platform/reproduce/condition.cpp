// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/condition.h"

#include "models/base/config_error.h"
#include "platform/reproduce/json_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace strobe::platform {

using nlohmann::json;

namespace {

using Margins = std::vector<Margin>;

std::string textOf(const Value& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    throw ConfigError("\"is\" and \"is not\" are of a text, like best(m in marks: [file-write|{m}])");
}

Margins oneIf(bool isMet)
{
    return {{isMet ? 1.0 : -1.0, false}};
}

Margins smallestStep(const Value& value, const std::string& order)
{
    if (order != "rising" && order != "falling")
        throw ConfigError(fmt::format("\"order\" is \"rising\" or \"falling\", not \"{}\"", order));
    const auto* series = std::get_if<Series>(&value);
    if (series == nullptr)
        throw ConfigError("\"order\" is of a series, like each(m in marks: [file-write|{m}])");
    std::vector<double> steps;
    for (std::size_t i = 1; i < series->size(); ++i) {
        const double step = (*series)[i].value - (*series)[i - 1].value;
        steps.push_back(order == "rising" ? step : -step);
    }
    if (steps.empty())
        throw ConfigError(fmt::format("\"order\" needs two values or more, not {}", series->size()));
    return {{*std::min_element(steps.begin(), steps.end()), false}};
}

std::string plain(const json& value)
{
    if (value.is_array())
        return fmt::format("{} and {}", plain(value[0]), plain(value[1]));
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string textOf(const json& condition, const std::string& key, const char* second)
{
    static const std::vector<std::pair<std::string, std::string>> verbs{
        {"is", ""}, {"is not", ""}, {"equals", ""}, {"order", "has the "}};
    const auto verb = std::find_if(verbs.begin(), verbs.end(), [&](const auto& row) { return row.first == key; });
    std::string text = condition.contains("value") ? plain(condition["value"]) : "it";
    text += fmt::format(" {}{} {}", verb == verbs.end() ? "is " : verb->second, key, plain(condition[key]));
    return second == nullptr ? text : fmt::format("{} {} {}", text, second, plain(condition[second]));
}

} // namespace

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

// A row for each comparison: its key, that of its second bound, and its margins. One of `ofNumber` and `ofText`.
struct Condition::Comparison {
    enum class Bound { Number, Pair, Text };

    const char* key;
    const char* second; // null: it has none
    Bound bound;
    Margins (*ofNumber)(double value, double a, double b);
    Margins (*ofText)(const Value& value, const std::string& text);
};

const std::vector<Condition::Comparison>& Condition::comparisons()
{
    using Bound = Comparison::Bound;
    using D = double;
    static const std::vector<Comparison> all{
        {"at least", nullptr, Bound::Number,
         [](D v, D a, D) {
             return Margins{{v - a, true}};
         },
         nullptr},
        {"at most", nullptr, Bound::Number,
         [](D v, D a, D) {
             return Margins{{a - v, true}};
         },
         nullptr},
        {"above", nullptr, Bound::Number,
         [](D v, D a, D) {
             return Margins{{v - a, false}};
         },
         nullptr},
        {"below", nullptr, Bound::Number,
         [](D v, D a, D) {
             return Margins{{a - v, false}};
         },
         nullptr},
        {"equals", nullptr, Bound::Number,
         [](D v, D a, D) {
             return Margins{{-std::abs(v - a), true}};
         },
         nullptr},
        {"between", nullptr, Bound::Pair,
         [](D v, D a, D b) {
             return Margins{{v - a, true}, {b - v, true}};
         },
         nullptr},
        {"within", "of", Bound::Number,
         [](D v, D a, D b) {
             return Margins{{a + (v / b - 1), true}, {a - (v / b - 1), true}};
         },
         nullptr},
        {"nearer than", "to", Bound::Number,
         [](D v, D a, D b) {
             return Margins{{a + (v - b), false}, {a - (v - b), false}};
         },
         nullptr},
        {"is", nullptr, Bound::Text, nullptr,
         [](const Value& v, const std::string& t) { return oneIf(textOf(v) == t); }},
        {"is not", nullptr, Bound::Text, nullptr,
         [](const Value& v, const std::string& t) { return oneIf(textOf(v) != t); }},
        {"order", nullptr, Bound::Text, nullptr, smallestStep},
    };
    return all;
}

Condition::Condition(const json& object, const std::string& place)
{
    const JsonKeys keys(object, place);
    std::vector<std::string> known;
    for (const Comparison& comparison : comparisons()) {
        known.emplace_back(comparison.key);
        if (!object.contains(comparison.key))
            continue;
        if (comparison_ != nullptr)
            throw ConfigError(fmt::format("{}: has both \"{}\" and \"{}\"; a condition has one comparison", place,
                                          comparison_->key, comparison.key));
        comparison_ = &comparison;
    }
    if (comparison_ == nullptr)
        throw ConfigError(
            fmt::format("{}: has no comparison; one of \"{}\" must be there", place, fmt::join(known, "\", \"")));
    std::vector<std::string> allowed{"value", comparison_->key};
    if (comparison_->second != nullptr)
        allowed.emplace_back(comparison_->second);
    keys.allowOnly(allowed);
    if (object.contains("value"))
        value_ = expressionAt(object["value"], place + "/value");
    const json& bound = keys.at(comparison_->key);
    const std::string boundPlace = fmt::format("{}/{}", place, comparison_->key);
    switch (comparison_->bound) {
    case Comparison::Bound::Text: expected_ = keys.text(comparison_->key); break;
    case Comparison::Bound::Pair:
        if (!bound.is_array() || bound.size() != 2)
            throw ConfigError(boundPlace + ": must be a list of two bounds");
        bounds_ = {expressionAt(bound[0], boundPlace + "/0"), expressionAt(bound[1], boundPlace + "/1")};
        break;
    case Comparison::Bound::Number: bounds_ = {expressionAt(bound, boundPlace)}; break;
    }
    if (comparison_->second != nullptr)
        bounds_.push_back(expressionAt(keys.at(comparison_->second), fmt::format("{}/{}", place, comparison_->second)));
    text_ = textOf(object, comparison_->key, comparison_->second);
}

Margins Condition::margins(const Scope& scope, const std::string& measured) const
{
    const Value value = value_ ? value_->evaluate(scope) : scope.value(measured);
    if (comparison_->bound == Comparison::Bound::Text)
        return comparison_->ofText(value, expected_);
    const auto* number = std::get_if<double>(&value);
    if (number == nullptr)
        throw ConfigError(fmt::format("\"{}\" is of a number", comparison_->key));
    const double a = bounds_[0].number(scope);
    const double b = bounds_.size() > 1 ? bounds_[1].number(scope) : 0;
    return comparison_->ofNumber(*number, a, b);
}

} // namespace strobe::platform
