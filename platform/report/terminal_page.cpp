// SPDX-License-Identifier: Apache-2.0
#include "platform/report/terminal_page.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

constexpr std::size_t width = 98;

} // namespace

std::string TerminalPage::marked(const std::string& text, const char* code) const
{
    return hasColour_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

void TerminalPage::heading(const std::string& text)
{
    add("\n" + marked(text, "1") + "\n");
}

void TerminalPage::paragraph(const std::string& text, std::size_t indent)
{
    for (const std::string& line : wrapped(text, width - indent))
        add(std::string(indent, ' ') + line + "\n");
}

void TerminalPage::failure(const std::string& text, const std::vector<std::string>& details)
{
    add("  " + marked(text, "1;31") + "\n");
    for (const std::string& detail : details)
        paragraph(detail, 4);
}

} // namespace strobe::platform
