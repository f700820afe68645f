#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A workload as data: phases in order, each with a source of requests, a pacing, and limits. The workload of a scenario
// file is mapped onto these structs; a test writes them as literals. Sizes are bytes, but may be shares of the drive:
// its capacity is known only when firmware has announced it. Defaults are in the members; problems() checks the ranges.

#include "models/base/config_error.h"
#include "models/base/enum_table.h"
#include "models/base/partition.h"
#include "models/base/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strobe::host {

// --- the menus -------------------------------------------------------------------------------------------------------

enum class SourceKind : std::uint8_t { Sequential, Uniform, Zipf, HotCold, Desktop, Trace };
inline constexpr std::array<EnumRow<SourceKind>, 6> sourceKindTable{
    {{SourceKind::Sequential, "sequential", "block after block, starting over at the end of the region"},
     {SourceKind::Uniform, "uniform", "every block of the region equally often"},
     {SourceKind::Zipf, "zipf", "the block of rank k as often as k to the power of -theta"},
     {SourceKind::HotCold, "hot-cold", "a share of the space receives a share of the accesses"},
     {SourceKind::Desktop, "desktop", "requests of several sizes in runs, reads and writes each with their own habits"},
     {SourceKind::Trace, "trace", "a recorded trace"}}};
constexpr const auto& enumTable(SourceKind)
{
    return sourceKindTable;
}

enum class PacingMode : std::uint8_t { Closed, Open, Dependent };
inline constexpr std::array<EnumRow<PacingMode>, 3> pacingModeTable{
    {{PacingMode::Closed, "closed", "a new request when one of queueDepth slots is free"},
     {PacingMode::Open, "open", "each request at its arrival time, however busy the drive is"},
     {PacingMode::Dependent, "dependent",
      "of a trace: each when those that preceded it in the recording are complete"}}};
constexpr const auto& enumTable(PacingMode)
{
    return pacingModeTable;
}

enum class ArrivalProcess : std::uint8_t { Fixed, Exponential };
inline constexpr std::array<EnumRow<ArrivalProcess>, 2> arrivalProcessTable{
    {{ArrivalProcess::Fixed, "fixed", "equal gaps"},
     {ArrivalProcess::Exponential, "exponential", "a Poisson process"}}};
constexpr const auto& enumTable(ArrivalProcess)
{
    return arrivalProcessTable;
}

enum class TraceFormat : std::uint8_t {
    Auto,
    FioIologV2,
    FioIologV3,
    Blktrace,
    Blkparse,
    MsrCambridge,
    Systor17,
    Spc,
    Alibaba,
    Tencent,
    MqsimSsdsim,
    Disksim,
    Vscsi1,
    Arc
};
inline constexpr std::array<EnumRow<TraceFormat>, 14> traceFormatTable{
    {{TraceFormat::Auto, "auto", "detected from the content"},
     {TraceFormat::FioIologV2, "fio-iolog-v2", "fio version 2 iolog: no times, but wait lines"},
     {TraceFormat::FioIologV3, "fio-iolog-v3", "fio version 3 iolog: microseconds since the start"},
     {TraceFormat::Blktrace, "blktrace", "binary events of Linux blktrace, or of blkparse -d"},
     {TraceFormat::Blkparse, "blkparse", "text of blkparse with its default columns"},
     {TraceFormat::MsrCambridge, "msr-cambridge", "CSV of the MSR Cambridge traces (SNIA IOTTA)"},
     {TraceFormat::Systor17, "systor17", "CSV of the SYSTOR '17 traces of a virtual desktop (SNIA IOTTA)"},
     {TraceFormat::Spc, "spc", "SPC trace file, as of the UMass repository: ASU, LBA, size, opcode, seconds"},
     {TraceFormat::Alibaba, "alibaba", "CSV of the Alibaba block traces of 2020"},
     {TraceFormat::Tencent, "tencent", "CSV of the Tencent cloud block storage traces"},
     {TraceFormat::MqsimSsdsim, "mqsim-ssdsim", "ASCII of MQSim and of SSDsim: ns, device, sector, sectors, 1 to read"},
     {TraceFormat::Disksim, "disksim", "ASCII of DiskSim: ms, device, sector, sectors, flags"},
     {TraceFormat::Vscsi1, "vscsi1", "binary vSCSI statistics of a hypervisor, version 1"},
     {TraceFormat::Arc, "arc", "lists of the ARC paper: first block, blocks, 0, number; reads without times"}}};
