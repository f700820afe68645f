// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/cps_sim.h"

#include "models/base/check.h"
#include "models/channel/bus_schedule.h"
#include "platform/reproduce/paper.h"
#include "platform/reproduce/plan.h"
#include "platform/reproduce/units.h"
#include "platform/reproduce/variants.h"

#include <algorithm>
#include <array>

namespace strobe::platform {

using nlohmann::json;

namespace {

nand::Opcode opcodeOf(const std::string& workload)
{
    constexpr std::array<nand::Opcode, 4> all{nand::Opcode::Read, nand::Opcode::Program, nand::Opcode::Erase,
                                              nand::Opcode::CopyBack};
    const auto* found =
        std::find_if(all.begin(), all.end(), [&](nand::Opcode opcode) { return enumName(opcode) == workload; });
    check(found != all.end(), "an equation of an operation that it does not have");
    return *found;
}

// Of the page's data on the bus.
double dataTime(const Scenario& scenario)
{
    const channel::BusSchedule schedule(scenario.timingOf(0), scenario.nand.part);
    return toMicroseconds(schedule.dataOutTime(scenario.nand.part.geometry.pageBytes));
}

// On the bus besides the page's data: command, address, waits.
double commandTime(const Scenario& scenario, nand::Opcode opcode)
{
    const channel::BusSchedule schedule(scenario.timingOf(0), scenario.nand.part);
    const bool movesData = opcode == nand::Opcode::Read || opcode == nand::Opcode::Program;
    nand::Operation op;
    op.opcode = opcode;
    op.sectors = movesData ? scenario.nand.part.geometry.sectorsPerPage() : 0;
    const double bus = toMicroseconds(schedule.requestTime(op) + schedule.responseTime(op));
    return movesData ? bus - dataTime(scenario) : bus;
}

// The terms of equations 1 to 4, and the time of a single operation.
std::vector<ReportQuantity> termsOf(const LoadOptions& load)
{
    const auto term = [&load](const char* name, auto of) {
        return ReportQuantity{name, "us", [&load, of](const MeasuredRun& run, const json&) -> std::optional<double> {
                                  return of(scenarioOf(run.variant, load), run.workload);
                              }};
    };
    const auto arrayTime = [&](const char* name, Time nand::ArrayTimes::*time) {
        return term(name, [time](const Scenario& scenario, const std::string&) {
            return toMicroseconds(scenario.nand.part.times.*time);
        });
    };
    return {term("tCMD", [](const Scenario& scenario,
                            const std::string& workload) { return commandTime(scenario, opcodeOf(workload)); }),
            term("tBUS", [](const Scenario& scenario, const std::string&) { return dataTime(scenario); }),
            arrayTime("tR", &nand::ArrayTimes::tR),
            arrayTime("tPROG", &nand::ArrayTimes::tPROG),
            arrayTime("tE", &nand::ArrayTimes::tBERS),
            {"operation", "us", [](const MeasuredRun& run, const json& report) -> std::optional<double> {
                 return report["operations"][run.workload]["latency_sum_ps"].get<double>() / microsecond;
             }}};
}

} // namespace

Study runCpsSim(const std::string& scenariosDirectory, const VariantOptions& options)
{
    const Paper paper(scenariosDirectory, "cps-sim");
    const Plan plan(paper.data(), paper.file(), termsOf(options.load));
    return paper.run(plan, options);
}

} // namespace strobe::platform
