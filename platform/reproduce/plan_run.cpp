// SPDX-License-Identifier: Apache-2.0
//
// The runs of a plan and the cells of their reports.
#include "platform/reproduce/plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace strobe::platform {

using nlohmann::json;

namespace {

std::string nameOf(const Variant& variant)
{
    std::string name = variant.scenario;
    for (const Override& set : variant.sets)
        name += "\n" + set.assignment;
    return name;
}

// The reports of all runs, each made once however many figures need it.
class Reports {
public:
    Reports(const Plan& plan, const VariantOptions& options, bool keepsFinished)
    {
        std::vector<Variant> variants;
        for (const PlannedFigure& figure : plan.figures()) {
            for (const PlannedRun& run : figure.runs) {
                for (const Variant& variant : run.variants) {
                    if (places_.emplace(nameOf(variant), variants.size()).second)
                        variants.push_back(variant);
                }
            }
        }
        reports_ = keepsFinished ? runVariantsUntil(variants, options) : runVariants(variants, options);
    }
    const json& of(const Variant& variant) const { return reports_[places_.at(nameOf(variant))]; }

private:
    std::map<std::string, std::size_t> places_; // in reports_
    std::vector<json> reports_;
};

// The cell of a quantity, without its name. Absent: one of the reports has no such value.
std::optional<StudyCell> measured(const PlannedQuantity& quantity, const PlannedRun& run, const Reports& reports)
{
    std::vector<double> bySeed;
    for (const Variant& variant : run.variants) {
        const std::optional<double> one = quantity.quantity.of({run.workload, variant}, reports.of(variant));
        if (!one)
            return std::nullopt;
        bySeed.push_back(*one);
    }
    StudyCell cell;
    cell.unit = quantity.quantity.unit;
    cell.note = run.note;
    switch (quantity.overSeeds) {
    case PlannedQuantity::OverSeeds::Least:
        cell.measured = *std::min_element(bySeed.begin(), bySeed.end());
        return cell;
    case PlannedQuantity::OverSeeds::Most: cell.measured = *std::max_element(bySeed.begin(), bySeed.end()); return cell;
    case PlannedQuantity::OverSeeds::First: cell.measured = bySeed.front(); break;
    case PlannedQuantity::OverSeeds::Mean: cell.measured = spreadOf(bySeed).mean; break;
    }
    if (bySeed.size() > 1)
        cell.samples = std::move(bySeed);
    return cell;
}

void addCells(PlanResult& result, const PlannedFigure& figure, const Reports& reports)
{
    for (const PlannedRun& run : figure.runs) {
        for (const PlannedQuantity& quantity : figure.quantities) {
            if (std::optional<StudyCell> cell = measured(quantity, run, reports)) {
                static_cast<PointName&>(*cell) = {figure.figure, run.workload, run.setting, quantity.name};
                result.cells.push_back(std::move(*cell));
            }
        }
    }
}

} // namespace

PlanResult runPlan(Plan plan, const VariantOptions& options, bool keepsFinished)
{
    const auto isSampled = [](const PlannedFigure& figure) { return figure.isSampled; };
    if (options.needsSamples && std::none_of(plan.figures().begin(), plan.figures().end(), isSampled))
        throw ConfigError("--seeds: no figure of this run has random choices; omit it");
    if (options.samples)
        plan.sampleOver(*options.samples);
    const Reports reports(plan, options, keepsFinished);
    PlanResult result;
    for (const PlannedFigure& figure : plan.figures()) {
        const bool isComplete = std::all_of(figure.runs.begin(), figure.runs.end(), [&](const PlannedRun& run) {
            return std::none_of(run.variants.begin(), run.variants.end(),
                                [&](const Variant& variant) { return reports.of(variant).is_null(); });
        });
        if (isComplete) {
            addCells(result, figure, reports);
            result.figures.push_back(figure);
        } else if (result.unfinished.empty() || result.unfinished.back() != figure.figure) { // several entries
            result.unfinished.push_back(figure.figure);
        }
    }
    return result;
}

} // namespace strobe::platform
