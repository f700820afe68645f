// SPDX-License-Identifier: Apache-2.0
#include "platform/report/statistics_sections.h"

#include "models/controller/read_capture.h"
#include "models/host/ahci/ahci_hba.h"
#include "models/host/nvme/nvme_controller.h"
#include "models/host/pata_link.h"
#include "models/host/pcie/pcie_link.h"
#include "models/host/queue_use.h"
#include "models/host/sata_link.h"
#include "platform/report/analysis.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace strobe::platform {

namespace {

StatisticsSection section(std::string place, std::string remark, const std::vector<Statistic>& statistics)
{
    StatisticsSection made{std::move(place), std::move(remark), {}};
    for (const Statistic& s : statistics) {
        if (s.isReported)
            made.rows.push_back({s.key(), s.unit, s.sentence});
    }
    return made;
}

// What one of several declarations of a struct gives; all of them are derived, so that the struct need not live on.
template <class Declare>
std::vector<Statistic> valuesOf(Declare declare)
{
    Statistics stats;
    declare(stats);
    return stats.values();
}

std::string placeOf(const StatisticsSection& section, std::string_view quote, std::string_view gap)
{
    if (section.place.empty())
        return "top level";
    return fmt::format("{}{}{}{}", quote, section.place, quote,
                       section.remark.empty() ? "" : fmt::format("{}({})", gap, section.remark));
}

} // namespace

