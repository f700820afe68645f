#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The study of the DDR NAND paper: its Tables 3 (ways on one channel), 4 (channels against ways) and 5 (energy of the
// controller per byte), run on the scenarios of scenarios/papers/ddr-nand/. What is printed in the paper stands in
// paper.json there; a cell without a printed value is a prediction. docs/reproduce.md explains the model and the fit.

#include "platform/reproduce/study.h"
#include "platform/reproduce/variants.h"

namespace strobe::platform {

// A cell of Table 4 in which the paper's link is the limit, seen with that link and without.
struct LinkLimited {
    StudyCell cell;         // measured behind the paper's link, 3 Gb/s
    double withoutLink = 0; // behind a link that does not limit
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
