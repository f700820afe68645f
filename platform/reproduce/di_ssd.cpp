// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/di_ssd.h"

#include "models/channel/interface_rows.h"
#include "platform/assembly/firmware_image.h"
#include "platform/config/compose.h"
#include "platform/reproduce/di_ssd_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace strobe::platform {

using nlohmann::json;

namespace {

constexpr double nanosecond = 1e3;
constexpr double microsecond = 1e6;
constexpr double millisecond = 1e9;
constexpr double percent = 100;
constexpr const char* calibrated = "channel.calibration.enabled=true";

enum class Kind { Chips, Response, Operations };

struct Run {
    std::uint32_t table;
    Kind kind;
    std::string cell;
    std::string interface; // conditions (table 1), SI or DI
    Variant variant;
    std::string note{}; // of its cells
};

class Builder {
public:
    Builder(const std::string& scenarios, const VariantOptions& options, const std::vector<std::string>& traces)
        : directory_(scenarios + "/papers/di-ssd/"), options_(options), traces_(traces),
          paper_(parseJsonFile(directory_ + "paper.json"))
    {
    }

    Study build()
    {
        study_.name = "di-ssd";
        study_.paper = paper_["paper"];
        assumed();
        grades();
        chips();
        synthetic();
        workloads();
        std::vector<Variant> variants;
        variants.reserve(runs_.size());
        for (const Run& run : runs_)
            variants.push_back(run.variant);
        const std::vector<json> reports = runVariants(variants, options_);
        for (std::size_t i = 0; i < runs_.size(); ++i)
            cells(runs_[i], reports[i]);
        study_.statements = diSsdStatements(study_);
        return std::move(study_);
    }

private:
    void assumed()
    {
        const json scenario = json::parse(loadScenario(directory_ + "chip.json", options_.load).resolvedJson);
        for (const json& p : paper_["assumed"]) {
            const json& value = scenario.at(json::json_pointer(p["pointer"].get<std::string>()));
            study_.fitted.push_back(
                {p["name"], value.is_string() ? value.get<std::string>() : value.dump(), p["meaning"], p["from"]});
        }
    }

    void run(std::uint32_t table, Kind kind, std::string cell, std::string interface, const std::string& scenario,
             std::vector<Override> sets)
    {
        runs_.push_back({table,
                         kind,
                         std::move(cell),
                         std::move(interface),
                         {directory_ + scenario + ".json", std::move(sets), kind == Kind::Operations}});
    }

    // What the slides print of the standards against the platform's interfaces.
    void grades()
    {
        for (const json& family : paper_["grades"]) {
            const auto name = family["family"].get<std::string>();
            const auto prefix = family["interfaces"].get<std::string>();
            double matching = 0;
            for (const json& megahertz : family["megahertz"]) {
                const auto& rows = channel::interfaceRows();
                const bool isThere = std::any_of(rows.begin(), rows.end(), [&](const channel::InterfaceRow& row) {
                    constexpr std::int64_t picosecondsPerMicrosecond = 1'000'000;
                    return row.timing.name.rfind(prefix, 0) == 0 &&
                           picosecondsPerMicrosecond / row.timing.outCycle().count() == megahertz.get<std::int64_t>();
                });
                matching += isThere ? 1 : 0;
            }
            const Run row{6, Kind::Operations, name, name, {}};
            add(row, "printed grades", static_cast<double>(family["megahertz"].size()), "grades");
            add(row, "matching grades", matching, "grades");
        }
    }

    void chips()
    {
        for (const json& corner : paper_["corners"]) {
            for (const json& supply : paper_["supplies"]) {
                for (const json& temperature : paper_["temperatures"]) {
                    const auto degrees = temperature.get<int>();
                    chip(corner.get<std::string>(), supply.get<std::string>(), degrees, {});
                    chip(corner.get<std::string>() + diSsdFinely, supply.get<std::string>(), degrees,
                         {"channel.calibration.fastClock=1.25ns"});
                }
            }
        }
        // Dies that need all of the base clock's cycle: nothing faster has a window.
        run(1, Kind::Chips, diSsdTooSlow, diSsdNominal, "chip",
            {"nand.part.output.tCYCLE=20ns", "nand.corner=slow", "environment.supply=90%",
             "environment.temperature=70"});
        run(1, Kind::Chips, "changes of 45 degrees", diSsdNominal, "chip",
            {R"(environment.changes=[{"at": "5ms", "temperature": 70}, {"at": "15ms", "temperature": 25}])",
             "workload.phases.1.volume=800%"});
        if (isImageBuilt(FirmwareMode::Rv32, Ftl::PageMap))
            run(1, Kind::Chips, "rv32", diSsdNominal, "chip", {"firmware.mode=rv32"});
    }

