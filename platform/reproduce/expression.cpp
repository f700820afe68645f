// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/expression.h"

#include "platform/reproduce/expression_parser.h"

namespace strobe::platform {

Expression::Expression(const std::string& text) : root_(parseExpression(text)) {}

Value Expression::evaluate(const Scope& scope) const
{
    return root_->evaluate(scope);
}

double Expression::number(const Scope& scope) const
{
    return numberOf(root_->evaluate(scope));
}

} // namespace strobe::platform
