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

std::vector<Override> settings(const BenchCase& c, bool quick)
{
    std::vector<Override> sets{fmt::format("data={}", c.dataMode)};
    if (c.isOnCore)
        sets.emplace_back("firmware.mode=rv32");
    if (c.large) { // as many bytes as the small drive
        sets.insert(sets.end(), {"nand.channels=16", "nand.ways=16", "nand.part.blocksPerPlane=32",
                                 "host.queueDepth=256", "firmware.pageMap.writeBufferPages=4096", "cpu.clock=10GHz"});
    }
    if (quick)
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
    static const std::vector<BenchCase> cases{{"sequential-read-8x4", "sequential-read", false, "tags"},
                                              {"sequential-write-8x4", "sequential-write", false, "tags"},
                                              {"random-read-8x4", "random-read", false, "tags"},
                                              {"random-write-8x4", "random-write", false, "tags"},
                                              {"garbage-collection-8x4", "garbage-collection", false, "tags"},
                                              {"sequential-read-16x16", "sequential-read", true, "tags"},
                                              {"sequential-write-16x16", "sequential-write", true, "tags"},
                                              {"random-read-16x16", "random-read", true, "tags"},
                                              {"random-write-16x16", "random-write", true, "tags"},
                                              {"garbage-collection-16x16", "garbage-collection", true, "tags"},
                                              {"steady-state-8x4", "steady-state", false, "tags"},
                                              {"steady-state-16x16", "steady-state", true, "tags"},
                                              {"full-drive-tags", "full-drive", false, "tags"},
                                              {"full-drive-none", "full-drive", false, "none"},
                                              {"tlc-sequential-write-8x4", "tlc-sequential-write", false, "tags"},
                                              {"tlc-random-read-8x4", "tlc-random-read", false, "tags"},
                                              {"tlc-steady-state-8x4", "tlc-steady-state", false, "tags"},
                                              {"rv32-random-read-8x4", "random-read", false, "tags", true},
                                              {"rv32-steady-state-8x4", "steady-state", false, "tags", true},
                                              {"rv32-two-cores", nullptr, false, "none"}};
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
