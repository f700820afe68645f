// SPDX-License-Identifier: Apache-2.0
#include "models/pins/bus_cycles.h"

#include "models/channel/line_use.h"

#include <algorithm>

namespace strobe::pins {

void BusPen::command(std::uint8_t byte)
{
    model_.signalling == Signalling::CommandLines ? packet(Header::Command, byte) : latch(Pin::CommandLatch, byte);
}

void BusPen::address(std::uint8_t byte)
{
    model_.signalling == Signalling::CommandLines ? packet(Header::Address, byte) : latch(Pin::AddressLatch, byte);
}

void BusPen::packet(Header header, std::uint8_t byte)
{
    constexpr std::uint32_t halves = 2 * channel::packetClocks;
    const Time length = model_.timing.cycle;
    const std::uint32_t bits = static_cast<std::uint32_t>(header) << 8U | byte;
    for (std::uint32_t i = 0; i < halves; ++i) {
        const Time from = at_ + length * i / halves;
        const Time to = at_ + length * (i + 1) / halves;
        const std::uint32_t pair = bits >> (2 * (halves - 1 - i)) & 3U;
        set(from, Pin::CommandLatch, static_cast<Level>(pair & 1U));
        set(from, Pin::AddressLatch, static_cast<Level>(pair >> 1U));
        clockHalf(from, to, i % 2 == 0);
        if (i + 1 == halves)
            waveform_.add(Capture{from + (to - from) / 2, from, to, model_.pins.tCAS, model_.pins.tCAH, byte, true});
    }
    at_ += length;
    set(at_, Pin::CommandLatch, 0);
    set(at_, Pin::AddressLatch, 0);
}

void BusPen::answerOnCommandLine(std::uint32_t count, const ByteSource& bytes)
{
    constexpr std::uint32_t halves = 2 * channel::answerClocks;
    const Time length = model_.timing.answerPeriod();
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint8_t byte = bytes(k);
        for (std::uint32_t i = 0; i < halves; ++i) {
            const Time from = at_ + length * i / halves;
            const Time to = at_ + length * (i + 1) / halves;
            set(from, Pin::AddressLatch, static_cast<Level>(byte >> (halves - 1 - i) & 1U));
            clockHalf(from, to, i % 2 == 0);
            if (i + 1 == halves)
                waveform_.add(
                    Capture{from + (to - from) / 2, from, to, model_.pins.tCAS, model_.pins.tCAH, byte, false});
        }
        at_ += length;
    }
    set(at_, Pin::AddressLatch, 0);
}

// CA_CLK has its edge in the middle, where what is on CA is latched.
void BusPen::clockHalf(Time from, Time to, bool isFirst)
{
    set(from + (to - from) / 2, Pin::Write, isFirst ? 1 : 0);
}

// One command or address cycle.
void BusPen::latch(Pin pin, std::uint8_t byte)
{
    const Time cycle = model_.timing.cycle;
    const Time end = at_ + cycle;
    set(at_, pin, 1);
    set(at_, Pin::Data, byte);
    Time edge = at_ + cycle / 2;
    if (model_.signalling == Signalling::SourceSynchronous) {
        set(edge, Pin::Write, 1);
        set(end, Pin::Write, 0);
    } else {
        // The strobe of a double data rate burst may have been high for a moment only.
        const bool centred = model_.signalling == Signalling::DataValidStrobe && isDoubleRate();
        edge = centred ? at_ + cycle * 3 / 4 : edge;
        set(centred ? at_ + cycle / 4 : at_, Pin::Write, 0);
        set(edge, Pin::Write, 1);
    }
    capture(edge, at_, end, byte, true);
    set(end, pin, 0);
    set(end, Pin::Data, highImpedance);
    at_ = end;
}

void BusPen::dataIn(std::uint32_t count, const ByteSource& bytes)
{
    if (count == 0)
        return;
    const bool byWriteEnable =
        model_.signalling == Signalling::Conventional || model_.signalling == Signalling::DataValidStrobe;
    byWriteEnable ? writeByWriteEnable(count, bytes) : writeByDataStrobe(count, bytes);
}

