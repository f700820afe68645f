// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/data_study.h"

#include "platform/reproduce/paper.h"

namespace strobe::platform {

DataStudy runDataStudy(const std::string& scenariosDirectory, const std::string& name, const VariantOptions& options,
                       const std::vector<std::string>& figures)
{
    const Paper paper(scenariosDirectory, name);
    const Plan plan(paper.data(), paper.file(), {}, figures);
    paper.check(plan.points());
    DataStudy result{paper.emptyStudy(options.load), {}, {}};
    PlanResult runs = runPlan(plan, options, true);
    result.study.cells = std::move(runs.cells);
    result.figures = std::move(runs.figures);
    result.unfinished = std::move(runs.unfinished);
    paper.finish(result.study, plan.points(), figures.empty() && result.unfinished.empty());
    return result;
}

} // namespace strobe::platform
