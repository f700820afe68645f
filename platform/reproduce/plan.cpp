// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/plan.h"

#include "models/base/config_error.h"
#include "platform/assembly/firmware_image.h"
#include "platform/reproduce/json_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <climits>
#include <map>
#include <utility>

namespace strobe::platform {

using nlohmann::json;

namespace {

constexpr const char* modeKey = "firmware.mode";
constexpr const char* noImage = "no image for the RV32 core is built: all rows are native";

// An item that adds overrides: a workload, a setting, a value of an axis.
struct Choice {
    std::string name;
    std::string scenario; // of a workload
    std::string note;     // the same
    json set = json::object();
    json each = json::object(); // by workload
};

std::vector<Variant> withSeeds(const Variant& variant, std::size_t seeds)
{
    std::vector<Variant> variants(seeds, variant);
    for (std::size_t seed = 1; seed <= seeds; ++seed)
        variants[seed - 1].sets.emplace_back(fmt::format("seed={}", seed));
    return variants;
}

class Reader {
public:
    Reader(const json& data, const PlanFile& file, const std::vector<ReportQuantity>& own)
        : data_(data), file_(file), quantities_(commonQuantities())
    {
        quantities_.insert(quantities_.begin(), own.begin(), own.end()); // of two with the same name the study's own
    }

    PlannedFigure figure(std::size_t index)
    {
        const std::string place = fmt::format("{}: /figures/{}", file_.name, index);
        const json& figure = data_["figures"][index];
        const JsonKeys keys(figure, place);
        keys.allowOnly({"figure", "name", "title", "kind", "seeds", "samples", "image", "set", "workloads", "settings",
                        "quantities"});
        PlannedFigure planned;
        planned.figure = keys.text("figure");
        planned.name = keys.textOr("name", "Figure " + planned.figure);
        planned.title = keys.textOr("title", "");
        if (keys.textOr("kind", "operations") != "operations")
            throw ConfigError(place + "/kind: is \"operations\" or absent");
        isOperations_ = figure.contains("kind");
        isNative_ = figure.contains("image") && !hasImage(keys.text("image"), place + "/image");
        if (isNative_)
            planned.note = noImage;
        planned.isSampled = figure.contains("samples");
        if (planned.isSampled && figure.contains("seeds"))
            throw ConfigError(place + ": has both \"seeds\" and \"samples\"; a figure has one of them");
        seeds_ = seedsOf(figure, planned.isSampled ? "samples" : "seeds", place);
        set_ = objectAt(figure, "set", place);
        addQuantities(planned, keys.at("quantities"), place + "/quantities");
        const std::vector<Choice> workloads = workloadsOf(keys.at("workloads"), place + "/workloads");
        const std::vector<std::vector<Choice>> settings = settingsOf(figure, place + "/settings");
        for (const Choice& workload : workloads)
            planned.workloads.push_back(workload.name);
        for (const std::vector<Choice>& setting : settings) {
            const std::string name = nameOf(figure, setting);
            planned.settings.push_back(name);
            for (const Choice& workload : workloads)
                planned.runs.push_back({workload.name, name, workload.note, variantsOf(workload, setting)});
        }
        return planned;
    }

private:
    static json objectAt(const json& object, const char* key, const std::string& place)
    {
        json set = object.value(key, json::object());
        if (!set.is_object())
            throw ConfigError(fmt::format("{}/{}: must be an object", place, key));
        return set;
    }

    static bool hasImage(const std::string& name, const std::string& place)
    {
        std::vector<std::string_view> all;
        for (const auto& row : ftlTable) {
            if (name == row.name)
                return isImageBuilt(FirmwareMode::Rv32, row.value);
            all.push_back(row.name);
        }
        throw ConfigError(
            fmt::format("{}: \"{}\" is no firmware image; there are {}", place, name, fmt::join(all, ", ")));
    }

    static constexpr std::uint64_t mostSeeds = 1000;

    static std::size_t seedsOf(const json& figure, const char* key, const std::string& place)
    {
        if (!figure.contains(key))
            return 0;
        const json& seeds = figure[key];
        if (!seeds.is_number_unsigned() || seeds == 0 || seeds > mostSeeds)
            throw ConfigError(fmt::format("{}/{}: must be a whole number from 1 to {}", place, key, mostSeeds));
        return seeds.get<std::size_t>();
    }

    static json listAt(const json& list, const std::string& place)
    {
        if (!list.is_array() || list.empty())
            throw ConfigError(place + ": must be a list with at least one item");
        return list;
    }

