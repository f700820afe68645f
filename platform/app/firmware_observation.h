#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Observation of firmware on the RV32 core by `strobe run`: a debugger's port, profile, instruction trace, reads of
// memory that was never written. Mistakes are ConfigErrors before the run.

#include "platform/app/output_file.h"
#include "platform/assembly/firmware_inspection.h"
#include "platform/config/scenario.h"

#include <memory>
#include <optional>
#include <string>

namespace strobe::platform {

struct FirmwareObservationCommand {
    std::optional<std::uint16_t> gdbPort;
    std::string profile;                  // file of folded stacks; empty: none
    std::string trace;                    // file of executed instructions; empty: none
    std::uint64_t traceLimit = 1'000'000; // instructions
    bool checkMemory = false;

    bool isAnything() const { return gdbPort || !profile.empty() || !trace.empty() || checkMemory; }
};

class FirmwareObservation {
public:
    FirmwareObservation(const FirmwareObservationCommand& command, const Scenario& scenario);

    FirmwareInspection* inspection() { return inspection_.isAnything() ? &inspection_ : nullptr; }
    void commit();            // writes the files
    std::string text() const; // to print after the report

private:
    FirmwareInspection inspection_;
    std::unique_ptr<OutputFile> profile_;
    std::unique_ptr<OutputFile> trace_;
    std::string traceText_;
};

} // namespace strobe::platform
