// SPDX-License-Identifier: Apache-2.0
#include "models/pins/pin_twin.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::pins {

using nand::Opcode;

namespace {

enum class Act : std::uint8_t {
    Command,
    Column,
    Row,
    SourceColumn,
    SourceRow,
    IdAddress,
    Tadl,
    Twhr,
    In,
    Out,
    Status,
    Id
};

struct Step {
    Act act;
    std::uint8_t byte = 0; // of a command
};

struct Sequence {
    Opcode opcode;
    std::vector<Step> request;
    std::vector<Step> response;
    bool arrayWork = false; // R/B# falls
    bool polled = false;    // the response is a status read, if there is one at all
};

const Sequence* find(Opcode opcode)
{
    static const std::vector<Step> status{{Act::Command, 0x70}, {Act::Twhr}, {Act::Status}};
    static const std::vector<Sequence> all{
        {Opcode::Read, {{Act::Command, 0x00}, {Act::Column}, {Act::Row}, {Act::Command, 0x30}}, {{Act::Out}}, true},
        {Opcode::Program,
         {{Act::Command, 0x80}, {Act::Column}, {Act::Row}, {Act::Tadl}, {Act::In}, {Act::Command, 0x10}},
         status,
         true,
         true},
        {Opcode::Erase, {{Act::Command, 0x60}, {Act::Row}, {Act::Command, 0xD0}}, status, true, true},
        {Opcode::CopyBack,
         {{Act::Command, 0x00},
          {Act::SourceColumn},
          {Act::SourceRow},
          {Act::Command, 0x35},
          {Act::Command, 0x85},
          {Act::Column},
          {Act::Row},
          {Act::Command, 0x10}},
         status,
         true,
         true},
        {Opcode::ReadStatus, {{Act::Command, 0x70}}, {{Act::Twhr}, {Act::Status}}},
        {Opcode::ReadId, {{Act::Command, 0x90}, {Act::IdAddress}}, {{Act::Twhr}, {Act::Id}}},
        {Opcode::Reset, {{Act::Command, 0xFF}}, {}, true},
    };
    const auto row = std::find_if(all.begin(), all.end(), [opcode](const Sequence& s) { return s.opcode == opcode; });
    return row == all.end() ? nullptr : &*row;
}

const Sequence& sequenceOf(Opcode opcode)
{
    const Sequence* sequence = find(opcode);
    check(sequence != nullptr, "an operation that has no waveform");
    return *sequence;
}

std::string hexadecimal(std::uint8_t byte)
{
    constexpr const char* digits = "0123456789ABCDEF";
    return {digits[byte >> 4U], digits[byte & 15U], 'h'};
}

std::string times(std::size_t count, std::string_view name)
{
    return (count == 1 ? "" : std::to_string(count) + " ") + std::string(name);
}

// Data, then firmware's record in the spare bytes, then blank.
std::uint8_t dataByte(const nand::Operation& op, std::uint32_t number)
{
    const std::size_t dataSize = op.sectors * sectorBytes;
    if (number >= dataSize && op.sectors > 0) {
        const std::size_t spare = number - dataSize;
        const std::uint32_t word = spare < sizeof(op.spare) ? op.spare[spare / 4] : 0xFFFFFFFF;
        return static_cast<std::uint8_t>(word >> (spare % 4 * 8));
    }
    if (!op.data.empty() && op.data.mode == DataMode::Bytes && number < dataSize)
        return static_cast<std::uint8_t>(op.data.data[number]);
    return static_cast<std::uint8_t>(number);
}

} // namespace

// Writes the steps of one tenure.
struct PinTwin::Writer {
    const PinTwin& twin;
    const nand::Operation& op;
    std::uint32_t bytes; // page data on the bus
    Waveform& waveform;
    BusPen pen;

