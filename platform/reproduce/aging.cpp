// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/aging.h"

#include "models/channel/pipeline_equations.h"
#include "platform/assembly/firmware_image.h"
#include "platform/config/compose.h"
#include "platform/reproduce/aging_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace strobe::platform {

using nlohmann::json;

namespace {

constexpr double percent = 100;
constexpr double kilo = 1e3;
constexpr double iopBytes = 4096; // section IV counts 4 KiB

struct Technology {
    std::string name;
    std::string part;
    std::string clock;
    double bytesPerSecond = 0;
    nand::Part data;

    std::uint32_t accessBytes() const { return data.accessBytes == 0 ? data.geometry.pageBytes : data.accessBytes; }
    channel::Pipeline pipeline(double arraySeconds) const
    {
        return {static_cast<double>(accessBytes()), bytesPerSecond, arraySeconds};
    }
};

struct Run {
    std::uint32_t table;
    const Technology* technology; // null: the drive
    std::string cell;
    std::string quantity; // operations: read or write
    std::uint32_t channels;
    std::uint32_t ways;
    std::string at; // factor of the program time, or wear
    double arraySeconds;
    Variant variant;
};

constexpr std::size_t seedsOfModes = 8;
constexpr const char* nativeSeeds = "seeds native";
constexpr const char* rv32Seeds = "seeds rv32";

std::string times(double value)
{
    return fmt::format("{:g}", value);
}

class Builder {
public:
    Builder(std::string directory, const VariantOptions& options)
        : directory_(std::move(directory)), options_(options), paper_(parseJsonFile(directory_ + "paper.json"))
    {
        for (const json& t : paper_["technologies"]) {
            technologies_.push_back({t["name"], t["part"], t["clock"], t["bytesPerSecond"].get<double>(),
                                     loadPart(t["part"].get<std::string>(), options.load)});
        }
    }

    Study build()
    {
        study_.name = "aging";
        study_.paper = paper_["paper"];
        for (const json& p : paper_["fitted"])
            study_.fitted.push_back({p["name"], p["value"], p["meaning"], p["from"]});
        tableOne();
        figureThree();
        agedChannel();
        bounds();
        drives();
        std::vector<Variant> variants;
        for (const Run& run : runs_)
            variants.push_back(run.variant);
        const std::vector<json> reports = runVariants(variants, options_);
        for (std::size_t i = 0; i < runs_.size(); ++i)
            runs_[i].technology != nullptr ? channelCells(runs_[i], reports[i]) : driveCells(runs_[i], reports[i]);
        study_.statements = agingStatements(study_);
        return std::move(study_);
    }

private:
    void tableOne()
    {
        for (const Technology& t : technologies_) {
            const channel::Pipeline write = t.pipeline(toSeconds(t.data.times.tPROG));
            add(1, t.name, "transfer", 0, 0, "", write.transferSeconds() * 1e6, "us");
            add(1, t.name, "tR", 0, 0, "", toMicroseconds(t.data.times.tR), "us");
            add(1, t.name, "tPROG", 0, 0, "", toMicroseconds(t.data.times.tPROG), "us");
            add(1, t.name, "maxP", 0, 0, "", write.maxDepth(), "chips");
        }
    }

    void figureThree()
    {
        for (std::size_t i = 0; i < technologies_.size(); ++i) {
            const Technology& t = technologies_[i];
            for (const json& depth : paper_["technologies"][i]["depths"]) {
                const auto ways = depth.get<std::uint32_t>();
                for (const json& factor : paper_["factors"])
                    channelRun(3, t, "write", 1, ways, factor.get<double>());
                channelRun(3, t, "read", 1, ways, 1);
            }
        }
        for (const std::uint32_t channels : {2U, 4U, 8U}) // of the SSD: a linear function of them
            channelRun(3, technologies_[1], "write", channels, 2, 1);
    }

