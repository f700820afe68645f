#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the texts of all studies end with: what the paper says in words and how it was judged, and what was fitted.

#include "platform/reproduce/study.h"

#include <string>

namespace strobe::platform {

std::string statementsText(const Study& study);
std::string fittedText(const Study& study);

} // namespace strobe::platform
