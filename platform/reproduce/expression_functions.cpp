// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/expression_functions.h"

#include "models/base/config_error.h"
#include "platform/reproduce/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace strobe::platform {

namespace {

Series joined(const std::vector<Value>& values)
{
    Series all;
    for (const Value& value : values) {
        if (const auto* series = std::get_if<Series>(&value))
            all.insert(all.end(), series->begin(), series->end());
        else
            all.push_back({"", numberOf(value)});
    }
    return all;
}

bool isSmaller(const NamedNumber& a, const NamedNumber& b)
{
    return a.value < b.value;
}

double sumOf(const Series& series)
{
    double sum = 0;
    for (const NamedNumber& one : series)
        sum += one.value;
    return sum;
}

// An empty set of numbers has neither a minimum nor a mean: such a statement is not judged.
const Series& notEmpty(const Series& series)
{
    if (series.empty())
        throw NotMeasured();
    return series;
}

constexpr std::array<ExpressionFunction, 8> functions{{
    {"abs", 1, [](const std::vector<Value>& a) -> Value { return std::abs(numberOf(a[0])); }},
    {"change", 2, [](const std::vector<Value>& a) -> Value { return (numberOf(a[1]) / numberOf(a[0]) - 1) * 100; }},
    {"min", 0,
     [](const std::vector<Value>& a) -> Value {
         const Series all = joined(a);
         return std::min_element(notEmpty(all).begin(), all.end(), isSmaller)->value;
     }},
    {"max", 0,
     [](const std::vector<Value>& a) -> Value {
         const Series all = joined(a);
         return std::max_element(notEmpty(all).begin(), all.end(), isSmaller)->value;
     }},
    {"mean", 0,
     [](const std::vector<Value>& a) -> Value {
         const Series all = joined(a);
         return sumOf(notEmpty(all)) / static_cast<double>(all.size());
     }},
    {"sum", 0, [](const std::vector<Value>& a) -> Value { return sumOf(joined(a)); }},
    {"each", 0, [](const std::vector<Value>& a) -> Value { return joined(a); }},
    {"best", 0,
     [](const std::vector<Value>& a) -> Value {
         const Series all = joined(a);
         return std::max_element(notEmpty(all).begin(), all.end(), isSmaller)->name;
     }},
}};

} // namespace

const ExpressionFunction& expressionFunction(const std::string& name)
{
    std::string all;
    for (const ExpressionFunction& function : functions) {
        if (function.name == name)
            return function;
        all += (all.empty() ? "" : ", ") + std::string(function.name);
    }
    throw ConfigError(fmt::format("there is no function \"{}\"; there are {}", name, all));
}

} // namespace strobe::platform