    void addQuantities(PlannedFigure& planned, const json& list, const std::string& place) const
    {
        using OverSeeds = PlannedQuantity::OverSeeds;
        static const std::map<std::string, OverSeeds> ways{{"mean", OverSeeds::Mean},
                                                           {"first", OverSeeds::First},
                                                           {"least", OverSeeds::Least},
                                                           {"most", OverSeeds::Most}};
        for (std::size_t i = 0; i < listAt(list, place).size(); ++i) {
            const std::string here = fmt::format("{}/{}", place, i);
            const json item = list[i].is_string() ? json{{"name", list[i]}} : list[i];
            const JsonKeys keys(item, here);
            keys.allowOnly({"name", "of", "over seeds", "job"});
            const std::string name = keys.text("name");
            const std::string wanted = keys.textOr("of", name);
            const auto found = std::find_if(quantities_.begin(), quantities_.end(),
                                            [&](const ReportQuantity& q) { return q.name == wanted; });
            if (found == quantities_.end()) {
                std::vector<std::string> all;
                for (const ReportQuantity& q : quantities_)
                    all.push_back(q.name);
                throw ConfigError(fmt::format("{}: unknown quantity \"{}\"; there are \"{}\"", here, wanted,
                                              fmt::join(all, "\", \"")));
            }
            const auto way = ways.find(keys.textOr("over seeds", planned.isSampled ? "first" : "mean"));
            if (way == ways.end())
                throw ConfigError(here + "/over seeds: is \"mean\", \"first\", \"least\" or \"most\"");
            if (item.contains("job") && !found->isOfRequests)
                throw ConfigError(
                    fmt::format("{}/job: a job has no quantity \"{}\": it is of the drive", here, wanted));
            planned.quantities.push_back(
                {name, item.contains("job") ? ofJob(*found, keys.text("job")) : *found, way->second});
        }
    }

    // Those whose image is built.
    static void addChoice(std::vector<Choice>& choices, const json& item, const std::string& place)
    {
        const JsonKeys keys(item, place);
        if (item.contains("image") && !hasImage(keys.text("image"), place + "/image"))
            return;
        choices.push_back({keys.text("name"), keys.textOr("scenario", keys.text("name")), keys.textOr("note", ""),
                           objectAt(item, "set", place), objectAt(item, "each", place)});
    }

    static std::vector<Choice> workloadsOf(const json& list, const std::string& place)
    {
        std::vector<Choice> workloads;
        for (std::size_t i = 0; i < listAt(list, place).size(); ++i) {
            const std::string here = fmt::format("{}/{}", place, i);
            const json item = list[i].is_string() ? json{{"name", list[i]}} : list[i];
            JsonKeys(item, here).allowOnly({"name", "scenario", "set", "image", "note"});
            addChoice(workloads, item, here);
        }
        return workloads;
    }

    static std::vector<Choice> choicesOf(const json& list, const std::string& place)
    {
        std::vector<Choice> choices;
        for (std::size_t i = 0; i < listAt(list, place).size(); ++i) {
            const std::string here = fmt::format("{}/{}", place, i);
            JsonKeys(list[i], here).allowOnly({"name", "set", "each", "image"});
            addChoice(choices, list[i], here);
        }
        return choices;
    }

    // Each setting is the choices that it is made of: one, or one of each axis.
    std::vector<std::vector<Choice>> settingsOf(const json& figure, const std::string& place)
    {
        axes_.clear();
        std::vector<std::vector<Choice>> settings{{}};
        if (!figure.contains("settings"))
            return settings;
        const json& given = figure["settings"];
        if (!given.is_object()) {
            settings.clear();
            for (const Choice& choice : choicesOf(given, place))
                settings.push_back({choice});
            return settings;
        }
        const JsonKeys keys(given, place);
        keys.allowOnly({"name", "axes"});
        keys.text("name");
        for (const json& axis : listAt(keys.at("axes"), place + "/axes")) {
            const json all = data_.value("axes", json::object());
            if (!axis.is_string() || !all.contains(axis.get<std::string>()))
                throw ConfigError(
                    fmt::format("{}/axes: unknown axis {}; there are {}", place, axis.dump(), namesOf(all)));
            axes_.push_back(axis.get<std::string>());
            const std::vector<Choice> values =
                choicesOf(all[axes_.back()], fmt::format("{}: /axes/{}", file_.name, axes_.back()));
            std::vector<std::vector<Choice>> longer;
            for (const std::vector<Choice>& setting : settings) {
                for (const Choice& value : values) {
                    longer.push_back(setting);
                    longer.back().push_back(value);
                }
            }
            settings = std::move(longer);
        }
        return settings;
    }

