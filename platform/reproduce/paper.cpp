// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/paper.h"

#include "models/base/check.h"
#include "platform/config/compose.h"
#include "platform/reproduce/json_keys.h"
#include "platform/reproduce/units.h"

#include <fmt/format.h>

#include <utility>

namespace strobe::platform {

using nlohmann::json;

namespace {

json listAt(const json& data, const char* key, const std::string& file)
{
    json list = data.value(key, json::array());
    if (!list.is_array())
        throw ConfigError(fmt::format("{}: /{}: must be a list of objects", file, key));
    return list;
}

} // namespace

Paper::Paper(const std::string& scenariosDirectory, std::string study, const std::vector<std::string>& further)
    : name_(std::move(study)), directory_(scenariosDirectory + "/papers/" + name_ + "/"),
      file_(directory_ + "paper.json"), data_(parseJsonFile(file_)), judge_(data_, file_)
{
    std::vector<std::string> allowed{"paper", "fitted", "printed", "bars",       "figures",
                                     "axes",  "limits", "lists",   "statements", "headings"};
    allowed.insert(allowed.end(), further.begin(), further.end());
    JsonKeys(data_, file_ + ": ").allowOnly(allowed);
    readPrinted();
    readBars();
}

Study Paper::emptyStudy(const LoadOptions& load) const
{
    Study study;
    study.name = name_;
    study.paper = JsonKeys(data_, file_ + ": ").text("paper");
    const json fitted = listAt(data_, "fitted", file_);
    for (std::size_t i = 0; i < fitted.size(); ++i)
        study.fitted.push_back(parameter(fitted[i], fmt::format("{}: /fitted/{}", file_, i), load));
    const json headings = listAt(data_, "headings", file_);
    for (std::size_t i = 0; i < headings.size(); ++i) {
        const JsonKeys keys(headings[i], fmt::format("{}: /headings/{}", file_, i));
        keys.allowOnly({"figure", "name", "title"});
        study.headings.push_back({keys.text("figure"), keys.text("name"), keys.textOr("title", "")});
    }
    return study;
}

FittedParameter Paper::parameter(const json& object, const std::string& place, const LoadOptions& load) const
{
    const JsonKeys keys(object, place);
    FittedParameter parameter{keys.text("name"), "", keys.text("meaning"), keys.text("from")};
    if (object.contains("value")) {
        keys.allowOnly({"name", "value", "meaning", "from"});
        parameter.value = keys.text("value");
        return parameter;
    }
    const bool isResolved = object.contains("resolved");
    keys.allowOnly({"name", isResolved ? "resolved" : "where", "pointer", "meaning", "from"});
    const std::string source = directory_ + keys.text(isResolved ? "resolved" : "where");
    const json scenario = isResolved ? json::parse(loadScenario(source, load).resolvedJson) : parseJsonFile(source);
    try {
        const json& value = scenario.at(json::json_pointer(keys.text("pointer")));
        parameter.value = value.is_string() ? value.get<std::string>() : value.dump();
    } catch (const json::exception&) {
        throw ConfigError(fmt::format("{}/pointer: {} has nothing at \"{}\"", place, source, keys.text("pointer")));
    }
    return parameter;
}

void Paper::readPrinted()
{
    const json printed = listAt(data_, "printed", file_);
    for (std::size_t i = 0; i < printed.size(); ++i) {
        const std::string place = fmt::format("{}: /printed/{}", file_, i);
        const JsonKeys keys(printed[i], place);
        const bool isList = printed[i].is_object() && printed[i].contains("values");
        if (isList)
            keys.allowOnly({"figure", "workload", "setting", "values"});
        else
            keys.allowOnly({"figure", "workload", "setting", "quantity", "value", "doubtful", "predicted"});
        const json values = isList ? keys.at("values") : json{{keys.text("quantity"), keys.at("value")}};
        if (!values.is_object())
            throw ConfigError(place + "/values: must be an object of numbers by quantity");
        for (const auto& [quantity, value] : values.items()) {
            if (!value.is_number())
                throw ConfigError(
                    fmt::format("{}/{}: must be a number", place, isList ? "values/" + quantity : "value"));
            printed_.push_back({{keys.text("figure"), keys.text("workload"), keys.text("setting"), quantity},
                                value.get<double>(),
                                keys.textOr("doubtful", ""),
                                keys.flagOr("predicted", false)});
        }
    }
}

void Paper::readBars()
{
    const json bars = data_.value("bars", json::object());
    if (!bars.is_object())
        throw ConfigError(file_ + ": /bars: must be an object of numbers by quantity");
    for (const auto& [quantity, bar] : bars.items()) {
        if (!bar.is_number() || bar <= 0)
            throw ConfigError(fmt::format("{}: /bars/{}: must be a number above 0 (per cent)", file_, quantity));
        bars_[quantity] = bar.get<double>() / percent;
    }
}

Points Paper::withPublished(Points points) const
{
    for (const Printed& printed : printed_) {
        const auto bar = bars_.find(printed.name.quantity);
        if (bar != bars_.end())
            points.publish(printed.name, printed.value, bar->second);
    }
    return points;
}

void Paper::check(const Points& declared) const
{
    const Points ones = declared.allWith(1);
    for (std::size_t i = 0; i < printed_.size(); ++i) {
        try {
            ones.at(printed_[i].name);
        } catch (const ConfigError& error) {
            throw ConfigError(fmt::format("{}: /printed/{}: {}", file_, i, error.what()));
        }
    }
    judge_.check(withPublished(declared));
}

void Paper::finish(Study& study, Points declared, bool isWhole) const
{
    for (StudyCell& cell : study.cells) {
        declared.measure(cell, cell.measured, cell.samples);
        for (const Printed& printed : printed_) {
            if (cell < printed.name || printed.name < cell)
                continue;
            cell.paper = printed.value;
            if (const auto bar = bars_.find(cell.quantity); bar != bars_.end())
                cell.bar = bar->second;
            cell.doubtful = !printed.doubt.empty();
            cell.predicted = printed.isPredicted;
            if (cell.doubtful)
                cell.note = printed.doubt;
        }
    }
    study.statements = judge_.judge(withPublished(std::move(declared)));
    strobe::check(!isWhole || study.statements.size() == judge_.statements(), "a statement has no verdict");
}

Study Paper::run(const Plan& plan, const VariantOptions& options, std::vector<StudyCell> computed) const
{
    Study study = emptyStudy(options.load);
    study.cells = std::move(computed);
    Points declared = plan.points();
    for (const StudyCell& cell : study.cells)
        declared.declare(cell);
    check(declared);
    const std::vector<StudyCell> measured = runPlan(plan, options).cells;
    study.cells.insert(study.cells.end(), measured.begin(), measured.end());
    finish(study, declared, true);
    return study;
}

} // namespace strobe::platform
