#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The results of a run, as plain data: the assembly fills it, json_report.h writes it, terminal_report.h draws it.
// Counts, times and bytes are integers here; ratios (utilisation, bandwidth, write amplification) are made when the
// report is written, in analysis.h. Everything except `host` depends on scenario and seed alone.

#include "models/base/latency_histogram.h"
#include "models/base/resource.h"
#include "models/base/resource_group.h"
#include "models/base/statistics.h"
#include "models/base/time.h"
#include "models/controller/read_capture.h"
#include "models/host/request.h"
#include "models/host/workload/workload_config.h"
#include "platform/report/counter_block.h"
#include "platform/report/firmware_report.h"
#include "platform/report/power_report.h"
#include "platform/report/series.h"
#include "platform/report/stage_report.h"
#include "platform/report/thermal_report.h"
#include "platform/report/throughput.h"
#include "platform/report/wear_report.h"

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

    void declare(Statistics& stats)
    {
        stats.add("count", Unit::Count, "requests completed", count);
        stats.add("min", Unit::Duration, "shortest response time", minimum);
        stats.add("mean", Unit::Duration, "mean response time", mean);
        stats.add("p50", Unit::Duration, "response time of half of the requests, at most", p50);
        stats.add("p90", Unit::Duration, "the same of 90 %", p90);
        stats.add("p99", Unit::Duration, "the same of 99 %", p99);
        stats.add("p99_9", Unit::Duration, "the same of 99.9 %", p999);
        stats.add("p99_99", Unit::Duration, "the same of 99.99 %", p9999);
        stats.add("max", Unit::Duration, "longest response time", maximum);
    }
};
LatencySummary summarise(const LatencyHistogram& histogram);

// Requests of one kind, completed within a phase (or within all measured phases).
struct KindTotals {
    host::RequestKind kind = host::RequestKind::Read;
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    std::uint64_t failed = 0; // completed with another status than ok
    LatencySummary latency;
    LatencyHistogram distribution{};

    void declare(Statistics& stats) const // in addition to throughput and latency
    {
        stats.derive("failed", Unit::Count, "of these requests, those that failed", failed);
    }
};

struct JobReport {
    std::string name;
    std::string workload;                               // RequestSource::describe()
    host::PacingMode pacing = host::PacingMode::Closed; // decides the limiting sentence when no resource is busy
    std::uint32_t queueDepth = 0;                       // closed loop: requests kept outstanding; others: the limit
    std::vector<KindTotals> kinds;                      // only kinds that occurred
    LatencySummary all;
    host::SourceCounts source;
};

// The sums over the jobs of a phase; name, workload and pacing are those of its own job.
struct PhaseReport : JobReport {
    bool measured = true;      // false: preconditioning and warm-up, outside the totals
    bool isFunctional = false; // served without time: no bandwidth, no latency
    Time start{};              // simulated
    Time end{};
    std::vector<JobReport> jobs; // of a phase with several: its own, then those beside it; else none

    void declare(Statistics& stats) const
    {
        stats.derive("start", Unit::Duration, "simulated time at which the phase began", start);
        stats.derive("end", Unit::Duration, "simulated time at which it ended", end);
    }
};

struct PoolReport { // figures of a pool of places in addition to its use
    std::uint32_t places = 0;
    Time exhausted{};

    void declare(Statistics& stats)
    {
        stats.add("places", Unit::Count, "places of the pool", places, Merge::Maximum);
        stats.add("exhausted", Unit::Duration, "time during which a job waited for a place", exhausted);
    }
};

// Where a resource is, if it belongs to a channel.
struct ResourcePlace {
    std::optional<std::uint32_t> channel;
    std::optional<std::uint32_t> way; // of a die
    std::optional<std::uint32_t> lun;
};

// One resource over the measured time.
struct ResourceReport {
    std::string name; // "channel 0", "die 3.1.0"
    ResourceGroup group = ResourceGroup::Link;
    ResourceUsage usage;
    std::optional<PoolReport> pool; // a pool of places; busy time is averaged over them
    ResourcePlace place{};
};

// The drive as elaborated, for a block diagram.
struct PlatformReport {
    struct Block {
        std::string name;                   // unique
        std::string kind;                   // "cpu", "memory", "channel", …
        std::string detail;                 // one short line
        std::vector<std::string> resources; // their names; none: the block is never busy
    };
    struct Link {
        std::string from; // names of blocks
        std::string to;
        bool isData = true; // false: registers, interrupts
    };
    std::vector<Block> blocks;
    std::vector<Link> links;
};

// NAND operations over the measured time, by their purpose ("host", "garbage collection", …); the rows add up to what
// the dies counted.
struct FlashCounts {
    std::string purpose;
    std::uint64_t reads = 0;
    std::uint64_t programs = 0;
    std::uint64_t erases = 0;
    std::uint64_t copyBacks = 0;

