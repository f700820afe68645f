#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Reads an expression (syntax: expression.h). Throws ConfigError for a syntax error, an unknown function and for more
// than 100 levels of parentheses, functions and signs.

#include "platform/reproduce/expression_nodes.h"

#include <string>

namespace strobe::platform {

NodePointer parseExpression(const std::string& text);

} // namespace strobe::platform
