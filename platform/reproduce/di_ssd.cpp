// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/di_ssd.h"

#include "models/base/config_error.h"
#include "models/channel/interface_rows.h"
#include "platform/reproduce/json_keys.h"
#include "platform/reproduce/paper.h"
#include "platform/reproduce/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace strobe::platform {

using nlohmann::json;

namespace {

constexpr const char* workloadFigure = "3";

// Adds each trace as a workload of that figure, under its file name; of equal names the later ones get a number.
json withTraces(json data, const std::vector<std::string>& traces)
{
    for (json& figure : data["figures"]) {
        if (figure.value("figure", "") != workloadFigure)
            continue;
        json& workloads = figure["workloads"];
        const auto isTaken = [&](const std::string& name) {
            return std::any_of(workloads.begin(), workloads.end(),
                               [&](const json& workload) { return workload.value("name", "") == name; });
        };
        for (const std::string& trace : traces) {
            const std::filesystem::path path = std::filesystem::absolute(trace);
            const std::string name = path.filename().string();
            std::string unique = name;
            for (int n = 2; isTaken(unique); ++n)
                unique = fmt::format("{} ({})", name, n);
            workloads.push_back({{"name", unique},
                                 {"scenario", "trace"},
                                 {"set", {{"workload.phases.1.trace.file", path.string()}}},
                                 {"note", "from the command line"}});
        }
    }
    return data;
}

// The slides' figures for the standards, compared with the platform's interfaces.
std::vector<StudyCell> grades(const Paper& paper)
{
    std::vector<StudyCell> cells;
    const json& families = paper.data().at("grades");
    for (std::size_t i = 0; i < families.size(); ++i) {
        const JsonKeys keys(families[i], fmt::format("{}: /grades/{}", paper.file().name, i));
        keys.allowOnly({"family", "interfaces", "megahertz"});
        const std::string name = keys.text("family");
        const std::string prefix = keys.text("interfaces");
        double matching = 0;
        for (const json& megahertz : keys.at("megahertz")) {
            const auto& rows = channel::interfaceRows();
            const bool isThere = std::any_of(rows.begin(), rows.end(), [&](const channel::InterfaceRow& row) {
                constexpr std::int64_t picosecondsPerMicrosecond = 1'000'000;
                return row.timing.name.rfind(prefix, 0) == 0 &&
                       picosecondsPerMicrosecond / row.timing.outCycle().count() == megahertz.get<std::int64_t>();
            });
            matching += isThere ? 1 : 0;
        }
        const auto printed = static_cast<double>(keys.at("megahertz").size());
        cells.push_back({{"6", name, name, "printed grades"}, printed, "grades"});
        cells.push_back({{"6", name, name, "matching grades"}, matching, "grades"});
    }
    return cells;
}

} // namespace

Study runDiSsd(const std::string& scenariosDirectory, const VariantOptions& options,
               const std::vector<std::string>& traces)
{
    const Paper paper(scenariosDirectory, "di-ssd", {"grades"});
    const json data = withTraces(paper.data(), traces);
    const Plan plan(data, paper.file());
    return paper.run(plan, options, grades(paper));
}

} // namespace strobe::platform
