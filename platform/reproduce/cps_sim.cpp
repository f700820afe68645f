// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/cps_sim.h"

#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/channel/bus_schedule.h"
#include "platform/assembly/firmware_image.h"
#include "platform/config/compose.h"
#include "platform/reproduce/cps_sim_claims.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

using nlohmann::json;

namespace {

constexpr double percent = 100;
constexpr const char* buses = "67MB/s"; // where two buses are set against one

struct Run {
    std::uint32_t table;
    std::string cell;
    std::string scenario; // in the paper's folder
    std::uint32_t channels;
    std::uint32_t ways;
    std::uint32_t bandwidth; // MB/s
    std::vector<Override> sets;
};

double groupOf(const json& report, const char* group, const char* what)
{
    for (const json& row : report["groups"]) {
        if (row["group"] == group)
            return row[what].get<double>();
    }
    throw InternalError(fmt::format("the report has no {}", group));
}

class Builder {
public:
    Builder(std::string directory, const VariantOptions& options)
        : directory_(std::move(directory)), options_(options), paper_(parseJsonFile(directory_ + "paper.json"))
    {
    }

    Study build()
    {
        study_.name = "cps-sim";
        study_.paper = paper_["paper"];
        fitted();
        runs();
        std::vector<Variant> variants;
        for (const Run& run : runs_)
            variants.push_back(variantOf(run));
        const std::vector<json> reports = runVariants(variants, options_);
        for (std::size_t i = 0; i < runs_.size(); ++i)
            runs_[i].table == 10 ? ftlCells(runs_[i], reports[i]) : operationCells(runs_[i], variants[i], reports[i]);
        study_.statements = cpsSimStatements(study_);
        return std::move(study_);
    }

private:
    void fitted()
    {
        for (const json& p : paper_["fitted"]) {
            const json scenario = parseJsonFile(directory_ + p["where"].get<std::string>());
            study_.fitted.push_back(
                {p["name"], scenario.at(json::json_pointer(p["pointer"].get<std::string>())).get<std::string>(),
                 p["meaning"], p["from"]});
        }
        // The overhead is so many clocks, whatever the clock is.
        LoadOptions load;
        load.scenariosDirectory = options_.load.scenariosDirectory;
        load.needsWorkload = false;
        const Scenario device = loadScenario(directory_ + "device.json", load);
        overheadClocks_ = device.channel.timing.tCS / device.channel.timing.cycle;
    }

    void runs()
    {
        for (const json& bandwidth : paper_["bandwidths"]) {
            const auto mb = bandwidth.get<std::uint32_t>();
            runs_.push_back({3, "", "single", 1, 1, mb, {}});
            for (const json& chips : paper_["chips"]) {
                const auto ways = chips.get<std::uint32_t>();
                runs_.push_back({8, "reads", "read", 1, ways, mb, {}});
                runs_.push_back({8, "writes", "write", 1, ways, mb, {}});
                runs_.push_back({9, "mix", "mix", 1, ways, mb, {}});
                runs_.push_back({10, "ftl", "ftl", 1, ways, mb, {}});
            }
            if (bandwidthName(mb) == buses) {
                runs_.push_back({8, "reads", "read", 2, 1, mb, {}});
                runs_.push_back({8, "writes", "write", 2, 1, mb, {}});
                if (isImageBuilt(FirmwareMode::Rv32, Ftl::PageMap))
                    runs_.push_back({10, "ftl rv32", "ftl", 1, 4, mb, {"firmware.mode=rv32"}});
            }
        }
    }

    static std::string bandwidthName(std::uint32_t megabytes) { return fmt::format("{}MB/s", megabytes); }

    Variant variantOf(const Run& run) const
    {
        constexpr std::uint32_t picosecondsPerMicrosecond = 1'000'000;
        const std::uint32_t period = (picosecondsPerMicrosecond + run.bandwidth - 1) / run.bandwidth;
        Variant variant{directory_ + run.scenario + ".json",
                        {fmt::format("nand.channels={}", run.channels), fmt::format("nand.ways={}", run.ways),
                         fmt::format("channel.clock={}ps", period),
                         fmt::format("channel.tCS={}ps", overheadClocks_ * period)}};
        variant.sets.insert(variant.sets.end(), run.sets.begin(), run.sets.end());
        variant.isOperations = run.table != 10;
        return variant;
    }