    void chip(const std::string& cell, const std::string& supply, int temperature, std::vector<Override> sets)
    {
        sets.emplace_back("nand.corner=" + cell.substr(0, cell.find(' ')));
        sets.emplace_back("environment.supply=" + supply);
        sets.emplace_back(fmt::format("environment.temperature={}", temperature));
        run(1, Kind::Chips, cell, fmt::format("{} {}C", supply, temperature), "chip", std::move(sets));
    }

    // Symmetric, and desymmetrized.
    void both(std::uint32_t table, const std::string& cell, const std::string& scenario, std::vector<Override> sets)
    {
        run(table, Kind::Response, cell, "SI", scenario, sets);
        sets.emplace_back(calibrated);
        run(table, Kind::Response, cell, "DI", scenario, std::move(sets));
    }

    void synthetic()
    {
        for (const json& rate : paper_["rates"])
            both(2, std::to_string(rate.get<int>()), "read",
                 {fmt::format("workload.phases.1.pacing.rate={}/s", rate.get<int>())});
        both(2, diSsdSaturated, "read", {R"(workload.phases.1.pacing={"mode": "closed", "queueDepth": 512})"});
        both(4, "writes", "write", {});
        const char* fast = "channel.interface=NV_DDR_5";
        const char* clock = "channel.clock=100MHz";
        run(4, Kind::Response, "writes", diSsdBothWays, "write", {fast, clock});
        run(4, Kind::Response, "reads", "SI", "read", {});
        run(4, Kind::Response, "reads", diSsdBothWays, "read", {fast, clock});
        run(5, Kind::Operations, "sequential read", "NV_DDR_5", "usb", {});
        for (const json& interface : paper_["interfaces"])
            directions(interface.get<std::string>());
    }

    // A clock for each direction without calibration: reads and writes, one at a time.
    void directions(const std::string& interface)
    {
        std::vector<Override> sets{"channel.interface=" + interface,
                                   "channel.clock=25MHz",
                                   "workload.phases.0.region.size=128MiB",
                                   "workload.phases.1.region.size=128MiB",
                                   "workload.phases.1.readRatio=0.5",
                                   "workload.phases.1.requests=2000",
                                   R"(workload.phases.1.pacing={"mode": "closed", "queueDepth": 1})"};
        run(7, Kind::Response, interface, "SI", "read", sets);
        sets.emplace_back("channel.readClock=50MHz");
        run(7, Kind::Response, interface, "DI", "read", std::move(sets));
    }

    static std::vector<Override> setsOf(const json& list)
    {
        std::vector<Override> sets;
        for (const json& set : list)
            sets.emplace_back(set.get<std::string>());
        return sets;
    }

    void workloads()
    {
        for (const json& w : paper_["workloads"]) {
            const auto name = w["name"].get<std::string>();
            if (w.contains("trace"))
                both(3, name, "trace", {"workload.phases.1.trace.file=" + w["trace"].get<std::string>()});
            else
                both(3, name, w["scenario"], setsOf(w["sets"]));
        }
        for (const std::string& trace : traces_) {
            const std::filesystem::path path = std::filesystem::absolute(trace);
            std::string name = path.filename().string();
            std::replace(name.begin(), name.end(), ',', ';'); // a column of the CSV
            const auto isTaken = [&](const std::string& wanted) {
                return std::any_of(runs_.begin(), runs_.end(),
                                   [&](const Run& r) { return r.table == 3 && r.cell == wanted; });
            };
            std::string unique = name;
            for (int n = 2; isTaken(unique); ++n)
                unique = fmt::format("{} ({})", name, n);
            const std::size_t first = runs_.size();
            both(3, unique, "trace", {"workload.phases.1.trace.file=" + path.string()});
            for (std::size_t i = first; i < runs_.size(); ++i)
                runs_[i].note = "from the command line";
        }
        if (isImageBuilt(FirmwareMode::Rv32, Ftl::PageMap)) {
            run(2, Kind::Response, diSsdRv32Rate, "DI rv32", "read",
                {fmt::format("workload.phases.1.pacing.rate={}/s", diSsdRv32Rate), calibrated, "firmware.mode=rv32"});
        }
    }

