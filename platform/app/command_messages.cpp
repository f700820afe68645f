// SPDX-License-Identifier: Apache-2.0
#include "platform/app/command_messages.h"

#include "platform/config/walkers.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <cstddef>
#include <regex>
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

std::string unexpected(const CLI::App& command, const std::string& argument)
{
    if (argument.size() < 2 || argument.front() != '-')
        return fmt::format("unexpected argument \"{}\"", argument);
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames())
            options.push_back("--" + name);
    }
    const std::string nearest = nearestName(argument.substr(0, argument.find('=')), options);
    return fmt::format("unknown option {}{}", argument, nearest.empty() ? "" : "; did you mean " + nearest + "?");
}

// The parser's own text, with the place first and then what is allowed.
std::string reworded(const std::string& text)
{
    static const std::regex notInRange("(-[^:]*): Value (.*) not in range (\\S+) to (\\S+)");
    static const std::regex notConverted("Could not convert: (\\S+) = (.*)");
    static const std::regex required("(.*) is required");
    static const std::regex withoutValue("(-[^:]*): 1 required (.*) missing");
    std::smatch match;
    if (std::regex_match(text, match, notInRange))
        return fmt::format("{} {}: must be a whole number, {} to {}", match.str(1), match.str(2), match.str(3),
                           match.str(4));
    if (std::regex_match(text, match, notConverted))
        return fmt::format("{} {}: must be a whole number", match.str(1), match.str(2));
    if (std::regex_match(text, match, required))
        return "missing: " + match.str(1);
    if (std::regex_match(text, match, withoutValue))
        return fmt::format("{}: its value is missing: {}", match.str(1), match.str(2));
    return text;
}

} // namespace

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const
{
    static const std::regex range(":(?:U?INT|UINT64|FLOAT) in \\[(\\S+) - (\\S+)\\]");
    return std::regex_replace(CLI::Formatter::make_option_opts(option), range, " ($1 to $2)");
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

std::string messageFor(const CLI::App& app, const CLI::ParseError& error)
{
    const CLI::App& command = commandOf(app);
    const std::string name = nameOf(command);
    const std::string said = error.what();
    static const std::regex notExpected("The following arguments? (?:was|were) not expected: (\\S+).*");
    std::smatch match;
    const std::string text =
        std::regex_match(said, match, notExpected) ? unexpected(command, match.str(1)) : reworded(said);
    const bool hasPlace = text.front() == '-' || text.rfind("strobe", 0) == 0; // else the command is the place
    return fmt::format("{}{}\n{} --help explains the command.", hasPlace ? "" : name + ": ", text, name);
}

} // namespace strobe::platform
