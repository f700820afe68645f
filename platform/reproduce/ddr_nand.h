#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The study of the DDR NAND paper: its Tables 3 (ways on one channel), 4 (channels against ways) and 5 (energy of the
// controller per byte). Runs, printed values and statements are data (scenarios/papers/ddr-nand/paper.json); a cell
// without a printed value is a prediction. Here: the cells that the paper's link limits, and the clock periods of eq. 6
// and 9. docs/reproduce.md explains the model and the fit.

#include "platform/reproduce/study.h"
#include "platform/reproduce/variants.h"

#include <string>
#include <vector>

namespace strobe::platform {

// A cell of Table 4 that the paper's link limits, with that link and without.
struct LinkLimited {
    StudyCell cell;         // measured with the paper's link, 3 Gb/s
    double withoutLink = 0; // with a link that does not limit
};

struct DdrNandStudy {
    Study study;
    std::vector<LinkLimited> linkLimited;
    // Minimum clock periods by eq. 6 and eq. 9, nanoseconds.
    double periodConventional = 0;
    double periodDataStrobe = 0;
};

DdrNandStudy runDdrNand(const std::string& scenariosDirectory, const VariantOptions& options);

std::string ddrNandText(const DdrNandStudy& result);
std::string ddrNandJson(const DdrNandStudy& result);

} // namespace strobe::platform
