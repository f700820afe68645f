// SPDX-License-Identifier: Apache-2.0
#include "models/channel/bus_steps.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::channel {

using nand::Form;
using nand::Opcode;

namespace {

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
constexpr Step select{SegmentKind::ChipEnable, "tCS", Extent::Tcs};

std::vector<Sequences> makeSequences()
{
    const Sequence readStatus{command("70h"), twhr, statusByte};
    const Sequence planeStatus{command("78h"), rowAddress, twhr, statusByte};
    const Sequence planeData{command("06h"), columnAddress, rowAddress, command("E0h"), tccs, dataOut};
    const Sequence planeStatusAndData{command("78h"), rowAddress, twhr,           statusByte, command("06h"),
                                      columnAddress,  rowAddress, command("E0h"), tccs,       dataOut};
    const auto read = [](const char* confirm) {
        return Sequence{command("00h"), columnAddress, rowAddress, command(confirm)};
    };
    const Sequence readWithReferences{command("EFh"), featureAddress, tadl,       parameters,    tfeat,
                                      command("00h"), columnAddress,  rowAddress, command("30h")};
    const auto program = [](const char* confirm) {
        return Sequence{command("80h"), columnAddress, rowAddress, tadl, dataIn, command(confirm)};
    };
    const auto erase = [](const char* confirm) { return Sequence{command("60h"), rowAddress, command(confirm)}; };
    return {
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
}

// Page data is opened and closed by packets, and what selects it is complete before.
Sequence onCommandLines(const Sequence& shared)
{
    Sequence sequence;
    const bool selectsColumn = contains(shared, SegmentKind::Wait, Extent::Tccs);
    for (const Step& step : shared) {
        const bool isPage = step.extent == Extent::PageData || step.extent == Extent::SpareRecord;
        if (isPage && step.kind == SegmentKind::DataOut && !selectsColumn)
            sequence.insert(sequence.end(), {command("05h"), columnAddress, command("E0h"), tccs, select});
        if (step.extent == Extent::Tadl && contains(shared, SegmentKind::DataIn, Extent::PageData))
            sequence.push_back(command("12h"));
        if (isPage)
            sequence.insert(sequence.end(), {command("SCE"), step, select, command("SCT")});
        else
            sequence.push_back(step);
        if (step.extent == Extent::Tadl || step.extent == Extent::Tccs || step.extent == Extent::Tfeat)
            sequence.push_back(select);
    }
    return sequence;
}

std::vector<Sequences> makeSequencesOnCommandLines()
{
    std::vector<Sequences> table = makeSequences();
    for (Sequences& row : table) {
        row.request = onCommandLines(row.request);
        row.response = onCommandLines(row.response);
    }
    return table;
}

} // namespace

const std::vector<Sequences>& sequenceTable(bool hasCommandLines)
{
    static const std::vector<Sequences> shared = makeSequences();
    static const std::vector<Sequences> separate = makeSequencesOnCommandLines();
    return hasCommandLines ? separate : shared;
}

const Sequences& sequencesOf(const nand::Operation& op, bool hasCommandLines)
{
    const auto& table = sequenceTable(hasCommandLines);
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const Sequences& r) { return r.form == op.form && r.opcode == op.opcode; });
    check(row != table.end(), "an opcode has no bus sequence in this form");
    return *row;
}

// Whether the request begins with the part's prefix in pSLC mode.
bool takesPrefix(Form form, Opcode opcode)
{
    const bool isOnArray =
        opcode == Opcode::Read || opcode == Opcode::Program || opcode == Opcode::Erase || opcode == Opcode::CopyBack;
    return isOnArray && form != Form::Suspend && form != Form::Resume && form != Form::CopyIn;
}

const Sequence& columnOfReplaced()
{
    static const Sequence again{command("85h"), columnAddress};
    return again;
}

const Sequence& beforeReplaced(bool hasCommandLines)
{
    static const Sequence shared{tadl};
    static const Sequence separate{command("12h"), tadl, select, command("SCE")};
    return hasCommandLines ? separate : shared;
}

const Sequence& afterReplaced(bool hasCommandLines)
{
    static const Sequence shared;
    static const Sequence separate{select, command("SCT")};
    return hasCommandLines ? separate : shared;
}

bool contains(const Sequence& sequence, SegmentKind kind, Extent extent)
{
    return std::any_of(sequence.begin(), sequence.end(),
                       [&](const Step& s) { return s.kind == kind && s.extent == extent; });
}

} // namespace strobe::channel
