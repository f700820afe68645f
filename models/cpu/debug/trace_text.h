#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A trace of firmware as text, a line for each entry: simulated time in nanoseconds, how many instructions the hart has
// completed before, address, and what happened; with several cores the number of the core first. Where another function
// begins, a line gives its name and place.

#include "models/cpu/code_places.h"
#include "models/cpu/debug/trace_entry.h"

#include <array>
#include <string>

namespace strobe::cpu {

class TraceText {
public:
    // `places`: null if the image is not known.
    TraceText(const CodePlaces* places, unsigned cores) : places_(places), cores_(cores) {}

    std::string of(const TraceEntry& entry); // its lines, with their ends

private:
    std::string heading(const TraceEntry& entry);

    const CodePlaces* places_;
    unsigned cores_;
    std::array<const ElfImage::Symbol*, TraceEntry::mostCores> functions_{}; // of the last entry
    unsigned lastCore_ = 0;
};

} // namespace strobe::cpu
