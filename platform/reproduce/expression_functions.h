#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The functions of paper.json's expressions: one row of a table for each.

#include "platform/reproduce/expression_value.h"

#include <cstddef>
#include <string>
#include <vector>

namespace strobe::platform {

struct ExpressionFunction {
    const char* name;
    std::size_t arguments; // 0: any number
    // Throws ConfigError for a wrong kind of value, NotMeasured for an empty series that has no such number.
    Value (*of)(const std::vector<Value>& arguments);
};

// Throws ConfigError for a name that does not exist, with those that do.
const ExpressionFunction& expressionFunction(const std::string& name);

} // namespace strobe::platform
