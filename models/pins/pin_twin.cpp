// SPDX-License-Identifier: Apache-2.0
#include "models/pins/pin_twin.h"

#include "models/nand/snap_read.h"

#include <algorithm>

namespace strobe::pins {

using nand::Form;
using nand::Opcode;

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

// Number of records that the operation carries.
std::uint64_t recordsOf(const nand::Operation& op)
{
    if (op.moreSpares == nullptr || op.sectors == 0)
        return 1;
    return (op.firstSector + op.sectors - 1) / nand::sectorsPerRecord - op.firstSector / nand::sectorsPerRecord + 1;
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

// Writes the steps of one tenure.
struct PinTwin::Writer {
    const PinTwin& twin;
    const nand::Operation& op;
    std::optional<std::uint32_t> bytes; // of each run of page data, instead of the length of its sectors
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
    void command(std::uint8_t byte)
    {
        stretch(hexadecimal(byte), std::string(cycleNames(twin.model_.signalling).latch), [&] { pen.command(byte); });
    }
    void address(const char* label, std::uint64_t value, std::uint32_t cycles)
    {
        stretch(label, times(cycles, cycleNames(twin.model_.signalling).latch), [&] {
            for (std::uint32_t i = 0; i < cycles; ++i)
                pen.address(static_cast<std::uint8_t>(value >> (8 * i)));
        });
    }
    void column(std::uint64_t value) { address("column address", value, twin.part_.columnCycles); }
    std::uint64_t rowOf(nand::PageAddress page) const
    {
        const std::uint64_t first = std::uint64_t{page.block} * twin.part_.geometry.pagesPerBlock;
        return op.opcode == Opcode::Erase ? first : first + page.page;
    }
    std::uint64_t spareColumn() const { return twin.part_.geometry.pageBytes; }
    std::uint32_t runBytes(std::uint32_t sectors) const { return bytes ? *bytes : twin.dataBytes(sectors); }
    // Bytes moved by the previous accesses.
    std::uint64_t movedBefore() const
    {
        if (op.form != Form::Access)
            return 0;
        return std::uint64_t{twin.part_.accesses(op.sectors) - 1 - op.accesses} * runBytes(op.sectors);
    }
    std::uint64_t firstColumn() const
    {
        if (op.form != Form::CopyIn)
            return op.firstSector * sectorBytes + movedBefore();
        return op.replaced != 0   ? runsOf(op.replaced).front().first * sectorBytes
               : op.replacesSpare ? spareColumn()
                                  : 0;
    }
    void warmUp(std::uint32_t cycles, Time cycle, std::string_view name)
    {
        stretch("warm-up", times(cycles, name), [&] { pen.wait(cycle * cycles); });
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
    std::string dataRule(std::uint32_t count, std::string_view cycle) const
    {
        const std::uint32_t rate = twin.model_.timing.bytesPerCycle;
        return times(count, cycle) + (rate > 1 ? "/" + std::to_string(rate) : "");
    }
    void dataIn(std::uint32_t count, const ByteSource& source)
    {
        const channel::InterfaceTiming& t = twin.model_.timing;
        if (count == 0)
            return;
        wait("preamble", "preamble", t.dataInPreamble);
        warmUp(t.warmUpIn, t.inCycle(), cycleNames(twin.model_.signalling).dataIn);
        stretch("data in", dataRule(count, cycleNames(twin.model_.signalling).dataIn),
                [&] { pen.dataIn(count, source); });
        wait("postamble", "postamble", t.dataInPostamble);
    }
    void dataOut(const char* label, std::uint32_t count, const ByteSource& source)
    {
        const channel::InterfaceTiming& t = twin.model_.timing;
        if (count == 0)
            return;
        wait("preamble", "preamble", t.dataOutPreamble);
        warmUp(t.warmUpOut, t.outCycle(), cycleNames(twin.model_.signalling).dataOut);
        stretch(label, dataRule(count, cycleNames(twin.model_.signalling).dataOut),
                [&] { pen.dataOut(count, source); });
        wait("postamble", "postamble", t.dataOutPostamble);
    }
    // The column of the first run has gone over the bus with the row.
    void replace()
    {
        bool isFirst = true;
        const auto run = [&](std::uint64_t at, std::uint32_t count, const ByteSource& source) {
            if (!isFirst) {
                command(0x85);
                column(at);
            }
            isFirst = false;
            wait("tADL", "tADL", twin.model_.timing.tADL);
            dataIn(count, source);
        };
        for (const Run sectors : runsOf(op.replaced)) {
            const std::uint64_t at = sectors.first * sectorBytes;
            const std::uint64_t size = sectors.count * sectorBytes;
            run(at, runBytes(sectors.count), [this, at, size](std::uint32_t i) {
                return i < size ? carried(op, at + i) : std::uint8_t{0xFF}; // its share of the spare bytes
            });
        }
        if (op.replacesSpare)
            run(spareColumn(), spareRecordBytes, [this](std::uint32_t i) { return spareByte(op, i); });
    }
    void untilSampled() // an operation with its own clock
    {
        if (op.sampleAt != Time{})
            wait("sampling", "sampling", std::max(op.sampleAt - twin.model_.timing.outCycle(), Time{}));
    }
    void write(const SequenceStep& step)
    {
        const channel::InterfaceTiming& t = twin.model_.timing;
        const nand::Part& part = twin.part_;
        const auto page = [this](std::uint32_t i) { return pageByte(op, movedBefore() + i); };
        switch (step.act) {
        case Act::Command: command(step.byte); break;
        case Act::Column: column(firstColumn()); break;
        case Act::SpareColumn: column(spareColumn()); break;
        case Act::Row: address("row address", rowOf(op.target), part.rowCycles); break;
        case Act::SourceRow: address("row address", rowOf(op.source), part.rowCycles); break;
        case Act::IdAddress: address("id address", 0, 1); break;
        case Act::Tadl: wait("tADL", "tADL", t.tADL); break;
        case Act::Twhr: wait("tWHR", "tWHR", t.tWHR); break;
        case Act::Tccs: wait("tCCS", "tCCS", t.tCCS); break;
        case Act::FeatureAddress: address("feature address", nand::readReferencesFeature, 1); break;
        case Act::Parameters: { // each byte once in a cycle, so repeated on both edges of double data rate
            const std::uint32_t repeats = t.bytesPerCycle;
            dataIn(nand::featureBytes * repeats,
                   [this, repeats](std::uint32_t i) { return i / repeats == 0 ? op.readOption : std::uint8_t{0}; });
            break;
        }
        case Act::Tfeat: wait("tFEAT", "tFEAT", std::max(part.times.tFEAT, t.tWB)); break;
        case Act::In: dataIn(runBytes(op.sectors), page); break;
        case Act::Replace: replace(); break;
        case Act::Out:
            dataOut("data out", runBytes(op.sectors), page);
            untilSampled();
            break;
        case Act::SpareOut:
            dataOut("spare record", spareRecordBytes, [](std::uint32_t i) { return static_cast<std::uint8_t>(i); });
            break;
        case Act::Status:
            // An operation not yet issued to a die: ready, not write-protected.
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
    Tenure tenure(const Steps& steps, std::uint32_t chipEnable)
    {
        Tenure result;
        result.start = pen.at();
        if (!steps.empty()) {
            wait("tCS", "tCS", twin.model_.timing.tCS);
            result.firstDrive = pen.at();
            for (const SequenceStep& step : steps)
                write(step);
            waveform.select(chipEnable, result.start, pen.releasedAt());
        }
        result.end = pen.at();
        result.released = pen.releasedAt();
        return result;
    }
};

PinTwin::Tenure PinTwin::request(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable,
                                 std::optional<std::uint32_t> bytes) const
{
    Writer writer{*this, op, bytes, waveform, BusPen(model_, waveform, start)};
    Steps request = sequenceOf(op.form, op.opcode).request;
    if (nand::isSnapRead(part_, op))
        request.back() = snapConfirm();
    if (!op.pslc || !takesPrefix(op.form))
        return writer.tenure(request, chipEnable);
    Steps prefixed = request;
    const auto isFeature = [](const SequenceStep& step) { return step.act == Act::Tfeat; };
    const auto feature = std::find_if(prefixed.begin(), prefixed.end(), isFeature); // SET FEATURES comes first
    prefixed.insert(feature == prefixed.end() ? prefixed.begin() : feature + 1, prefixStep(part_.pslc.prefix));
    return writer.tenure(prefixed, chipEnable);
}

PinTwin::Tenure PinTwin::response(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable,
                                  std::optional<std::uint32_t> bytes) const
{
    if (op.outputCycle != Time{}) {
        nand::Operation plain = op;
        plain.outputCycle = {};
        return clockedAs(op).response(waveform, plain, start, chipEnable, bytes);
    }
    const Sequence& sequence = sequenceOf(op.form, op.opcode);
    const bool isLeftOut = sequence.isPolled && !model_.timing.statusAfterArray;
    Writer writer{*this, op, bytes, waveform, BusPen(model_, waveform, start)};
    return writer.tenure(isLeftOut ? Steps{} : sequence.response, chipEnable);
}

PinTwin::Tenure PinTwin::cacheEnd(Waveform& waveform, Time start, std::uint32_t chipEnable) const
{
    const nand::Operation none;
    Writer writer{*this, none, {}, waveform, BusPen(model_, waveform, start)};
    return writer.tenure(cacheEndSteps(), chipEnable);
}

// The same with the operation's clock of data out. Its bytes arrive at the latest time that their sampling allows.
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

void PinTwin::busy(Waveform& waveform, Time requestEnd, Time ready, std::uint32_t die) const
{
    const Time falls = requestEnd + model_.timing.tWB;
    if (falls >= ready)
        return;
    waveform.set(falls, {Pin::Ready, die}, 0);
    waveform.set(ready, {Pin::Ready, die}, 1);
}

std::uint32_t PinTwin::dataBytes(std::uint32_t sectors) const
{
    const std::uint64_t share = std::uint64_t{sectors} * part_.geometry.spareBytes;
    const std::uint32_t perPage = part_.geometry.sectorsPerPage();
    const std::uint64_t whole = sectors * sectorBytes + (share + perPage - 1) / perPage;
    const std::uint64_t accesses = part_.accesses(sectors);
    return static_cast<std::uint32_t>((whole + accesses - 1) / accesses);
}

} // namespace strobe::pins
