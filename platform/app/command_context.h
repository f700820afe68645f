#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// State shared by the commands of the command line: the parser, the scenario and its changes, the chosen command.
// Each group of commands adds itself; the structs that their options fill live as long as the parser.

#include "platform/app/command_messages.h"
#include "platform/app/coverage_output.h"
#include "platform/app/firmware_trace.h"
#include "platform/config/load.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace strobe::platform {

struct CommandContext {
    CLI::App& app;
    LoadOptions load{};
    std::string scenario = "quickstart";
    std::vector<std::string> sets{};
    std::function<int()> chosen{}; // action of the command line; empty: none

    void choose(CLI::App* command, std::function<int()> action)
    {
        command->callback([this, action = std::move(action)] { chosen = action; });
    }
    void addSets(CLI::App* command)
    {
        command->add_option("--set", sets, "Change one value, like --set nand.ways=8; may be repeated")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
    }
    void addScenario(CLI::App* command)
    {
        command->add_option("scenario", scenario, "Scenario file or name")
            ->type_name("SCENARIO")
            ->capture_default_str();
        addSets(command);
    }
};

// Makes one command of the group mandatory; the error lists the commands that exist. To be called when the group is
// complete, because commands inherit from it.
inline void needsCommand(CLI::App* group)
{
    group->require_subcommand(0, 1);
    group->allow_extras();
    group->final_callback([group] {
        if (!group->get_subcommands().empty() || (group->get_parent() == nullptr && group->remaining().empty()))
            return;
        std::string names;
        for (const CLI::App* command : group->get_subcommands([](const CLI::App*) { return true; }))
            names += (names.empty() ? "" : ", ") + command->get_name();
        const std::string what =
            group->remaining().empty() ? "a command is missing" : unknownIn(*group, group->remaining().front());
        const bool isQuestion = what.back() == '?';
        throw CLI::ValidationError(group->get_parent() == nullptr ? group->get_name() : "strobe " + group->get_name(),
                                   what + (isQuestion ? " The commands are " : "; the commands are ") + names);
    });
}

// Checks the name of a file to write; "-" is standard output where that is allowed.
inline CLI::Validator namesFile(bool mayBeOutput)
{
    return {[mayBeOutput](const std::string& name) -> std::string {
                if (name.empty())
                    return "must name a file";
                return name == "-" && !mayBeOutput ? "must name a file; standard output is not possible here" : "";
            },
            ""};
}

inline void addFirmware(CLI::App* command, std::string& firmware)
{
    command
        ->add_option("--firmware", firmware, "An ELF file, instead of the scenario's firmware; sets firmware.mode=rv32")
        ->type_name("FILE")
        ->check(namesFile(false));
}
inline void useFirmware(LoadOptions& load, const std::string& firmware) // if one is named
{
    if (firmware.empty())
        return;
    load.sets.emplace_back("firmware.mode=rv32", "--firmware " + firmware);
    load.sets.emplace_back("firmware.image=" + std::filesystem::absolute(firmware).string(), "--firmware " + firmware);
}

inline void addCoverage(CLI::App* command, CoverageCommand& coverage)
{
    CLI::Option* file = command
                            ->add_option("--coverage", coverage.file,
                                         "Write which lines and branches of RV32 firmware were executed, as an lcov "
                                         "tracefile for genhtml")
                            ->type_name("FILE")
                            ->check(namesFile(false));
    command->add_flag("--coverage-add", coverage.adds, "Add to what this file holds already")->needs(file);
}

// Options that begin with `prefix`; they need the option `trace`, unless it is null.
inline void addTraceChoice(CLI::App* command, TraceChoiceCommand& choice, const std::string& prefix, CLI::Option* trace)
{
    const auto add = [&](const char* name, auto& value, const char* type, const char* help) {
        CLI::Option* option = command->add_option(prefix + name, value, help)->type_name(type);
        if (trace != nullptr)
            option->needs(trace);
        return option;
    };
    add("from", choice.from, "TIME", "Simulated time of its first entry, like 20ms")->capture_default_str();
    add("to", choice.to, "TIME", "Simulated time at which it ends; the end of the run if not given");
    add("range", choice.ranges, "RANGES",
        "Only entries with one of these addresses, of code, memory or registers, separated by commas: "
        "0x03000000-0x03000fff, or the name of a function or variable")
        ->delimiter(',')
        ->allow_extra_args(false);
    add("kinds", choice.kinds, "KINDS", "Only these, separated by commas: instructions, registers, interrupts")
        ->delimiter(',')
        ->allow_extra_args(false);
}

void addRunCommands(CommandContext& context);     // run, validate
void addInspectCommands(CommandContext& context); // inspect …
void addStudyCommands(CommandContext& context);   // reproduce …, powercut, calibrate, bench
void addLinuxCommand(CommandContext& context);    // linux
void addQemuCommand(CommandContext& context);     // qemu
void addServeCommand(CommandContext& context);    // serve …

} // namespace strobe::platform
