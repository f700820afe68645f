// SPDX-License-Identifier: Apache-2.0
#include "platform/app/bench.h"

#include "models/base/config_error.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/output_file.h"
#include "platform/assembly/child_process.h"
#include "platform/assembly/firmware_image.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <sstream>
#include <unistd.h>

namespace strobe::platform {

namespace {

struct Result {
    std::string name;
    std::vector<BenchMetric> metrics;
};

std::vector<BenchMetric> metricsFromChild(const std::function<std::vector<BenchMetric>()>& work)
{
    std::istringstream lines(inChild([&work] {
        std::string text;
        for (const BenchMetric& metric : work())
            text += fmt::format("{} {} {}\n", metric.name, metric.value, metric.unit);
        return text;
    }));
    std::vector<BenchMetric> metrics;
    for (BenchMetric metric; lines >> metric.name >> metric.value >> metric.unit;)
        metrics.push_back(metric);
    return metrics;
}

double unitCost(bool quick)
{
    return metricsFromChild([quick] {
               return std::vector<BenchMetric>{{"unit", activationCost(quick), "ns"}};
           })
        .front()
        .value;
}

double valueOf(const Result& result, std::string_view name)
{
    const auto found = std::find_if(result.metrics.begin(), result.metrics.end(),
                                    [&](const BenchMetric& metric) { return metric.name == name; });
    return found == result.metrics.end() ? 0 : found->value;
}

// Of the same requests per second of CPU time with firmware compiled for this machine.
double ratioToNative(const Result& onCore, BenchCase c, const BenchCommand& command)
{
    c.isOnCore = false;
    const Result native{c.name, metricsFromChild([&] { return runBenchCase(c, command.quick, command.load); })};
    return valueOf(native, "time_per_request") / valueOf(onCore, "time_per_request");
}

// The unit is measured before and after the case: the machine may be shared, and its speed may change meanwhile.
Result measure(const BenchCase& c, const BenchCommand& command)
{
    const double before = unitCost(command.quick);
    Result result{c.name, metricsFromChild([&] { return runBenchCase(c, command.quick, command.load); })};
    const double after = unitCost(command.quick);
    const double unit = (before + after) / 2;
    result.metrics.push_back({"unit", unit, "ns"});
    result.metrics.push_back({"unit_spread", std::abs(before - after) / unit, "ratio"});
    if (c.scenario == nullptr) {
        result.metrics.push_back(
            {"cost_per_1000_instructions", valueOf(result, "time_per_1000_instructions") / unit, "U"});
        return result;
    }
    if (c.isOnCore)
        result.metrics.push_back({"native_ratio", ratioToNative(result, c, command), "ratio"});
    result.metrics.push_back({"cost_per_request", valueOf(result, "time_per_request") / unit, "U"});
    result.metrics.push_back({"cost_per_page_operation", valueOf(result, "time_per_page_operation") / unit, "U"});
    return result;
}

std::vector<BenchCase> chosenCases(const BenchCommand& command)
{
    if (command.cases.empty()) {
        std::vector<BenchCase> all = benchCases();
        if (!isImageBuilt(FirmwareMode::Rv32, Ftl::PageMap))
            all.erase(std::remove_if(all.begin(), all.end(), [](const BenchCase& c) { return c.isOnCore; }), all.end());
        return all;
    }
    std::vector<BenchCase> chosen;
    for (const std::string& name : command.cases) {
        const auto& all = benchCases();
        const auto found = std::find_if(all.begin(), all.end(), [&](const BenchCase& c) { return c.name == name; });
        if (found == all.end()) {
            std::string names;
            for (const BenchCase& c : all)
                names += fmt::format("{}{}", names.empty() ? "" : ", ", c.name);
            throw ConfigError(fmt::format("--case {}: there is no such case; there are {}", name, names));
        }
        chosen.push_back(*found);
    }
    return chosen;
}

std::string csvOf(const std::vector<Result>& results)
{
    std::string text = "case,metric,value,unit\n";
    for (const Result& result : results) {
        for (const BenchMetric& metric : result.metrics)
            text += fmt::format("{},{},{:.6g},{}\n", result.name, metric.name, metric.value, metric.unit);
    }
    return text;
}

std::string jsonOf(const std::vector<Result>& results)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const Result& result : results) {
        for (const BenchMetric& metric : result.metrics)
            json[result.name][metric.name] = {{"value", metric.value}, {"unit", metric.unit}};
    }
    return json.dump(2) + "\n";
}

std::string tableOf(const std::vector<Result>& results)
{
    TextTable table({"case", "requests/s", "pages/s", "ns/request", "ns/page", "U", "U/request", "U/page", "MiB",
                     "MB/s", "of bound", "of native"});
    TextTable firmware({"case", "MIPS", "ns/1000 instructions", "U", "U/1000 instructions"});
    bool isDrive = false;
    bool isFirmware = false;
    for (const Result& result : results) {
        const auto number = [&](std::string_view name) { return shortNumber(valueOf(result, name)); };
        if (const double rate = valueOf(result, "instructions_per_second"); rate != 0) {
            isFirmware = true;
            firmware.row({result.name, shortNumber(rate / 1e6), number("time_per_1000_instructions"), number("unit"),
                          number("cost_per_1000_instructions")});
            continue;
        }
        isDrive = true;
        const auto percent = [&](std::string_view name) {
            const double ratio = valueOf(result, name);
            return ratio == 0 ? "" : shortPercent(ratio);
        };
        table.row({result.name, number("requests_per_second"), number("page_operations_per_second"),
                   number("time_per_request"), number("time_per_page_operation"), number("unit"),
                   number("cost_per_request"), number("cost_per_page_operation"), number("peak_memory"),
                   number("simulated_bandwidth"), percent("bound_ratio"), percent("native_ratio")});
    }
    return (isDrive ? table.text() : "") + (isDrive && isFirmware ? "\n" : "") + (isFirmware ? firmware.text() : "");
}

} // namespace

int benchCommand(const BenchCommand& command)
{
    requireSafeOutputs(filesIn(command.load.scenariosDirectory), {{"--csv", command.csv}, {"--json", command.json}});
    const std::vector<BenchCase> cases = chosenCases(command);
    struct Output {
        std::string path;
        std::string (*text)(const std::vector<Result>&);
        std::unique_ptr<OutputFile> file;
    };
    Output outputs[] = {{command.csv, csvOf, nullptr}, {command.json, jsonOf, nullptr}};
    bool isTable = true;
    for (Output& output : outputs) {
        if (output.path == "-")
            isTable = false;
        else if (!output.path.empty())
            output.file = std::make_unique<OutputFile>(output.path); // an unusable path is found now
    }
    std::vector<Result> results;
    for (const BenchCase& c : cases) {
        if (::isatty(STDERR_FILENO) == 1)
            fmt::print(stderr, "\r\033[K[{}/{}] {}", results.size() + 1, cases.size(), c.name);
        results.push_back(measure(c, command));
    }
    if (::isatty(STDERR_FILENO) == 1)
        fmt::print(stderr, "\r\033[K");
    for (Output& output : outputs) {
        if (output.file)
            output.file->commit(output.text(results));
        else if (output.path == "-")
            fmt::print("{}", output.text(results));
    }
    if (isTable)
        fmt::print("{}\nbuild: {}\n", tableOf(results), programInfo().build);
    return exitOk;
}

} // namespace strobe::platform
