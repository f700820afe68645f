// SPDX-License-Identifier: Apache-2.0
#include "models/pins/waveform.h"

#include <algorithm>
#include <map>

namespace strobe::pins {

Waveform::Waveform(Signalling signalling, std::uint32_t chipEnables, std::uint32_t dies)
    : signalling_(signalling), chipEnables_(chipEnables), dies_(dies)
{
    for (std::size_t i = 0; i < pinCount; ++i) {
        const Pin pin = static_cast<Pin>(i);
        const std::uint32_t count = pin == Pin::ChipEnable ? chipEnables : pin == Pin::Ready ? dies : 1;
        for (std::uint32_t index = 0; index < count && !pins::nameOf(pin, signalling).text.empty(); ++index)
            lines_.push_back({pin, index});
    }
}

void Waveform::select(std::uint32_t chipEnable, Time from, Time to)
{
    selections_.push_back({chipEnable, from, to});
}

void Waveform::finish()
{
    std::sort(selections_.begin(), selections_.end(), [](const Selection& a, const Selection& b) {
        return a.chipEnable != b.chipEnable ? a.chipEnable < b.chipEnable : a.from < b.from;
    });
    for (std::size_t i = 0; i < selections_.size();) {
        Selection whole = selections_[i++];
        for (;
             i < selections_.size() && selections_[i].chipEnable == whole.chipEnable && selections_[i].from <= whole.to;
             ++i)
            whole.to = std::max(whole.to, selections_[i].to);
        set(whole.from, {Pin::ChipEnable, whole.chipEnable}, 0);
        set(whole.to, {Pin::ChipEnable, whole.chipEnable}, 1);
    }
    selections_.clear();

    std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
    const auto key = [](Line line) { return std::pair(line.pin, line.index); };
    // Backwards: the last change of a line at a time wins.
    std::map<std::pair<Pin, std::uint32_t>, Time> seen;
    std::vector<Change> kept;
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
        const auto at = seen.find(key(change->line));
        if (at != seen.end() && at->second == change->at)
            continue;
        seen[key(change->line)] = change->at;
        kept.push_back(*change);
    }
    // Forwards: drops changes to the present level.
    changes_.clear();
    std::map<std::pair<Pin, std::uint32_t>, Level> levels;
    for (const Line line : lines_)
        levels[key(line)] = idle(line);
    for (auto change = kept.rbegin(); change != kept.rend(); ++change) {
        if (levels.count(key(change->line)) == 0)
            continue; // a pin that this bus does not have
        Level& level = levels[key(change->line)];
        if (level != change->level)
            changes_.push_back(*change);
        level = change->level;
    }
    std::stable_sort(stretches_.begin(), stretches_.end(),
                     [](const Stretch& a, const Stretch& b) { return a.start < b.start; });
    std::stable_sort(captures_.begin(), captures_.end(),
                     [](const Capture& a, const Capture& b) { return a.at < b.at; });
}

std::string Waveform::indexed(std::string_view name, Line line) const
{
    const bool several = (line.pin == Pin::ChipEnable && chipEnables_ > 1) || (line.pin == Pin::Ready && dies_ > 1);
    return std::string(name) + (several ? std::to_string(line.index) : "");
}

std::string Waveform::nameOf(Line line) const
{
    return indexed(pins::nameOf(line.pin, signalling_).text, line);
}

std::string Waveform::identifierOf(Line line) const
{
    return indexed(pins::nameOf(line.pin, signalling_).identifier, line);
}

std::vector<Change> Waveform::changesOf(Line line) const
{
    std::vector<Change> result;
    std::copy_if(changes_.begin(), changes_.end(), std::back_inserter(result),
                 [line](const Change& c) { return c.line == line; });
    return result;
}

Level Waveform::levelAt(Line line, Time at) const
{
    Level level = idle(line);
    for (const Change& change : changes_) {
        if (change.at > at)
            break;
        if (change.line == line)
            level = change.level;
    }
    return level;
}

Time Waveform::end() const
{
    Time last = changes_.empty() ? Time{} : changes_.back().at;
    for (const Stretch& stretch : stretches_)
        last = std::max(last, stretch.end);
    return last;
}

} // namespace strobe::pins