    static std::string namesOf(const json& object)
    {
        std::string names;
        for (const auto& [name, value] : object.items())
            names += (names.empty() ? "\"" : ", \"") + name + "\"";
        return names;
    }

    std::string nameOf(const json& figure, const std::vector<Choice>& setting) const
    {
        if (setting.empty())
            return "";
        if (axes_.empty())
            return setting.front().name;
        std::string name = figure["settings"]["name"].get<std::string>();
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            const std::string hole = "{" + axes_[i] + "}";
            if (const std::size_t at = name.find(hole); at != std::string::npos)
                name.replace(at, hole.size(), setting[i].name);
        }
        return name;
    }

    std::vector<Variant> variantsOf(const Choice& workload, const std::vector<Choice>& setting) const
    {
        Variant variant{file_.directory + workload.scenario + ".json", {}, isOperations_};
        std::vector<const json*> layers{&workload.set, &set_};
        for (const Choice& choice : setting) {
            layers.push_back(&choice.set);
            if (const auto each = choice.each.find(workload.name); each != choice.each.end())
                layers.push_back(&*each);
        }
        for (const json* sets : layers) {
            for (const auto& [key, value] : sets->items()) {
                if (isNative_ && key == modeKey && value == enumName(FirmwareMode::Rv32))
                    continue;
                variant.sets.emplace_back(key + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
            }
        }
        return seeds_ == 0 ? std::vector{variant} : withSeeds(variant, seeds_);
    }

    const json& data_;
    const PlanFile& file_;
    std::vector<ReportQuantity> quantities_;
    // Of the figure that is read:
    bool isOperations_ = false;
    bool isNative_ = false;
    std::size_t seeds_ = 0; // 0: that of the scenario
    json set_;
    std::vector<std::string> axes_;
};

// Numbers by value, before names.
bool isFigureBefore(const std::string& a, const std::string& b)
{
    const auto numberOf = [](const std::string& name) {
        const bool isNumber =
            !name.empty() && name.size() <= 9 && name.find_first_not_of("0123456789") == std::string::npos;
        return isNumber ? std::stoul(name) : ULONG_MAX;
    };
    return std::make_pair(numberOf(a), a) < std::make_pair(numberOf(b), b);
}

} // namespace

Plan::Plan(const json& data, const PlanFile& file, const std::vector<ReportQuantity>& own,
           const std::vector<std::string>& chosen)
{
    const json figures = data.value("figures", json::array());
    if (!figures.is_array())
        throw ConfigError(file.name + ": /figures: must be a list of objects");
    std::vector<std::string> known;
    std::vector<std::string> problems;
    Reader reader(data, file, own);
    for (std::size_t i = 0; i < figures.size(); ++i) {
        try {
            PlannedFigure figure = reader.figure(i);
            for (const PlannedRun& run : figure.runs) {
                for (const PlannedQuantity& quantity : figure.quantities)
                    points_.declare({figure.figure, run.workload, run.setting, quantity.name});
            }
            if (std::find(known.begin(), known.end(), figure.figure) == known.end())
                known.push_back(figure.figure);
            if (chosen.empty() || std::find(chosen.begin(), chosen.end(), figure.figure) != chosen.end())
                figures_.push_back(std::move(figure));
        } catch (const ConfigError& error) {
            problems.emplace_back(error.what());
        }
    }
    if (!problems.empty())
        throw ConfigError(fmt::format("{}", fmt::join(problems, "\n")));
    std::sort(known.begin(), known.end(), isFigureBefore);
    for (const std::string& figure : chosen) {
        if (std::find(known.begin(), known.end(), figure) == known.end())
            throw ConfigError(
                fmt::format("--figure {}: the study has no such figure; there are {}", figure, fmt::join(known, ", ")));
    }
}

Points Plan::points() const
{
    return points_;
}

void Plan::sampleOver(std::size_t seeds)
{
    for (PlannedFigure& figure : figures_) {
        for (PlannedRun& run : figure.runs) {
            if (!figure.isSampled)
                continue;
            Variant variant = run.variants.front();
            variant.sets.pop_back(); // its seed
            run.variants = withSeeds(variant, seeds);
        }
    }
}

} // namespace strobe::platform
