// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/ddr_nand.h"

#include "models/base/check.h"
#include "platform/config/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace strobe::platform {

using nlohmann::json;

namespace {

constexpr std::array<const char*, 3> interfaces{"CONV", "SYNC_ONLY", "PROPOSED"};
constexpr std::array<const char*, 2> cellTypes{"SLC", "MLC"};
constexpr std::array<const char*, 2> operations{"write", "read"};
constexpr std::array<std::uint32_t, 5> waysOfTable3{1, 2, 4, 8, 16};
struct Arrangement {
    std::uint32_t channels;
    std::uint32_t ways;
};
constexpr std::array<Arrangement, 3> arrangementsOfTable4{{{1, 16}, {2, 8}, {4, 4}}};

// The paper marks what its SATA link limits. Here: the link is busy for this share of the time, or more.
constexpr double linkIsLimit = 0.98;
constexpr const char* paperLink = "3Gb/s";

struct Run {
    std::string cell;
    std::string operation;
    std::uint32_t channels = 0;
    std::uint32_t ways = 0;
    std::string interface;
    bool behindPaperLink = false;

    bool operator==(const Run& other) const
    {
        return cell == other.cell && operation == other.operation && channels == other.channels && ways == other.ways &&
               interface == other.interface && behindPaperLink == other.behindPaperLink;
    }
};

std::vector<Run> allRuns()
{
    std::vector<Run> runs;
    const auto add = [&](const Run& run) {
        if (std::find(runs.begin(), runs.end(), run) == runs.end())
            runs.push_back(run);
    };
    for (const char* cell : cellTypes) {
        for (const char* operation : operations) {
            for (const char* interface : interfaces) {
                for (const std::uint32_t ways : waysOfTable3)
                    add({cell, operation, 1, ways, interface, false});
                for (const Arrangement& a : arrangementsOfTable4) {
                    add({cell, operation, a.channels, a.ways, interface, false});
                    add({cell, operation, a.channels, a.ways, interface, true});
                }
            }
        }
    }
    return runs;
}

Variant variantOf(const Run& run, const json& paper, const std::string& directory)
{
    const json controller = {{{"name", "controller"},
                              {"idle", paper["controllerPower"][run.interface]},
                              {"source", paper["controllerPowerSource"]}}};
    Variant variant{directory + run.operation + ".json",
                    {"nand.part=" + paper["parts"][run.cell].dump(), "channel.interface=" + run.interface,
                     fmt::format("nand.channels={}", run.channels), fmt::format("nand.ways={}", run.ways),
                     "energy.components=" + controller.dump()}};
    // One read at a time on each channel; a write is in flash while the data of the next one comes.
    const std::uint32_t depth = run.operation == "write" ? 2 * run.channels : run.channels;
    variant.sets.emplace_back(fmt::format("workload.phases.0.pacing.queueDepth={}", depth));
    if (run.operation == "read")
        variant.sets.emplace_back(fmt::format("workload.phases.1.pacing.queueDepth={}", depth));
    if (run.behindPaperLink)
        variant.sets.emplace_back(std::string("host.generation=") + paperLink);
    return variant;
}

double bandwidthOf(const json& report)
{
    return report["totals"]["all"]["mebibytes_per_second"];
}

double nanojoulePerByte(const json& report)
{
    for (const json& component : report["energy"]["components"]) {
        if (component["component"] == "controller")
            return component["joule"].get<double>() * 1e9 / report["totals"]["all"]["bytes"].get<double>();
    }
    throw InternalError("the controller's energy is not in the report");
}

double linkShare(const json& report)
{
    for (const json& group : report["groups"]) {
        if (group["group"] == "link")
            return group["max_utilisation"];
    }
    throw InternalError("the link is not in the report");
}

class Builder {
public:
    Builder(std::string directory, const VariantOptions& options)
        : directory_(std::move(directory)), load_(options.load), paper_(parseJsonFile(directory_ + "paper.json")),
          runs_(allRuns())
    {
        std::vector<Variant> variants;
        for (const Run& run : runs_)
            variants.push_back(variantOf(run, paper_, directory_));
        reports_ = runVariants(variants, options);
    }

