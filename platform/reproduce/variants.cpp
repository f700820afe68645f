// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/variants.h"

#include "models/base/check.h"
#include "platform/assembly/child_process.h"
#include "platform/assembly/operations_run.h"
#include "platform/assembly/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace strobe::platform {

namespace {

class Silent final : public RunObserver {
public:
    void progress(const Progress&) override {}
    bool stopRequested() override { return false; }
};

} // namespace

Scenario scenarioOf(const Variant& variant, LoadOptions load)
{
    load.sets.insert(load.sets.begin(), variant.sets.begin(), variant.sets.end());
    load.needsWorkload = !variant.isOperations;
    return loadScenario(variant.scenario, load);
}

std::vector<nlohmann::json> runVariantsUntil(const std::vector<Variant>& variants, const VariantOptions& options)
{
    std::vector<std::function<std::string()>> works;
    works.reserve(variants.size());
    for (const Variant& variant : variants) {
        works.emplace_back(
            [scenario = scenarioOf(variant, options.load), isOperations = variant.isOperations, &options] {
                if (isOperations)
                    return operationsJson(scenario, runOperations(scenario));
                Silent observer;
                RunObservations observations;
                observations.series = scenario.report.seriesEvery.has_value(); // set for the sake of this study
                Report report = runScenario(scenario, observer, observations);
                report.host.reset(); // the machine is not part of a result
                return jsonReport(report, options.program);
            });
    }
    const auto done = [&](std::size_t count) {
        if (options.showProgress)
            fmt::print(stderr, "\r{} of {} runs{}", count, works.size(), count == works.size() ? "\r\033[K" : "");
    };
    const auto stop = [&options] { return options.interruption && options.interruption() != 0; };
    std::vector<nlohmann::json> reports;
    for (const std::string& text : inChildren(works, options.jobs, done, stop)) {
        reports.push_back(text.empty() ? nlohmann::json() : nlohmann::json::parse(text));
        if (text.empty() || !reports.back().at("errors").get<bool>())
            continue;
        check(!options.load.sets.empty(), "a run of a study found errors in its data");
        const Variant& variant = variants[reports.size() - 1];
        throw ConfigError(fmt::format("--set: runs of {} found wrong data with this setting, so no table is "
                                      "printed; strobe run shows the errors",
                                      variant.scenario));
    }
    return reports;
}

std::vector<nlohmann::json> runVariants(const std::vector<Variant>& variants, const VariantOptions& options)
{
    std::vector<nlohmann::json> reports = runVariantsUntil(variants, options);
    const auto missing = std::count(reports.begin(), reports.end(), nlohmann::json());
    if (missing != 0)
        throw Interrupted(options.interruption(), fmt::format("interrupted with {} of {} runs still to be made; its "
                                                              "tables need all of them",
                                                              missing, reports.size()));
    return reports;
}

} // namespace strobe::platform
