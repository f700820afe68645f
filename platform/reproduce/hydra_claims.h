#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The statements of section 4 of the Hydra paper, judged by the cells of its figures (hydra.h) and by nothing else.

#include "platform/reproduce/study.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace strobe::platform {

// Judges every statement whose cells are all there.
// `reasons`: by claim, why it does not hold.
std::vector<Statement> judgeHydra(const std::vector<StudyCell>& cells, const nlohmann::json& reasons);

} // namespace strobe::platform
