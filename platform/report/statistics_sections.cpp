// SPDX-License-Identifier: Apache-2.0
#include "platform/report/statistics_sections.h"

#include "models/controller/dispatcher.h"
#include "models/controller/flash_unit.h"
#include "models/controller/prioritized_forwarder.h"
#include "models/controller/request_synthesizer.h"
#include "models/host/ahci/ahci_hba.h"
#include "models/host/nvme/nvme_controller.h"
#include "models/host/pata_link.h"
#include "models/host/pcie/pcie_link.h"
#include "models/host/sata_link.h"
#include "models/nand/die.h"
#include "platform/report/analysis.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

StatisticsSection section(std::string place, std::string remark, const std::vector<Statistic>& statistics,
                          bool keysHaveUnits = true)
{
    StatisticsSection made{std::move(place), std::move(remark), {}};
    for (const Statistic& s : statistics) {
        if (s.isReported)
            made.rows.push_back({keysHaveUnits ? s.key() : s.name, s.unit, s.sentence});
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

std::vector<StatisticsSection> statisticsSections()
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
        section("link", "host.interface pata", statisticsOf(PataCounters{})),
        section("phases[]", "", statisticsGiven(PhaseReport{})),
        section("phases[].source", "of generators and traces; also phases[].jobs[].source",
                statisticsOf(SourceCounts{})),
        section("flash.operations.total", "also flash.operations.by_purpose.*", statisticsOf(FlashCounts{})),
        section("flash", "", valuesOf([](Statistics& stats) { declareAmplification(stats, {}); })),
        section("flash.unit_stages_ps", "summed over all flash units", statisticsOf(FlashUnitCounters{}), false),
        section("flash", "", statisticsOf(DispatcherCounters{})),
        section("flash.ecc", "all channels", statisticsOf(EccCounters{})),
        section("flash.reliability", "parts with an error model",
                statisticsOf(ReadCounters{}, nand::CellErrorCounters{}, nand::ReadDisturb{})),
        section("flash.wear", "since power-on", statisticsGiven(WearReport{})),
        section("flash.wear", "with nand.preAged",
                valuesOf([](Statistics& stats) { WearReport{}.declarePreAge(stats); })),
        section("flash.wear.overwrites", "parts without erases", statisticsGiven(WearReport::Overwrites{})),
        section("flash.wear.history[]", "with report.wearEvery", statisticsOf(WearSample{})),
        section("flash.read_ahead", "with firmware.pageMap.readAhead", statisticsOf(ReadAheadCounters{})),
        section("flash.care", "with firmware.pageMap.care", statisticsOf(CareCounters{})),
        section("flash.foreground", "with controller.foreground", statisticsOf(ForwarderCounters{})),
        section("flash.foreground", "with controller.synthesizer", statisticsOf(SynthesizerCounters{})),
        section("flash.plane_reads", "parts with plane-independent reads; all dies",
                statisticsOf(nand::PlaneReadCounters{})),
        section("flash.snap_reads", "parts with snap reads; all dies", statisticsOf(nand::SnapReadCounters{})),
        section("flash.pslc", "parts with a pSLC mode; all dies", statisticsOf(nand::PslcCounters{})),
        section("energy", "", statisticsGiven(EnergyUse{})),
        section("energy.components[]", "one row per component",
                valuesOf([](Statistics& stats) { EnergyUse{}.declareComponent(stats); })),
        section("integrity", "", statisticsGiven(IntegrityReport{})),
        section("power", "with power losses; since power-on", statisticsOf(PowerReport{})),
        section("power.starts[]", "one row per start after a power loss", statisticsGiven(RecoveryReport{})),
        section("faults.flash", "with faults.flash; since power-on", statisticsOf(nand::FlashFaultCounters{})),
        section("faults.host", "with resets or aborts in faults.host; since power-on",
                statisticsOf(HostFaultCounters{})),
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
        section("firmware.cores[].interrupts", "one row per core", statisticsGiven(cpu::InterruptTimes{})),
        section("firmware.cores[].rounds", "one row per core",
                valuesOf([](Statistics& stats) { FirmwareResponse::declareRounds(stats, {}); })),
        section("firmware.memory.stacks[]", "strobe run --check-memory; one row per stack",
                statisticsGiven(FirmwareMemory::Stack{})),
        section("firmware.memory.heap", "strobe run --check-memory, images with malloc()",
                statisticsGiven(FirmwareMemory::Heap{})),
        section("memory_bytes", "memory of the machine for modelled contents", statisticsGiven(MemoryReport{0, 0}),
                false),
        section("host", "depends on the machine", statisticsGiven(HostTime{})),
    };
}

std::string statisticsTable()
{
    std::string text;
    for (const StatisticsSection& s : statisticsSections()) {
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n", placeOf(s, "", "  "));
        TextTable table({"key", "unit", "meaning"}, {0, 1, 2});
        for (const StatisticsSection::Row& row : s.rows)
            table.row({row.key, std::string(enumName(row.unit)), row.sentence});
        text += table.text();
    }
    return text;
}

std::string statisticsTableMarkdown()
{
    std::string text = "| place in the report | key | unit | meaning |\n|---|---|---|---|\n";
    for (const StatisticsSection& s : statisticsSections()) {
        const std::string place = placeOf(s, "`", " ");
        for (const StatisticsSection::Row& row : s.rows)
            text += fmt::format("| {} | `{}` | {} | {} |\n", place, row.key, enumName(row.unit), row.sentence);
    }
    return text;
}

} // namespace strobe::platform
