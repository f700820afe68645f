#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observation of firmware on the RV32 core by `strobe run`: a debugger's port, profile, coverage, trace,
// check of its memory. Mistakes are ConfigErrors before the run.

#include "platform/app/coverage_output.h"
#include "platform/app/firmware_trace.h"
#include "platform/app/output_file.h"
#include "platform/assembly/firmware_inspection.h"
#include "platform/config/scenario.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct FirmwareObservationCommand {
    std::optional<std::uint16_t> gdbPort;
    std::string profile;                    // file of folded stacks; empty: none
    std::string flameGraph;                 // page of the same; empty: none
    std::vector<std::string> profilePhases; // empty: measured ones; "all": the whole run
    FirmwareTraceCommand trace;
    bool checkMemory = false;
    CoverageCommand coverage;

    bool profiles() const { return !profile.empty() || !flameGraph.empty(); }
    bool isAnything() const
    {
        return gdbPort || profiles() || !trace.file.empty() || checkMemory || !coverage.file.empty();
    }
};

class FirmwareObservation {
public:
    FirmwareObservation(const FirmwareObservationCommand& command, const Scenario& scenario);

    FirmwareInspection* inspection() { return inspection_.isAnything() ? &inspection_ : nullptr; }
    void commit(); // writes the files, once; before text()
    // The same when firmware has failed, and prints the text. Does not throw: the fault is what the user has to see.
    void commitAfterFault(bool isQuiet);
    std::string text() const; // to print after the report

private:
    std::string profileText() const;

    FirmwareInspection inspection_;
    std::string title_; // of the flame graph
    std::unique_ptr<OutputFile> profile_;
    std::unique_ptr<OutputFile> flameGraph_;
    std::unique_ptr<FirmwareTraceOutput> trace_;
    std::unique_ptr<CoverageOutput> coverage_;
};

} // namespace strobe::platform
