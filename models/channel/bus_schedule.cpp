// SPDX-License-Identifier: Apache-2.0
#include "models/channel/bus_schedule.h"

#include "models/base/check.h"
#include "models/nand/snap_read.h"

#include <algorithm>
#include <utility>

namespace strobe::channel {

using nand::Form;
using nand::Opcode;

namespace {

// Duration of a step of a command sequence.
enum class Extent : std::uint8_t {
    OneCycle,
    ColumnCycles,
    RowCycles,
    Tadl,
    Twhr,
    Tccs,
    PageData,
    Replaced,
    StatusByte,
    IdBytes,
    SpareRecord,
    Parameters,
    Tfeat
};

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
constexpr Step featureAddress{SegmentKind::Address, "feature address", Extent::OneCycle};
constexpr Step parameters{SegmentKind::DataIn, "data in", Extent::Parameters};
constexpr Step tfeat{SegmentKind::Wait, "tFEAT", Extent::Tfeat};
constexpr Step tadl{SegmentKind::Wait, "tADL", Extent::Tadl};
constexpr Step twhr{SegmentKind::Wait, "tWHR", Extent::Twhr};
constexpr Step tccs{SegmentKind::Wait, "tCCS", Extent::Tccs};
constexpr Step dataIn{SegmentKind::DataIn, "data in", Extent::PageData};
constexpr Step dataOut{SegmentKind::DataOut, "data out", Extent::PageData};
constexpr Step statusByte{SegmentKind::Status, "status", Extent::StatusByte};
constexpr Step idBytes{SegmentKind::DataOut, "id bytes", Extent::IdBytes};
constexpr Step spareOut{SegmentKind::DataOut, "spare record", Extent::SpareRecord};
constexpr Step replacements{SegmentKind::DataIn, "data in", Extent::Replaced};

constexpr std::uint32_t spareRecordBytes = sizeof(nand::Spare);

// Calls visit(sectors) for each run of neighbouring bits, the lowest first.
template <class Visit>
void forEachRun(std::uint64_t sectors, Visit visit)
{
    std::uint32_t run = 0;
    for (; sectors != 0; sectors >>= 1) {
        if ((sectors & 1U) != 0)
            ++run;
        else if (run != 0)
            visit(std::exchange(run, 0));
    }
    if (run != 0)
        visit(run);
}

using Sequence = std::vector<Step>;

// The meaning of R/B# high for the controller, which determines when it may continue.
enum class Notice : std::uint8_t { None, Trr, Poll };

struct Sequences {
    Form form;
    Opcode opcode;
    Sequence request;
    Sequence response;
    bool busy;             // R/B# falls after the request
    bool statusIsOptional; // the response is a status read that an interface may omit
    Notice notice;
};

// Whether the request begins with the part's prefix in pSLC mode.
bool takesPrefix(Form form, Opcode opcode)
{
    const bool isOnArray =
        opcode == Opcode::Read || opcode == Opcode::Program || opcode == Opcode::Erase || opcode == Opcode::CopyBack;
    return isOnArray && form != Form::Suspend && form != Form::Resume && form != Form::CopyIn;
}

const std::vector<Sequences>& sequenceTable()
{
    static const Sequence readStatus{command("70h"), twhr, statusByte};
    static const Sequence planeStatus{command("78h"), rowAddress, twhr, statusByte};
    static const Sequence planeData{command("06h"), columnAddress, rowAddress, command("E0h"), tccs, dataOut};
    static const Sequence planeStatusAndData{command("78h"), rowAddress, twhr,           statusByte, command("06h"),
                                             columnAddress,  rowAddress, command("E0h"), tccs,       dataOut};
    const auto read = [](const char* confirm) {
        return Sequence{command("00h"), columnAddress, rowAddress, command(confirm)};
    };
    static const Sequence readWithReferences{command("EFh"), featureAddress, tadl,       parameters,    tfeat,
                                             command("00h"), columnAddress,  rowAddress, command("30h")};
    const auto program = [](const char* confirm) {
        return Sequence{command("80h"), columnAddress, rowAddress, tadl, dataIn, command(confirm)};
    };
    const auto erase = [](const char* confirm) { return Sequence{command("60h"), rowAddress, command(confirm)}; };
    static const std::vector<Sequences> table{
        {Form::Alone, Opcode::Read, read("30h"), {dataOut}, true, false, Notice::Trr},
        {Form::Alone, Opcode::Program, program("10h"), readStatus, true, true, Notice::Poll},
        {Form::Alone, Opcode::Erase, erase("D0h"), readStatus, true, true, Notice::Poll},
        {Form::Alone,
         Opcode::CopyBack,
         {command("00h"), columnAddress, rowAddress, command("35h"), command("85h"), columnAddress, rowAddress,
          command("10h")},
         readStatus,
         true,
         true,
         Notice::Poll},
        {Form::Alone, Opcode::ReadStatus, {command("70h")}, {twhr, statusByte}, false, false, Notice::None},
        {Form::Alone, Opcode::ReadId, {command("90h"), idAddress}, {twhr, idBytes}, false, false, Notice::None},
        {Form::Alone, Opcode::Reset, {command("FFh")}, {}, true, false, Notice::None},

        {Form::Plane, Opcode::Read, read("32h"), planeData, true, false, Notice::None},
        {Form::Plane, Opcode::Program, program("11h"), planeStatus, true, true, Notice::None},
        {Form::Plane, Opcode::Erase, erase("D1h"), planeStatus, true, true, Notice::None},
        {Form::LastPlane, Opcode::Read, read("30h"), planeData, true, false, Notice::Trr},
        {Form::LastPlane, Opcode::Program, program("10h"), planeStatus, true, true, Notice::Poll},
        {Form::LastPlane, Opcode::Erase, erase("D0h"), planeStatus, true, true, Notice::Poll},
        {Form::LastPlaneCache, Opcode::Program, program("15h"), planeStatus, true, true, Notice::Poll},

        {Form::PlaneRead, Opcode::Read, read("30h"), planeStatusAndData, true, false, Notice::Trr},

        {Form::References, Opcode::Read, readWithReferences, {dataOut}, true, false, Notice::Trr},
        {Form::Sense, Opcode::Read, readWithReferences, {dataOut}, true, false, Notice::Trr},

        {Form::Cache, Opcode::Read, read("31h"), {dataOut}, true, false, Notice::Trr},
        {Form::Cache, Opcode::Program, program("15h"), readStatus, true, true, Notice::Poll},

        {Form::CopyOut,
         Opcode::CopyBack,
         {command("00h"), columnAddress, rowAddress, command("35h")},
         {command("05h"), columnAddress, command("E0h"), tccs, spareOut},
         true,
         false,
         Notice::Trr},
        {Form::CopyIn,
         Opcode::CopyBack,
         {command("85h"), columnAddress, rowAddress, replacements, command("10h")},
         readStatus,
         true,
         true,
         Notice::Poll},

        {Form::Access, Opcode::Read, read("30h"), {dataOut}, true, false, Notice::Trr},
        {Form::Access, Opcode::Program, program("10h"), readStatus, true, true, Notice::Poll},

        {Form::WordLinePlane, Opcode::Program, program("11h"), {}, true, false, Notice::None},
        {Form::WordLinePage, Opcode::Program, program("1Ah"), {}, true, false, Notice::None},
        {Form::WordLineEnd, Opcode::Program, program("10h"), readStatus, true, true, Notice::Poll},

        {Form::Suspend, Opcode::Program, {command("84h")}, {}, true, false, Notice::Poll},
        {Form::Suspend, Opcode::Erase, {command("61h")}, {}, true, false, Notice::Poll},
        {Form::Resume, Opcode::Program, {command("13h")}, readStatus, true, true, Notice::Poll},
        {Form::Resume, Opcode::Erase, {command("D2h")}, readStatus, true, true, Notice::Poll},
    };
    return table;
}

// Null: the opcode has no such form.
const Sequences* findSequences(Form form, Opcode opcode)
{
    const auto& table = sequenceTable();
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const Sequences& r) { return r.form == form && r.opcode == opcode; });
    return row == table.end() ? nullptr : &*row;
}

