// SPDX-License-Identifier: Apache-2.0
#include "models/pins/tenure_writer.h"

#include <algorithm>
#include <vector>

namespace strobe::pins {

using nand::Form;
using nand::Opcode;

std::uint64_t recordsOf(const nand::Operation& op)
{
    if (op.moreSpares == nullptr || op.sectors == 0)
        return 1;
    return (op.firstSector + op.sectors - 1) / nand::sectorsPerRecord - op.firstSector / nand::sectorsPerRecord + 1;
}

namespace {

constexpr std::uint32_t spareRecordBytes = sizeof(nand::Spare);

std::string hexadecimal(std::uint8_t byte)
{
    constexpr const char* digits = "0123456789ABCDEF";
    return {digits[byte >> 4U], digits[byte & 15U], 'h'};
}

std::string times(std::size_t count, std::string_view name)
{
    return (count == 1 ? "" : std::to_string(count) + " ") + std::string(name);
}

// Byte `place` of the operation's data.
std::uint8_t carried(const nand::Operation& op, std::uint64_t place)
{
    const bool hasBytes = !op.data.empty() && op.data.mode == DataMode::Bytes;
    return hasBytes ? static_cast<std::uint8_t>(op.data.data[place]) : static_cast<std::uint8_t>(place);
}

// Firmware's records, then blank.
std::uint8_t spareByte(const nand::Operation& op, std::uint64_t place)
{
    const std::uint64_t record = place / spareRecordBytes;
    const nand::Spare& spare = record == 0              ? op.spare
                               : record < recordsOf(op) ? op.moreSpares[record - 1]
                                                        : nand::blankSpare;
    return static_cast<std::uint8_t>(spare[place % spareRecordBytes / 4] >> (place % 4 * 8));
}

// Of a read or program: data, then spare bytes.
std::uint8_t pageByte(const nand::Operation& op, std::uint64_t place)
{
    const std::uint64_t dataSize = op.sectors * sectorBytes;
    return place >= dataSize && op.sectors > 0 ? spareByte(op, place - dataSize) : carried(op, place);
}

struct Run { // of neighbouring sectors
    std::uint32_t first;
    std::uint32_t count;
};
std::vector<Run> runsOf(std::uint64_t sectors)
{
    std::vector<Run> runs;
    for (std::uint32_t i = 0; i < 64; ++i) {
        if ((sectors >> i & 1U) == 0)
            continue;
        if (!runs.empty() && runs.back().first + runs.back().count == i)
            ++runs.back().count;
        else
            runs.push_back({i, 1});
    }
    return runs;
}

} // namespace

void TenureWriter::wait(const char* label, const char* rule, Time duration)
{
    stretch(label, rule, [&] { pen_.wait(duration); });
}

void TenureWriter::command(std::uint8_t byte)
{
    stretch(hexadecimal(byte), std::string(cycleNames(model_.signalling).latch), [&] { pen_.command(byte); });
}

void TenureWriter::address(const char* label, std::uint64_t value, std::uint32_t cycles)
{
    stretch(label, times(cycles, cycleNames(model_.signalling).latch), [&] {
        for (std::uint32_t i = 0; i < cycles; ++i)
            pen_.address(static_cast<std::uint8_t>(value >> (8 * i)));
    });
}

std::uint64_t TenureWriter::rowOf(nand::PageAddress page) const
{
    const std::uint64_t first = std::uint64_t{page.block} * part_.geometry.pagesPerBlock;
    return op_.opcode == Opcode::Erase ? first : first + page.page;
}

std::uint64_t TenureWriter::movedBefore() const
{
    if (op_.form != Form::Access)
        return 0;
    return std::uint64_t{part_.accesses(op_.sectors) - 1 - op_.accesses} * runBytes(op_.sectors);
}

std::uint64_t TenureWriter::firstColumn() const
{
    if (op_.form != Form::CopyIn)
        return op_.firstSector * sectorBytes + movedBefore();
    return op_.replaced != 0 ? runsOf(op_.replaced).front().first * sectorBytes : op_.replacesSpare ? spareColumn() : 0;
}

void TenureWriter::warmUp(std::uint32_t cycles, Time cycle, std::string_view name)
{
    stretch("warm-up", times(cycles, name), [&] { pen_.wait(cycle * cycles); });
}

void TenureWriter::answer(const char* label, std::uint32_t count, const ByteSource& source)
{
    const channel::InterfaceTiming& t = model_.timing;
    if (count == 0)
        return;
    if (hasCommandLines()) {
        stretch(label, times(count, "byte on CA1"), [&] { pen_.answerOnCommandLine(count, source); });
        return;
    }
    wait("preamble", "preamble", t.dataOutPreamble);
    stretch(label, times(count, cycleNames(model_.signalling).dataOut), [&] { pen_.answer(count, source); });
    wait("postamble", "postamble", t.dataOutPostamble);
}

std::string TenureWriter::dataRule(std::uint32_t count, std::string_view cycle) const
{
    const std::uint32_t rate = model_.timing.bytesPerCycle;
    return times(count, cycle) + (rate > 1 ? "/" + std::to_string(rate) : "");
}

void TenureWriter::dataIn(std::uint32_t count, const ByteSource& source)
{
    const channel::InterfaceTiming& t = model_.timing;
    if (count == 0)
        return;
    const Time from = pen_.at();
    wait("preamble", "preamble", t.dataInPreamble);
    warmUp(t.warmUpIn, t.inCycle(), cycleNames(model_.signalling).dataIn);
    stretch("data in", dataRule(count, cycleNames(model_.signalling).dataIn), [&] { pen_.dataIn(count, source); });
    wait("postamble", "postamble", t.dataInPostamble);
    drawn_.lines.push_back({from, pen_.at(), true});
}

void TenureWriter::dataOut(const char* label, std::uint32_t count, const ByteSource& source)
{
    const channel::InterfaceTiming& t = model_.timing;
    if (count == 0)
        return;
    const Time from = pen_.at();
    wait("preamble", "preamble", t.dataOutPreamble);
    warmUp(t.warmUpOut, t.outCycle(), cycleNames(model_.signalling).dataOut);
    stretch(label, dataRule(count, cycleNames(model_.signalling).dataOut), [&] { pen_.dataOut(count, source); });
    wait("postamble", "postamble", t.dataOutPostamble);
    drawn_.lines.push_back({from, pen_.at(), true});
}

void TenureWriter::replace()
{
    bool isFirst = true;
    const auto run = [&](std::uint64_t at, std::uint32_t count, const ByteSource& source) {
        if (!isFirst) {
            command(0x85);
            column(at);
        }
        isFirst = false;
        if (!hasCommandLines()) {
            wait("tADL", "tADL", model_.timing.tADL);
            dataIn(count, source);
            return;
        }
        command(0x12);
        deselect();
        wait("tADL", "tADL", model_.timing.tADL);
        select();
        openData();
        dataIn(count, source);
        select();
        closeData();
    };
    for (const Run sectors : runsOf(op_.replaced)) {
        const std::uint64_t at = sectors.first * sectorBytes;
        const std::uint64_t size = sectors.count * sectorBytes;
        run(at, runBytes(sectors.count), [this, at, size](std::uint32_t i) {
            return i < size ? carried(op_, at + i) : std::uint8_t{0xFF}; // its share of the spare bytes
        });
    }
    if (op_.replacesSpare)
        run(spareColumn(), spareRecordBytes, [this](std::uint32_t i) { return spareByte(op_, i); });
}

void TenureWriter::untilSampled()
{
    if (op_.sampleAt != Time{})
        wait("sampling", "sampling", std::max(op_.sampleAt - model_.timing.outCycle(), Time{}));
}

void TenureWriter::write(const SequenceStep& step)
{
    const channel::InterfaceTiming& t = model_.timing;
    const nand::Part& part = part_;
    const auto page = [this](std::uint32_t i) { return pageByte(op_, movedBefore() + i); };
    switch (step.act) {
    case Act::Command: command(step.byte); break;
    case Act::Column: column(firstColumn()); break;
    case Act::SpareColumn: column(spareColumn()); break;
    case Act::Row: address("row address", rowOf(op_.target), part.rowCycles); break;
    case Act::SourceRow: address("row address", rowOf(op_.source), part.rowCycles); break;
    case Act::IdAddress: address("id address", 0, 1); break;
    case Act::Tadl:
        deselect();
        wait("tADL", "tADL", t.tADL);
        break;
    case Act::Twhr: wait("tWHR", "tWHR", t.tWHR); break;
    case Act::Tccs:
        deselect();
        wait("tCCS", "tCCS", t.tCCS);
        break;
    case Act::Select: select(); break;
    case Act::OpenData: openData(); break;
    case Act::CloseData: closeData(); break;
    case Act::FeatureAddress: address("feature address", nand::readReferencesFeature, 1); break;
    case Act::Parameters: { // each byte once in a cycle, so repeated on both edges of double data rate
        if (hasCommandLines()) {
            parameters();
            break;
        }
        const std::uint32_t repeats = t.bytesPerCycle;
        dataIn(nand::featureBytes * repeats,
               [this, repeats](std::uint32_t i) { return i / repeats == 0 ? op_.readOption : std::uint8_t{0}; });
        break;
    }
    case Act::Tfeat:
        deselect();
        wait("tFEAT", "tFEAT", std::max(part.times.tFEAT, t.tWB));
        break;
    case Act::In: dataIn(runBytes(op_.sectors), page); break;
    case Act::Replace: replace(); break;
    case Act::Out:
        dataOut("data out", runBytes(op_.sectors), page);
        untilSampled();
        break;
    case Act::SpareOut:
        dataOut("spare record", spareRecordBytes, [](std::uint32_t i) { return static_cast<std::uint8_t>(i); });
        break;
    case Act::Status:
        // An operation not yet issued to a die: ready, not write-protected.
        answer("status", 1,
               [this](std::uint32_t) -> std::uint8_t { return op_.statusByte != 0 ? op_.statusByte : 0xE0; });
        break;
    case Act::Id:
        answer("id bytes", static_cast<std::uint32_t>(part.id.size()), [&part](std::uint32_t i) { return part.id[i]; });
        untilSampled();
        break;
    }
}

Tenure TenureWriter::write(const Steps& steps, std::uint32_t chipEnable)
{
    chipEnable_ = chipEnable;
    drawn_.start = pen_.at();
    if (!steps.empty()) {
        select();
        drawn_.firstDrive = pen_.at();
        for (const SequenceStep& step : hasCommandLines() ? onCommandLines(steps) : steps)
            write(step);
        if (hasCommandLines())
            deselect();
        else
            waveform_.select(chipEnable, drawn_.start, pen_.releasedAt());
    }
    drawn_.end = pen_.at();
    drawn_.released = pen_.releasedAt();
    return drawn_;
}

void TenureWriter::select()
{
    selectedAt_ = pen_.at();
    wait("tCS", "tCS", model_.timing.tCS);
}

void TenureWriter::deselect()
{
    if (!hasCommandLines())
        return;
    if (selectedAt_ && pen_.at() > *selectedAt_) {
        waveform_.select(chipEnable_, *selectedAt_, pen_.at());
        drawn_.lines.push_back({*selectedAt_, pen_.at(), false});
    }
    selectedAt_.reset();
}

// The direction of the data is in the body. Assumed.
void TenureWriter::openData()
{
    const std::uint8_t isIn = op_.opcode == Opcode::Read || op_.form == Form::CopyOut ? 0 : 1;
    stretch("SCE", std::string(cycleNames(model_.signalling).latch),
            [&] { pen_.packet(BusPen::Header::OpenData, isIn); });
    deselect();
}

void TenureWriter::closeData()
{
    stretch("SCT", std::string(cycleNames(model_.signalling).latch),
            [&] { pen_.packet(BusPen::Header::CloseData, 0); });
}

// Of SET FEATURES on command lines.
void TenureWriter::parameters()
{
    stretch("data in", times(nand::featureBytes, cycleNames(model_.signalling).latch), [&] {
        for (std::uint32_t i = 0; i < nand::featureBytes; ++i)
            pen_.packet(BusPen::Header::Parameter, i == 0 ? op_.readOption : std::uint8_t{0});
    });
}

std::uint32_t TenureWriter::dataBytes(std::uint32_t sectors) const
{
    const std::uint64_t share = std::uint64_t{sectors} * part_.geometry.spareBytes;
    const std::uint32_t perPage = part_.geometry.sectorsPerPage();
    const std::uint64_t whole = sectors * sectorBytes + (share + perPage - 1) / perPage;
    const std::uint64_t accesses = part_.accesses(sectors);
    return static_cast<std::uint32_t>((whole + accesses - 1) / accesses);
}

} // namespace strobe::pins