    void declare(Statistics& stats)
    {
        stats.add("reads", Unit::Count, "page reads", reads);
        stats.add("programs", Unit::Count, "page programs, failed ones included", programs);
        stats.add("erases", Unit::Count, "block erases, failed ones included", erases);
        stats.add("copy_backs", Unit::Count, "copy-backs", copyBacks);
    }
};

struct IntegrityReport {
    bool enabled = false; // false in data mode none, and if the host is not Strobe's
    std::uint64_t checkedSectors = 0;
    std::uint64_t mismatches = 0;
    std::vector<std::string> details; // the first few: address, expected and found contents
    bool isGuests = false;            // the host is a guest or a client: Strobe does not know what its data should be

    void declare(Statistics& stats) const
    {
        stats.derive("checked_sectors", Unit::Count, "sectors read back and checked, since power-on", checkedSectors);
        stats.derive("mismatches", Unit::Count, "of these, sectors with wrong data: errors", mismatches);
    }
};

// What clients of the drive as a block device asked for (strobe serve).
struct ServedReport {
    struct Kind {
        std::string name;
        std::uint64_t requests = 0;
        std::uint64_t bytes = 0;
        std::uint64_t forced = 0;
        std::uint64_t failed = 0;

        void declare(Statistics& stats)
        {
            stats.add("requests", Unit::Count, "requests of clients", requests);
            stats.add("bytes", Unit::Bytes, "what they transferred, trimmed or set to zero", bytes);
            stats.add("with_fua", Unit::Count, "of these requests, those with FUA", forced);
            stats.add("failed", Unit::Count, "of these requests, those that failed", failed);
        }
    };
    struct Pace {
        double factor = 1;
        Time mostBehind{};
        Time lost{};

        void declare(Statistics& stats)
        {
            stats.derive("seconds_per_simulated_second", Unit::Ratio, "seconds of real time for a simulated second",
                         factor);
            stats.add("most_behind", Unit::Duration, "largest lag of simulated time", mostBehind, Merge::Maximum);
            stats.add("lost", Unit::Duration, "lag of simulated time that was not recovered", lost);
        }
    };
    std::vector<Kind> kinds;
    std::uint64_t clients = 0;
    std::uint64_t extents = 0;
    std::optional<Pace> pace; // nothing: free-running

    void declare(Statistics& stats)
    {
        stats.add("connections", Unit::Count, "connections of clients", clients);
        stats.add("allocation_requests", Unit::Count, "requests for the allocated ranges of the drive", extents);
    }
};

// Modelled failures of one kind: "illegal command", "program failed", "uncorrectable", "event ring overflow", …
struct FailureReport {
    std::string kind;
    std::uint64_t count = 0;
    bool isError = true;              // false: something that firmware has to handle
    std::vector<std::string> details; // the first few: time, die, block, page, reason

    void declare(Statistics& stats) const
    {
        stats.derive("count", Unit::Count, "failures of the kind, since power-on", count);
    }
};

// Read-ahead of page mapping.
struct ReadAheadCounters {
    std::uint64_t read = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t wasted = 0;

    void declare(Statistics& stats)
    {
        stats.add("units_read", Unit::Count, "mapping units read ahead of the host", read);
        stats.add("hits", Unit::Count, "parts of host reads, each of one unit, served from units read ahead", hits);
        stats.add("misses", Unit::Count, "parts of host reads that were read from flash", misses);
        stats.add("units_wasted", Unit::Count, "units read ahead and dropped before the host had read of them", wasted);
    }
};

// Data refresh of page mapping.
struct RefreshCounters {
    std::uint64_t byReads = 0;
    std::uint64_t byAge = 0;
    std::uint64_t byErrors = 0;
    std::uint64_t units = 0;
    std::uint64_t scrubReads = 0;

    void declare(Statistics& stats)
    {
        stats.add("blocks_for_reads", Unit::Count, "blocks whose data was moved because of their reads", byReads);
        stats.add("blocks_for_age", Unit::Count, "blocks whose data was moved because of their age", byAge);
        stats.add("blocks_for_errors", Unit::Count, "blocks whose data was moved because of the errors of a read",
                  byErrors);
        stats.add("units", Unit::Count, "mapping units that these blocks held when their moves began", units);
        stats.add("scrub_reads", Unit::Count, "reads of scrubbing", scrubReads);
    }
};

// Parity of superblocks.
struct ParityCounters {
    std::uint64_t stripes = 0;
    std::uint64_t rebuilt = 0;
    std::uint64_t lost = 0;

