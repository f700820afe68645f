#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The file of --coverage: an lcov tracefile of the sources that an image was made of. A source is searched for below
// the current directory, by the longest end of its path that exists there, and then at its own path. What is not found,
// such as the sources of the compiler's library, is left out. Mistakes are ConfigErrors before the run: an image
// without line information, no source found, a file that cannot be written, or with `adds` not be read.

#include "models/cpu/debug/source_coverage.h"
#include "platform/app/output_file.h"
#include "platform/config/scenario.h"

#include <string>

namespace strobe::platform {

struct CoverageCommand {
    std::string file;  // empty: none
    bool adds = false; // to what the file holds
};

// REQUIRES: firmware.mode rv32
class CoverageOutput {
public:
    CoverageOutput(const CoverageCommand& command, const FirmwareConfig& firmware);

    void add(const cpu::CoverageByFile& coverage); // of a run; paths as the image has them
    void commit();
    std::string text() const; // sums, to print after the report

private:
    OutputFile file_;
    cpu::CoverageByFile sum_; // by path of a source
    std::size_t leftOut_ = 0; // files of the image
};

} // namespace strobe::platform