    template <class Draw>
    void stretch(std::string label, std::string rule, Draw draw)
    {
        const Time start = pen.at();
        draw();
        if (pen.at() > start)
            waveform.add(Stretch{std::move(label), std::move(rule), start, pen.at(), true});
    }
    void wait(const char* label, const char* rule, Time duration)
    {
        stretch(label, rule, [&] { pen.wait(duration); });
    }
    void address(const char* label, std::uint64_t value, std::uint32_t cycles)
    {
        stretch(label, times(cycles, cycleNames(twin.model_.signalling).latch), [&] {
            for (std::uint32_t i = 0; i < cycles; ++i)
                pen.address(static_cast<std::uint8_t>(value >> (8 * i)));
        });
    }
    std::uint64_t rowOf(nand::PageAddress page) const
    {
        const std::uint64_t first = std::uint64_t{page.block} * twin.part_.geometry.pagesPerBlock;
        return op.opcode == Opcode::Erase ? first : first + page.page;
    }
    void answer(const char* label, std::uint32_t count, const ByteSource& source)
    {
        const channel::InterfaceTiming& t = twin.model_.timing;
        if (count == 0)
            return;
        wait("preamble", "preamble", t.dataOutPreamble);
        stretch(label, times(count, cycleNames(twin.model_.signalling).dataOut), [&] { pen.answer(count, source); });
        wait("postamble", "postamble", t.dataOutPostamble);
    }
    void pageData(bool isIn)
    {
        const channel::InterfaceTiming& t = twin.model_.timing;
        const CycleNames names = cycleNames(twin.model_.signalling);
        const auto source = [this](std::uint32_t i) { return dataByte(op, i); };
        if (bytes == 0)
            return;
        std::string rule = times(bytes, isIn ? names.dataIn : names.dataOut);
        if (t.bytesPerCycle > 1)
            rule += "/" + std::to_string(t.bytesPerCycle);
        wait("preamble", "preamble", isIn ? t.dataInPreamble : t.dataOutPreamble);
        stretch(isIn ? "data in" : "data out", std::move(rule),
                [&] { isIn ? pen.dataIn(bytes, source) : pen.dataOut(bytes, source); });
        wait("postamble", "postamble", isIn ? t.dataInPostamble : t.dataOutPostamble);
    }
    void untilSampled() // an operation with its own clock
    {
        if (op.sampleAt != Time{})
            wait("sampling", "sampling", std::max(op.sampleAt - twin.model_.timing.outCycle(), Time{}));
    }
    void write(const Step& step)
    {
        const channel::InterfaceTiming& t = twin.model_.timing;
        const nand::Part& part = twin.part_;
        const std::uint64_t column = op.firstSector * sectorBytes;
        switch (step.act) {
        case Act::Command:
            stretch(hexadecimal(step.byte), std::string(cycleNames(twin.model_.signalling).latch),
                    [&] { pen.command(step.byte); });
            break;
        case Act::Column:
        case Act::SourceColumn: address("column address", column, part.columnCycles); break;
        case Act::Row: address("row address", rowOf(op.target), part.rowCycles); break;
        case Act::SourceRow: address("row address", rowOf(op.source), part.rowCycles); break;
        case Act::IdAddress: address("id address", 0, 1); break;
        case Act::Tadl: wait("tADL", "tADL", t.tADL); break;
        case Act::Twhr: wait("tWHR", "tWHR", t.tWHR); break;
        case Act::In: pageData(true); break;
        case Act::Out:
            pageData(false);
            untilSampled();
            break;
        case Act::Status:
            // An operation that no die has seen yet: ready, not write-protected.
            answer("status", 1,
                   [this](std::uint32_t) -> std::uint8_t { return op.statusByte != 0 ? op.statusByte : 0xE0; });
            break;
        case Act::Id:
            answer("id bytes", static_cast<std::uint32_t>(part.id.size()),
                   [&part](std::uint32_t i) { return part.id[i]; });
            untilSampled();
            break;
        }
    }
    Tenure tenure(const std::vector<Step>& steps, std::uint32_t chipEnable)
    {
        Tenure result;
        result.start = pen.at();
        if (!steps.empty()) {
            wait("tCS", "tCS", twin.model_.timing.tCS);
            result.firstDrive = pen.at();
            for (const Step& step : steps)
                write(step);
            waveform.select(chipEnable, result.start, pen.releasedAt());
        }
        result.end = pen.at();
        result.released = pen.releasedAt();
        return result;
    }
};

