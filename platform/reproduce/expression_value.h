#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The values of paper.json's expressions: numbers, texts, and series of numbers with names.

#include <string>
#include <variant>
#include <vector>

namespace strobe::platform {

struct NamedNumber {
    std::string name;
    double value;
};
using Series = std::vector<NamedNumber>;
using Value = std::variant<double, std::string, Series>;

double numberOf(const Value& value); // throws ConfigError if it is something else

// The same value in several runs: of numbers the mean, of series the mean of each name over the runs that have it; of
// texts that differ, each with the number of runs. REQUIRES: at least one; all are of the same kind.
Value overRuns(const std::vector<Value>& values);

// A number with as many digits as distinguish it from its neighbours. Throws ConfigError for a series.
std::string written(const Value& value);
// Numbers as `format` says (".1f"; what follows the f or g is written after each number), or as above if it is empty;
// of a series, each as "name number"; a text as it is. Throws ConfigError for a wrong format.
std::string formatted(const Value& value, const std::string& format);

} // namespace strobe::platform
