// SPDX-License-Identifier: Apache-2.0
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace strobe::platform {

namespace {

struct Scale {
    double factor;
    const char* unit;
};

// Four significant digits, no exponent: 152.3, 1.523, 1523.
std::string fourDigits(double value)
{
    const double size = std::fabs(value);
    const int decimals = size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
    return fmt::format("{:.{}f}", value, decimals);
}

// The largest scale that leaves at least one, the smallest otherwise. REQUIRES: largest first.
template <std::size_t N>
std::string scaledText(double value, const std::array<Scale, N>& scales)
{
    for (const Scale& scale : scales) {
        if (std::fabs(value) >= scale.factor)
            return fourDigits(value / scale.factor) + " " + scale.unit;
    }
    return fourDigits(value / scales.back().factor) + " " + scales.back().unit;
}

} // namespace

TextTable::TextTable(std::vector<std::string> headings, std::vector<std::size_t> leftColumns)
    : rows_{std::move(headings)}, left_(std::move(leftColumns))
{
}

void TextTable::row(std::vector<std::string> cells)
{
    cells.resize(rows_.front().size());
    rows_.push_back(std::move(cells));
}

std::string TextTable::text() const
{
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& cells : rows_) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], cells[i].size());
    }
    std::string out;
    for (const auto& cells : rows_) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const bool left = std::find(left_.begin(), left_.end(), i) != left_.end();
            line += "  ";
            line += left ? fmt::format("{:<{}}", cells[i], widths[i]) : fmt::format("{:>{}}", cells[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string grouped(std::uint64_t count)
{
    std::string digits = std::to_string(count);
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, ",");
    return digits;
}

std::string counted(std::uint64_t count, std::string_view what)
{
    std::string word(what.substr(0, what.find(' ')));
    const std::string_view rest = what.substr(word.size());
    if (count == 1 && !word.empty() && word.back() == 's') {
        const bool isHissing = word.size() > 4 && word.compare(word.size() - 4, 4, "sses") == 0;
        word.resize(word.size() - (isHissing ? 2 : 1));
    }
    return fmt::format("{} {}{}", grouped(count), word, rest);
}

std::string shortTime(Time time)
{
    static constexpr std::array<Scale, 5> scales{{{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}, {1, "ps"}}};
    return time == Time{} ? "0" : scaledText(static_cast<double>(time.count()), scales);
}

std::string shortBytes(std::uint64_t bytes)
{
    static constexpr std::array<Scale, 4> scales{{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}};
    return bytes < 1000 ? std::to_string(bytes) + " B" : scaledText(static_cast<double>(bytes), scales);
}

std::string shortEnergy(double joule)
{
    static constexpr std::array<Scale, 5> scales{{{1, "J"}, {1e-3, "mJ"}, {1e-6, "uJ"}, {1e-9, "nJ"}, {1e-12, "pJ"}}};
    return joule == 0 ? "0 J" : scaledText(joule, scales);
}

std::string shortPercent(double share)
{
    return fmt::format("{:.1f} %", share * 100);
}

std::string shortNumber(double value)
{
    return value >= 1000 ? grouped(static_cast<std::uint64_t>(std::llround(value))) : fourDigits(value);
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width)
{
    std::vector<std::string> lines;
    std::string rest = text;
    while (rest.size() > width) {
        std::size_t cut = rest.rfind(' ', width);
        if (cut == std::string::npos || cut == 0)
            cut = width;
        lines.push_back(rest.substr(0, cut));
        rest.erase(0, rest[cut] == ' ' ? cut + 1 : cut);
    }
    lines.push_back(std::move(rest));
    return lines;
}

} // namespace strobe::platform