void BusPen::read(std::uint32_t count, bool whole, const ByteSource& bytes)
{
    if (count == 0)
        return;
    switch (model_.signalling) {
    case Signalling::Conventional: readConventional(count, bytes); break;
    case Signalling::DataValidStrobe: readDataValidStrobe(count, whole, bytes); break;
    case Signalling::SourceSynchronous:
    case Signalling::DataStrobe:
    case Signalling::CommandLines: readDataStrobe(count, whole, bytes); break;
    }
}

void BusPen::capture(Time at, Time validFrom, Time validTo, std::uint8_t byte, bool byDie)
{
    const PinTiming& p = model_.pins;
    const bool byDvs = model_.signalling == Signalling::DataValidStrobe;
    Capture capture{at, validFrom, validTo, p.tDS, p.tDH, byte, byDie};
    if (!byDie) {
        capture.setUp = byDvs ? p.tIOS : p.tS;
        capture.hold = byDvs ? p.tIOH : p.tH;
    }
    waveform_.add(capture);
}

// The time of byte `number`: a cycle, or half of one.
BusPen::Slot BusPen::slot(Time start, Time cycle, bool whole, std::uint32_t number)
{
    if (whole)
        return {start + cycle * number, start + cycle * (number + 1), true};
    const Time half = (cycle + picoseconds(1)) / 2;
    const Time begin = start + cycle * (number / 2);
    return number % 2 == 0 ? Slot{begin, begin + half, true} : Slot{begin + half, begin + cycle, false};
}

// --- data cycles of each kind of signalling --------------------------------------------------------------------------

void BusPen::writeByWriteEnable(std::uint32_t count, const ByteSource& bytes)
{
    const Time cycle = model_.dataInCycle();
    Slot s{};
    for (std::uint32_t i = 0; i < count; ++i) {
        s = slot(at_, cycle, !isDoubleRate(), i);
        const std::uint8_t byte = bytes(i);
        set(s.start, Pin::Data, byte);
        if (isDoubleRate()) {
            set(s.middle(), Pin::Write, s.first ? 0 : 1);
        } else {
            set(s.start, Pin::Write, 0);
            set(s.middle(), Pin::Write, 1);
        }
        capture(s.middle(), s.start, s.end, byte, true);
    }
    set(s.end, Pin::Write, 1); // after an odd byte of double data rate
    set(s.end, Pin::Data, highImpedance);
    at_ = s.end;
}

void BusPen::writeByDataStrobe(std::uint32_t count, const ByteSource& bytes)
{
    const Time cycle = model_.dataInCycle();
    const Time warm = at_ - cycle * model_.timing.warmUpIn;
    set(warm - model_.timing.dataInPreamble, Pin::Strobe, 0);
    for (std::uint32_t i = 0; i < model_.timing.warmUpIn; ++i) {
        set(warm + cycle * i + cycle / 4, Pin::Strobe, 1);
        set(warm + cycle * i + cycle * 3 / 4, Pin::Strobe, 0);
    }
    clockAndLatches(at_, (count + 1) / 2, cycle);
    Slot s{};
    for (std::uint32_t i = 0; i < count; ++i) {
        s = slot(at_, cycle, false, i);
        const std::uint8_t byte = bytes(i);
        set(s.start, Pin::Data, byte);
        set(s.middle(), Pin::Strobe, s.first ? 1 : 0);
        capture(s.middle(), s.start, s.end, byte, true);
    }
    set(s.end, Pin::Data, highImpedance);
    set(s.end, Pin::Strobe, 0);
    set(s.end + model_.timing.dataInPostamble, Pin::Strobe, highImpedance);
    at_ = s.end;
}

void BusPen::readConventional(std::uint32_t count, const ByteSource& bytes)
{
    const PinTiming& p = model_.pins;
    const Time cycle = model_.dataOutCycle();
    const Time out = p.tOUT + p.tREA; // falling RE# to data on the controller's pads
    const auto [latency, tD] = model_.readLatch();
    for (std::uint32_t i = 0; i < count; ++i) {
        const Slot s = slot(at_, cycle, true, i);
        const std::uint8_t byte = bytes(i);
        const Time end = s.end + p.tOUT + std::min(p.tOH, p.tREA);
        set(s.start, Pin::Read, 0);
        set(s.middle(), Pin::Read, 1);
        set(s.start + out, Pin::Data, byte);
        set(end, Pin::Data, i + 1 == count ? highImpedance : unknown);
        // At the pads the latch of the FIFO seems to come tIN earlier.
        capture(s.start + cycle * latency + tD - p.tIN, s.start + out, end, byte, false);
    }
    for (std::uint32_t i = 0; i < count + latency; ++i) {
        set(at_ + cycle * i + tD, Pin::LatchClock, 1);
        set(at_ + cycle * i + tD + cycle / 2, Pin::LatchClock, 0);
    }
    at_ += cycle * count;
}

