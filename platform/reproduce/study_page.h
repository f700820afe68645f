#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// All studies on one page (Markdown), to be checked line by line: a summary, every statement that does not hold with
// its reason, and each study as its own command prints it. The same runs give the same bytes.

#include "platform/reproduce/study.h"

#include <string>
#include <vector>

namespace strobe::platform {

struct Chapter {
    std::string command; // runs this study alone: "strobe reproduce ddr-nand"
    Study study;
    std::string text; // its output
};

struct StudyPage {
    std::string program;               // "Strobe 0.1.0 (revision), SystemC 2.3.4-Accellera"
    std::vector<std::string> settings; // of the command line, for all runs
    std::vector<Chapter> chapters;
    std::vector<std::string> missing; // "hydra: interrupted": what is missing, and why
};

std::string markdownOf(const StudyPage& page);
std::string summaryText(const StudyPage& page); // for the terminal
// As the studies' own, with the study's name in a first column.
std::string csvOf(const StudyPage& page);
std::string statementsCsvOf(const StudyPage& page);

} // namespace strobe::platform
