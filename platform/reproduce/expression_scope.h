#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the names of an expression mean (expression.h).

#include "platform/reproduce/expression_value.h"
#include "platform/reproduce/points.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace strobe::platform {

using Lists = std::map<std::string, std::vector<std::string>>;

struct Scope {
    PointsOfSeed& points;
    const Lists& lists;
    std::string figure;                             // of a point that does not name one
    std::string quantity;                           // the same
    std::function<Value(const std::string&)> value; // of a name; throws ConfigError if there is none
    bool isCheck = false;                           // every branch is tried: an "if" chooses all
    std::map<std::string, std::string> bound{};     // by loops
};

} // namespace strobe::platform