    void add(const Run& run, const char* quantity, double measured, const char* unit)
    {
        study_.cells.push_back(
            {run.table, run.cell, quantity, 0, 0, run.interface, measured, {}, unit, run.note, false});
    }

    void cells(const Run& run, const json& report)
    {
        switch (run.kind) {
        case Kind::Chips: chipCells(run, report); break;
        case Kind::Response: responseCells(run, report); break;
        case Kind::Operations: operationCells(run, report); break;
        }
        if (report.contains("calibration"))
            calibrationCells(run, report["calibration"]);
    }

    void chipCells(const Run& run, const json& report)
    {
        const json& dies = report["calibration"]["dies"];
        double sum = 0;
        double least = 0;
        double margin = 1e9;
        double periods = 1e9;
        std::uint64_t calibrations = dies.front()["calibrations"];
        for (const json& die : dies) {
            const double frequency = microsecond / die["cycle_ps"].get<double>();
            sum += frequency;
            least = least == 0 ? frequency : std::min(least, frequency);
            margin = std::min(margin, die["margin_ps"].get<double>() / nanosecond);
            periods = std::min(periods, die["sample_ps"].get<double>() / die["cycle_ps"].get<double>());
            calibrations = std::min(calibrations, die["calibrations"].get<std::uint64_t>());
        }
        add(run, "frequency", sum / static_cast<double>(dies.size()), "MHz");
        add(run, "least frequency", least, "MHz");
        add(run, "margin", margin, "ns");
        add(run, "sampled after", periods, "periods");
        add(run, "calibrations", static_cast<double>(calibrations), "each");
        add(run, "mismatches", report["integrity"]["mismatches"].get<double>(), "sectors");
        add(run, "checked", report["integrity"]["checked_sectors"].get<double>(), "sectors");
    }

    void calibrationCells(const Run& run, const json& calibration)
    {
        double took = 0;
        double longest = 0;
        for (const json& die : calibration["dies"]) {
            took += die["took_ps"].get<double>();
            longest = std::max(longest, die["longest_ps"].get<double>());
        }
        add(run, "calibrated for", took / millisecond, "ms");
        add(run, "longest calibration", longest / microsecond, "us");
        add(run, "pages with errors", calibration["pages_with_errors"].get<double>(), "pages");
    }

    void responseCells(const Run& run, const json& report)
    {
        for (const char* kind : {"read", "write"}) {
            if (!report["totals"].contains(kind))
                continue;
            const json& total = report["totals"][kind];
            add(run, std::string(kind) == "read" ? "read response" : "write response",
                total["latency"]["mean_ps"].get<double>() / microsecond, "us");
            add(run, std::string(kind) == "read" ? "reads" : "writes", total["requests"].get<double>(), "requests");
            add(run, std::string(kind) == "read" ? "read rate" : "write rate", total["iops"].get<double>(), "1/s");
        }
        for (const json& group : report["groups"]) {
            if (group["group"] == "channel")
                add(run, "interconnections busy", group["mean_utilisation"].get<double>() * percent, "%");
        }
    }

    void operationCells(const Run& run, const json& report)
    {
        add(run, "interconnection", report["bus_share"].get<double>() * percent, "%");
        add(run, "sensing", report["array_share"].get<double>() * percent, "%");
    }

    std::string directory_;
    const VariantOptions& options_;
    const std::vector<std::string>& traces_;
    json paper_;
    std::vector<Run> runs_;
    Study study_;
};

} // namespace

Study runDiSsd(const std::string& scenariosDirectory, const VariantOptions& options,
               const std::vector<std::string>& traces)
{
    return Builder(scenariosDirectory, options, traces).build();
}

} // namespace strobe::platform