constexpr const auto& enumTable(TraceFormat)
{
    return traceFormatTable;
}

// `wait` in a version 2 iolog: fio's program and fio's manual disagree.
enum class WaitMeaning : std::uint8_t { MillisecondsSinceStart, MicrosecondsRelative };
inline constexpr std::array<EnumRow<WaitMeaning>, 2> waitMeaningTable{
    {{WaitMeaning::MillisecondsSinceStart, "ms-since-start",
      "as fio does: wait until so many milliseconds have passed"},
     {WaitMeaning::MicrosecondsRelative, "us-relative", "as fio's manual says: microseconds after the previous wait"}}};
constexpr const auto& enumTable(WaitMeaning)
{
    return waitMeaningTable;
}

enum class DisorderPolicy : std::uint8_t { Sort, Clamp, Reject };
inline constexpr std::array<EnumRow<DisorderPolicy>, 3> disorderPolicyTable{
    {{DisorderPolicy::Sort, "sort", "records are put into the order of their times, over 65,536 records, and counted"},
     {DisorderPolicy::Clamp, "clamp", "a record before its predecessor arrives with it, and is counted"},
     {DisorderPolicy::Reject, "reject", "a record before its predecessor is an error"}}};
constexpr const auto& enumTable(DisorderPolicy)
{
    return disorderPolicyTable;
}

// How the files or disks of one trace are placed on the one drive.
enum class FileLayout : std::uint8_t { Spread, Overlay };
inline constexpr std::array<EnumRow<FileLayout>, 2> fileLayoutTable{
    {{FileLayout::Spread, "spread", "each at its own base: 0, 1/2, 1/4, 3/4, 1/8, … of the region"},
     {FileLayout::Overlay, "overlay", "all at base 0, on top of each other"}}};
constexpr const auto& enumTable(FileLayout)
{
    return fileLayoutTable;
}

enum class ZoneWrites : std::uint8_t { Write, Append };
inline constexpr std::array<EnumRow<ZoneWrites>, 2> zoneWritesTable{
    {{ZoneWrites::Write, "write", "at their addresses"},
     {ZoneWrites::Append, "append", "by zone append, at the write pointers of their zones"}}};
constexpr const auto& enumTable(ZoneWrites)
{
    return zoneWritesTable;
}

enum class ZoneCommand : std::uint8_t { None, Open, Close, Finish, Reset };
inline constexpr std::array<EnumRow<ZoneCommand>, 5> zoneCommandTable{
    {{ZoneCommand::None, "none", "requests move data"},
     {ZoneCommand::Open, "open", "each request opens a zone"},
     {ZoneCommand::Close, "close", "each closes one"},
     {ZoneCommand::Finish, "finish", "each makes one full"},
     {ZoneCommand::Reset, "reset", "each makes one empty"}}};
constexpr const auto& enumTable(ZoneCommand)
{
    return zoneCommandTable;
}

// A class of submission queues, by NVMe's weighted round robin.
enum class QueueClass : std::uint8_t { Urgent, High, Medium, Low };
inline constexpr std::array<EnumRow<QueueClass>, 4> queueClassTable{{{QueueClass::Urgent, "urgent", ""},
                                                                     {QueueClass::High, "high", ""},
                                                                     {QueueClass::Medium, "medium", ""},
                                                                     {QueueClass::Low, "low", ""}}};
