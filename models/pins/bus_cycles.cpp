// SPDX-License-Identifier: Apache-2.0
#include "models/pins/bus_cycles.h"

namespace strobe::pins {

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
    const bool byStrobe =
        model_.signalling == Signalling::SourceSynchronous || model_.signalling == Signalling::DataStrobe;
    byStrobe ? writeByDataStrobe(count, bytes) : writeByWriteEnable(count, bytes);
}

void BusPen::read(std::uint32_t count, bool whole, const ByteSource& bytes)
{
    if (count == 0)
        return;
    switch (model_.signalling) {
    case Signalling::Conventional: readConventional(count, bytes); break;
    case Signalling::DataValidStrobe: readDataValidStrobe(count, whole, bytes); break;
    case Signalling::SourceSynchronous:
    case Signalling::DataStrobe: readDataStrobe(count, whole, bytes); break;
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

} // namespace strobe::pins
