#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The study of the Hydra paper: what its section 4 says of each figure, measured and judged. Which runs a figure needs
// is data (scenarios/papers/hydra/paper.json: workloads, settings, the quantity that is read off a report); what is
// concluded from them is in hydra_claims.cpp. The figures' values are not in the text that Strobe was given, so no cell
// has a printed value: statements are compared, not megabytes per second. docs/reproduce.md explains the model.
// Source: Seong, Nam et al., "Hydra: a block-mapped parallel flash memory solid-state disk architecture", section 4.

#include "platform/reproduce/study.h"
#include "platform/reproduce/variants.h"

#include <string>
#include <vector>

namespace strobe::platform {

struct HydraFigure {
    std::uint32_t number = 0;
    std::string title;
    std::string note; // what is special about its runs here, or empty
    std::vector<std::string> workloads;
    std::vector<std::string> settings;
    std::vector<std::string> quantities;
};

struct HydraStudy {
    Study study; // a cell's `interface` is the setting, its `operation` the quantity
    std::vector<HydraFigure> figures;
    std::vector<std::uint32_t> unfinished; // figures that an interruption has left without some of their runs
};

// `figures`: only these, by number; empty: all. Throws ConfigError for a figure that the study does not have.
HydraStudy runHydra(const std::string& scenariosDirectory, const VariantOptions& options,
                    const std::vector<std::string>& figures);

std::string hydraText(const HydraStudy& result);
std::string hydraJson(const HydraStudy& result);

} // namespace strobe::platform
