#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the NVM aging study says in words and prints in its text, judged by the cells of the study alone. A printed
// number holds if what was measured is less than one in its last digit away: the paper rounds, or cuts off. Cells:
// `cell` is a technology or a controller, `operation` a quantity, `ways` the pipeline depth, `interface` the factor of
// the program time (table 3) or the wear (tables 2 and 5).

#include "platform/reproduce/study.h"

#include <vector>

namespace strobe::platform {

std::vector<Statement> agingStatements(const Study& study);

} // namespace strobe::platform
