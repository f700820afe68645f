#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One item of a statement's "holds" (judge.h): a comparison of a value with bounds, as a margin that tells by how much
// it is met. A comparison of texts has the margin 1 or -1; an order has the smallest step. Two-sided comparisons have
// two margins. Errors: ConfigError with place and what is allowed.

#include "platform/reproduce/expression.h"
#include "platform/reproduce/spread.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

// A number or an expression in quotes.
Expression expressionAt(const nlohmann::json& value, const std::string& place);

class Condition {
public:
    Condition(const nlohmann::json& object, const std::string& place);

    // In one run; as many and in the same order in each. `measured`: the value of a condition without one of its own.
    std::vector<Margin> margins(const Scope& scope, const std::string& measured) const;
    const std::string& text() const { return text_; } // "value is above bound"; "it" without a value of its own

private:
    struct Comparison;
    static const std::vector<Comparison>& comparisons();

    const Comparison* comparison_ = nullptr;
    std::optional<Expression> value_;
    std::vector<Expression> bounds_;
    std::string expected_; // of "is", "is not" and "order"
    std::string text_;
};

} // namespace strobe::platform
