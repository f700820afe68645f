// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/expression_value.h"

#include "models/base/config_error.h"
#include "platform/reproduce/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace strobe::platform {

double numberOf(const Value& value)
{
    if (const auto* number = std::get_if<double>(&value))
        return *number;
    throw ConfigError(std::holds_alternative<Series>(value) ? "a series where a number is needed"
                                                            : "a text where a number is needed");
}

namespace {

// The items of several series that have the same name, in the order in which a series has several of one name.
struct SameItem {
    std::string name;
    std::size_t occurrence;
    std::vector<double> values;
};

Series meanOfSeries(const std::vector<Value>& all)
{
    std::vector<SameItem> items;
    for (const Value& value : all) {
        std::map<std::string, std::size_t> occurrences;
        for (const NamedNumber& one : std::get<Series>(value)) {
            const std::size_t occurrence = occurrences[one.name]++;
            const auto found = std::find_if(items.begin(), items.end(), [&](const SameItem& item) {
                return item.name == one.name && item.occurrence == occurrence;
            });
            if (found == items.end())
                items.push_back({one.name, occurrence, {one.value}});
            else
                found->values.push_back(one.value);
        }
    }
    Series means;
    means.reserve(items.size());
    for (const SameItem& item : items)
        means.push_back({item.name, spreadOf(item.values).mean});
    return means;
}

std::string countedTexts(const std::vector<Value>& all)
{
    std::vector<std::pair<std::string, std::size_t>> counts; // the first seen first
    for (const Value& value : all) {
        const auto& text = std::get<std::string>(value);
        const auto found = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == text; });
        if (found == counts.end())
            counts.emplace_back(text, 1);
        else
            ++found->second;
    }
    if (counts.size() == 1)
        return counts.front().first;
    std::string out;
    for (const auto& [text, count] : counts)
        out += fmt::format("{}{} ({} of {})", out.empty() ? "" : ", ", text, count, all.size());
    return out;
}

} // namespace

Value overRuns(const std::vector<Value>& values)
{
    if (std::holds_alternative<Series>(values.front()))
        return meanOfSeries(values);
    if (std::holds_alternative<std::string>(values.front()))
        return countedTexts(values);
    std::vector<double> numbers;
    numbers.reserve(values.size());
    for (const Value& value : values)
        numbers.push_back(numberOf(value));
    return spreadOf(numbers).mean;
}

std::string written(const Value& value)
{
    const auto* word = std::get_if<std::string>(&value);
    return word != nullptr ? *word : fmt::format("{}", numberOf(value));
}

std::string formatted(const Value& value, const std::string& format)
{
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    const std::size_t end = std::min(format.find_first_of("fg"), format.size());
    const auto text = [&](double one) {
        if (format.empty())
            return written(one);
        try {
            if (end < format.size())
                return fmt::format(fmt::runtime("{:" + format.substr(0, end + 1) + "}"), one) + format.substr(end + 1);
        } catch (const fmt::format_error&) { // refused below
        }
        throw ConfigError(fmt::format("\"{}\" is not a number format; an example is .1f", format));
    };
    if (const auto* one = std::get_if<double>(&value))
        return text(*one);
    std::string all;
    for (const NamedNumber& one : std::get<Series>(value))
        all += (all.empty() ? "" : ", ") + one.name + " " + text(one.value);
    return all;
}

} // namespace strobe::platform
