#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a run found out, as plain data: the assembly fills it, json_report.h writes it, terminal_report.h draws it.
// Counts, times and bytes are integers here; ratios (utilisation, bandwidth, write amplification) are made when the
// report is written, in analysis.h. Everything except `host` depends on scenario and seed alone.

#include "models/base/latency_histogram.h"
#include "models/base/resource.h"
#include "models/base/time.h"
#include "models/controller/ecc.h"
#include "models/host/request.h"
#include "models/host/workload/workload_config.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct LatencySummary {
    std::uint64_t count = 0;
    Time minimum{};
    Time mean{};
    Time maximum{};
    Time p50{};
    Time p90{};
    Time p99{};
    Time p999{};
    Time p9999{};
};
LatencySummary summarise(const LatencyHistogram& histogram);

// Requests of one kind, completed within a phase (or within all measured phases).
struct KindTotals {
    host::RequestKind kind = host::RequestKind::Read;
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    std::uint64_t failed = 0; // completed with another status than ok
    LatencySummary latency;
};

struct PhaseReport {
    std::string name;
    std::string workload;                               // RequestSource::describe()
    bool measured = true;                               // false: preconditioning and warm-up, outside the totals
    host::PacingMode pacing = host::PacingMode::Closed; // decides the limiting sentence when no resource is busy
    std::uint32_t queueDepth = 0;                       // closed loop: requests kept outstanding; others: the limit
    Time start{};                                       // simulated
    Time end{};
    std::vector<KindTotals> kinds; // only kinds that occurred
    LatencySummary all;
    host::SourceCounts source;
};

struct PoolReport { // what a pool of places has besides its use
    std::uint32_t places = 0;
    Time exhausted{}; // time during which somebody waited for a place
};

// One resource over the measured time. `group` is one of those in analysis.cpp: "link", "cpu", "fabric", "sdram",
// "sdram-port", "write-buffer", "unit", "ecc", "channel", "die".
struct ResourceReport {
    std::string name; // "channel 0", "die 3.1.0"
    std::string group;
    ResourceUsage usage;
    std::optional<PoolReport> pool; // a pool of places; busy time is averaged over them
};

struct NamedCount {
    std::string name; // key, with its unit
    std::uint64_t count = 0;
};

struct StageReport { // time that descriptors and pages spent in a stage of a flash unit, summed over them
    std::string stage;
    Time time{};
};

// NAND operations over the measured time, by who asked for them ("host", "gc", …); the rows add up to what the dies
// counted.
struct FlashCounts {
    std::string purpose;
    std::uint64_t reads = 0;
    std::uint64_t programs = 0;
    std::uint64_t erases = 0;
    std::uint64_t copyBacks = 0;
};

struct WearSample { // of the blocks in use for data at one instant
    Time at{};
    std::uint64_t writtenBytes = 0; // by the host, since power-on
    std::uint64_t blocks = 0;       // programmed or erased at least once, last not for metadata, and not bad
    std::uint32_t minimum = 0;
    std::uint32_t maximum = 0;
    std::uint64_t erases = 0; // sum over the blocks
};

struct DieWear { // erase counts of one die, block by block
    std::uint32_t channel = 0;
    std::uint32_t position = 0; // on the channel
    std::vector<std::uint32_t> erases;
    std::vector<std::uint32_t> factoryBad; // blocks, ascending
    std::vector<std::uint32_t> failed;     // others, of which a program or erase has failed
};

struct WearReport { // since power-on, preconditioning included
    std::uint64_t blocks = 0;
    std::uint64_t factoryBad = 0;
    std::uint64_t failed = 0; // of which a program or erase has failed
    std::uint32_t minimum = 0;
    std::uint32_t maximum = 0;
    std::uint64_t erases = 0;             // sum over blocks
    std::uint32_t endurance = 0;          // rated program/erase cycles of the part; 0: not known
    std::vector<std::uint64_t> histogram; // [n]: good blocks erased n times; the last entry counts "n or more"
    std::vector<WearSample> history;      // if the scenario asks for it
    std::vector<DieWear> map;             // if the scenario asks for it
    double preAged = 0;                   // normalised wear before the run
    struct Overwrites {                   // PCM: programs of a page
        std::uint64_t pages = 0;
        std::uint32_t minimum = 0;
        std::uint32_t maximum = 0;
        std::uint64_t sum = 0;
    };
    std::optional<Overwrites> overwrites;
};

struct EnergyReport {
    std::string component;
    double joule = 0;
    std::string source;
    std::string group; // of resources, whose work it is; empty: a constant consumer
};