bool PinTwin::knows(Opcode opcode)
{
    return find(opcode) != nullptr;
}

PinTwin::Tenure PinTwin::request(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable,
                                 std::optional<std::uint32_t> bytes) const
{
    Writer writer{*this, op, dataBytes(op, bytes), waveform, BusPen(model_, waveform, start)};
    return writer.tenure(sequenceOf(op.opcode).request, chipEnable);
}

PinTwin::Tenure PinTwin::response(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable,
                                  std::optional<std::uint32_t> bytes) const
{
    if (op.outputCycle != Time{}) {
        nand::Operation plain = op;
        plain.outputCycle = {};
        return clockedAs(op).response(waveform, plain, start, chipEnable, bytes);
    }
    Writer writer{*this, op, dataBytes(op, bytes), waveform, BusPen(model_, waveform, start)};
    return writer.tenure(hasResponse(op) ? sequenceOf(op.opcode).response : std::vector<Step>{}, chipEnable);
}

// The same with the operation's clock of data out. Its bytes arrive as late as their sample allows.
PinTwin PinTwin::clockedAs(const nand::Operation& op) const
{
    constexpr std::int64_t wholePeriod = 1'000;
    PinTwin twin = *this;
    PinTiming& pins = twin.model_.pins;
    twin.model_.timing.dataOutCycle = op.outputCycle;
    pins.alphaPermille = wholePeriod;
    pins.tREA = std::max(op.sampleAt - pins.tOUT - pins.tIN - pins.tS, Time{});
    return twin;
}

bool PinTwin::hasResponse(const nand::Operation& op) const
{
    return model_.timing.statusAfterArray || !sequenceOf(op.opcode).polled;
}

void PinTwin::busy(Waveform& waveform, const nand::Operation& op, Time requestEnd, Time ready, std::uint32_t die) const
{
    const Time falls = requestEnd + model_.timing.tWB;
    if (!sequenceOf(op.opcode).arrayWork || falls >= ready)
        return;
    waveform.set(falls, {Pin::Ready, die}, 0);
    waveform.set(ready, {Pin::Ready, die}, 1);
}

Waveform PinTwin::replay(const nand::Operation& op, std::optional<std::uint32_t> bytes) const
{
    const Sequence& sequence = sequenceOf(op.opcode);
    const nand::ArrayTimes& t = part_.times;
    Waveform waveform(model_.signalling);
    const Tenure asked = request(waveform, op, {}, 0, bytes);

    Time at = asked.end;
    const auto pass = [&](const char* label, Time duration) {
        if (duration > Time{})
            waveform.add(Stretch{label, label, at, at + duration, false});
        at += std::max(duration, Time{});
    };
    switch (op.opcode) {
    case Opcode::Read: pass("tR", t.tR); break;
    case Opcode::Program: pass("tPROG", t.tPROG); break;
    case Opcode::Erase: pass("tBERS", t.tBERS); break;
    case Opcode::CopyBack:
        pass("tR", t.tR);
        pass("tPROG", t.tPROG);
        break;
    case Opcode::Reset: pass("tRST", t.tRstIdle); break;
    default: break;
    }
    busy(waveform, op, asked.end, at);
    if (sequence.arrayWork)
        pass("tWB", asked.end + model_.timing.tWB - at);
    if (op.opcode == Opcode::Read)
        pass("tRR", model_.timing.tRR);
    else if (sequence.polled)
        pass("poll delay", model_.timing.statusPollDelay);
    response(waveform, op, at, 0, bytes);
    waveform.finish();
    return waveform;
}

std::uint32_t PinTwin::dataBytes(const nand::Operation& op, std::optional<std::uint32_t> bytes) const
{
    if (bytes)
        return *bytes;
    const std::uint64_t share = std::uint64_t{op.sectors} * part_.geometry.spareBytes;
    const std::uint32_t perPage = part_.geometry.sectorsPerPage();
    return static_cast<std::uint32_t>(op.sectors * sectorBytes + (share + perPage - 1) / perPage);
}

} // namespace strobe::pins