constexpr const auto& enumTable(QueueClass)
{
    return queueClassTable;
}

// --- the structs -----------------------------------------------------------------------------------------------------

// A size in bytes, or as a share of a total that is known only at run time. Both zero: not given.
struct SizeOrShare {
    std::uint64_t bytes = 0;
    double share = 0; // counts when bytes is zero; 0.25 is a quarter

    bool isSet() const { return bytes != 0 || share != 0; }
    std::uint64_t of(std::uint64_t wholeBytes) const; // rounded down to a byte
};

struct RegionConfig {
    SizeOrShare offset; // shares are of the capacity, rounded down to 4 KiB
    SizeOrShare size;   // not given: to the end of the drive
};

struct MixConfig {
    double readRatio = 0;         // reads among reads and writes, 0..1
    double trimRatio = 0;         // trims among reads, writes and trims, 0..1
    std::uint32_t flushEvery = 0; // a flush after so many writes; 0: never
};

struct HotConfig {
    double space = 0.2;    // this share of the blocks …
    double accesses = 0.8; // … receives this share of the accesses
};

struct SizeWeight {
    std::uint64_t bytes = 4096;
    double weight = 1; // weight relative to the others of its list
};

// How reads, or writes and trims, choose their sizes and addresses. A request begins where the last one of its
// direction ended (sequential), near there (near), or anywhere in the span.
struct HabitConfig {
    std::vector<SizeWeight> sizes = std::vector<SizeWeight>(1);
    double sequential = 0; // 0..1
    double near = 0;       // 0..1 - sequential
    SizeOrShare span;      // of the region, from its beginning; not given: all of it
};

struct TraceConfig {
    std::string file; // plain, gz, bz2, xz or zst, detected from the content
    TraceFormat format = TraceFormat::Auto;
    WaitMeaning waitMeaning = WaitMeaning::MillisecondsSinceStart;
    DisorderPolicy disorder = DisorderPolicy::Sort;
    FileLayout layout = FileLayout::Spread;
    std::uint32_t maxSectors = 65536; // longer requests are split; 65,536 is what one NCQ command can move
};

struct ZoneSpace {
    std::uint64_t sectors = 0;  // from a zone to the next one; 0: the drive has no zones
    std::uint64_t capacity = 0; // sectors of a zone that can be written
};

// On a drive with zones. Regions, shares and volumes count only the sectors that can be written.
struct ZonesConfig {
    ZoneSpace space; // of the drive: known later
    ZoneWrites writes = ZoneWrites::Write;
    ZoneCommand command = ZoneCommand::None;
};

// The namespace of a job: its regions and shares are of it.
struct NamespaceChoice {
    std::uint32_t number = 1;
    std::vector<PartSize> sizes{}; // of all namespaces of the drive: known later; none: one, the whole drive
};

// The submission queues of the host that the commands of a job use.
struct QueueChoice {
    static constexpr std::uint32_t mostQueues = 64;

    std::optional<QueueClass> ofClass{}; // all queues of the class …
    std::uint64_t numbers = 0;           // … or these: bit q - 1 is queue q
    std::uint64_t mask = 0;              // the queues of the choice, in the same form; 0: any. Known later for a class

    bool isAny() const { return !ofClass && numbers == 0; }
    std::string text() const; // "any", "urgent", "1", "2-4,7"
    // The choice that has this text, in any order of its numbers; nothing: there is none.
    static std::optional<QueueChoice> of(const std::string& text);
};

struct SourceConfig {
    SourceKind kind = SourceKind::Uniform;
    RegionConfig region;        // traces are folded into it
    std::uint64_t requests = 0; // limit; 0: none
    SizeOrShare volume;         // limit, bytes read, written and trimmed; shares are of the region (1: one pass)

