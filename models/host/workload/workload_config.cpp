// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/workload_config.h"

#include "models/base/config_error.h"
#include "models/base/content.h"
#include "models/host/workload/trace_reader.h"
#include "models/host/workload/zipf_distribution.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace strobe::host {

namespace {

constexpr std::uint64_t maxBlockBytes = std::uint64_t{65536} * sectorBytes; // limit of one NCQ command
constexpr std::uint64_t maxAlignment = std::uint64_t{1} << 40;
constexpr std::uint32_t maxQueueDepth = 65535;
constexpr double minTimeScale = 1e-6;
constexpr double maxTimeScale = 1e6;
constexpr double maxPasses = 1e6;

std::string bytesText(std::uint64_t bytes)
{
    constexpr std::uint64_t kibibyte = 1024;
    constexpr std::uint64_t mebibyte = 1024 * kibibyte;
    constexpr std::uint64_t gibibyte = 1024 * mebibyte;
    if (bytes != 0 && bytes % gibibyte == 0)
        return fmt::format("{}GiB", bytes / gibibyte);
    if (bytes != 0 && bytes % mebibyte == 0)
        return fmt::format("{}MiB", bytes / mebibyte);
    return bytes != 0 && bytes % kibibyte == 0 ? fmt::format("{}KiB", bytes / kibibyte) : fmt::format("{}B", bytes);
}

bool isShare(double value)
{
    return value >= 0 && value <= 1; // false for NaN
}

// Collects the problems of one phase, or of a job beside it: `prefix` of its fields.
class PhaseCheck {
public:
    PhaseCheck(const PhaseConfig& phase, std::size_t number, std::vector<WorkloadProblem>& problems,
               std::string prefix = "")
        : phase_(phase), source_(phase.source), pacing_(phase.pacing), number_(number), prefix_(std::move(prefix)),
          problems_(problems)
    {
    }

    void run()
    {
        expect(!phase_.name.empty(), "name", "a phase needs a name");
        region();
        limits();
        pacing();
        functional();
        if (source_.kind == SourceKind::Trace)
            trace();
        else
            generator();
        concurrentJobs();
    }

private:
    void expect(bool holds, const std::string& key, const std::string& message)
    {
        if (!holds)
            problems_.push_back({{number_, prefix_ + key}, message});
    }

    void concurrentJobs()
    {
        expect(!phase_.isFunctional || phase_.concurrentJobs.empty(), "concurrentJobs",
               "no time passes in a functional phase, so no jobs run beside each other: must be empty; jobs can follow "
               "each other in phases of their own");
        std::set<std::string> names{phase_.name};
        for (std::size_t job = 0; job < phase_.concurrentJobs.size(); ++job) {
            const std::string& name = phase_.concurrentJobs[job].name;
            expect(!name.empty(), concurrentJobField(job, "name"), "a job needs a name");
            expect(names.insert(name).second, concurrentJobField(job, "name"),
                   fmt::format("'{}' names the phase or an earlier job already", name));
            const PhaseConfig config = concurrentJobAsPhase(phase_, job);
            PhaseCheck(config, number_, problems_, concurrentJobField(job, "")).job();
        }
    }

    void job()
    {
        if (source_.kind == SourceKind::Trace) {
            expect(false, "kind", "trace is not allowed beside another job: only the phase's own job can be a trace");
            return;
        }
        region();
        volume();
        pacing();
        generator();
    }

    void share(double value, const std::string& key)
    {
        expect(isShare(value), key, fmt::format("{} is not allowed; 0 to 1 is", value));
    }

    void sectors(std::uint64_t bytes, std::uint64_t maximum, const std::string& key)
    {
        const std::string most = maximum == UINT64_MAX ? "" : fmt::format(", at most {}", bytesText(maximum));
        expect(bytes % sectorBytes == 0 && bytes <= maximum, key,
               fmt::format("must be a multiple of 512B{}, not {}", most, bytesText(bytes)));
    }

    void region()
    {
        sectors(source_.region.offset.bytes, UINT64_MAX, "region.offset");
        sectors(source_.region.size.bytes, UINT64_MAX, "region.size");
        share(source_.region.offset.share, "region.offset");
        share(source_.region.size.share, "region.size");
    }

    void volume()
    {
        const double passes = source_.volume.share;
        expect(passes >= 0 && passes <= maxPasses, "volume",
               fmt::format("{} times the region is not allowed; up to {} times is", passes, maxPasses));
    }

