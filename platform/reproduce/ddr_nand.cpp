// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/ddr_nand.h"

#include "models/base/check.h"
#include "platform/reproduce/paper.h"
#include "platform/reproduce/plan.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

// The paper marks values limited by its SATA link. Here: the link is busy for this share of the time, or more.
constexpr double linkIsLimit = 98; // %
constexpr const char* limited = "4 with the link";

double valueOf(const std::vector<StudyCell>& cells, const PointName& name)
{
    for (const StudyCell& cell : cells) {
        if (!(cell < name) && !(name < cell))
            return cell.measured;
    }
    throw InternalError("a cell without its twin with the link");
}

// Removes the runs with the paper's link from the cells, and uses their values where the link was the limit.
void applyLink(DdrNandStudy& result, std::vector<StudyCell> all)
{
    for (StudyCell& cell : all) {
        if (cell.figure == limited)
            continue;
        const PointName twin{limited, cell.workload, cell.setting, cell.quantity};
        if (cell.figure == "4" && valueOf(all, {limited, cell.workload, cell.setting, "link busy"}) >= linkIsLimit) {
            const double without = cell.measured;
            cell.measured = valueOf(all, twin);
            cell.note = fmt::format("max: limited by the 3Gb/s link; {:.2f} without it", without);
            result.linkLimited.push_back({cell, without});
        }
        result.study.cells.push_back(cell);
    }
}

double periodOf(const PlanFile& file, LoadOptions load, const std::string& interface)
{
    load.sets.insert(load.sets.begin(), "channel.interface=" + interface);
    return toNanoseconds(loadScenario(file.directory + "write.json", load).channel.timing.cycle);
}

} // namespace

DdrNandStudy runDdrNand(const std::string& scenariosDirectory, const VariantOptions& options)
{
    const Paper paper(scenariosDirectory, "ddr-nand");
    const Plan plan(paper.data(), paper.file());
    paper.check(plan.points());
    DdrNandStudy result;
    result.study = paper.emptyStudy(options.load);
    applyLink(result, runPlan(plan, options).cells);
    paper.finish(result.study, plan.points(), true);
    result.periodConventional = periodOf(paper.file(), options.load, "CONV");
    result.periodDataStrobe = periodOf(paper.file(), options.load, "PROPOSED");
    return result;
}

} // namespace strobe::platform