    // `clock` empty: the technology's.
    Run& channelRun(std::uint32_t table, const Technology& t, const char* quantity, std::uint32_t channels,
                    std::uint32_t ways, double factor)
    {
        const bool isWrite = std::string(quantity) == "write";
        const Time program = Time{static_cast<std::int64_t>(static_cast<double>(t.data.times.tPROG.count()) * factor)};
        constexpr std::uint32_t operationsPerChip = 100;
        const std::uint32_t count = operationsPerChip * ways * channels;
        Run run{table,    &t,   t.name,        quantity,
                channels, ways, times(factor), toSeconds(isWrite ? program : t.data.times.tR),
                {}};
        run.variant.scenario = directory_ + "channel.json";
        run.variant.isOperations = true;
        run.variant.sets = {fmt::format("nand.part.extends={}", t.part),
                            fmt::format("nand.part.tPROG={}ps", program.count()),
                            "nand.part.planes=1",
                            "nand.part.wear.points=[]",
                            fmt::format("channel.clock={}", t.clock),
                            fmt::format("nand.channels={}", channels),
                            fmt::format("nand.ways={}", ways),
                            fmt::format("operations.programs={}", isWrite ? count : 0),
                            fmt::format("operations.reads={}", isWrite ? 0 : count)};
        runs_.push_back(std::move(run));
        return runs_.back();
    }

    // Chips that are worn: each program takes a time of its own.
    void agedChannel()
    {
        const Technology& t = technologies_[1];
        for (const json& wear : paper_["wears"]) {
            Run& run = channelRun(2, t, "write", 1, 4, 1);
            run.at = times(wear.get<double>());
            run.arraySeconds *= t.data.wear.at(wear.get<double>()).programMean;
            run.variant.sets.erase(run.variant.sets.begin() + 3);
            run.variant.sets.push_back(fmt::format("nand.preAged={}", run.at));
            run.variant.sets.emplace_back("operations.programs=4000");
            Run& read = channelRun(2, t, "read", 1, 4, 1);
            read.at = times(wear.get<double>());
            read.variant.sets.erase(read.variant.sets.begin() + 3);
            read.variant.sets.push_back(fmt::format("nand.preAged={}", read.at));
        }
    }

    // Section IV: four commands of a channel at a time, each a page of a plane.
    void bounds()
    {
        constexpr std::uint32_t depth = 4;
        bound_ = technologies_[1];
        bound_.bytesPerSecond = 166e6;
        bound_.clock = "166MHz";
        bound_.name = "section IV";
        for (const std::uint32_t channels : {1U, 8U}) {
            for (const char* quantity : {"read", "write"})
                channelRun(4, bound_, quantity, channels, depth, 1);
        }
    }

    void driveRun(const std::string& cell, const char* quantity, const json& wear, std::vector<Override> sets,
                  bool needsRv32 = false)
    {
        if (needsRv32 && !isImageBuilt(FirmwareMode::Rv32, Ftl::PageMap))
            return;
        Run run{5, nullptr, cell, quantity, 8, 4, times(wear.get<double>()), 0, {}};
        run.variant.scenario = directory_ + (run.quantity == "read" ? "drive-read.json" : "drive.json");
        run.variant.sets = std::move(sets);
        run.variant.sets.push_back(fmt::format("nand.preAged={}", run.at));
        runs_.push_back(std::move(run));
    }

    void pcmRun(const char* mode)
    {
        Run run{6, nullptr, "start-gap " + std::string(mode), "write", 2, 2, "", 0, {}};
        run.variant.scenario = directory_ + "pcm.json";
        run.variant.sets = {fmt::format("firmware.mode={}", mode)};
        runs_.push_back(std::move(run));
    }

    void drives()
    {
        for (const json& wear : paper_["wears"]) {
            for (const json& controller : paper_["controllers"]) {
                std::vector<Override> sets;
                for (const json& set : controller["sets"])
                    sets.push_back(set.get<std::string>());
                driveRun(controller["name"], "write", wear, sets);
            }
            driveRun("memory-bound", "read", wear, {"cpu.clock=2GHz"});
            driveRun("no iterations", "read", wear, {"cpu.clock=2GHz", "controller.ecc.iterationTime=0s"});
        }
        pcmRun("native");
        if (isImageBuilt(FirmwareMode::Rv32, Ftl::StartGap))
            pcmRun("rv32");
        for (std::size_t seed = 1; seed <= seedsOfModes; ++seed) {
            const Override drawn(fmt::format("seed={}", seed));
            driveRun(nativeSeeds, "write", 1, {"cpu.clock=2GHz", drawn});
            driveRun(rv32Seeds, "write", 1, {"cpu.clock=2GHz", "firmware.mode=rv32", drawn}, true);
        }
    }

