// SPDX-License-Identifier: Apache-2.0
#include "platform/app/command_messages.h"

#include "platform/app/text_pattern.h"
#include "platform/config/walkers.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <cstddef>
#include <sstream>
#include <string_view>
#include <vector>

namespace strobe::platform {

namespace {

constexpr std::size_t helpColumns = 100;

std::string helpLines(const std::string& text, std::size_t width)
{
    return fmt::format("{}", fmt::join(wrapped(text, width), "\n"));
}

// The command that was being read, like the one of "inspect trace".
const CLI::App& commandOf(const CLI::App& app)
{
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty())
        command = command->get_subcommands().front();
    return *command;
}

std::string nameOf(const CLI::App& command)
{
    const CLI::App* parent = command.get_parent();
    return parent == nullptr ? command.get_name() : nameOf(*parent) + " " + command.get_name();
}

bool isOption(const std::string& argument)
{
    return argument.size() >= 2 && argument.front() == '-';
}

std::string didYouMean(const std::string& word, const std::vector<std::string>& names)
{
    const std::string nearest = nearestName(word, names);
    return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::string unknownOption(const CLI::App& command, const std::string& argument)
{
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames())
            options.push_back("--" + name);
    }
    return "unknown option " + argument + didYouMean(argument.substr(0, argument.find('=')), options);
}

std::string unexpected(const CLI::App& command, const std::string& argument)
{
    return isOption(argument) ? unknownOption(command, argument) : fmt::format("unexpected argument \"{}\"", argument);
}

// The parser's own text, with the place first and then what is allowed.
std::string reworded(const std::string& text)
{
    static const TextPattern notInRange("^(-[^:]*): Value (.*) not in range ([^ ]+) to ([^ ]+)$");
    static const TextPattern notConverted("^Could not convert: ([^ ]+) = (.*)$");
    static const TextPattern required("^(.*) is required$");
    static const TextPattern withoutValue("^(-[^:]*): 1 required (.*) missing$");
    if (const auto match = notInRange.find(text))
        return fmt::format("{0} {1}: must be a whole number, {2} to {3}", match->groups[0], match->groups[1],
                           match->groups[2], match->groups[3]);
    if (const auto match = notConverted.find(text))
        return fmt::format("{} {}: must be a whole number", match->groups[0], match->groups[1]);
    if (const auto match = required.find(text))
        return "missing: " + match->groups[0];
    if (const auto match = withoutValue.find(text))
        return fmt::format("{}: its value is missing: {}", match->groups[0], match->groups[1]);
    return text;
}

} // namespace

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const
{
    static const TextPattern range(":(U?INT|UINT64|FLOAT) in \\[([^ ]+) - ([^] ]+)\\]");
    std::string text = CLI::Formatter::make_option_opts(option);
    while (const auto match = range.find(text))
        text.replace(match->begin, match->end - match->begin,
                     fmt::format(" ({} to {})", match->groups[1], match->groups[2]));
    return text;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const
{
    return helpLines(option->get_description(), helpColumns - get_column_width());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const
{
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_display_name(true),
                             helpLines(command->get_description(), helpColumns - get_column_width()),
                             get_column_width());
    return out.str();
}

std::string unknownIn(const CLI::App& group, const std::string& argument)
{
    if (isOption(argument))
        return unknownOption(group, argument);
    std::vector<std::string> commands;
    for (const CLI::App* command : group.get_subcommands([](const CLI::App*) { return true; }))
        commands.push_back(command->get_name());
    return "unknown command " + argument + didYouMean(argument, commands);
}

std::string messageFor(const CLI::App& app, const CLI::ParseError& error)
{
    const CLI::App& command = commandOf(app);
    const std::string name = nameOf(command);
    const std::string said = error.what();
    static const TextPattern notExpected("^The following arguments? (was|were) not expected: ([^ ]+)");
    const auto match = notExpected.find(said);
    const std::string text = match ? unexpected(command, match->groups[1]) : reworded(said);
    const bool hasPlace = text.front() == '-' || text.rfind("strobe", 0) == 0; // else the command is the place
    return fmt::format("{}{}\n{} --help explains the command.", hasPlace ? "" : name + ": ", text, name);
}

} // namespace strobe::platform
