#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the command line prints about itself: help pages, and messages for mistakes, which say what was given, what is
// allowed and which help page to read.

#include <CLI/CLI.hpp>

#include <string>

namespace strobe::platform {

// Help pages with lines of at most 100 columns.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
    std::string make_subcommand(const CLI::App* command) const override;
};

// "unknown command rnu; did you mean run?": what is wrong with an argument that the group does not know.
std::string unknownIn(const CLI::App& group, const std::string& argument);

// Message for an error of the parser; `app` is the program's parser after the error.
std::string messageFor(const CLI::App& app, const CLI::ParseError& error);

} // namespace strobe::platform
