#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Coverage of source files, as lcov tracefiles hold it: how often lines, functions and branches were executed. The
// image's line table assigns instructions to lines. What optimised code makes of it:
//   line      as often as the most executed instruction at which one of its statements begins (recommended breakpoints
//             of the table); a line that the compiler has left no instruction is not listed
//   function  as often as its first instruction; functions that are only inlined have lines, but no entry
//   branch    a conditional branch instruction of the line, in order of address, taken and not taken; an inlined or
//             unrolled line has several
// Lines of a header count for the header.

#include "models/cpu/code_places.h"
#include "models/cpu/debug/code_coverage.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace strobe::cpu {

struct SourceCoverage {
    struct Function {
        std::uint32_t line = 0;
        std::uint64_t calls = 0;
    };
    struct Branch {
        std::uint32_t line = 0;
        std::uint32_t block = 0; // number of the instruction among those of the line
        std::uint32_t way = 0;   // 0: taken, 1: not taken
        bool operator<(const Branch& other) const
        {
            return std::tie(line, block, way) < std::tie(other.line, other.block, other.way);
        }
    };
    std::map<std::uint32_t, std::uint64_t> lines;
    std::map<std::string, Function> functions;
    std::map<Branch, std::optional<std::uint64_t>> branches; // nothing: the instruction was never executed

    void add(const SourceCoverage& other);
};

using CoverageByFile = std::map<std::string, SourceCoverage>; // by path

CoverageByFile sourceCoverage(const CodePlaces& places, const CodeCoverage::Counts& counts);
void add(CoverageByFile& sum, const CoverageByFile& other);

} // namespace strobe::cpu
