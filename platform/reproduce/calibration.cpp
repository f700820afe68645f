// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/calibration.h"

#include "models/cpu/cost_table.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace strobe::platform {

using nlohmann::json;

namespace {

// A point that several groups reach is measured in the first of them: page mapping of whole pages, then what mapping
// units, polls of channels, superblock mapping and a second core add.
const std::vector<std::vector<const char*>> workloadGroups{
    {"mixed", "sequential", "parts-of-pages", "trim"},
    {"units"},
    {"channel-polls"},
    {"superblocks", "software-units"},
    {"two-cores-mixed", "two-cores-sequential", "two-cores-software-units"}};

constexpr double tolerance = 0.10;
constexpr double rounding = 0.5; // the table holds whole cycles
constexpr double standardErrors = 3;

} // namespace

double CalibratedPoint::deviation() const
{
    return times == 0 ? 0 : std::sqrt(std::max(0.0, squares / static_cast<double>(times) - mean() * mean()));
}

double CalibratedPoint::standardError() const
{
    return times == 0 ? 0 : deviation() / std::sqrt(static_cast<double>(times));
}

bool CalibratedPoint::hasDrifted() const
{
    if (times == 0)
        return false;
    const double distance = std::abs(mean() - inTable);
    return distance > rounding && distance > tolerance * mean() && distance > standardErrors * standardError();
}

bool Calibration::hasDrifted() const
{
    return std::any_of(points.begin(), points.end(), [](const CalibratedPoint& point) { return point.hasDrifted(); });
}

Calibration emptyCalibration()
{
    Calibration calibration;
    for (const cpu::CostPoint& point : cpu::CostTable::points()) {
        CalibratedPoint row;
        row.name = point.name;
        row.help = point.help;
        row.inTable = point.defaultCycles;
        calibration.points.push_back(row);
    }
    return calibration;
}

void addWorkload(Calibration& calibration, const json& report)
{
    calibration.workloads.push_back(report.at("scenario").get<std::string>());
    calibration.instructions += report.at("firmware").at("instructions").get<std::uint64_t>();
    calibration.requests += report.at("totals").at("all").at("requests").get<std::uint64_t>();
    for (CalibratedPoint& point : calibration.points) {
        if (point.isMeasured)
            continue;
        const json& row = report.at("firmware").at("costs").at(point.name);
        const auto times = row.at("times").get<std::uint64_t>();
        if (times == 0)
            continue;
        const auto cycles = row.at("cycles").get<std::uint64_t>();
        const double mean = static_cast<double>(cycles) / static_cast<double>(times);
        const auto deviation = row.at("deviation").get<double>();
        point.squares += static_cast<double>(times) * (deviation * deviation + mean * mean);
        point.least = point.times == 0 ? mean : std::min(point.least, mean);
        point.most = std::max(point.most, mean);
        point.times += times;
        point.cycles += cycles;
    }
}

void closeGroup(Calibration& calibration)
{
    for (CalibratedPoint& point : calibration.points)
        point.isMeasured = point.times != 0;
}

Calibration calibrate(const std::string& scenariosDirectory, const VariantOptions& options)
{
    std::vector<Variant> variants;
    for (const auto& group : workloadGroups) {
        for (const char* name : group)
            variants.push_back({scenariosDirectory + "/calibration/" + name + ".json", {}});
    }
    const std::vector<json> reports = runVariants(variants, options);
    Calibration calibration = emptyCalibration();
    auto report = reports.begin();
    for (const auto& group : workloadGroups) {
        for (std::size_t i = 0; i < group.size(); ++i)
            addWorkload(calibration, *report++);
        closeGroup(calibration);
    }
    return calibration;
}

std::string calibrationText(const Calibration& calibration)
{
    TextTable rows({"", "charges", "cycles", "deviation", "by workload", "table", "off"});
    std::uint64_t cycles = 0;
    double charged = 0;
    for (const CalibratedPoint& point : calibration.points) {
        if (point.times == 0) {
            rows.row({point.name, "none", "", "", "", grouped(point.inTable), ""});
            continue;
        }
        cycles += point.cycles;
        charged += static_cast<double>(point.times) * point.inTable;
        // The compiler may have left nothing of a point.
        const std::string off =
            point.cycles == 0 ? "" : fmt::format("{:+.1f} %", (point.inTable / point.mean() - 1) * 100);
        rows.row({point.name, grouped(point.times), fmt::format("{:.1f}", point.mean()),
                  fmt::format("{:.1f}", point.deviation()), fmt::format("{:.0f} to {:.0f}", point.least, point.most),
                  grouped(point.inTable), off});
    }
    std::string text =
        "Cycles of the firmware's cost points on the RV32 core, one cycle per instruction\n\n" + rows.text();
    text += fmt::format("\n{} requests took {} cycles; the table says {} ({:+.1f} %)\n", grouped(calibration.requests),
                        grouped(cycles), grouped(static_cast<std::uint64_t>(charged)),
                        cycles == 0 ? 0.0 : (charged / static_cast<double>(cycles) - 1) * 100);
    for (const CalibratedPoint& point : calibration.points) {
        if (point.hasDrifted())
            text +=
                fmt::format("{} has drifted: {} in the table, {:.1f} now\n", point.name, point.inTable, point.mean());
    }
    return text;
}

std::string costCyclesHeader(const Calibration& calibration)
{
    std::string text = R"(/* SPDX-License-Identifier: Apache-2.0 */
/* Generated by `strobe calibrate --write`. Do not edit.
 *
 * Cycles of each cost point on the RV32 core, one cycle per instruction: the mean over all charges in the workloads of
 * scenarios/calibration. A test fails when the core gives other values. */
#ifndef STROBE_COST_CYCLES_H
#define STROBE_COST_CYCLES_H

/* clang-format off */
)";
    for (const CalibratedPoint& point : calibration.points) {
        if (point.times == 0)
            text += fmt::format("#define COST_CYCLES_{} {} /* not measured */\n", point.name, point.inTable);
        else
            text += fmt::format("#define COST_CYCLES_{} {} /* {:.1f} over {} charges, deviation {:.1f} */\n",
                                point.name, std::llround(point.mean()), point.mean(), point.times, point.deviation());
    }
    return text + "\n#endif\n";
}

} // namespace strobe::platform
