#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Aligned tables and short quantities for the terminal. Columns are as wide as their widest cell; the first column is
// left-aligned, the others right-aligned by default.

#include "models/base/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform {

class TextTable {
public:
    explicit TextTable(std::vector<std::string> headings, std::vector<std::size_t> leftColumns = {0});
    void row(std::vector<std::string> cells);
    bool empty() const { return rows_.size() < 2; } // headings only
    std::string text() const;                       // two spaces of indent, lines end with \n

private:
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::size_t> left_;
};

std::string grouped(std::uint64_t count); // 1,234,567
// `what` begins with a word in the plural, which is cut for one: "1 address folded", "1,234 addresses folded".
std::string counted(std::uint64_t count, std::string_view what);
std::string shortTime(Time time);            // 4 digits: "152.3 us"
std::string shortBytes(std::uint64_t bytes); // decimal units: "112.3 MB"
std::string shortEnergy(double joule);       // "1.234 mJ"
std::string shortPercent(double share);      // "12.3 %"
std::string shortNumber(double value);       // 4 digits, thousands grouped
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

} // namespace strobe::platform