namespace {

std::vector<StatisticsSection> ownSections()
{
    using namespace host;
    using namespace controller;
    return {
        section("", "", statisticsGiven(Report{})),
        section("totals.*", "also phases[].totals.*, phases[].jobs[].totals.*", statisticsGiven(Throughput{})),
        section("totals.*", "by kind of request; also in phases[] and phases[].jobs[]", statisticsGiven(KindTotals{})),
        section("totals.*.latency", "also phases[].totals.*.latency, phases[].jobs[].totals.*.latency",
                statisticsOf(LatencySummary{})),
        section("stages.kinds.*.*", "with report.stages; stages without time are left out", statisticsOf(StageMeans{})),
        section("limiting", "", statisticsGiven(Limiting{})),
        section("groups[]", "one row per group of resources", valuesOf([](Statistics& stats) {
                    GroupUsage{}.declareUse(stats);
                    GroupUsage{}.declareWaits(stats);
                })),
        section("resources[]", "one row per resource", statisticsOf(ResourceUsage{})),
        section("resources[]", "pools of places only: the write buffer", statisticsOf(PoolReport{})),
        section("link", "host.interface sata", statisticsOf(SataCounters{})),
        section("link", "host.interface nvme", statisticsOf(PcieCounters{}, nvme::ControllerCounters{})),
        section("link", "host.interface ahci", statisticsOf(SataCounters{}, ahci::HbaCounters{})),
        section("link", "with faults.link", statisticsOf(LinkErrorCounters{})),
        section("queues.*", "strobe linux, if the guest's driver has made several I/O queues; since power-on",
                statisticsOf(QueueUse{0, 0})),
        section("link", "host.interface pata", statisticsOf(PataCounters{})),
        section("phases[]", "", statisticsGiven(PhaseReport{})),
        section("phases[].source", "of generators and traces; also phases[].jobs[].source",
                statisticsOf(SourceCounts{})),
        section("flash.operations.total", "also flash.operations.by_purpose.*", statisticsOf(FlashCounts{})),
        section("flash", "", valuesOf([](Statistics& stats) { declareAmplification(stats, {}); })),
        section("flash.wear", "since power-on", statisticsGiven(WearReport{})),
        section("flash.wear", "with nand.preAged",
                valuesOf([](Statistics& stats) { WearReport{}.declarePreAge(stats); })),
        section("flash.wear.overwrites", "parts without erases", statisticsGiven(WearReport::Overwrites{})),
        section("flash.wear.history[]", "with report.wearEvery", statisticsOf(WearSample{})),
        section("energy", "", statisticsGiven(EnergyUse{})),
        section("energy.components[]", "one row per component",
                valuesOf([](Statistics& stats) { EnergyUse{}.declareComponent(stats); })),
        section("energy.power_states[]", "with several host.nvme.powerStates; one row per state",
                statisticsGiven(PowerStateReport{})),
        section("thermal", "with thermal.enabled; the whole run", statisticsOf(thermal::ThermalFigures{})),
        section("thermal.light", "also thermal.heavy", statisticsOf(thermal::ThermalFigures::Level{})),
        section("integrity", "", statisticsGiven(IntegrityReport{})),
        section("power", "with power losses; since power-on", statisticsOf(PowerReport{})),
        section("power.starts[]", "one row per start after a power loss", statisticsGiven(RecoveryReport{})),
        section("served", "strobe serve", statisticsOf(ServedReport{})),
        section("served.requests.*", "strobe serve; by kind of request", statisticsOf(ServedReport::Kind{})),
        section("served.pace", "strobe serve with --pace", statisticsOf(ServedReport::Pace{})),
        section("calibration", "with channel.calibration; since power-on",
                statisticsOf(CalibrationReport{}, ReadCapture::Counters{})),
        section("calibration.dies[]", "one row per die", statisticsOf(DieCalibration{})),
        section("failures[]", "one row per kind of failure", statisticsGiven(FailureReport{})),
        section("firmware", "", statisticsGiven(FirmwareReport{})),
        section("firmware.costs.*", "one per cost point", statisticsOf(FirmwareCost{})),
        section("firmware.costs.*", "firmware.mode rv32",
                valuesOf([](Statistics& stats) { FirmwareCost{}.declareDeviation(stats); })),
        section("firmware", "firmware.mode rv32", statisticsOf(ExecutedInstructions{})),
        section("firmware.commands", "", statisticsGiven(CommandTimes{})),
        section("firmware.handling", "", statisticsGiven(HandlingTimes{})),
        section("firmware.cores[].interrupts", "one row per core", statisticsGiven(cpu::InterruptTimes{})),
        section("firmware.cores[].rounds", "one row per core",
                valuesOf([](Statistics& stats) { FirmwareResponse::declareRounds(stats, {}); })),
        section("firmware.memory.stacks[]", "strobe run --check-memory; one row per stack",
                statisticsGiven(FirmwareMemory::Stack{})),
        section("firmware.memory.heap", "strobe run --check-memory, images with malloc()",
                statisticsGiven(FirmwareMemory::Heap{})),
        section("memory", "memory of the machine for modelled contents", statisticsGiven(MemoryReport{0, 0})),
        section("host", "depends on the machine", statisticsGiven(HostTime{})),
    };
}

// To the rows of the same object and remark; else after the others of the same part of the report.
void insert(std::vector<StatisticsSection>& sections, StatisticsSection added)
{
    const auto part = [](const std::string& place) { return place.substr(0, place.find('.')); };
    auto after = sections.end();
    for (auto it = sections.begin(); it != sections.end(); ++it) {
        if (it->place == added.place && it->remark == added.remark) {
            it->rows.insert(it->rows.end(), added.rows.begin(), added.rows.end());
            return;
        }
        if (part(it->place) == part(added.place))
            after = std::next(it);
    }
    sections.insert(after, std::move(added));
}

} // namespace

std::vector<StatisticsSection> statisticsSections(const std::vector<CounterBlock>& counters)
{
    std::vector<StatisticsSection> sections = ownSections();
    for (const CounterBlock& block : counters)
        insert(sections, section(block.place().path, block.place().remark, block.statistics()));
    return sections;
}

std::string statisticsTable(const std::vector<CounterBlock>& counters)
{
    std::string text;
    for (const StatisticsSection& s : statisticsSections(counters)) {
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n", placeOf(s, "", "  "));
        TextTable table({"key", "unit", "meaning"}, {0, 1, 2});
        for (const StatisticsSection::Row& row : s.rows)
            table.row({row.key, std::string(enumName(row.unit)), row.sentence});
        text += table.text();
    }
    return text;
}

std::string statisticsTableMarkdown(const std::vector<CounterBlock>& counters)
{
    std::string text = "| place in the report | key | unit | meaning |\n|---|---|---|---|\n";
    for (const StatisticsSection& s : statisticsSections(counters)) {
        const std::string place = placeOf(s, "`", " ");
        for (const StatisticsSection::Row& row : s.rows)
            text += fmt::format("| {} | `{}` | {} | {} |\n", place, row.key, enumName(row.unit), row.sentence);
    }
    return text;
}

} // namespace strobe::platform
