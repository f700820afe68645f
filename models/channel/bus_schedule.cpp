// SPDX-License-Identifier: Apache-2.0
#include "models/channel/bus_schedule.h"

#include "models/base/check.h"

namespace strobe::channel {

using nand::Opcode;

namespace {

// How long a step of a command sequence is.
enum class Extent : std::uint8_t { OneCycle, ColumnCycles, RowCycles, Tadl, Twhr, PageData, StatusByte, IdBytes };

struct Step {
    SegmentKind kind;
    const char* label;
    Extent extent;
};

constexpr Step command(const char* label)
{
    return {SegmentKind::Command, label, Extent::OneCycle};
}
constexpr Step columnAddress{SegmentKind::Address, "column address", Extent::ColumnCycles};
constexpr Step rowAddress{SegmentKind::Address, "row address", Extent::RowCycles};
constexpr Step idAddress{SegmentKind::Address, "id address", Extent::OneCycle};
constexpr Step tadl{SegmentKind::Wait, "tADL", Extent::Tadl};
constexpr Step twhr{SegmentKind::Wait, "tWHR", Extent::Twhr};
constexpr Step dataIn{SegmentKind::DataIn, "data in", Extent::PageData};
constexpr Step dataOut{SegmentKind::DataOut, "data out", Extent::PageData};
constexpr Step statusByte{SegmentKind::Status, "status", Extent::StatusByte};
constexpr Step idBytes{SegmentKind::DataOut, "id bytes", Extent::IdBytes};

using Sequence = std::vector<Step>;

struct Sequences {
    Opcode opcode;
    Sequence request;
    Sequence response;
    bool busy;             // R/B# falls after the request
    bool statusIsOptional; // the response is a status read that an interface may do without
};

const std::vector<Sequences>& sequenceTable()
{
    static const Sequence readStatus{command("70h"), twhr, statusByte};
    static const std::vector<Sequences> table{
        {Opcode::Read, {command("00h"), columnAddress, rowAddress, command("30h")}, {dataOut}, true, false},
        {Opcode::Program,
         {command("80h"), columnAddress, rowAddress, tadl, dataIn, command("10h")},
         readStatus,
         true,
         true},
        {Opcode::Erase, {command("60h"), rowAddress, command("D0h")}, readStatus, true, true},
        {Opcode::CopyBack,
         {command("00h"), columnAddress, rowAddress, command("35h"), command("85h"), columnAddress, rowAddress,
          command("10h")},
         readStatus,
         true,
         true},
        {Opcode::ReadStatus, {command("70h")}, {twhr, statusByte}, false, false},
        {Opcode::ReadId, {command("90h"), idAddress}, {twhr, idBytes}, false, false},
        {Opcode::Reset, {command("FFh")}, {}, true, false},
    };
    return table;
}

const Sequences& sequencesOf(Opcode opcode)
{
    const auto& table = sequenceTable();
    const auto row = std::find_if(table.begin(), table.end(), [opcode](const auto& r) { return r.opcode == opcode; });
    check(row != table.end(), "an opcode has no bus sequence");
    return *row;
}

bool contains(const Sequence& sequence, const Step& step)
{
    return std::any_of(sequence.begin(), sequence.end(),
                       [&](const Step& s) { return s.kind == step.kind && s.extent == step.extent; });
}

// One tenure of the bus: chip enable, then the steps.
std::vector<Segment> timed(const Sequence& sequence, const BusSchedule& schedule, const nand::Operation& op)
{
    const InterfaceTiming& timing = schedule.timing();
    const nand::Part& part = schedule.part();
    std::vector<Segment> segments;
    const auto whole = [](const Step& step, std::uint32_t cycles, Time cycle) {
        return Segment{step.kind, step.label, cycles, cycle * cycles, true};
    };
    const auto wait = [](SegmentKind kind, const char* label, Time duration) {
        return Segment{kind, label, 0, duration, true};
    };
    // Data clocks between preamble and postamble, `total` being what all of it takes.
    const auto strobed = [&](const Step& step, std::uint32_t cycles, Time total, Time before, Time after) {
        if (cycles == 0)
            return;
        segments.push_back(wait(SegmentKind::Wait, "preamble", before));
        segments.push_back({step.kind, step.label, cycles, total - before - after, true});
        segments.push_back(wait(SegmentKind::Wait, "postamble", after));
    };
    const auto answer = [&](const Step& step, std::uint32_t cycles) { // status and id: whole cycles
        strobed(step, cycles, timing.dataOutPreamble + timing.outCycle() * cycles + timing.dataOutPostamble,
                timing.dataOutPreamble, timing.dataOutPostamble);
    };
    if (!sequence.empty() && timing.tCS > Time{})
        segments.push_back(wait(SegmentKind::ChipEnable, "tCS", timing.tCS));
    for (const Step& step : sequence) {
        switch (step.extent) {
        case Extent::OneCycle: segments.push_back(whole(step, 1, timing.cycle)); break;
        case Extent::ColumnCycles: segments.push_back(whole(step, part.columnCycles, timing.cycle)); break;
        case Extent::RowCycles: segments.push_back(whole(step, part.rowCycles, timing.cycle)); break;
        case Extent::StatusByte: answer(step, 1); break;
        case Extent::IdBytes: answer(step, static_cast<std::uint32_t>(part.id.size())); break;
        case Extent::Tadl: segments.push_back(wait(step.kind, step.label, timing.tADL)); break;
        case Extent::Twhr: segments.push_back(wait(step.kind, step.label, timing.tWHR)); break;
        case Extent::PageData: {
            const bool isIn = step.kind == SegmentKind::DataIn;
            const std::uint32_t bytes = schedule.dataBytes(op.sectors);
            const std::uint32_t cycles = (bytes + timing.bytesPerCycle - 1) / timing.bytesPerCycle;
            strobed(step, cycles, isIn ? schedule.dataInTime(bytes) : schedule.dataOutTime(bytes),
                    isIn ? timing.dataInPreamble : timing.dataOutPreamble,
                    isIn ? timing.dataInPostamble : timing.dataOutPostamble);
            break;
        }
        }
    }
    segments.erase(std::remove_if(segments.begin(), segments.end(),
                                  [](const Segment& s) { return s.cycles == 0 && s.duration == Time{}; }),
                   segments.end());
    return segments;
}

Time totalOf(const std::vector<Segment>& segments)
{
    Time total{};
    for (const Segment& segment : segments)
        total += segment.duration;
    return total;
}

} // namespace

BusSchedule::BusSchedule(const InterfaceTiming& timing, const nand::Part& part)
    : timing_(timing), part_(part), sectorsPerPage_(part.geometry.sectorsPerPage())
{
    check(timing.cycle > Time{}, "a bus needs a clock period");
    check(timing.bytesPerCycle == 1 || timing.bytesPerCycle == 2, "a bus moves one or two bytes per cycle");
    check(sectorsPerPage_ > 0, "a page holds whole sectors");
    dataIn_ = {timing.inCycle(), timing.dataInPreamble, timing.dataInPostamble};
    dataOut_ = {timing.outCycle(), timing.dataOutPreamble, timing.dataOutPostamble};
    for (std::uint32_t sectors = 0; sectors <= sectorsPerPage_; ++sectors) {
        dataIn_.sectorTimes.push_back(dataInTime(dataBytes(sectors)));
        dataOut_.sectorTimes.push_back(dataOutTime(dataBytes(sectors)));
    }
    for (const Sequences& row : sequenceTable()) {
        nand::Operation withoutData;
        withoutData.opcode = row.opcode;
        Fixed& fixed = fixed_[index(row.opcode)];
        fixed.request = totalOf(requestSegments(withoutData));
        fixed.response = totalOf(responseSegments(withoutData));
        fixed.blind = row.busy ? timing.tWB : Time{};
        fixed.notice = row.opcode == Opcode::Read ? timing.tRR : row.statusIsOptional ? timing.statusPollDelay : Time{};
        fixed.dataIn = contains(row.request, dataIn);
        fixed.dataOut = contains(row.response, dataOut);
    }
}

std::uint32_t BusSchedule::dataBytes(std::uint32_t sectors) const
{
    const std::uint64_t spare =
        (std::uint64_t{part_.geometry.spareBytes} * sectors + sectorsPerPage_ - 1) / sectorsPerPage_;
    return static_cast<std::uint32_t>(sectors * sectorBytes + spare);
}

Time BusSchedule::dataTime(const Direction& direction, std::uint32_t bytes) const
{
    if (bytes == 0)
        return {};
    return direction.preamble + scaled(direction.cycle, bytes, timing_.bytesPerCycle) + direction.postamble;
}

Time BusSchedule::arrayTime(Opcode opcode) const
{
    Time total{};
    for (const Segment& segment : arraySegments(opcode))
        total += segment.kind == SegmentKind::Array ? segment.duration : Time{};
    return total;
}

std::vector<Segment> BusSchedule::requestSegments(const nand::Operation& op) const
{
    return timed(sequencesOf(op.opcode).request, *this, op);
}

std::vector<Segment> BusSchedule::responseSegments(const nand::Operation& op) const
{
    const Sequences& sequences = sequencesOf(op.opcode);
    const bool leftOut = sequences.statusIsOptional && !timing_.statusAfterArray;
    return timed(leftOut ? Sequence{} : sequences.response, *this, op);
}

// Between request and response, off the bus: array time, what tWB adds to it, and how long until it is noticed.
std::vector<Segment> BusSchedule::arraySegments(Opcode opcode) const
{
    const nand::ArrayTimes& times = part_.times;
    std::vector<Segment> segments;
    const auto off = [&](SegmentKind kind, const char* label, Time duration) {
        if (duration > Time{})
            segments.push_back({kind, label, 0, duration, false});
    };
    switch (opcode) {
    case Opcode::Read: off(SegmentKind::Array, "tR", times.tR); break;
    case Opcode::Program: off(SegmentKind::Array, "tPROG", times.tPROG); break;
    case Opcode::Erase: off(SegmentKind::Array, "tBERS", times.tBERS); break;
    case Opcode::CopyBack:
        off(SegmentKind::Array, "tR", times.tR);
        off(SegmentKind::Array, "tPROG", times.tPROG);
        break;
    case Opcode::Reset: off(SegmentKind::Array, "tRST", times.tRstIdle); break;
    case Opcode::ReadStatus:
    case Opcode::ReadId: break;
    }
    const Fixed& fixed = fixed_[index(opcode)];
    off(SegmentKind::Wait, "tWB", fixed.blind - totalOf(segments));
    off(SegmentKind::Wait, opcode == Opcode::Read ? "tRR" : "poll delay", fixed.notice);
    return segments;
}

std::vector<Segment> BusSchedule::segments(const nand::Operation& op) const
{
    std::vector<Segment> all = requestSegments(op);
    for (const auto& part : {arraySegments(op.opcode), responseSegments(op)})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace strobe::channel