    void limits()
    {
        volume();
        expect(phase_.maxTime > Time{}, "maxTime", "a time above zero is needed");
        const bool ends = source_.kind == SourceKind::Trace || source_.requests != 0 || source_.volume.isSet() ||
                          phase_.maxTime != never;
        expect(ends, "requests", "a generator has no end: give requests, volume or maxTime");
    }

    void pacing()
    {
        if (pacing_.mode == PacingMode::Closed) {
            expect(pacing_.queueDepth >= 1 && pacing_.queueDepth <= maxQueueDepth, "pacing.queueDepth",
                   fmt::format("{} is not allowed; 1 to {} is", pacing_.queueDepth, maxQueueDepth));
            expect(pacing_.thinkTime >= Time{}, "pacing.thinkTime", "a time of at least zero is needed");
            expect(pacing_.interval >= Time{}, "pacing.rate", "a rate above zero is needed");
            expect(pacing_.interval == Time{} || source_.kind != SourceKind::Trace, "pacing.rate",
                   "the rate of a trace cannot be limited; open replays it at its own times");
            return;
        }
        expect(pacing_.timeScale >= minTimeScale && pacing_.timeScale <= maxTimeScale, "pacing.timeScale",
               fmt::format("{} is not allowed; {} to {} is", pacing_.timeScale, minTimeScale, maxTimeScale));
        expect(pacing_.mode != PacingMode::Dependent || source_.kind == SourceKind::Trace, "pacing.mode",
               "only a trace has dependent requests; a generator is closed or open");
        expect(pacing_.traceResponse >= Time{}, "pacing.traceResponse", "a time of at least zero is needed");
        if (source_.kind == SourceKind::Trace)
            expect(pacing_.interval == Time{}, "pacing.rate",
                   "a trace has its own arrival times; stretch them with timeScale");
        else if (pacing_.mode == PacingMode::Open)
            expect(pacing_.interval > Time{}, "pacing.rate", "an open loop needs a rate above zero");
    }

    // Nothing waits for a time that does not pass.
    void functional()
    {
        if (!phase_.isFunctional)
            return;
        expect(!phase_.measured, "precondition", "a phase without time cannot be measured");
        expect(pacing_.mode == PacingMode::Closed, "pacing.mode",
               fmt::format("no time passes in a functional phase: must be closed, not {}", enumName(pacing_.mode)));
        expect(pacing_.thinkTime == Time{}, "pacing.thinkTime", "no time passes in a functional phase: must be 0");
        expect(pacing_.mode != PacingMode::Closed || pacing_.interval == Time{}, "pacing.rate",
               "no time passes in a functional phase: must be none");
        expect(phase_.maxTime == never, "maxTime",
               "no time passes in a functional phase: must be unlimited; requests or volume can end it");
        expect(source_.queues.isAny(), "queues", "a functional phase has no port, and so no queues: must be any");
        expect(phase_.drain, "drain",
               "simulated time begins after a functional phase, so the drive must be drained: must be true");
    }

    void generator()
    {
        expect(source_.blockSize != 0, "blockSize", "a block needs at least 512 bytes");
        sectors(source_.blockSize, maxBlockBytes, "blockSize");
        sectors(source_.alignment, maxAlignment, "alignment");
        share(source_.mix.readRatio, "readRatio");
        share(source_.mix.trimRatio, "trimRatio");
        if (source_.kind == SourceKind::Zipf)
            expect(source_.theta >= 0 && source_.theta <= ZipfDistribution::maxTheta, "zipf.theta",
                   fmt::format("{} is not allowed; 0 to {} is", source_.theta, ZipfDistribution::maxTheta));
        if (source_.kind == SourceKind::HotCold) {
            expect(source_.hot.space > 0 && source_.hot.space <= 1, "hotCold.space",
                   fmt::format("{} is not allowed; above 0 (some block is hot) up to 1 is", source_.hot.space));
            share(source_.hot.accesses, "hotCold.accesses");
        }
        if (source_.kind == SourceKind::Desktop) {
            habit(source_.reads, "desktop.reads");
            habit(source_.writes, "desktop.writes");
            sectors(source_.nearDistance, maxAlignment, "desktop.nearDistance");
        }
    }

