#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A study that is data alone: scenarios/papers/<name>/paper.json has its runs, quantities and statements. It is drawn
// figure by figure: settings are rows, workloads (or, with one workload, quantities) are columns. After an interruption
// it has the figures whose runs have ended.
//
// Hydra is one: Seong, Nam et al., "Hydra: a block-mapped parallel flash memory solid-state disk architecture", section
// 4. The available text has no values of its figures, so no cell has a printed value: statements are
// compared, not megabytes per second. docs/reproduce.md explains the model.

#include "platform/reproduce/plan.h"
#include "platform/reproduce/study.h"

#include <string>
#include <vector>

namespace strobe::platform {

struct DataStudy {
    Study study;
    std::vector<PlannedFigure> figures;
    std::vector<std::string> unfinished; // figures that lack some of their runs after an interruption
};

// `figures`: only these; empty: all. Throws ConfigError for a figure that the study does not have.
DataStudy runDataStudy(const std::string& scenariosDirectory, const std::string& name, const VariantOptions& options,
                       const std::vector<std::string>& figures);

std::string dataStudyText(const DataStudy& result);
std::string dataStudyJson(const DataStudy& result);

} // namespace strobe::platform
