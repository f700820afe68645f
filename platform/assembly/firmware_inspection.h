#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Inspection of a run's firmware on the RV32 core: by a debugger while it runs (drive_debugger.h), and afterwards by
// its profile, its coverage and a check of its memory: stacks, heap, reads of what was never written, races between two
// cores. Attached to the drive of each power cycle before its first instruction; takes no simulated time. Only for
// firmware.mode rv32: other modes are refused before the run.

#include "models/cpu/debug/function_profile.h"
#include "models/cpu/debug/function_timeline.h"
#include "models/cpu/debug/source_coverage.h"
#include "models/cpu/debug/trace_entry.h"
#include "platform/report/firmware_memory.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

class SsdModule;

// What to inspect, and the findings, summed over all power cycles; after a firmware fault, those up to it.
struct FirmwareInspection {
    std::optional<std::uint16_t> gdbPort; // 0: a free one
    std::function<void(std::uint16_t port)> onListening;
    bool profile = false;                    // of the measured phases, unless one of the next two says otherwise
    bool profilesWholeRun = false;           // from power-on to the end
    std::vector<std::string> profiledPhases; // their names
    bool checkMemory = false;
    bool covers = false;
    std::optional<cpu::TraceFilter> trace; // nothing: none
    std::function<void(const cpu::TraceEntry& entry)> onTraced;
    cpu::FunctionTimeline::Report onCall; // calls of functions, when they end; empty: none are observed

    std::vector<cpu::FunctionProfile::Row> functions; // profile: of what it covers
    std::vector<cpu::FunctionProfile::Row> tasks;     // the same by task; empty: firmware has not switched tasks
    std::uint64_t cycles = 0;
    std::string foldedStacks;
    FirmwareMemory memory;        // checkMemory
    cpu::CoverageByFile coverage; // covers: paths as the image has them

    bool observes() const { return profile || checkMemory || covers || trace; } // instructions
    bool isAnything() const { return gdbPort.has_value() || observes(); }
};

class FirmwareInspector {
public:
    explicit FirmwareInspector(FirmwareInspection& inspection);
    FirmwareInspector(const FirmwareInspector&) = delete;
    FirmwareInspector& operator=(const FirmwareInspector&) = delete;
    ~FirmwareInspector();

    // REQUIRES: the drive runs its firmware on the RV32 core, the same image each time. It must outlive the attachment.
    void attach(SsdModule& ssd);
    void detach(); // if attached: that drive executes nothing any more
    void phase(const std::string& name, bool isMeasured, bool begins); // or has ended
    void resumed(); // the drive is ready again after a power loss, and the phase goes on
    void finish();  // once, when nothing is attached

private:
    struct Tools;
    std::unique_ptr<Tools> tools_; // null: nothing was attached yet
    FirmwareInspection& inspection_;
    bool isInPhase_ = false; // that the profile covers
};

} // namespace strobe::platform