    void habit(const HabitConfig& habit, const std::string& key)
    {
        expect(!habit.sizes.empty(), key + ".sizes", "a list of sizes needs at least one");
        for (std::size_t i = 0; i < habit.sizes.size(); ++i) {
            const std::string at = fmt::format("{}.sizes.{}.", key, i);
            expect(habit.sizes[i].bytes != 0, at + "size", "a request needs at least 512 bytes");
            sectors(habit.sizes[i].bytes, maxBlockBytes, at + "size");
            expect(habit.sizes[i].weight > 0, at + "weight", "a weight above zero is needed");
        }
        share(habit.sequential, key + ".sequential");
        share(habit.near, key + ".near");
        expect(habit.sequential + habit.near <= 1, key + ".near",
               fmt::format("sequential and near are {} together; up to 1 is allowed", habit.sequential + habit.near));
        sectors(habit.span.bytes, UINT64_MAX, key + ".span");
        share(habit.span.share, key + ".span");
    }

    void trace()
    {
        expect(source_.trace.maxSectors >= 1 && source_.trace.maxSectors <= 65536, "trace.maxSectors",
               fmt::format("{} is not allowed; 1 to 65536 is", source_.trace.maxSectors));
        if (source_.trace.file.empty()) {
            expect(false, "trace.file", "a trace phase needs a file");
            return;
        }
        try {
            const auto reader = openTrace(source_.trace);
            expect(pacing_.mode == PacingMode::Closed || reader->hasTimes(), "pacing.mode",
                   fmt::format("a trace in the format {} has no times: only a closed loop can replay it",
                               enumName(reader->format())));
            expect(source_.trace.waitMeaning == TraceConfig{}.waitMeaning ||
                       reader->format() == TraceFormat::FioIologV2,
                   "trace.waitMeaning",
                   fmt::format("has no effect: the trace is in the format {}; wait lines are in fio-iolog-v2 only",
                               enumName(reader->format())));
        } catch (const AmbiguousTrace& error) {
            expect(false, "trace.format", error.what());
        } catch (const ConfigError& error) {
            expect(false, "trace.file", error.what());
        }
    }

    const PhaseConfig& phase_;
    const SourceConfig& source_;
    const PacingConfig& pacing_;
    std::size_t number_;
    std::string prefix_;
    std::vector<WorkloadProblem>& problems_;
};

} // namespace

std::uint64_t SizeOrShare::of(std::uint64_t wholeBytes) const
{
    return bytes != 0 ? bytes : static_cast<std::uint64_t>(std::floor(share * static_cast<double>(wholeBytes)));
}

PhaseConfig concurrentJobAsPhase(const PhaseConfig& phase, std::size_t job)
{
    PhaseConfig config;
    config.name = phase.name + "/" + phase.concurrentJobs[job].name;
    config.source = phase.concurrentJobs[job].source;
    config.pacing = phase.concurrentJobs[job].pacing;
    config.maxTime = phase.maxTime;
    config.measured = phase.measured;
    config.drain = phase.drain;
    config.flush = false; // the phase's own job ends with it
    return config;
}

std::string concurrentJobField(std::size_t job, const std::string& field)
{
    return fmt::format("concurrentJobs.{}.{}", job, field);
}

PhaseConfig fillPhase(double times, std::uint64_t blockSize)
{
    PhaseConfig phase;
    phase.name = "fill";
    phase.source.kind = SourceKind::Sequential;
    phase.source.blockSize = blockSize;
    phase.source.volume.share = times;
    phase.measured = false;
    return phase;
}

PhaseConfig overwritePhase(double times, std::uint64_t blockSize)
{
    PhaseConfig phase = fillPhase(times, blockSize);
    phase.name = "overwrite";
    phase.source.kind = SourceKind::Uniform;
    return phase;
}

std::vector<WorkloadProblem> problems(const WorkloadConfig& workload)
{
    std::vector<WorkloadProblem> found;
    if (workload.phases.empty())
        found.push_back({{std::nullopt, ""}, "a workload needs at least one phase"});
    std::set<std::string> names;
    for (std::size_t i = 0; i < workload.phases.size(); ++i) {
        PhaseCheck(workload.phases[i], i, found).run();
        if (!names.insert(workload.phases[i].name).second)
            found.push_back(
                {{i, "name"},
                 fmt::format("the name \"{}\" is already used by an earlier phase", workload.phases[i].name)});
        if (i != 0 && workload.phases[i].isFunctional && !workload.phases[i - 1].isFunctional)
            found.push_back({{i, "precondition"},
                             fmt::format("functional phases come first, but '{}' before this one takes time",
                                         workload.phases[i - 1].name)});
        if (i + 1 == workload.phases.size() && !workload.phases[i].drain)
            found.push_back({{i, "drain"}, "false has no effect: no phase follows that could begin early"});
    }
    return found;
}

} // namespace strobe::host
