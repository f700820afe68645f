// SPDX-License-Identifier: Apache-2.0
#include "platform/app/bench.h"

#include "models/base/config_error.h"
#include "models/channel/bus_schedule.h"
#include "platform/app/commands.h"
#include "platform/assembly/run.h"
#include "platform/report/analysis.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

constexpr double mebi = 1048576.0;

// Takes the CPU time of the measured phases.
class Stopwatch final : public RunObserver {
public:
    void progress(const Progress&) override {}
    bool stopRequested() override { return false; }
    void measuring(bool begins) override { seconds_ += begins ? -cpuSeconds() : cpuSeconds(); }
    double seconds() const { return seconds_; }

private:
    double seconds_ = 0;
};

// The most that the flash delivers when all dies, of one plane, work on whole pages: limited by a die that is always
// busy, a bus that is always busy, or the link. Bytes per second.
double bound(const Scenario& scenario, nand::Opcode opcode)
{
    const channel::BusSchedule schedule(scenario.channel.timing, scenario.nand.part);
    nand::Operation op;
    op.opcode = opcode;
    op.sectors = scenario.nand.part.geometry.sectorsPerPage();
    Time onDie{};
    Time onBus{};
    for (const channel::Segment& segment : schedule.segments(op)) {
        onDie += segment.duration;
        onBus += segment.onBus ? segment.duration : Time{};
    }
    const nand::ArrayGeometry& array = scenario.nand.array;
    const double page = scenario.nand.part.geometry.pageBytes;
    const double perChannel = std::min(page * array.diesPerChannel() / toSeconds(onDie), page / toSeconds(onBus));
    return std::min(perChannel * array.channels, static_cast<double>(scenario.host.direct.bytesPerSecond));
}

// What a case changes in its scenario, which is a drive of 8 x 4 dies.
std::vector<Override> sizeSettings(BenchSize size)
{
    switch (size) {
    case BenchSize::Dies8x4:
    case BenchSize::Scale32: return {};
    case BenchSize::Dies16x16: // as many bytes as the small drive
        return {"nand.channels=16",    "nand.ways=16",
                "host.queueDepth=256", "nand.part.blocksPerPlane=32",
                "cpu.clock=10GHz",     "firmware.pageMap.writeBufferPages=4096"};
    case BenchSize::Scale1024: // as much buffer for each die as the small drive
        return {"nand.channels=32", "nand.ways=32", "host.queueDepth=4096", "memory.size=768MiB",
                "memory.bufferSize=288MiB"};
    case BenchSize::Scale4096:
        return {"nand.channels=64", "nand.ways=64", "host.queueDepth=4096", "memory.size=2GiB",
                "memory.bufferSize=1152MiB"};
    }
    throw InternalError("a size of bench without settings");
}

std::vector<Override> settings(const BenchCase& c, bool quick)
{
    std::vector<Override> sets{fmt::format("data={}", c.dataMode)};
    if (c.isOnCore)
        sets.emplace_back("firmware.mode=rv32");
    for (Override& set : sizeSettings(c.size))
        sets.push_back(std::move(set));
    if (quick && (c.size == BenchSize::Dies8x4 || c.size == BenchSize::Dies16x16)) // the others have small dies
        sets.insert(sets.end(), {"nand.part.blocksPerPlane=24", "firmware.overProvisioning=20%"});
    return sets;
}

void shorten(Scenario& scenario)
{
    constexpr std::uint64_t share = 10;
    for (host::PhaseConfig& phase : scenario.workload.phases)
        phase.source.requests /= share;
}

} // namespace

