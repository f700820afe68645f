// SPDX-License-Identifier: Apache-2.0
#include "platform/app/ascii_waveform.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace strobe::platform {

using pins::Level;

namespace {

constexpr std::size_t mostCharacters = 12; // of an interval; longer ones are broken
constexpr std::size_t brokenCharacters = 6;

struct Interval {
    Time start{};
    std::size_t characters = 0;
    bool broken = false;
};

std::vector<Interval> intervalsOf(const pins::Waveform& waveform, Time unit)
{
    std::set<Time> times{Time{}};
    for (const pins::Change& change : waveform.changes())
        times.insert(change.at);
    for (const pins::Stretch& stretch : waveform.stretches()) {
        times.insert(stretch.start);
        times.insert(stretch.end);
    }
    std::vector<Interval> intervals;
    for (auto at = times.begin(); at != times.end(); ++at) {
        const auto next = std::next(at);
        const Time length = next == times.end() ? 2 * unit : *next - *at;
        const auto characters = static_cast<std::size_t>(std::max((length + unit / 2) / unit, std::int64_t{1}));
        const bool broken = characters > mostCharacters;
        intervals.push_back({*at, broken ? brokenCharacters : characters, broken});
    }
    return intervals;
}

char steady(Level level, bool isBus)
{
    if (level == pins::highImpedance)
        return '.';
    return level == pins::unknown ? 'x' : isBus ? ' ' : level == 0 ? '_' : '-';
}

std::string rowOf(const pins::Waveform& waveform, pins::Line line, const std::vector<Interval>& intervals)
{
    const bool isBus = line.pin == pins::Pin::Data;
    std::string row;
    std::string byte; // the rest of "|80" to be written
    Level level = waveform.idle(line);
    const std::vector<pins::Change> changes = waveform.changesOf(line);
    auto change = changes.begin();
    for (const Interval& interval : intervals) {
        std::string cells(interval.characters, ' ');
        const bool changed = change != changes.end() && change->at == interval.start;
        if (changed) {
            byte.clear();
            level = (change++)->level;
            if (isBus && level < pins::highImpedance)
                byte = fmt::format("|{:02X}", level);
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i] = steady(level, isBus);
            if (!byte.empty()) {
                cells[i] = byte.front();
                byte.erase(0, 1);
            }
        }
        if (changed && !isBus && level < pins::highImpedance)
            cells[0] = level == 0 ? '\\' : '/';
        if (interval.broken)
            cells.replace(interval.characters / 2, 2, "//");
        row += cells;
    }
    return row;
}

std::string labelsOf(const pins::Waveform& waveform, const std::vector<Interval>& intervals)
{
    std::string row;
    std::string label;
    for (const Interval& interval : intervals) {
        for (const pins::Stretch& stretch : waveform.stretches()) {
            if (stretch.start == interval.start)
                label = "|" + stretch.label;
            else if (stretch.end == interval.start)
                label = "|";
        }
        for (std::size_t i = 0; i < interval.characters; ++i) {
            row += label.empty() ? ' ' : label.front();
            label.erase(0, 1);
        }
    }
    return row;
}

} // namespace

std::string asciiWaveform(const pins::Waveform& waveform, Time unit, std::size_t width)
{
    const std::vector<Interval> intervals = intervalsOf(waveform, unit);
    std::vector<std::pair<std::string, std::string>> rows{{"", labelsOf(waveform, intervals)}};
    for (const pins::Line line : waveform.lines())
        rows.emplace_back(waveform.nameOf(line), rowOf(waveform, line, intervals));
    std::size_t names = 0;
    for (const auto& row : rows)
        names = std::max(names, row.first.size());
    const std::size_t panel = width - names - 3;
    std::string text;
    for (std::size_t from = 0; from < rows.front().second.size(); from += panel) {
        for (const auto& [name, cells] : rows) {
            std::string line = fmt::format("  {:<{}} {}", name, names, cells.substr(from, panel));
            line.erase(line.find_last_not_of(' ') + 1);
            text += line + "\n";
        }
        text += "\n";
    }
    return text;
}

} // namespace strobe::platform
