// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/hydra.h"

#include "models/base/check.h"
#include "models/base/config_error.h"
#include "platform/assembly/firmware_image.h"
#include "platform/config/compose.h"
#include "platform/reproduce/hydra_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace strobe::platform {

using nlohmann::json;

namespace {

double groupOf(const json& report, const char* group, const char* what)
{
    for (const json& row : report["groups"]) {
        if (row["group"] == group)
            return row[what].get<double>();
    }
    throw InternalError(fmt::format("the report has no {}", group));
}

double microjoulePerSector(const json& report, const std::vector<std::string>& groups)
{
    double sum = 0;
    for (const json& component : report["energy"]["components"]) {
        const auto group = component["group"].get<std::string>();
        if (groups.empty() || std::find(groups.begin(), groups.end(), group) != groups.end())
            sum += component["joule_per_sector"].get<double>() * 1e6;
    }
    return sum;
}

// The wear when this share of the history has passed.
const json& wearAt(const json& report, double share)
{
    const json& history = report["flash"]["wear"]["history"];
    return history.at(static_cast<std::size_t>(share * static_cast<double>(history.size() - 1)));
}

// Of all samples up to this share of the history.
double largestDifference(const json& report, double share)
{
    const json& history = report["flash"]["wear"]["history"];
    const auto last = static_cast<std::size_t>(share * static_cast<double>(history.size() - 1));
    double largest = 0;
    for (std::size_t i = 0; i <= last; ++i)
        largest = std::max(largest, history.at(i)["difference"].get<double>());
    return largest;
}

// What can be read off a report.
struct Quantity {
    const char* name;
    const char* unit;
    double (*of)(const json& report);
};
constexpr std::array<Quantity, 16> quantities{{
    {"throughput", "MB/s", [](const json& r) { return r["totals"]["all"]["megabytes_per_second"].get<double>(); }},
    {"requests", "1/s", [](const json& r) { return r["totals"]["all"]["iops"].get<double>(); }},
    {"read response", "us",
     [](const json& r) { return r["totals"]["read"]["latency"]["mean_ps"].get<double>() / 1e6; }},
    {"buses busy", "%", [](const json& r) { return groupOf(r, "channel", "mean_utilisation") * 100; }},
    {"energy of flash", "uJ/sector",
     [](const json& r) {
         return microjoulePerSector(r, {"die", "channel"});
     }},
    {"energy of SDRAM", "uJ/sector", [](const json& r) { return microjoulePerSector(r, {"sdram"}); }},
    {"energy of controller", "uJ/sector",
     [](const json& r) {
         return microjoulePerSector(r, {"cpu", "ecc", "unit", "fabric"});
     }},
    {"energy of host link", "uJ/sector", [](const json& r) { return microjoulePerSector(r, {"link"}); }},
    {"energy", "uJ/sector", [](const json& r) { return microjoulePerSector(r, {}); }},
    {"difference at 1/4", "erases", [](const json& r) { return wearAt(r, 0.25)["difference"].get<double>(); }},
    {"difference at 1/2", "erases", [](const json& r) { return wearAt(r, 0.5)["difference"].get<double>(); }},
    {"difference at 3/4", "erases", [](const json& r) { return wearAt(r, 0.75)["difference"].get<double>(); }},
    {"difference at the end", "erases", [](const json& r) { return wearAt(r, 1)["difference"].get<double>(); }},
    {"largest in the first half", "erases", [](const json& r) { return largestDifference(r, 0.5); }},
    {"largest difference", "erases", [](const json& r) { return largestDifference(r, 1); }},
    {"erases", "erases", [](const json& r) { return wearAt(r, 1)["erases"].get<double>(); }},
}};

// Where no image for the core is built, what asks for it runs natively, and says so.
constexpr const char* modeKey = "firmware.mode";
constexpr const char* noImage = "no image for the RV32 core is built: all rows are native";

bool asksForCore(const std::string& key, const json& value)
{
    return key == modeKey && value == enumName(FirmwareMode::Rv32);
}

const Quantity& quantityOf(const std::string& name)
{
    const auto* found =
        std::find_if(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.name == name; });
    check(found != quantities.end(), "a figure asks for a quantity that is not known");
    return *found;
}

class Builder {
public:
    Builder(std::string directory, const std::vector<std::string>& figures)
        : directory_(std::move(directory)), paper_(parseJsonFile(directory_ + "paper.json"))
    {
        for (const json& figure : paper_["figures"]) {
            if (figures.empty() || std::count(figures.begin(), figures.end(), figure["figure"].dump()) != 0)
                chosen_.push_back(&figure);
        }
        for (const std::string& figure : figures) {
            if (std::none_of(chosen_.begin(), chosen_.end(),
                             [&](const json* f) { return (*f)["figure"].dump() == figure; }))
                throw ConfigError(fmt::format("--figure {}: the study has no such figure; there are {}", figure,
                                              fmt::join(numbers(), ", ")));
        }
    }