struct IntegrityReport {
    bool enabled = false; // false in data mode none
    std::uint64_t checkedSectors = 0;
    std::uint64_t mismatches = 0;
    std::vector<std::string> details; // the first few: address, what was expected, what came
};

// Modelled failures of one kind: "illegal command", "program failed", "uncorrectable", "event ring overflow", …
struct FailureReport {
    std::string kind;
    std::uint64_t count = 0;
    bool isError = true;              // false: something that firmware is there to handle
    std::vector<std::string> details; // the first few: time, die, block, page, reason
};

// Power losses and what became of the data.
struct PowerReport {
    std::uint64_t cuts = 0;
    std::uint64_t cutsInRecovery = 0; // of the cuts: the drive was not ready again
    std::uint64_t operationsCut = 0;  // programs and erases that were in an array
    std::uint64_t recoveries = 0;     // the drive was ready again
    Time recovery{};                  // from power-on to ready, all of them
    Time longestRecovery{};
    std::uint64_t pagesScanned = 0;    // reads of metadata until the drive was ready, or cut again
    std::uint64_t commandsLost = 0;    // that were under way
    std::uint64_t sectorsAtRisk = 0;   // acknowledged, but not flushed
    std::uint64_t sectorsReadBack = 0; // by the host after the losses
    std::uint64_t sectorsReverted = 0; // of those at risk: an older version was left, as is allowed
    std::uint64_t unreadable = 0;      // sectors that could not be read back: errors
    std::uint64_t cutsBehindEnd = 0;   // that the scenario lists, but the run was over before
};

// Of data out, die by die (docs/di_ssd.md).
struct DieCalibration {
    std::uint32_t channel = 0;
    std::uint32_t position = 0; // on the channel
    Time cycle{};               // of data out
    Time sample{};              // after the edge that asks for a byte
    Time margin{};              // from the sample to the nearer end of the window that firmware found; 0: base clock
    std::uint64_t calibrations = 0;
    Time took{};    // all of them
    Time longest{}; // of one
};

struct CalibrationReport { // since power-on
    Time baseCycle{};
    std::vector<DieCalibration> dies;
    std::uint64_t patternReads = 0;
    std::uint64_t pagesWithErrors = 0; // reads of which a sample took wrong bits
    std::uint64_t wrongBits = 0;       // in the worst codeword of each
};

struct FirmwareCost {
    std::string point;
    std::uint64_t times = 0;
    std::uint64_t cycles = 0;
    double squares = 0;       // sum of the squared cycles of a charge; only if they were measured
    double deviation() const; // of one charge's cycles
};

struct FirmwareReport {
    std::string image;
    std::string mode;
    std::vector<FirmwareCost> costs;           // of the cost points; none where instructions take the time
    std::optional<std::uint64_t> instructions; // executed in the measured time; nothing: not counted
    std::vector<std::string> log;              // lines written by hal_log
};

struct MemoryUse { // host memory of modelled contents
    std::string what;
    std::uint64_t bytes = 0;
};

// Depends on the machine: reported only when asked for.
struct HostTime {
    double setUpSeconds = 0;
    double runSeconds = 0;
    std::uint64_t peakMemoryBytes = 0;
    std::uint64_t requests = 0;
};

struct Report {
    std::string scenario;
    std::string description;
    std::uint64_t seed = 0;
    std::string dataMode;
    std::string resolvedJson;

    bool interrupted = false; // stopped before the workload was done: figures cover what had happened
    std::string interruption; // why, one clause

    std::uint64_t capacitySectors = 0;
    std::uint32_t pageBytes = 0;
    Time simulated{}; // since power-on
    Time ready{};     // when firmware had enabled the host port
    Time measured{};  // length of the measured phases
    std::vector<PhaseReport> phases;
    std::vector<KindTotals> kinds; // over the measured phases
    LatencySummary all;

    std::vector<ResourceReport> resources;
    std::vector<NamedCount> link; // what the protocol counts
    std::vector<FlashCounts> flash;
    std::vector<StageReport> stages;     // of the flash units, over all of them
    std::uint64_t behindAnotherUnit = 0; // operations sent to a die on which another unit had one under way
    std::vector<NamedCount> foreground;  // what the foreground unit met; empty without one
    controller::EccCounters ecc;         // over the measured time, all channels
    WearReport wear;
    std::vector<EnergyReport> energy;
    IntegrityReport integrity;
    std::vector<FailureReport> failures;
    PowerReport power;
    std::optional<CalibrationReport> calibration; // nothing: data out as the interface has it
    FirmwareReport firmware;
    std::vector<MemoryUse> memory;
    std::optional<HostTime> host;

    bool foundErrors() const; // integrity mismatches, failed requests or failures that are errors: exit code 1
};

} // namespace strobe::platform