const std::vector<BenchCase>& benchCases()
{
    static const std::vector<BenchCase> cases{
        {"sequential-read-8x4", "sequential-read", BenchSize::Dies8x4, "tags"},
        {"sequential-write-8x4", "sequential-write", BenchSize::Dies8x4, "tags"},
        {"random-read-8x4", "random-read", BenchSize::Dies8x4, "tags"},
        {"random-write-8x4", "random-write", BenchSize::Dies8x4, "tags"},
        {"garbage-collection-8x4", "garbage-collection", BenchSize::Dies8x4, "tags"},
        {"sequential-read-16x16", "sequential-read", BenchSize::Dies16x16, "tags"},
        {"sequential-write-16x16", "sequential-write", BenchSize::Dies16x16, "tags"},
        {"random-read-16x16", "random-read", BenchSize::Dies16x16, "tags"},
        {"random-write-16x16", "random-write", BenchSize::Dies16x16, "tags"},
        {"garbage-collection-16x16", "garbage-collection", BenchSize::Dies16x16, "tags"},
        {"steady-state-8x4", "steady-state", BenchSize::Dies8x4, "tags"},
        {"steady-state-16x16", "steady-state", BenchSize::Dies16x16, "tags"},
        {"full-drive-tags", "full-drive", BenchSize::Dies8x4, "tags"},
        {"full-drive-none", "full-drive", BenchSize::Dies8x4, "none"},
        {"tlc-sequential-write-8x4", "tlc-sequential-write", BenchSize::Dies8x4, "tags"},
        {"tlc-random-read-8x4", "tlc-random-read", BenchSize::Dies8x4, "tags"},
        {"tlc-steady-state-8x4", "tlc-steady-state", BenchSize::Dies8x4, "tags"},
        {"scale-random-read-32", "scale-random-read", BenchSize::Scale32, "tags"},
        {"scale-random-read-1024", "scale-random-read", BenchSize::Scale1024, "tags"},
        {"scale-random-read-4096", "scale-random-read", BenchSize::Scale4096, "tags"},
        {"scale-sequential-write-32", "scale-sequential-write", BenchSize::Scale32, "tags"},
        {"scale-sequential-write-1024", "scale-sequential-write", BenchSize::Scale1024, "tags"},
        {"scale-sequential-write-4096", "scale-sequential-write", BenchSize::Scale4096, "tags"},
        {"rv32-random-read-8x4", "random-read", BenchSize::Dies8x4, "tags", true},
        {"rv32-steady-state-8x4", "steady-state", BenchSize::Dies8x4, "tags", true},
        {"rv32-two-cores", nullptr, BenchSize::Dies8x4, "none"}};
    return cases;
}

std::vector<BenchMetric> runBenchCase(const BenchCase& c, bool quick, LoadOptions options)
{
    if (c.scenario == nullptr)
        return runFirmwareCase(quick);
    options.sets = settings(c, quick);
    Scenario scenario = loadScenario(findScenario(fmt::format("bench/{}", c.scenario), options), options);
    if (quick)
        shorten(scenario);

    Stopwatch stopwatch;
    const Report report = runScenario(scenario, stopwatch);
    if (report.foundErrors())
        throw InternalError(fmt::format("{}: the run found errors", c.name));

    const FlashCounts flash = flashTotal(report);
    const auto pages = static_cast<double>(flash.reads + flash.programs + flash.copyBacks);
    const auto requests = static_cast<double>(requestsOf(report.kinds));
    const double seconds = stopwatch.seconds();
    const double bandwidth = perSecond(static_cast<double>(bytesOf(report.kinds)), report.measured);
    std::vector<BenchMetric> metrics{
        {"requests", requests, "requests"},
        {"page_operations", pages, "operations"},
        {"cpu_time", seconds, "s"},
        {"requests_per_second", requests / seconds, "1/s"},
        {"page_operations_per_second", pages / seconds, "1/s"},
        {"time_per_request", seconds * 1e9 / requests, "ns"},
        {"time_per_page_operation", seconds * 1e9 / pages, "ns"},
        {"peak_memory", static_cast<double>(report.host->peakMemoryBytes) / mebi, "MiB"},
        {"checked_sectors", static_cast<double>(report.integrity.checkedSectors), "sectors"},
        {"simulated_bandwidth", bandwidth / 1e6, "MB/s"},
    };
    const host::PhaseConfig& phase = scenario.workload.phases.back();
    const nand::DieGeometry& die = scenario.nand.part.geometry;
    if (phase.source.kind == host::SourceKind::Sequential && die.planes == 1 && !die.hasWordLines()) {
        const double best =
            bound(scenario, phase.source.mix.readRatio > 0 ? nand::Opcode::Read : nand::Opcode::Program);
        metrics.push_back({"bound", best / 1e6, "MB/s"});
        metrics.push_back({"bound_ratio", bandwidth / best, "ratio"});
    }
    return metrics;
}

} // namespace strobe::platform
