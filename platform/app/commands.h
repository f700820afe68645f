#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the commands of `strobe` do, once the command line is read (command_line.cpp). Each prints to stdout and returns
// an exit code; mistakes are ConfigErrors.

#include "platform/app/activity_recording.h"
#include "platform/app/firmware_observation.h"
#include "platform/config/load.h"
#include "platform/report/json_report.h"

#include <memory>
#include <string>
#include <vector>

namespace strobe::platform {

class OutputFile;

struct RunCommand {
    std::string scenario; // empty: quickstart
    LoadOptions load;
    std::string json; // empty: none; "-": stdout, and no text report
    std::string html; // page; empty: none
    std::string vcd;  // file for the pins of one channel; empty: none
    std::uint32_t vcdChannel = 0;
    std::uint32_t vcdLimit = 100; // operations
    std::string vcdFrom = "0s";   // simulated time
    std::string wearMap;          // CSV files; empty: none
    std::string wearHistory;
    ActivityCommand activity;
    FirmwareObservationCommand firmware;
    std::string console;        // file for the output of firmware, as it is printed; empty: none; "-": stdout
    std::string saveImage;      // file for an image of the drive at the end (drive_file.h); empty: none
    bool untilMeasured = false; // the run ends before the first measured phase
    bool quiet = false;
    bool hostTime = false;
};

Program programInfo();
std::string programText();              // name, version, revision, SystemC
void printOut(const std::string& text); // if text cannot be written, ConfigError names its destination
std::string
defaultScenariosDirectory(); // $STROBE_SCENARIOS, else those installed with the program, else the source tree's
// A scenario by file name, or by its name inside the scenarios directory ("workloads/soak-1m").
std::string findScenario(const std::string& name, const LoadOptions& options);
std::vector<std::string> scenarioNames(const std::string& directory); // "workloads/one-page", …; those of parts, too
// For the contents of the dies at the end, if the scenario writes them.
std::unique_ptr<OutputFile> contentsFileOf(const Scenario& scenario);
const std::string& savedContents(const Scenario& scenario);  // the path of that file; empty: none
std::vector<std::string> inputsOf(const Scenario& scenario); // files that a run of it reads, and its own ones

int runCommand(const RunCommand& command);
int validateCommand(const std::vector<std::string>& scenarios, const LoadOptions& options);

struct InspectTraceCommand {
    std::string file;
    std::string format = "auto"; // a name of host::traceFormatTable
    std::string json;            // empty: none; "-": stdout, and no table
};

// strobe inspect …
int inspectInterface(const std::string& scenario, const LoadOptions& options);
int inspectTiming(const std::string& scenario, const LoadOptions& options);
int inspectPartTiming(const std::string& part, const std::string& interface, const LoadOptions& options);
int inspectPart(const std::string& name, const LoadOptions& options);
int inspectScenario(const std::string& scenario, const LoadOptions& options);
int inspectParameters(bool markdown);
int inspectStatistics(bool markdown);
int inspectSchema();
int inspectTrace(const InspectTraceCommand& command);
int inspectRecovery(const std::string& file);                       // a report
int inspectImage(const std::string& file, const std::string& json); // json: empty: none; "-": stdout, and no text
int inspectImageKey(const std::string& scenario, const LoadOptions& options);
int inspectMemoryMap(const std::string& scenario, const LoadOptions& options);

// Sizing calculators (models/channel/pipeline_equations.h).
struct PinsCommand {
    std::uint64_t budget = 0; // pins of the package for flash; 0: not given
    std::uint64_t channels = 0;
    std::uint64_t busPins = 0;
    std::uint64_t depth = 1;
    std::string json; // empty: none; "-": stdout, and no text
};
struct LifetimeCommand {
    std::string capacity;  // size
    double endurance = 0;  // cycles
    std::string writeRate; // rate
    double amplification = 1;
    std::string json;
};
int inspectPins(const PinsCommand& command);
int inspectLifetime(const LifetimeCommand& command);

} // namespace strobe::platform
