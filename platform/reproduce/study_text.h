#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The end of every study's text: the paper's statements with their verdicts and reasons, and the fitted parameters.

#include "platform/reproduce/study.h"

#include <string>

namespace strobe::platform {

std::string statementsText(const Study& study);
std::string fittedText(const Study& study);

} // namespace strobe::platform
