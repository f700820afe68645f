// SPDX-License-Identifier: Apache-2.0
#include "platform/app/completion.h"

#include "models/base/config_error.h"
#include "models/base/enum_table.h"
#include "models/host/workload/workload_config.h"
#include "platform/app/commands.h"
#include "platform/app/completion_script.h"
#include "platform/app/exit_codes.h"
#include "platform/app/python.h"
#include "platform/app/waveform.h"
#include "platform/config/load.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform {

namespace {

using Words = std::vector<std::string>;

constexpr const char* help =
    R"(Prints a script that completes commands, options, scenarios, files and the keys and values of
--set when Tab is pressed. Source it in the shell or in its start-up file (zsh: after compinit).
With the Debian package, bash finds it by itself.

Examples:
  strobe completion bash > completion.bash
  source <(strobe completion bash)
  source <(scripts/strobe completion zsh))";

struct Option {
    Words names;      // "--json", "-o"
    std::string kind; // completion_script.h; empty: takes no value
};

struct Command {
    std::string path; // "inspect trace"; empty: the program
    Words commands;
    std::vector<Option> options;
    std::string positional = "any"; // kind of its arguments
};

std::string joined(const Words& words)
{
    return fmt::format("{}", fmt::join(words, " "));
}

std::string choice(const Words& words)
{
    return "(" + joined(words) + ")";
}

template <class Table>
std::string choiceOf(const Table& table)
{
    Words names;
    for (const auto& row : table)
        names.emplace_back(row.name);
    return choice(names);
}

// --- scenarios and their keys ---------------------------------------------------------------------------------------

// Those that can be run or checked, and the parts.
void nameScenarios(const std::string& directory, Words& scenarios, Words& parts)
{
    const std::string partsDirectory = "parts/";
    const auto endsWith = [](const std::string& name, std::string_view end) {
        return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
    };
    for (const std::string& name : scenarioNames(directory)) {
        if (name.rfind(partsDirectory, 0) == 0)
            parts.push_back(name.substr(partsDirectory.size()));
        else if (!endsWith(name, ".schema") && !endsWith(name, "/study") && !endsWith(name, "/paper"))
            scenarios.push_back(name);
    }
}

using KeyValues = std::map<std::string, Words>; // by key; a key of any value has none

void collectKeys(const nlohmann::json& schema, const std::string& key, KeyValues& keys)
{
    const auto values = [&](const nlohmann::json& value) {
        keys[key].push_back(value.is_string() ? value.get<std::string>() : value.dump());
    };
    for (const char* group : {"anyOf", "oneOf", "allOf"}) {
        if (schema.contains(group)) {
            for (const nlohmann::json& alternative : schema[group])
                collectKeys(alternative, key, keys);
        }
    }
    if (schema.contains("properties")) {
        for (const auto& [name, property] : schema["properties"].items())
            collectKeys(property, key.empty() ? name : fmt::format("{}.{}", key, name), keys);
        return;
    }
    if (schema.contains("items") && schema["items"].is_object())
        return collectKeys(schema["items"], key + ".0", keys);
    keys[key]; // it exists
    if (schema.contains("enum"))
        std::for_each(schema["enum"].begin(), schema["enum"].end(), values);
    if (schema.contains("const"))
        values(schema["const"]);
    if (schema.value("type", "") == "boolean") {
        values(true);
        values(false);
    }
}

KeyValues keysOf(const Words& parts)
{
    KeyValues keys;
    collectKeys(nlohmann::json::parse(scenarioSchema()), "", keys);
    for (const char* notSettable : {"", "$schema"})
        keys.erase(notSettable);
    keys["nand.part"] = parts;
    return keys;
}

// --- commands -------------------------------------------------------------------------------------------------------

// What an option or argument takes, by what its help calls it.
std::string kindOf(const std::string& type, const Words& parts, const KeyValues& keys)
{
    const std::map<std::string, std::string> kinds{{"FILE", "file"},
                                                   {"REPORT", "file"},
                                                   {"DIR", "directory"},
                                                   {"SCENARIO", "scenario"},
                                                   {"KEY=VALUE", "setting"},
                                                   {"PART", choice(parts)},
                                                   {"MODE", choice(keys.at("data"))},
                                                   {"INTERFACE", choice(keys.at("channel.interface"))},
                                                   {"OPERATION", choiceOf(pins::busSequenceTable)},
                                                   {"FORMAT", choiceOf(host::traceFormatTable)},
                                                   {"SHELL", "(bash zsh)"}};
    const auto found = kinds.find(type);
    return found == kinds.end() ? "any" : found->second;
}

class Commands {
public:
    Commands(const Words& parts, const KeyValues& keys) : parts_(parts), keys_(keys) {}

    void add(const CLI::App& app, const std::string& path)
    {
        Command command;
        command.path = path;
        for (const CLI::Option* option : app.get_options()) {
            const std::string kind = kindOf(option->get_type_name(), parts_, keys_);
            if (!option->nonpositional()) {
                command.positional = command.positional == "any" ? kind : command.positional;
                continue;
            }
            Option described;
            for (const std::string& name : option->get_lnames())
                described.names.push_back("--" + name);
            for (const std::string& name : option->get_snames())
                described.names.push_back("-" + name);
            described.kind = option->get_expected_max() == 0 || option->get_type_size() == 0 ? "" : kind;
            command.options.push_back(described);
        }
        const auto subcommands = app.get_subcommands([](const CLI::App*) { return true; });
        for (const CLI::App* subcommand : subcommands)
            command.commands.push_back(subcommand->get_name());
        list_.push_back(command);
        for (const CLI::App* subcommand : subcommands) {
            if (findPythonCommand(subcommand->get_name()) == nullptr)
                add(*subcommand, path + (path.empty() ? "" : " ") + subcommand->get_name());
        }
    }

