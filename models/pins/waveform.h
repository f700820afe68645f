#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A waveform of a set of pins: timed changes, the stretches of time that they form, and the edges at which data
// is latched. A value, made by PinTwin and read by drawing and checking code.

#include "models/pins/pin_model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::pins {

// A level: 0 or 1, on the data pins 0 to 255; or not driven; or about to change.
using Level = std::uint16_t;
inline constexpr Level highImpedance = 0x100;
inline constexpr Level unknown = 0x101;

// One wire or bus. Each chip has its own chip enable and R/B#: `index` is its number.
struct Line {
    Pin pin;
    std::uint32_t index = 0;

    friend constexpr bool operator==(Line a, Line b) { return a.pin == b.pin && a.index == b.index; }
};

struct Change {
    Time at{};
    Line line{};
    Level level = 0;
};

// A part of an operation, as a timing diagram labels it.
struct Stretch {
    std::string label; // "00h", "column address", "data out", "tR", …
    std::string rule;  // the parameter that decides its length: "4 tWC"
    Time start{};
    Time end{};
    bool onBus = true;

    Time length() const { return end - start; }
};

// A byte is taken from the data pins. Times at the controller's pads.
struct Capture {
    Time at{};
    Time validFrom{};
    Time validTo{};
    Time setUp{}; // needed before and after `at`
    Time hold{};
    std::uint8_t byte = 0;
    bool byDie = false; // else by the controller

    Time setUpMargin() const { return at - validFrom - setUp; }
    Time holdMargin() const { return validTo - at - hold; }
};

class Waveform {
public:
    // All lines of the signalling, idle; `chipEnables` and `dies` many of those.
    explicit Waveform(Signalling signalling, std::uint32_t chipEnables = 1, std::uint32_t dies = 1);

    // In any order. Among changes of a line at the same time the last one wins.
    void set(Time at, Line line, Level level) { changes_.push_back({at, line, level}); }
    void set(Time at, Pin pin, Level level) { set(at, Line{pin, 0}, level); }
    void select(std::uint32_t chipEnable, Time from, Time to); // CE# low; may touch or overlap others
    void add(Stretch stretch) { stretches_.push_back(std::move(stretch)); }
    void add(const Capture& capture) { captures_.push_back(capture); }
    // Sorts, and drops redundant changes and pins that do not exist. Called when drawing is complete.
    void finish();

    Signalling signalling() const { return signalling_; }
    const std::vector<Line>& lines() const { return lines_; }
    Level idle(Line line) const { return idleLevel(line.pin, signalling_); }
    std::string nameOf(Line line) const;       // "CE#", with its index if there are several
    std::string identifierOf(Line line) const; // "CE_n0"
    const std::vector<Change>& changes() const { return changes_; }
    const std::vector<Stretch>& stretches() const { return stretches_; }
    const std::vector<Capture>& captures() const { return captures_; }
    std::vector<Change> changesOf(Line line) const;
    Level levelAt(Line line, Time at) const; // changes at `at` have happened
    Time end() const;                        // of the last change or stretch

private:
    struct Selection {
        std::uint32_t chipEnable;
        Time from;
        Time to;
    };
    std::string indexed(std::string_view name, Line line) const;

    Signalling signalling_;
    std::uint32_t chipEnables_;
    std::uint32_t dies_;
    std::vector<Line> lines_;
    std::vector<Change> changes_;
    std::vector<Selection> selections_;
    std::vector<Stretch> stretches_;
    std::vector<Capture> captures_;
};

} // namespace strobe::pins