    DdrNandStudy build()
    {
        result_.study.name = "ddr-nand";
        result_.study.paper = paper_["paper"];
        fitted();
        table3();
        table4();
        table5();
        result_.periodConventional = periodOf("CONV");
        result_.periodDataStrobe = periodOf("PROPOSED");
        return std::move(result_);
    }

private:
    const json& reportOf(const Run& run) const
    {
        const auto found = std::find(runs_.begin(), runs_.end(), run);
        check(found != runs_.end(), "a cell without a run");
        return reports_[static_cast<std::size_t>(found - runs_.begin())];
    }

    double periodOf(const std::string& interface) const
    {
        LoadOptions load = load_;
        load.sets.insert(load.sets.begin(), "channel.interface=" + interface);
        return toNanoseconds(loadScenario(directory_ + "write.json", load).channel.timing.cycle);
    }

    StudyCell cellOf(std::uint32_t table, const Run& run, double measured, const char* unit) const
    {
        StudyCell cell{table,    run.cell, run.operation, run.channels, run.ways, run.interface,
                       measured, {},       unit,          {},           false};
        for (const json& printed : paper_["cells"]) {
            if (printed["table"] == table && printed["cell"] == run.cell && printed["op"] == run.operation &&
                printed["channels"] == run.channels && printed["ways"] == run.ways &&
                printed["interface"] == run.interface) {
                cell.paper = printed["value"].get<double>();
                cell.doubtful = printed.contains("doubtful");
                cell.note = printed.value("doubtful", "");
            }
        }
        return cell;
    }

    // Where each fitted parameter stands, and the value it has there.
    void fitted()
    {
        for (const json& p : paper_["fitted"]) {
            const json scenario = parseJsonFile(directory_ + p["where"].get<std::string>());
            const json& value = scenario.at(json::json_pointer(p["pointer"].get<std::string>()));
            result_.study.fitted.push_back(
                {p["name"], value.is_string() ? value.get<std::string>() : value.dump(), p["meaning"], p["from"]});
        }
    }

    void table3()
    {
        for (const char* cell : cellTypes) {
            for (const char* operation : operations) {
                for (const std::uint32_t ways : waysOfTable3) {
                    for (const char* interface : interfaces) {
                        const Run run{cell, operation, 1, ways, interface, false};
                        result_.study.cells.push_back(cellOf(3, run, bandwidthOf(reportOf(run)), "MB/s"));
                    }
                }
            }
        }
    }

    void table4()
    {
        for (const char* cell : cellTypes) {
            for (const char* operation : operations) {
                for (const Arrangement& a : arrangementsOfTable4) {
                    for (const char* interface : interfaces)
                        cellOfTable4({cell, operation, a.channels, a.ways, interface, false});
                }
            }
        }
    }

    void cellOfTable4(const Run& run)
    {
        Run behindLink = run;
        behindLink.behindPaperLink = true;
        const double without = bandwidthOf(reportOf(run));
        StudyCell cell = cellOf(4, run, without, "MB/s");
        if (linkShare(reportOf(behindLink)) >= linkIsLimit) {
            cell.measured = bandwidthOf(reportOf(behindLink));
            cell.note = fmt::format("max: limited by the {} link; {:.2f} without it", paperLink, without);
            result_.linkLimited.push_back({cell, without});
        }
        result_.study.cells.push_back(cell);
    }

    void table5()
    {
        for (const char* operation : operations) {
            for (const std::uint32_t ways : waysOfTable3) {
                for (const char* interface : interfaces) {
                    const Run run{"SLC", operation, 1, ways, interface, false};
                    result_.study.cells.push_back(cellOf(5, run, nanojoulePerByte(reportOf(run)), "nJ/B"));
                }
            }
        }
    }

    std::string directory_;
    LoadOptions load_;
    json paper_;
    std::vector<Run> runs_;
    std::vector<json> reports_;
    DdrNandStudy result_;
};

} // namespace

DdrNandStudy runDdrNand(const std::string& scenariosDirectory, const VariantOptions& options)
{
    return Builder(scenariosDirectory + "/papers/ddr-nand/", options).build();
}

} // namespace strobe::platform
