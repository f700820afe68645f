#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The layout of a text report: headings, wrapped paragraphs and tables, at most 98 columns. With colour, headings and
// errors are set off by escape sequences.

#include "platform/report/text_table.h"

#include <string>
#include <vector>

namespace strobe::platform {

class TerminalPage {
public:
    explicit TerminalPage(bool hasColour) : hasColour_(hasColour) {}

    // `code`: of an SGR escape sequence, "1" is bold; without colour the text as it is.
    std::string marked(const std::string& text, const char* code) const;
    void heading(const std::string& text);
    void paragraph(const std::string& text, std::size_t indent = 2);
    void table(const TextTable& table) { add(table.text()); }
    void failure(const std::string& text, const std::vector<std::string>& details);
    void add(const std::string& lines) { text_ += lines; } // that are laid out

    const std::string& text() const { return text_; }

private:
    bool hasColour_;
    std::string text_;
};

} // namespace strobe::platform