    void declare(Statistics& stats)
    {
        stats.add("stripes", Unit::Count, "stripes whose parity was programmed", stripes);
        stats.add("reconstructed", Unit::Count,
                  "reads that could not be corrected, and were reconstructed from the other dies of the stripe",
                  rebuilt);
        stats.add("lost", Unit::Count, "reads that could neither be corrected nor reconstructed", lost);
    }
};

// Of data out, die by die (docs/di_ssd.md).
struct DieCalibration {
    std::uint32_t channel = 0;
    std::uint32_t position = 0; // on the channel
    Time cycle{};               // of data out
    Time sample{};              // after the edge that requests a byte
    Time margin{};              // from the sample to the nearer end of the window that firmware found; 0: base clock
    std::uint64_t calibrations = 0;
    Time took{};
    Time longest{};

    void declare(Statistics& stats)
    {
        stats.add("cycle", Unit::Duration, "cycle time of data out", cycle);
        stats.add("sample", Unit::Duration, "sampling instant after the edge that requests a byte", sample);
        stats.add("margin", Unit::Duration, "from the sample to the nearer end of the window; 0: base clock", margin);
        stats.add("calibrations", Unit::Count, "calibrations of the die", calibrations);
        stats.add("took", Unit::Duration, "time of all its calibrations", took);
        stats.add("longest", Unit::Duration, "time of the longest", longest, Merge::Maximum);
    }
};

struct CalibrationReport { // since power-on
    Time baseCycle{};
    std::vector<DieCalibration> dies;
    controller::ReadCapture::Counters capture;

    void declare(Statistics& stats) const
    {
        stats.derive("base_cycle", Unit::Duration, "cycle time of data out before calibration", baseCycle);
    }
};

struct MemoryReport { // host memory of modelled contents, in bytes
    std::uint64_t flashPages = 0;
    std::optional<std::uint64_t> integrityCheck; // nothing: the host was never ready

    void declare(Statistics& stats) const
    {
        stats.derive("flash pages", Unit::Bytes, "contents of programmed pages", flashPages);
        if (integrityCheck)
            stats.derive("integrity check", Unit::Bytes, "what the host keeps of the sectors that it wrote",
                         *integrityCheck);
    }
};

// Depends on the machine: reported only on request.
struct HostTime {
    double setUpSeconds = 0;
    double runSeconds = 0;
    std::uint64_t peakMemoryBytes = 0;
    std::uint64_t requests = 0;

    double requestsPerSecond() const { return runSeconds > 0 ? static_cast<double>(requests) / runSeconds : 0; }
    void declare(Statistics& stats) const
    {
        stats.derive("set_up", Unit::Seconds, "time until the simulation began", setUpSeconds);
        stats.derive("run", Unit::Seconds, "time of the simulation", runSeconds);
        stats.derive("peak_memory", Unit::Bytes, "most memory that the process used", peakMemoryBytes);
        stats.derive("requests_per_second", Unit::PerSecond, "requests of all phases per second of the simulation",
                     requestsPerSecond());
    }
};

struct Report {
    std::string scenario;
    std::string description;
    std::uint64_t seed = 0;
    std::string dataMode;
    std::string resolvedJson;
    std::string differencesJson; // from the scenarios that this one extends, and from the defaults

    bool interrupted = false; // stopped before the workload was done: figures cover the time until then
    std::string interruption; // why, one clause

    std::string drive; // the simulated geometry and part, for the header
    std::uint64_t capacitySectors = 0;
    std::uint32_t pageBytes = 0;
    Time simulated{}; // since power-on
    Time ready{};     // when firmware had enabled the host port
    Time measured{};  // length of the measured phases
    std::vector<PhaseReport> phases;
    std::vector<KindTotals> kinds; // over the measured phases
    LatencySummary all;

    std::vector<ResourceReport> resources;
    std::vector<Statistic> link; // of the host protocol
    std::vector<FlashCounts> flash;
    std::vector<CounterBlock> counters; // of the parts of the drive, those that the scenario has
    WearReport wear;
    std::vector<EnergyReport> energy;
    std::optional<ThermalReport> thermal;      // nothing: no thermal model
    std::vector<PowerStateReport> powerStates; // empty: the protocol has none, or there is one
    IntegrityReport integrity;
    std::vector<FailureReport> failures;
    PowerReport power;
    std::optional<ServedReport> served;           // nothing: the host is not a block device's
    std::optional<CalibrationReport> calibration; // nothing: data out is clocked by the interface
    FirmwareReport firmware;
    MemoryReport memory;
    std::optional<StageReport> requestStages; // if requested by the scenario
    std::optional<HostTime> host;
    PlatformReport platform;
    SeriesReport series; // if it was requested

    void declare(Statistics& stats) const; // what belongs to no part of it
    bool foundErrors() const; // integrity mismatches, failed requests or failures that are errors: exit code 1
};

} // namespace strobe::platform