void BusPen::readDataValidStrobe(std::uint32_t count, bool whole, const ByteSource& bytes)
{
    const PinTiming& p = model_.pins;
    const Time cycle = model_.dataOutCycle();
    const Time delay = p.tRWEBDmin + p.tDLL(); // RWEB to DVS, at the die's pads
    const auto edge = [&](Time at, Level level) {
        set(at, Pin::Write, level);
        set(at + delay, Pin::Read, level);
    };
    set(at_, Pin::Read, 1);
    Slot s{};
    for (std::uint32_t i = 0; i < count; ++i) {
        s = slot(at_, cycle, whole, i);
        const std::uint8_t byte = bytes(i);
        edge(s.start, s.first ? 0 : 1);
        if (whole)
            edge(s.middle(), 1);
        set(s.start + p.tIODmax, Pin::Data, byte);
        capture(s.start + delay, s.start + p.tIODmax, s.end + p.tIODmax, byte, false);
    }
    if (s.first && !whole)
        edge(s.end, 1);
    set(s.end + p.tIODmax, Pin::Data, highImpedance);
    set(s.end + delay + cycle / 4, Pin::Read, highImpedance);
    at_ = s.end;
}

void BusPen::readDataStrobe(std::uint32_t count, bool whole, const ByteSource& bytes)
{
    const Time cycle = model_.dataOutCycle();
    const Time preamble = model_.timing.dataOutPreamble;
    const std::uint32_t warmUp = whole ? 0 : model_.timing.warmUpOut;
    const Time warm = at_ - cycle * warmUp;
    const Time begin = warm - preamble;
    const bool hasClock = model_.signalling == Signalling::SourceSynchronous;
    set(begin, Pin::Strobe, 0);
    set(begin, Pin::Read, 0);
    clockAndLatches(begin, whole ? count : (count + 1) / 2, cycle);
    const auto edge = [&](Time at, Level level) {
        set(at, Pin::Strobe, level);
        if (!hasClock)
            set(at - preamble / 2, Pin::Read, level);
    };
    for (std::uint32_t i = 0; i < warmUp; ++i) {
        edge(warm + cycle * i, 1);
        edge(warm + cycle * i + cycle / 2, 0);
    }
    Slot s{};
    for (std::uint32_t i = 0; i < count; ++i) {
        s = slot(at_, cycle, whole, i);
        const std::uint8_t byte = bytes(i);
        set(s.start, Pin::Data, byte);
        edge(s.start, s.first ? 1 : 0);
        if (whole)
            edge(s.middle(), 0);
        capture(whole ? s.start + cycle / 4 : s.middle(), s.start, s.end, byte, false);
    }
    set(s.end, Pin::Data, highImpedance);
    set(s.end, Pin::Strobe, 0);
    set(s.end + model_.timing.dataOutPostamble, Pin::Strobe, highImpedance);
    set(s.end + model_.timing.dataOutPostamble, Pin::Read, 1);
    at_ = s.end;
}

// Source-synchronous data: CLK runs, CLE and ALE are both high.
void BusPen::clockAndLatches(Time from, std::uint32_t cycles, Time cycle)
{
    if (model_.signalling != Signalling::SourceSynchronous)
        return;
    for (std::uint32_t i = 0; i < cycles; ++i) {
        set(from + cycle * i, Pin::Write, 1);
        set(from + cycle * i + cycle / 2, Pin::Write, 0);
    }
    for (const Pin pin : {Pin::CommandLatch, Pin::AddressLatch}) {
        set(from, pin, 1);
        set(from + cycle * cycles, pin, 0);
    }
}

} // namespace strobe::pins
