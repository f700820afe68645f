#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Draws one tenure of the bus, a request or a response, as the edges of its steps (command_sequences.h). Data: an
// operation's real bytes where it carries them, else a counting pattern. The spare record that goes out with the first
// half of a copy-back is such a pattern, because operations do not carry it.

#include "models/nand/operation.h"
#include "models/nand/part.h"
#include "models/pins/bus_cycles.h"
#include "models/pins/command_sequences.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace strobe::pins {

std::uint64_t recordsOf(const nand::Operation& op); // spare records that it carries: `spare`, then `moreSpares`

// As drawn.
struct Tenure {
    Time start{};
    Time end{};        // of its last cycle
    Time firstDrive{}; // the controller's first change of the bus
    Time released{};   // the last change of any pin: data of a read arrives after its cycle
    // Separate command lines: when it takes which.
    struct Lines {
        Time from{};
        Time to{};
        bool isData = false;
    };
    std::vector<Lines> lines{};
};

class TenureWriter {
public:
    // `bytes`: of each run of page data, instead of the length of its sectors. All references must outlive the object.
    TenureWriter(const PinModel& model, const nand::Part& part, const nand::Operation& op,
                 std::optional<std::uint32_t> bytes, Waveform& waveform, Time start)
        : model_(model), part_(part), op_(op), bytes_(bytes), waveform_(waveform), pen_(model, waveform, start)
    {
    }

    // All steps, one after the other, with chip enable `chipEnable` low. No steps: a tenure of no length.
    // On separate command lines CE# is low only while they are in use. Called once.
    Tenure write(const Steps& steps, std::uint32_t chipEnable);

private:
    bool hasCommandLines() const { return model_.timing.hasCommandLines; }
    void select(); // CE# is low from here on
    void deselect();
    void openData();
    void closeData();
    void parameters();
    template <class Draw>
    void stretch(std::string label, std::string rule, Draw draw)
    {
        const Time start = pen_.at();
        draw();
        if (pen_.at() > start)
            waveform_.add(Stretch{std::move(label), std::move(rule), start, pen_.at(), true});
    }
    void wait(const char* label, const char* rule, Time duration);
    void command(std::uint8_t byte);
    void address(const char* label, std::uint64_t value, std::uint32_t cycles);
    void column(std::uint64_t value) { address("column address", value, part_.columnCycles); }
    std::uint64_t rowOf(nand::PageAddress page) const;
    std::uint64_t spareColumn() const { return part_.geometry.pageBytes; }
    std::uint32_t runBytes(std::uint32_t sectors) const { return bytes_ ? *bytes_ : dataBytes(sectors); }
    // Bytes moved by the previous accesses.
    std::uint64_t movedBefore() const;
    std::uint64_t firstColumn() const;
    void warmUp(std::uint32_t cycles, Time cycle, std::string_view name);
    void answer(const char* label, std::uint32_t count, const ByteSource& source);
    std::string dataRule(std::uint32_t count, std::string_view cycle) const;
    void dataIn(std::uint32_t count, const ByteSource& source);
    void dataOut(const char* label, std::uint32_t count, const ByteSource& source);
    // The column of the first run has gone over the bus with the row.
    void replace();
    void untilSampled(); // an operation with its own clock
    void write(const SequenceStep& step);
    std::uint32_t dataBytes(std::uint32_t sectors) const;

    const PinModel& model_;
    const nand::Part& part_;
    const nand::Operation& op_;
    std::optional<std::uint32_t> bytes_;
    Waveform& waveform_;
    BusPen pen_;
    std::uint32_t chipEnable_ = 0;
    std::optional<Time> selectedAt_;
    Tenure drawn_;
};

} // namespace strobe::pins
