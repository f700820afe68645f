// SPDX-License-Identifier: Apache-2.0
#include "models/pins/vcd.h"

#include <algorithm>
#include <array>
#include <map>

namespace strobe::pins {

namespace {

struct Scale {
    std::int64_t picoseconds;
    const char* text;
};
constexpr std::array<Scale, 7> scales{{{1'000'000, "1 us"},
                                       {100'000, "100 ns"},
                                       {10'000, "10 ns"},
                                       {1'000, "1 ns"},
                                       {100, "100 ps"},
                                       {10, "10 ps"},
                                       {1, "1 ps"}}};

std::string binary(std::uint32_t value, std::uint32_t bits)
{
    std::string text;
    for (std::uint32_t bit = bits; bit-- > 0;)
        text += static_cast<char>('0' + (value >> bit & 1U));
    return text;
}

std::string valueOf(Level level, bool isBus, const std::string& code)
{
    if (isBus)
        return "b" + (level == highImpedance ? "z" : level == unknown ? "x" : binary(level, 8)) + " " + code;
    return (level == highImpedance ? "z" : level == unknown ? "x" : std::to_string(level)) + code;
}

std::string phaseValue(const std::string& label, const std::string& code)
{
    std::string bits;
    for (const char c : label.substr(0, phaseCharacters))
        bits += binary(static_cast<unsigned char>(c), 8);
    return "b" + (bits.empty() ? "0" : bits) + " " + code;
}

// The stretches as changes of one signal. Stretches off the bus only where they cannot overlap: with a single die.
std::map<Time, std::string> phases(const Waveform& waveform)
{
    const auto& lines = waveform.lines();
    const auto dies = std::count_if(lines.begin(), lines.end(), [](Line line) { return line.pin == Pin::Ready; });
    std::map<Time, std::string> changes;
    for (const Stretch& stretch : waveform.stretches()) {
        if (stretch.onBus || dies == 1) {
            changes[stretch.start] = stretch.label;
            changes.emplace(stretch.end, "");
        }
    }
    return changes;
}

} // namespace

std::string vcdText(const Waveform& waveform, std::string_view scope, std::string_view comment)
{
    const std::map<Time, std::string> phase = phases(waveform);
    const auto isExact = [&](const Scale& scale) {
        const auto fits = [&scale](Time at) { return at.count() % scale.picoseconds == 0; };
        const auto& changes = waveform.changes();
        return std::all_of(changes.begin(), changes.end(), [&](const Change& c) { return fits(c.at); }) &&
               std::all_of(phase.begin(), phase.end(), [&](const auto& p) { return fits(p.first); });
    };
    const Scale& scale = *std::find_if(scales.begin(), scales.end() - 1, isExact);

    std::map<std::pair<Pin, std::uint32_t>, std::string> codes;
    std::string remark(comment);
    std::replace(remark.begin(), remark.end(), '$', '_'); // no keywords in it
    std::string text = "$version Strobe $end\n$comment " + remark + " $end\n$timescale " + scale.text +
                       " $end\n$scope module " + std::string(scope) + " $end\n";
    auto nextCode = [number = 0U]() mutable { // printable characters, least significant first
        std::string code;
        std::uint32_t rest = number++;
        do
            code += static_cast<char>('!' + rest % 94);
        while ((rest /= 94) > 0);
        return code;
    };
    std::string initial;
    for (const Line line : waveform.lines()) {
        const std::string code = codes[{line.pin, line.index}] = nextCode();
        const bool isBus = line.pin == Pin::Data;
        text += "$var wire " + std::string(isBus ? "8 " : "1 ") + code + " " + waveform.identifierOf(line) +
                (isBus ? " [7:0]" : "") + " $end\n";
        initial += valueOf(waveform.idle(line), isBus, code) + "\n";
    }
    const std::string phaseCode = nextCode();
    text += "$var reg " + std::to_string(phaseCharacters * 8) + " " + phaseCode + " phase $end\n";
    text += "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n" + initial + phaseValue("", phaseCode) + "\n$end\n";

    Time last{};
    const auto moveTo = [&](Time at) {
        if (at != last)
            text += "#" + std::to_string(at.count() / scale.picoseconds) + "\n";
        last = at;
    };
    auto nextPhase = phase.begin();
    const auto phasesUpTo = [&](Time at) {
        for (; nextPhase != phase.end() && nextPhase->first <= at; ++nextPhase) {
            moveTo(nextPhase->first);
            text += phaseValue(nextPhase->second, phaseCode) + "\n";
        }
    };
    for (const Change& change : waveform.changes()) {
        phasesUpTo(change.at);
        moveTo(change.at);
        text += valueOf(change.level, change.line.pin == Pin::Data, codes[{change.line.pin, change.line.index}]) + "\n";
    }
    phasesUpTo(never);
    return text;
}

} // namespace strobe::pins