    void addPython(const nlohmann::json& described)
    {
        for (const auto& [name, content] : described.items()) {
            Command command;
            command.path = name;
            command.positional = kindOf(content.at("argument"), parts_, keys_);
            for (const nlohmann::json& option : content.at("options")) {
                const Words words = option.at("words");
                std::string kind = words.empty() ? "any" : choice(words);
                if (words.empty())
                    kind = option.at("value").is_null() ? "" : kindOf(option["value"], parts_, keys_);
                command.options.push_back({option.at("names"), kind});
            }
            list_.push_back(command);
        }
    }
    void addWithoutPython()
    {
        for (const PythonCommand& python : pythonCommands()) {
            Command command;
            command.path = python.name;
            command.positional = "file";
            list_.push_back(command);
        }
    }

    const std::vector<Command>& list() const { return list_; }

private:
    const Words& parts_;
    const KeyValues& keys_;
    std::vector<Command> list_;
};

// --- the script -----------------------------------------------------------------------------------------------------

std::string commandFunction(const std::vector<Command>& commands)
{
    std::string text = "_strobe_command() {\n    case $1 in\n";
    for (const Command& command : commands) {
        Words options;
        Words values;
        for (const Option& option : command.options) {
            options.insert(options.end(), option.names.begin(), option.names.end());
            if (!option.kind.empty())
                values.insert(values.end(), option.names.begin(), option.names.end());
        }
        text += fmt::format(
            "    '{}')\n        options='{}'\n        values='{}'\n        commands='{}'\n        positional='{}'\n"
            "        ;;\n",
            command.path, joined(options), joined(values), joined(command.commands), command.positional);
    }
    return text + "    *) return 1 ;;\n    esac\n}\n";
}

std::string valueFunction(const std::vector<Command>& commands)
{
    std::map<std::string, Words> patterns; // by kind
    for (const Command& command : commands) {
        for (const Option& option : command.options) {
            for (const std::string& name : option.names) {
                if (!option.kind.empty() && option.kind != "any")
                    patterns[option.kind].push_back("'" + command.path + " " + name + "'");
            }
        }
    }
    std::string text = "_strobe_value() {\n    kind=any\n    case \"$1 $2\" in\n";
    for (const auto& [kind, names] : patterns)
        text += fmt::format("    {}) kind='{}' ;;\n", fmt::join(names, " | "), kind);
    return text + "    esac\n}\n";
}

std::string wordsFunction(const Words& scenarios, const KeyValues& keys)
{
    Words names;
    std::string values;
    for (const auto& [key, words] : keys) {
        names.push_back(key);
        Words single; // a value of several words has no completion
        std::copy_if(words.begin(), words.end(), std::back_inserter(single),
                     [](const std::string& word) { return word.find_first_of(" '") == std::string::npos; });
        if (!single.empty())
            values += fmt::format("    {}) words='{}' ;;\n", key, joined(single));
    }
    return fmt::format(
        "_strobe_words() {{\n    words=\n    case $1 in\n    scenarios) words='{}' ;;\n    keys) words='{}' "
        ";;\n{}    esac\n}}\n",
        joined(scenarios), joined(names), values);
}

int print(const CLI::App& app, const std::string& directory, const std::string& shell)
{
    Words scenarios;
    Words parts;
    nameScenarios(directory, scenarios, parts);
    const KeyValues keys = keysOf(parts);
    Commands commands(parts, keys);
    commands.add(app, "");
    std::string remark;
    try {
        commands.addPython(nlohmann::json::parse(pythonOutput({"--options"})));
    } catch (const ConfigError&) {
        commands.addWithoutPython();
        remark = "# Without Python, which is needed for the options of report, compare, explore and torture.\n";
    }
    std::string text = "# Completion of strobe's command line: source <(strobe completion " + shell + ")\n" + remark;
    if (shell == "zsh")
        text += "autoload -U +X bashcompinit && bashcompinit\n";
    printOut(text + commandFunction(commands.list()) + valueFunction(commands.list()) + wordsFunction(scenarios, keys) +
             completionFunctions);
    return exitOk;
}

} // namespace

void addCompletion(CommandContext& c)
{
    auto shell = std::make_shared<std::string>();
    CLI::App* completion =
        c.app.add_subcommand("completion", "Print a script that completes command lines in bash or zsh");
    completion->footer(help);
    completion->add_option("shell", *shell, "bash or zsh")
        ->type_name("SHELL")
        ->required()
        ->check([](const std::string& given) {
            return given == "bash" || given == "zsh" ? ""
                                                     : "there is no completion for " + given + "; must be bash or zsh";
        });
    c.choose(completion, [&c, shell] { return print(c.app, c.load.scenariosDirectory, *shell); });
}

} // namespace strobe::platform