    HydraStudy run(const VariantOptions& options)
    {
        result_.study.name = "hydra";
        result_.study.paper = paper_["paper"];
        for (const json* figure : chosen_)
            addRuns(*figure);
        reports_ = runVariantsUntil(variants_, options);
        for (const json* figure : chosen_) {
            if (isComplete(*figure))
                addFigure(*figure);
            else
                result_.unfinished.push_back((*figure)["figure"]);
        }
        addFitted();
        result_.study.statements = judgeHydra(result_.study.cells, paper_["reasons"]);
        return std::move(result_);
    }

private:
    std::vector<std::uint32_t> numbers() const
    {
        std::vector<std::uint32_t> all;
        for (const json& figure : paper_["figures"])
            all.push_back(figure["figure"]);
        return all;
    }

    Variant variantOf(const json& figure, const std::string& workload, const json& setting) const
    {
        Variant variant{directory_ + workload + ".json", {}};
        std::vector<const json*> layers{&figure.at("set"), &setting.at("set")};
        if (setting.contains("each")) // what differs between workloads
            layers.push_back(&setting["each"].at(workload));
        for (const json* sets : layers) {
            for (const auto& [key, value] : sets->items()) {
                if (!hasCore_ && asksForCore(key, value))
                    continue;
                variant.sets.emplace_back(key + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
            }
        }
        return variant;
    }
    static std::string nameOf(const Variant& variant)
    {
        std::string name = variant.scenario;
        for (const Override& set : variant.sets)
            name += "\n" + set.assignment;
        return name;
    }

    // A run that several figures need is made once.
    void addRuns(const json& figure)
    {
        for (const json& workload : figure["workloads"]) {
            for (const json& setting : figure["settings"]) {
                const Variant variant = variantOf(figure, workload, setting);
                if (runs_.emplace(nameOf(variant), variants_.size()).second)
                    variants_.push_back(variant);
            }
        }
    }

    bool isComplete(const json& figure) const
    {
        for (const json& workload : figure["workloads"]) {
            for (const json& setting : figure["settings"]) {
                if (reports_[runs_.at(nameOf(variantOf(figure, workload, setting)))].is_null())
                    return false;
            }
        }
        return true;
    }

    void addFigure(const json& figure)
    {
        HydraFigure added{figure["figure"], figure["title"], {}, figure["workloads"], {}, figure["quantities"]};
        if (!hasCore_ && figure["set"].contains(modeKey))
            added.note = noImage;
        for (const json& setting : figure["settings"]) {
            added.settings.push_back(setting["name"]);
            for (const std::string& workload : added.workloads) {
                const json& report = reports_[runs_.at(nameOf(variantOf(figure, workload, setting)))];
                for (const std::string& quantity : added.quantities)
                    addCell(added.number, workload, quantity, setting["name"], report);
            }
        }
        result_.figures.push_back(std::move(added));
    }

    void addCell(std::uint32_t figure, const std::string& workload, const std::string& quantity,
                 const std::string& setting, const json& report)
    {
        const json& superchip = report["config"]["controller"]["superchip"];
        StudyCell cell;
        cell.table = figure;
        cell.cell = workload;
        cell.operation = quantity;
        cell.channels = superchip["bus"];
        cell.ways = superchip["chip"];
        cell.interface = setting;
        cell.measured = quantityOf(quantity).of(report);
        cell.unit = quantityOf(quantity).unit;
        result_.study.cells.push_back(std::move(cell));
    }

    void addFitted()
    {
        for (const json& p : paper_["fitted"]) {
            const json scenario = parseJsonFile(directory_ + p["where"].get<std::string>());
            const json& value = scenario.at(json::json_pointer(p["pointer"].get<std::string>()));
            result_.study.fitted.push_back(
                {p["name"], value.is_string() ? value.get<std::string>() : value.dump(), p["meaning"], p["from"]});
        }
    }

    std::string directory_;
    bool hasCore_ = isImageBuilt(FirmwareMode::Rv32, Ftl::SuperblockMap);
    json paper_;
    std::vector<const json*> chosen_;
    std::vector<Variant> variants_;
    std::map<std::string, std::size_t> runs_; // place in variants_, by name
    std::vector<json> reports_;
    HydraStudy result_;
};

} // namespace

HydraStudy runHydra(const std::string& scenariosDirectory, const VariantOptions& options,
                    const std::vector<std::string>& figures)
{
    return Builder(scenariosDirectory + "/papers/hydra/", figures).run(options);
}

} // namespace strobe::platform
