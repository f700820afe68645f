#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Inspection of a run's firmware on the RV32 core: by a debugger while it runs (drive_debugger.h), and afterwards by
// its profile and reads of memory that was never written. Attached to a drive before its first instruction; takes no
// simulated time. Only for firmware.mode rv32: other modes are refused before the run.

#include "models/cpu/debug/function_profile.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform {

class SsdModule;

// The request; the run fills in the findings.
struct FirmwareInspection {
    std::optional<std::uint16_t> gdbPort; // 0: a free one
    std::function<void(std::uint16_t port)> onListening;
    bool profile = false;
    bool checkMemory = false;
    std::uint64_t traceLimit = 0; // instructions; 0: no trace
    std::function<void(std::string_view line)> trace;

    std::vector<cpu::FunctionProfile::Row> functions; // profile: of the measured phases
    std::uint64_t cycles = 0;
    std::string foldedStacks;
    std::vector<std::string> unwrittenReads; // checkMemory: one line per place in the code
    std::uint32_t deepestStack = 0;          // bytes
    std::uint32_t stackBytes = 0;

    bool observes() const { return profile || checkMemory || traceLimit > 0; } // instructions
    bool isAnything() const { return gdbPort.has_value() || observes(); }
};

class FirmwareInspector {
public:
    // REQUIRES: the drive runs its firmware on the RV32 core.
    FirmwareInspector(SsdModule& ssd, FirmwareInspection& inspection);
    FirmwareInspector(const FirmwareInspector&) = delete;
    FirmwareInspector& operator=(const FirmwareInspector&) = delete;
    ~FirmwareInspector();

    void measuring(); // a measured phase begins
    void finish();

private:
    struct Tools;
    std::unique_ptr<Tools> tools_;
    FirmwareInspection& inspection_;
};

} // namespace strobe::platform
