#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Many variants of scenarios, each simulated in a child process: the runs of a study. Results come back
// as JSON reports (platform/report/json_report.h, operations_result.h) in the order of the variants, whatever the
// number of jobs. Errors: ConfigError of the first variant that does not load or run; InternalError if a run finds data
// errors.

#include "platform/config/load.h"
#include "platform/report/json_report.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct Variant {
    std::string scenario; // file
    std::vector<Override> sets;
    bool isOperations = false; // its NAND operations (operations_run.h) are carried out, not its workload
};

Scenario scenarioOf(const Variant& variant, LoadOptions load); // resolved; throws ConfigError

struct VariantOptions {
    LoadOptions load; // its sets are applied after each variant's own
    Program program;
    std::size_t jobs = 1;
    std::optional<std::size_t> samples{}; // seeds of the figures that statements judge over several (plan.h); absent:
                                          // as the study says
    bool needsSamples = false;            // no figure with such seeds is a ConfigError
    bool showProgress = false;            // on stderr
    std::function<int()> interruption{};  // the signal that ends the runs now; 0: none. Null: never
};

// All of them; throws Interrupted if `interruption` reports a signal before the last has ended.
std::vector<nlohmann::json> runVariants(const std::vector<Variant>& variants, const VariantOptions& options);
// Those that ended before the signal; null in place of the others.
std::vector<nlohmann::json> runVariantsUntil(const std::vector<Variant>& variants, const VariantOptions& options);

} // namespace strobe::platform