    void add(const Run& run, const std::string& cell, const std::string& quantity, double measured, const char* unit)
    {
        StudyCell row{run.table, cell, quantity, run.channels, run.ways, bandwidthName(run.bandwidth),
                      measured,  {},   unit,     {},           false};
        for (const json& printed : paper_["printed"]) {
            if (printed["table"] == run.table && printed["cell"] == cell && printed["op"] == quantity &&
                printed["interface"] == row.interface)
                row.paper = printed["value"].get<double>();
        }
        study_.cells.push_back(std::move(row));
    }

    void operationCells(const Run& run, const Variant& variant, const json& report)
    {
        constexpr double millisecond = 1e9;
        if (run.table == 3) {
            singleCells(run, variant, report);
            return;
        }
        if (run.table == 9)
            add(run, run.cell, "elapsed", report["elapsed_ps"].get<double>() / millisecond, "ms");
        else
            add(run, run.cell, "throughput",
                report["read_megabytes_per_second"].get<double>() +
                    report["program_megabytes_per_second"].get<double>(),
                "MB/s");
        add(run, run.cell, "bus busy", report["bus_share"].get<double>() * percent, "%");
        add(run, run.cell, "chip busy", report["array_share"].get<double>() * percent, "%");
    }

    // What an operation took alone, and the terms that the paper's equations are made of.
    void singleCells(const Run& run, const Variant& variant, const json& report)
    {
        constexpr double microsecond = 1e6;
        LoadOptions load = options_.load;
        load.needsWorkload = false;
        load.sets.insert(load.sets.begin(), variant.sets.begin(), variant.sets.end());
        const Scenario scenario = loadScenario(variant.scenario, load);
        const nand::ArrayTimes& times = scenario.nand.part.times;
        const channel::BusSchedule schedule(scenario.timingOf(0), scenario.nand.part);
        const double data = toMicroseconds(schedule.dataOutTime(scenario.nand.part.geometry.pageBytes));
        for (const nand::Opcode opcode :
             {nand::Opcode::Read, nand::Opcode::Program, nand::Opcode::Erase, nand::Opcode::CopyBack}) {
            const std::string cell(enumName(opcode));
            const bool movesData = opcode == nand::Opcode::Read || opcode == nand::Opcode::Program;
            nand::Operation op;
            op.opcode = opcode;
            op.sectors = movesData ? scenario.nand.part.geometry.sectorsPerPage() : 0;
            const double bus = toMicroseconds(schedule.requestTime(op) + schedule.responseTime(op));
            add(run, cell, "tCMD", movesData ? bus - data : bus, "us");
            if (movesData)
                add(run, cell, "tBUS", data, "us");
            if (opcode == nand::Opcode::Read || opcode == nand::Opcode::CopyBack)
                add(run, cell, "tR", toMicroseconds(times.tR), "us");
            if (opcode == nand::Opcode::Program || opcode == nand::Opcode::CopyBack)
                add(run, cell, "tPROG", toMicroseconds(times.tPROG), "us");
            if (opcode == nand::Opcode::Erase)
                add(run, cell, "tE", toMicroseconds(times.tBERS), "us");
            add(run, cell, "elapsed", report["operations"][cell]["latency_sum_ps"].get<double>() / microsecond, "us");
        }
    }

    void ftlCells(const Run& run, const json& report)
    {
        add(run, run.cell, "throughput", report["totals"]["all"]["megabytes_per_second"].get<double>(), "MB/s");
        add(run, run.cell, "bus busy", groupOf(report, "channel", "max_utilisation") * percent, "%");
        add(run, run.cell, "chip busy", groupOf(report, "die", "max_utilisation") * percent, "%");
    }

    std::string directory_;
    const VariantOptions& options_;
    json paper_;
    std::int64_t overheadClocks_ = 0;
    std::vector<Run> runs_;
    Study study_;
};

} // namespace

Study runCpsSim(const std::string& scenariosDirectory, const VariantOptions& options)
{
    return Builder(scenariosDirectory + "/papers/cps-sim/", options).build();
}

} // namespace strobe::platform