const Sequences& sequencesOf(const nand::Operation& op)
{
    const Sequences* row = findSequences(op.form, op.opcode);
    check(row != nullptr, "an opcode has no bus sequence in this form");
    return *row;
}

bool contains(const Sequence& sequence, const Step& step)
{
    return std::any_of(sequence.begin(), sequence.end(),
                       [&](const Step& s) { return s.kind == step.kind && s.extent == step.extent; });
}

// From the end of the last data cycle until its byte is sampled.
Time drainTime(const nand::Operation& op)
{
    return std::max(op.sampleAt - op.outputCycle, Time{});
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
    // Data clocks between preamble and postamble; `total` is the duration of all of it.
    const auto strobed = [&](const Step& step, std::uint32_t cycles, Time total, Time before, Time after,
                             const Segment& warmUp = {}) {
        if (cycles == 0)
            return;
        segments.push_back(wait(SegmentKind::Wait, "preamble", before));
        segments.push_back(warmUp);
        segments.push_back({step.kind, step.label, cycles, total - before - warmUp.duration - after, true});
        segments.push_back(wait(SegmentKind::Wait, "postamble", after));
    };
    const bool hasOwnClock = op.outputCycle != Time{};
    const Time outCycle = hasOwnClock ? op.outputCycle : timing.outCycle();
    const auto answer = [&](const Step& step, std::uint32_t cycles, Time cycle) { // status and id: whole cycles
        strobed(step, cycles, timing.dataOutPreamble + cycle * cycles + timing.dataOutPostamble, timing.dataOutPreamble,
                timing.dataOutPostamble);
    };
    const auto drain = [&] { // the last byte is on its way
        segments.push_back(wait(SegmentKind::Wait, "sampling", hasOwnClock ? drainTime(op) : Time{}));
    };
    const auto data = [&](const Step& step, std::uint32_t bytes) {
        const bool isIn = step.kind == SegmentKind::DataIn;
        const std::uint32_t cycles = (bytes + timing.bytesPerCycle - 1) / timing.bytesPerCycle;
        strobed(step, cycles, isIn ? schedule.dataInTime(bytes) : schedule.dataOutTime(bytes, outCycle),
                isIn ? timing.dataInPreamble : timing.dataOutPreamble,
                isIn ? timing.dataInPostamble : timing.dataOutPostamble,
                whole({SegmentKind::Wait, "warm-up", {}}, isIn ? timing.warmUpIn : timing.warmUpOut,
                      isIn ? timing.inCycle() : outCycle));
    };
    if (!sequence.empty() && timing.tCS > Time{})
        segments.push_back(wait(SegmentKind::ChipEnable, "tCS", timing.tCS));
    for (const Step& step : sequence) {
        switch (step.extent) {
        case Extent::OneCycle: segments.push_back(whole(step, 1, timing.cycle)); break;
        case Extent::ColumnCycles: segments.push_back(whole(step, part.columnCycles, timing.cycle)); break;
        case Extent::RowCycles: segments.push_back(whole(step, part.rowCycles, timing.cycle)); break;
        case Extent::StatusByte: answer(step, 1, timing.outCycle()); break;
        case Extent::IdBytes:
            answer(step, static_cast<std::uint32_t>(part.id.size()), outCycle);
            drain();
            break;
        case Extent::SpareRecord: data(step, spareRecordBytes); break;
        case Extent::Replaced: {
            bool isFirst = true;
            const auto run = [&](std::uint32_t bytes) {
                if (!isFirst) {
                    segments.push_back(whole(command("85h"), 1, timing.cycle));
                    segments.push_back(whole(columnAddress, part.columnCycles, timing.cycle));
                }
                isFirst = false;
                segments.push_back(wait(tadl.kind, tadl.label, timing.tADL));
                data(step, bytes);
            };
            forEachRun(op.replaced, [&](std::uint32_t sectors) { run(schedule.dataBytes(sectors)); });
            if (op.replacesSpare)
                run(spareRecordBytes);
            break;
        }
        case Extent::Parameters: data(step, nand::featureBytes * timing.bytesPerCycle); break;
        case Extent::Tfeat:
            segments.push_back(wait(step.kind, step.label, std::max(part.times.tFEAT, timing.tWB)));
            break;
        case Extent::Tadl: segments.push_back(wait(step.kind, step.label, timing.tADL)); break;
        case Extent::Tccs: segments.push_back(wait(step.kind, step.label, timing.tCCS)); break;
        case Extent::Twhr: segments.push_back(wait(step.kind, step.label, timing.tWHR)); break;
        case Extent::PageData:
            data(step, schedule.dataBytes(op.sectors));
            drain();
            break;
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
    dataIn_ = {timing.inCycle(), timing.dataInPreamble, timing.warmUpIn, timing.dataInPostamble};
    dataOut_ = {timing.outCycle(), timing.dataOutPreamble, timing.warmUpOut, timing.dataOutPostamble};
    for (std::uint32_t sectors = 0; sectors <= sectorsPerPage_; ++sectors) {
        dataIn_.sectorTimes.push_back(dataInTime(dataBytes(sectors)));
        dataOut_.sectorTimes.push_back(dataOutTime(dataBytes(sectors)));
    }
    for (const Sequences& row : sequenceTable()) {
        nand::Operation withoutData;
        withoutData.opcode = row.opcode;
        withoutData.form = row.form;
        Fixed& fixed = fixed_[index(row.form, row.opcode)];
        fixed.request = totalOf(requestSegments(withoutData));
        fixed.response = totalOf(responseSegments(withoutData));
        fixed.blind = row.busy ? timing.tWB : Time{};
        fixed.notice = row.notice == Notice::Trr    ? timing.tRR
                       : row.notice == Notice::Poll ? timing.statusPollDelay
                                                    : Time{};
        fixed.hasPrefix = takesPrefix(row.form, row.opcode);
        fixed.dataIn = contains(row.request, dataIn);
        fixed.dataOut = contains(row.response, dataOut);
    }
}

std::uint32_t BusSchedule::dataBytes(std::uint32_t sectors) const
{
    const std::uint64_t spare =
        (std::uint64_t{part_.geometry.spareBytes} * sectors + sectorsPerPage_ - 1) / sectorsPerPage_;
    const std::uint64_t bytes = sectors * sectorBytes + spare;
    const std::uint64_t accesses = part_.accesses(sectors);
    return static_cast<std::uint32_t>((bytes + accesses - 1) / accesses);
}

Time BusSchedule::dataTime(const Direction& direction, std::uint32_t bytes) const
{
    if (bytes == 0)
        return {};
    return direction.preamble + direction.cycle * direction.warmUp +
           scaled(direction.cycle, bytes, timing_.bytesPerCycle) + direction.postamble;
}

Time BusSchedule::ownClockResponse(const nand::Operation& op) const
{
    const Fixed& fixed = fixed_[index(op.form, op.opcode)];
    const Time answers = op.opcode == Opcode::ReadId
                             ? (op.outputCycle - timing_.outCycle()) * static_cast<std::int64_t>(part_.id.size())
                             : Time{};
    const Time data = fixed.dataOut ? dataOutTime(dataBytes(op.sectors), op.outputCycle) : Time{};
    return fixed.response + answers + data + drainTime(op);
}

Time BusSchedule::copyInTime(const nand::Operation& op) const
{
    const Time again = timing_.cycle * (1 + part_.columnCycles); // 85h column
    Time data{};
    Time runs{};
    const auto run = [&](Time bytes) {
        data += bytes;
        runs += again + timing_.tADL;
    };
    forEachRun(op.replaced, [&](std::uint32_t sectors) { run(sectorTime(dataIn_, sectors)); });
    if (op.replacesSpare)
        run(dataInTime(spareRecordBytes));
    const Time firstAddress = runs > Time{} ? again : Time{}; // part of the fixed time
    return fixed_[index(nand::Form::CopyIn, Opcode::CopyBack)].request + data + runs - firstAddress;
}

Time BusSchedule::arrayTime(const nand::Operation& op) const
{
    Time total{};
    for (const Segment& segment : arraySegments(op))
        total += segment.kind == SegmentKind::Array ? segment.duration : Time{};
    return total;
}

std::vector<Segment> BusSchedule::requestSegments(const nand::Operation& op) const
{
    Sequence request = sequencesOf(op).request;
    if (nand::isSnapRead(part_, op))
        request.back() = command("20h");
    if (!op.pslc || !takesPrefix(op.form, op.opcode))
        return timed(request, *this, op);
    Sequence prefixed = request;
    const auto isFeature = [](const Step& step) { return step.extent == Extent::Tfeat; };
    const auto feature = std::find_if(prefixed.begin(), prefixed.end(), isFeature); // SET FEATURES comes first
    prefixed.insert(feature == prefixed.end() ? prefixed.begin() : feature + 1,
                    command(enumName(part_.pslc.prefix).data()));
    return timed(prefixed, *this, op);
}

std::vector<Segment> BusSchedule::responseSegments(const nand::Operation& op) const
{
    const Sequences& sequences = sequencesOf(op);
    const bool leftOut = sequences.statusIsOptional && !timing_.statusAfterArray;
    return timed(leftOut ? Sequence{} : sequences.response, *this, op);
}

// Between request and response, off the bus: array time, the time added by tWB, and the delay until it is noticed.
std::vector<Segment> BusSchedule::arraySegments(const nand::Operation& op) const
{
    const nand::ArrayTimes& times = part_.times;
    std::vector<Segment> segments;
    const auto off = [&](SegmentKind kind, const char* label, Time duration) {
        if (duration > Time{})
            segments.push_back({kind, label, 0, duration, false});
    };
    const auto busy = [&](const char* label, Time duration) { off(SegmentKind::Array, label, duration); };
    const bool isErase = op.opcode == Opcode::Erase;
    if (op.form == Form::WordLinePage) {
        busy("tPBSY", times.tPBSY);
    } else if (op.form == Form::Plane || op.form == Form::WordLinePlane) {
        busy("tDBSY", times.tDBSY);
    } else if (op.form == Form::Suspend) {
        busy(isErase ? "tESUSP" : "tPSUSP", isErase ? times.tESUSP : times.tPSUSP);
    } else if (op.form == Form::Resume) { // and the remaining time
        busy(isErase ? "tERSM" : "tPRSM", isErase ? times.tERSM : times.tPRSM);
    } else if (op.form == Form::CopyOut) {
        busy("tR", part_.tR(op.source.page, op.pslc));
    } else if (op.form == Form::CopyIn) {
        busy("tPROG", part_.tPROG(op.target.page, op.pslc));
    } else if (op.form == Form::Cache || op.form == Form::LastPlaneCache) {
        busy(op.opcode == Opcode::Read ? "tRCBSY" : "tCBSY", op.opcode == Opcode::Read ? times.tRCBSY : times.tCBSY);
    } else {
        switch (op.opcode) {
        case Opcode::Read: busy("tR", nand::readTime(part_, op)); break;
        case Opcode::Program: busy("tPROG", part_.tPROG(op.target.page, op.pslc)); break;
        case Opcode::Erase: busy("tBERS", part_.tBERS(op.pslc)); break;
        case Opcode::CopyBack:
            busy("tR", part_.tR(op.source.page, op.pslc));
            busy("tPROG", part_.tPROG(op.target.page, op.pslc));
            break;
        case Opcode::Reset: busy("tRST", times.tRstIdle); break;
        case Opcode::ReadStatus:
        case Opcode::ReadId: break;
        }
    }
    const Fixed& fixed = fixed_[index(op.form, op.opcode)];
    off(SegmentKind::Wait, "tWB", fixed.blind - totalOf(segments));
    off(SegmentKind::Wait, op.opcode == Opcode::Read || op.form == Form::CopyOut ? "tRR" : "poll delay", fixed.notice);
    return segments;
}

std::vector<Segment> BusSchedule::segments(const nand::Operation& op) const
{
    std::vector<Segment> all = requestSegments(op);
    for (const auto& part : {arraySegments(op), responseSegments(op)})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace strobe::channel
