// SPDX-License-Identifier: Apache-2.0
#include "platform/config/load.h"

#include "platform/config/compose.h"
#include "platform/config/differences.h"
#include "platform/config/moved_keys.h"
#include "platform/config/resolve.h"
#include "platform/config/walkers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace strobe::platform {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

namespace {

std::string joinLines(const std::vector<std::string>& lines)
{
    return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string under(const std::string& directory, const char* folder)
{
    return directory.empty() ? std::string() : (fs::path(directory) / folder).string();
}

// A part: its name, or an object with "extends" (the name of a part) and keys that change it.
json readPart(const json& written, const std::string& directory, const std::string& scenariosDirectory,
              std::vector<std::string>& inputs)
{
    json name = written;
    json changes = json::object();
    if (written.is_object()) {
        if (!written.contains("extends"))
            return written;
        changes = written;
        name = changes["extends"];
        changes.erase("extends");
    }
    if (!name.is_string())
        throw ConfigError("must be the name of a part, like \"k9f1g08u0a\", or an object, not " + name.dump());
    const std::string fallback = under(scenariosDirectory, "parts");
    const std::string file = findFile(name.get<std::string>(), directory, fallback);
    if (file.empty()) {
        std::vector<std::string> known;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(fallback, error))
            known.push_back(entry.path().stem().string());
        std::sort(known.begin(), known.end());
        const std::string near = nearestName(name.get<std::string>(), known);
        throw ConfigError(fmt::format("there is no part \"{}\"{} parts: {}", printable(name.get<std::string>()),
                                      near.empty() ? "; known" : "; did you mean \"" + near + "\"? Known",
                                      known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    inputs.push_back(file);
    json part = parseJsonFile(file);
    part.erase("$schema");
    part.merge_patch(changes);
    return part;
}

// Trace files as paths that can be opened. Returns the names as they were written, to be put back for printing.
std::vector<std::string> locateTraces(ScenarioFile& file, const Composition& composition)
{
    std::vector<std::string> written;
    for (std::size_t i = 0; i < file.workload.phases.size(); ++i) {
        std::string& name = file.workload.phases[i].source.trace.file;
        written.push_back(name);
        if (name.empty() || fs::path(name).is_absolute())
            continue;
        const Layer& origin = composition.originOf(fmt::format("/workload/phases/{}/trace/file", i));
        const std::string found = findFile(name, origin.directory, composition.scenariosDirectory());
        name = found.empty() ? (fs::path(origin.directory) / name).string() : found;
    }
    return written;
}

// Whether a key applies cannot be decided while the deciding value is wrong: such problems are reported once it is
// correct.
void dropConsequences(std::vector<Problem>& problems)
{
    const auto follows = [](const Problem& problem) { return problem.followsFromOthers; };
    if (!std::all_of(problems.begin(), problems.end(), follows))
        problems.erase(std::remove_if(problems.begin(), problems.end(), follows), problems.end());
}

// A value without effect is no mistake if it was written before the choice that takes its effect away.
void dropInherited(std::vector<Problem>& problems, const Composition& composition)
{
    const auto isInherited = [&](const Problem& problem) {
        return std::any_of(problem.choices.begin(), problem.choices.end(), [&](const std::string& choice) {
            return composition.rankOf(problem.path) < composition.rankOf(choice);
        });
    };
    problems.erase(std::remove_if(problems.begin(), problems.end(), isInherited), problems.end());
}

void nameMovedKeys(std::vector<Problem>& problems)
{
    for (Problem& problem : problems) {
        std::string message = problem.isUnknownKey ? movedKey(problem.path) : std::string();
        if (!message.empty())
            problem.message = std::move(message);
    }
}

ScenarioFile sample()
{
    ScenarioFile file;
    file.workload.phases.emplace_back();
    return file;
}

} // namespace

ScenarioErrors::ScenarioErrors(std::vector<std::string> messages)
    : ConfigError(joinLines(messages)), messages_(std::move(messages))
{
}

Scenario loadScenario(const std::string& name, const LoadOptions& options)
{
    const auto kept = std::make_shared<const Composition>(name, options.sets, options.scenariosDirectory);
    const Composition& composition = *kept;
    json merged = composition.merged();
    std::vector<Problem> problems;
    std::vector<std::string> inputs;
    for (const Layer& layer : composition.layers()) {
        if (layer.isFile)
            inputs.push_back(layer.name);
    }

    const json::json_pointer partPath("/nand/part");
    bool partFound = true;
    if (merged.contains(partPath)) {
        try {
            merged[partPath] = readPart(merged[partPath], composition.originOf("/nand/part").directory,
                                        options.scenariosDirectory, inputs);
        } catch (const ConfigError& error) {
            problems.push_back({"/nand/part", error.what()});
            merged["nand"].erase("part");
            partFound = false;
        }
    }

    // A device without a workload: give it an empty one without reporting a problem.
    const bool idle = !options.needsWorkload && !merged.contains("workload");
    if (idle)
        merged["workload"] = {{"phases", json::array()}};

    ScenarioFile file;
    std::vector<Problem> found;
    readFields(
        merged, "", [&](Fields& f) { describe(f, file); }, found);
    dropInherited(found, composition);
    dropConsequences(found);
    nameMovedKeys(found);
    for (Problem& problem : found) {
        if (partFound || problem.path != "/nand/part") // already reported above
            problems.push_back(std::move(problem));
    }
    Scenario scenario;
    std::vector<std::string> traces;
    if (problems.empty()) { // cross-checks of values that are wrong by themselves would only mislead
        traces = locateTraces(file, composition);
        scenario = resolve(file, problems, options.runsFirmware);
        dropInherited(problems, composition);
        if (idle) {
            problems.erase(std::remove_if(problems.begin(), problems.end(),
                                          [](const Problem& p) { return p.path == "/workload/phases"; }),
                           problems.end());
        }
    }
    if (!problems.empty()) {
        std::vector<std::string> messages;
        messages.reserve(problems.size());
        for (const Problem& problem : problems) {
            messages.push_back(fmt::format("{}: {}: {}", composition.originOf(problem.path, problem.others).name,
                                           problem.path.empty() ? "/" : problem.path, problem.message));
        }
        throw ScenarioErrors(std::move(messages));
    }
    scenario.file = name;
    for (const host::PhaseConfig& phase : scenario.workload.phases) {
        if (!phase.source.trace.file.empty())
            inputs.push_back(phase.source.trace.file);
    }
    if (scenario.nand.contents.loads() && !scenario.nand.contents.saves())
        inputs.push_back(scenario.nand.contents.file);
    scenario.inputs = std::move(inputs);
    if (composition.rankOf("/firmware/image") + composition.rankOf("/firmware/mode") != 0)
        scenario.firmware.imageSource = composition.originOf("/firmware/image", {"/firmware/mode"}).name;
    scenario.origin = [kept](const std::string& path) { return kept->originOf(path).name; };
    for (std::size_t i = 0; i < traces.size(); ++i)
        file.workload.phases[i].source.trace.file = traces[i];
    scenario.traceNames.assign(traces.begin() + scenario.skippedPhases, traces.end());
    scenario.resolvedJson = writeFields([&](Fields& f) { describe(f, file); }).dump(2);
    ScenarioFile defaults = sample();
    const auto partOf = [&](const json& written, const std::string& directory) {
        std::vector<std::string> files; // of a base, not of the scenario
        try {
            return readPart(written, directory, options.scenariosDirectory, files);
        } catch (const ConfigError&) { // the scenario has another part
            return json();
        }
    };
    scenario.differencesJson =
        differencesOf(composition, writeFields([&](Fields& f) { describe(f, defaults); }), partOf).dump();
    return scenario;
}

nand::Part loadPart(const std::string& name, const LoadOptions& options)
{
    nand::Part part;
    std::vector<Problem> problems;
    std::vector<std::string> inputs;
    readFields(
        readPart(json(name), "", options.scenariosDirectory, inputs), "", [&](Fields& f) { describePart(f, part); },
        problems);
    if (!problems.empty()) {
        std::vector<std::string> messages;
        messages.reserve(problems.size());
        for (const Problem& problem : problems)
            messages.push_back(fmt::format("{}: {}: {}", name, problem.path, problem.message));
        throw ScenarioErrors(std::move(messages));
    }
    part.geometry.pslcPages = pslcPagesOf(part.geometry, part.cell, part.pslc);
    return part;
}

std::string partJson(nand::Part part)
{
    return writeFields([&](Fields& f) { describePart(f, part); }).dump(2);
}

std::string scenarioSchema()
{
    ScenarioFile file = sample();
    ordered_json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                        {"title", "Strobe scenario"},
                        {"description", "A drive, its firmware's policies and a workload. See docs/scenarios.md."}};
    ordered_json body = schemaOfFields([&](Fields& f) { describe(f, file); });
    ordered_json properties{
        {"$schema", {{"type", "string"}}},
        {"extends",
         {{"description", "Files that come first: one name or a list, relative to this file or to scenarios/."},
          {"anyOf",
           ordered_json::array({{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}})}}}};
    properties.update(body["properties"]);
    body["properties"] = std::move(properties);
    // A part is a name, or an object that may extend one.
    ordered_json& part = body["properties"]["nand"]["properties"]["part"];
    ordered_json inlinePart = part;
    inlinePart["properties"]["extends"] = {{"type", "string"},
                                           {"description", "The part whose values this one changes."}};
    const ordered_json text = inlinePart["description"];
    inlinePart.erase("description");
    part = {{"anyOf", ordered_json::array({{{"type", "string"}}, inlinePart})}, {"description", text}};
    schema.update(body);
    schema["definitions"] = quantityDefinitions();
    return schema.dump(2) + "\n";
}

namespace {

// "|" would end a cell of a Markdown table.
std::string cell(std::string text)
{
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.replace(at, 1, "\\|");
    return text;
}

} // namespace

std::string parameterTableMarkdown()
{
    ScenarioFile file = sample();
    std::string out = "| parameter | type | default | allowed | meaning |\n|---|---|---|---|---|\n";
    for (const ParameterRow& row : tabulateFields([&](Fields& f) { describe(f, file); })) {
        const std::string initial =
            row.initial.empty() || row.initial.front() == '(' ? row.initial : "`" + row.initial + "`";
        out += row.isSection ? fmt::format("| **`{}`** | | {} | | {} |\n", row.path, initial, cell(row.text))
                             : fmt::format("| `{}` | {} | {} | {} | {} |\n", row.path, row.type, initial,
                                           cell(row.allowed), cell(row.text));
    }
    return out;
}

std::string parameterTable()
{
    ScenarioFile file = sample();
    std::string out;
    for (const ParameterRow& row : tabulateFields([&](Fields& f) { describe(f, file); })) {
        if (row.isSection) {
            out += fmt::format("\n{}: {}\n", row.path, row.text);
            continue;
        }
        out += fmt::format("  {:<34} {:<24} {}\n", row.path, row.initial,
                           row.type + (row.allowed.empty() ? "" : ", " + row.allowed));
        out += fmt::format("  {:<34} {}\n", "", row.text);
    }
    return out;
}

} // namespace strobe::platform
