#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Texts with {names} in them, which are replaced. Errors: ConfigError for a { without its }.

#include "platform/reproduce/expression_scope.h"

#include <functional>
#include <string>

namespace strobe::platform {

// `replacement`: of what a pair of {} contains.
std::string withFields(const std::string& text, const std::function<std::string(const std::string&)>& replacement);

// {name} is replaced by the name's value, and {name:.1f} by the value in this format (formatted() in
// expression_value.h).
std::string filled(const std::string& text, const Scope& scope);

} // namespace strobe::platform
