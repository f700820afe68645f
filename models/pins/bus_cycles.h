#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Draws bus cycles, one after the other, edge by edge, into a Waveform: where inside a cycle each pin changes. The pen
// is at the end of the drawing so far; the length of an operation is not decided here.
//
// Single data rate: the strobe falls when a cycle begins and rises in its middle, data is valid for the whole cycle.
// Double data rate: a byte per half cycle. Written bytes have the edge in their middle; read bytes follow the edge that
// requests them. A last odd byte takes its half cycle; the strobe returns to its idle level at its end.
// Read data, conventional: on the pads tOUT + tREA after RE# falls, latched by DCLK (every cycle, tD after the clock)
//   once tIN and tS have passed: at the minimum period that is one cycle and tD after RE# (eq. 4).
// Read data, DVS: tIOD after the edge of RWEB; DVS is that edge, tRWEBD + tDLL later: tIOS after the data (eq. 2).
// So the last byte of a read arrives after its last cycle has ended; until releasedAt() the die's drivers are on.
// ONFI strobes: written bytes have the DQS edge in their middle; read bytes begin with it, and the controller latches
//   in the middle. CLK is drawn gated, one rising edge per command and address cycle and one period per data clock; RE#
//   of NV-DDR2 and NV-DDR3 leads its data by half of the preamble.
// Separate command lines: a packet is three clocks of CA_CLK, two bits at each edge, the highest first: a header of 4
//   bits and a byte. The die latches in the middle of each half clock. A status byte is one bit at each edge, on CA1.
//   The codes of the headers are assumed.

#include "models/pins/waveform.h"

#include <algorithm>
#include <functional>

namespace strobe::pins {

using ByteSource = std::function<std::uint8_t(std::uint32_t)>;

class BusPen {
public:
    BusPen(const PinModel& model, Waveform& waveform, Time at)
        : model_(model), waveform_(waveform), at_(at), released_(at)
    {
    }

    Time at() const { return at_; }
    // The last change of what has been drawn; at() or later.
    Time releasedAt() const { return std::max(at_, released_); }

    void wait(Time duration) { at_ += duration; }
    // On separate command lines packets.
    enum class Header : std::uint8_t { Command = 1, Address, Parameter, OpenData, CloseData };
    void command(std::uint8_t byte);
    void address(std::uint8_t byte);
    void packet(Header header, std::uint8_t byte);
    void answerOnCommandLine(std::uint32_t count, const ByteSource& bytes);
    // Runs of data clocks. Preamble and warm-up cycles end at the pen, the postamble begins after it: the caller adds
    // them as waits.
    void dataIn(std::uint32_t count, const ByteSource& bytes);
    void dataOut(std::uint32_t count, const ByteSource& bytes) { read(count, model_.timing.bytesPerCycle == 1, bytes); }
    // Status and id bytes take a whole cycle each at any data rate.
    void answer(std::uint32_t count, const ByteSource& bytes) { read(count, true, bytes); }

private:
    struct Slot { // of one byte
        Time start;
        Time end;
        bool first; // of its cycle: the edge away from the idle level

        Time middle() const { return start + (end - start) / 2; }
    };
    static Slot slot(Time start, Time cycle, bool whole, std::uint32_t number);

    void latch(Pin pin, std::uint8_t byte);
    void clockHalf(Time from, Time to, bool isFirst);
    void read(std::uint32_t count, bool whole, const ByteSource& bytes);
    void writeByWriteEnable(std::uint32_t count, const ByteSource& bytes);
    void writeByDataStrobe(std::uint32_t count, const ByteSource& bytes);
    void readConventional(std::uint32_t count, const ByteSource& bytes);
    void readDataValidStrobe(std::uint32_t count, bool whole, const ByteSource& bytes);
    void readDataStrobe(std::uint32_t count, bool whole, const ByteSource& bytes);
    void clockAndLatches(Time from, std::uint32_t cycles, Time cycle);
    void set(Time at, Pin pin, Level level)
    {
        waveform_.set(at, pin, level);
        released_ = std::max(released_, at);
    }
    void capture(Time at, Time validFrom, Time validTo, std::uint8_t byte, bool byDie);
    bool isDoubleRate() const { return model_.timing.bytesPerCycle == 2; }

    const PinModel& model_;
    Waveform& waveform_;
    Time at_;
    Time released_;
};

} // namespace strobe::pins