    // Generators only.
    std::uint64_t blockSize = 4096;
    std::uint64_t alignment = 0; // of blocks within the region; 0: blockSize
    MixConfig mix;
    double theta = 0.99; // zipf
    HotConfig hot;       // hot-cold
    bool spread = true;  // zipf, hot-cold: popular blocks all over the region, not at its beginning
    HabitConfig reads;   // desktop
    HabitConfig writes;  // desktop
    std::uint64_t nearDistance = 1024 * 1024; // desktop: how far "near" reaches, in both directions

    NamespaceChoice space{};
    QueueChoice queues{};
    std::optional<std::uint32_t> placement; // handle of the writes, on a drive with data placement
    ZonesConfig zones;
    TraceConfig trace; // kind == Trace only
};

struct PacingConfig {
    PacingMode mode = PacingMode::Closed;

    // Closed loop.
    std::uint32_t queueDepth = 32;
    Time thinkTime{}; // between a completion and the request that takes its slot

    // Of generators: mean time between arrivals (open loop, required), or the shortest mean time between issues (closed
    // loop: what was late is caught up; 0: no limit).
    Time interval{};

    // Open loop and dependent. A trace has its own times. A time scale of 0.5 is twice as fast. traceResponse: response
    // time of the recorded requests, if the trace does not contain it (dependent).
    ArrivalProcess arrivals = ArrivalProcess::Fixed;
    double timeScale = 1;
    Time traceResponse{};
};

// A job beside the phase's own one: generated requests with a pacing of their own, until the phase's own job has
// nothing more to issue, or until its own limits are reached.
struct JobConfig {
    std::string name;
    SourceConfig source; // not a trace
    PacingConfig pacing; // closed or open
};

struct PhaseConfig {
    std::string name;
    SourceConfig source;
    PacingConfig pacing;
    std::vector<JobConfig> concurrentJobs;
    Time maxTime = never; // limit: no request is issued (closed) or arrives (open) at or after it, phase time
    bool measured = true; // false: preconditioning, kept out of the report's results
    bool isFunctional =
        false;         // preconditioning without time: the drive's data and firmware advance, the clock does not
    bool drain = true; // wait for all completions before the next phase begins
    bool flush = true; // preconditioning ends with a flush: no buffered data is left to the next phase
};

struct WorkloadConfig {
    std::vector<PhaseConfig> phases;
};

// The job `concurrentJobs`[job] of a phase, as a phase of its own.
PhaseConfig concurrentJobAsPhase(const PhaseConfig& phase, std::size_t job);
// Its field, as a field of the phase: "concurrentJobs.0.region.size".
std::string concurrentJobField(std::size_t job, const std::string& field);

// Ordinary phases that give a drive a history: sequential writes over the whole space, so many times; then uniform
// overwrites of so many times the space.
PhaseConfig fillPhase(double times = 1, std::uint64_t blockSize = 128 * 1024);
PhaseConfig overwritePhase(double times, std::uint64_t blockSize = 4096);

// A field of a workload. The caller maps it to what the user wrote (a key of a file, an option).
struct WorkloadPlace {
    std::optional<std::size_t> phase; // nothing: the list of phases
    std::string
        field; // of the phase, like "zipf.theta" or "desktop.reads.sizes.0.weight"; names as in docs/workloads.md
};

// One mistake in a workload: where and what is allowed.
struct WorkloadProblem {
    WorkloadPlace place;
    std::string message;
};

// A mistake that only shows when the drive's capacity is known: a problem with its place, what() is the message.
class WorkloadError : public ConfigError {
public:
    WorkloadError(WorkloadPlace place, const std::string& message) : ConfigError(message), place_(std::move(place)) {}
    const WorkloadPlace& place() const { return place_; }

private:
    WorkloadPlace place_;
};

// Everything that can be checked without a drive; trace files are opened and their format is found. Empty: no problem.
std::vector<WorkloadProblem> problems(const WorkloadConfig& workload);

} // namespace strobe::host