    // Which programs of two planes meet is chance, and moves a single run by several per cent.
    void addSeed(const Run& run, const json& report)
    {
        bySeed_[run.cell].push_back(report["totals"]["all"]["megabytes_per_second"].get<double>());
        const std::vector<double>& all = bySeed_[run.cell];
        if (all.size() < seedsOfModes)
            return;
        const auto cell = [&](const char* what, double value) {
            add(run.table, run.cell, run.quantity + " " + what, run.channels, run.ways, run.at, value, "MB/s");
        };
        cell("throughput", std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size()));
        cell("least", *std::min_element(all.begin(), all.end()));
        cell("most", *std::max_element(all.begin(), all.end()));
    }

    void add(std::uint32_t table, const std::string& cell, const std::string& quantity, std::uint32_t channels,
             std::uint32_t ways, const std::string& at, double measured, const char* unit)
    {
        StudyCell row{table, cell, quantity, channels, ways, at, measured, {}, unit, {}, false};
        for (const json& printed : paper_["printed"]) {
            if (printed["table"] == table && printed["cell"] == cell && printed["op"] == quantity)
                row.paper = printed["value"].get<double>();
        }
        study_.cells.push_back(std::move(row));
    }

    // A page may be several accesses: of these is the paper's I/O rate.
    void channelCells(const Run& run, const json& report)
    {
        const Technology& t = *run.technology;
        const bool isWrite = run.quantity == "write";
        const double bytes =
            report[isWrite ? "program_megabytes_per_second" : "read_megabytes_per_second"].get<double>() * 1e6;
        const channel::Pipeline pipeline = t.pipeline(run.arraySeconds);
        const auto cell = [&](const char* what, double value, const char* unit) {
            add(run.table, run.cell, run.quantity + " " + what, run.channels, run.ways, run.at, value, unit);
        };
        cell("rate", bytes / (run.table == 4 ? iopBytes : t.accessBytes()) / kilo, "kIOPS");
        cell("throughput", bytes / 1e6, "MB/s");
        cell("bus used", bytes / run.channels / t.bytesPerSecond * percent, "%");
        const double equation = pipeline.pagesPerSecond(run.ways) * t.accessBytes() * run.channels;
        cell("eq. 1", equation / 1e6, "MB/s");
    }

    void driveCells(const Run& run, const json& report)
    {
        if (run.cell == nativeSeeds || run.cell == rv32Seeds) {
            addSeed(run, report);
            return;
        }
        const auto cell = [&](const char* what, double value, const char* unit) {
            add(run.table, run.cell, run.quantity + " " + what, run.channels, run.ways, run.at, value, unit);
        };
        cell("throughput", report["totals"]["all"]["megabytes_per_second"].get<double>(), "MB/s");
        cell("latency", report["totals"]["all"]["latency"]["mean_ps"].get<double>() / 1e6, "us");
        const json& flash = report["flash"];
        cell("amplification", flash["write_amplification"].get<double>(), "times");
        cell("iterations", flash["ecc"]["mean_iterations"].get<double>(), "per page with errors");
        cell("uncorrectable", flash["ecc"]["uncorrectable_pages"].get<double>(), "pages");
    }

    std::string directory_;
    const VariantOptions& options_;
    json paper_;
    std::vector<Technology> technologies_;
    Technology bound_;
    std::vector<Run> runs_;
    std::map<std::string, std::vector<double>> bySeed_; // throughput
    Study study_;
};

} // namespace

Study runAging(const std::string& scenariosDirectory, const VariantOptions& options)
{
    return Builder(scenariosDirectory + "/papers/aging/", options).build();
}

} // namespace strobe::platform
