// SPDX-License-Identifier: Apache-2.0
#include "models/pins/command_sequences.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::pins {

using nand::Form;
using nand::Opcode;

namespace {

constexpr SequenceStep command(std::uint8_t byte)
{
    return {Act::Command, byte};
}
Steps read(std::uint8_t confirm)
{
    return {command(0x00), {Act::Column}, {Act::Row}, command(confirm)};
}
Steps withReferences(const Steps& request) // SET FEATURES before it
{
    Steps steps{command(0xEF), {Act::FeatureAddress}, {Act::Tadl}, {Act::Parameters}, {Act::Tfeat}};
    steps.insert(steps.end(), request.begin(), request.end());
    return steps;
}
Steps program(std::uint8_t confirm)
{
    return {command(0x80), {Act::Column}, {Act::Row}, {Act::Tadl}, {Act::In}, command(confirm)};
}
Steps erase(std::uint8_t confirm)
{
    return {command(0x60), {Act::Row}, command(confirm)};
}

std::vector<Sequence> makeSequences()
{
    const Steps dataOut{{Act::Out}};
    const Steps planeData{command(0x06), {Act::Column}, {Act::Row}, command(0xE0), {Act::Tccs}, {Act::Out}};
    const Steps planeReady{command(0x78), {Act::Row}, {Act::Twhr},   {Act::Status}, command(0x06),
                           {Act::Column}, {Act::Row}, command(0xE0), {Act::Tccs},   {Act::Out}};
    const Steps status{command(0x70), {Act::Twhr}, {Act::Status}};
    const Steps planeStatus{command(0x78), {Act::Row}, {Act::Twhr}, {Act::Status}};
    const Steps copyOut{command(0x00), {Act::Column}, {Act::SourceRow}, command(0x35)};
    const Steps copyIn{command(0x85), {Act::Column}, {Act::Row}, {Act::Replace}, command(0x10)};
    Steps copy = copyOut;
    copy.insert(copy.end(), {command(0x85), {Act::Column}, {Act::Row}, command(0x10)});

    const auto fetched = [](Form form, Steps request, const Steps& response, Gap gap = Gap::Trr) {
        return Sequence{form, Opcode::Read, std::move(request), response, true, false, gap};
    };
    const auto changed = [](Form form, Opcode opcode, Steps request, const Steps& response, Gap gap = Gap::Poll) {
        return Sequence{form, opcode, std::move(request), response, true, true, gap};
    };
    const auto suspended = [](Opcode opcode, std::uint8_t byte) {
        return Sequence{Form::Suspend, opcode, {command(byte)}, {}, true, false, Gap::Poll};
    };
    return {
        fetched(Form::Alone, read(0x30), dataOut),
        changed(Form::Alone, Opcode::Program, program(0x10), status),
        changed(Form::Alone, Opcode::Erase, erase(0xD0), status),
        changed(Form::Alone, Opcode::CopyBack, copy, status),
        {Form::Alone, Opcode::ReadStatus, {command(0x70)}, {{Act::Twhr}, {Act::Status}}},
        {Form::Alone, Opcode::ReadId, {command(0x90), {Act::IdAddress}}, {{Act::Twhr}, {Act::Id}}},
        {Form::Alone, Opcode::Reset, {command(0xFF)}, {}, true},

        fetched(Form::Plane, read(0x32), planeData, Gap::None),
        changed(Form::Plane, Opcode::Program, program(0x11), planeStatus, Gap::None),
        changed(Form::Plane, Opcode::Erase, erase(0xD1), planeStatus, Gap::None),
        fetched(Form::LastPlane, read(0x30), planeData),
        changed(Form::LastPlane, Opcode::Program, program(0x10), planeStatus),
        changed(Form::LastPlane, Opcode::Erase, erase(0xD0), planeStatus),
        changed(Form::LastPlaneCache, Opcode::Program, program(0x15), planeStatus),

        fetched(Form::PlaneRead, read(0x30), planeReady),

        fetched(Form::References, withReferences(read(0x30)), dataOut),
        fetched(Form::Sense, withReferences(read(0x30)), dataOut),

        fetched(Form::Cache, read(0x31), dataOut),
        changed(Form::Cache, Opcode::Program, program(0x15), status),

        {Form::CopyOut,
         Opcode::CopyBack,
         copyOut,
         {command(0x05), {Act::SpareColumn}, command(0xE0), {Act::Tccs}, {Act::SpareOut}},
         true,
         false,
         Gap::Trr},
        changed(Form::CopyIn, Opcode::CopyBack, copyIn, status),

        fetched(Form::Access, read(0x30), dataOut),
        changed(Form::Access, Opcode::Program, program(0x10), status),

        changed(Form::WordLinePlane, Opcode::Program, program(0x11), {}, Gap::None),
        changed(Form::WordLinePage, Opcode::Program, program(0x1A), {}, Gap::None),
        changed(Form::WordLineEnd, Opcode::Program, program(0x10), status),

        suspended(Opcode::Program, 0x84),
        suspended(Opcode::Erase, 0x61),
        changed(Form::Resume, Opcode::Program, {command(0x13)}, status),
        changed(Form::Resume, Opcode::Erase, {command(0xD2)}, status),
    };
}

bool isPageData(Act act)
{
    return act == Act::In || act == Act::Out || act == Act::SpareOut;
}

} // namespace

Steps onCommandLines(const Steps& steps)
{
    Steps all;
    bool isColumnSelected = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Act act = steps[i].act;
        if (act == Act::Out && !isColumnSelected)
            all.insert(all.end(), {command(0x05), {Act::Column}, command(0xE0), {Act::Tccs}, {Act::Select}});
        if (act == Act::Tadl && steps[i + 1].act == Act::In)
            all.push_back(command(0x12));
        if (isPageData(act))
            all.insert(all.end(), {{Act::OpenData}, steps[i], {Act::Select}, {Act::CloseData}});
        else
            all.push_back(steps[i]);
        if (act == Act::Tadl || act == Act::Tccs || act == Act::Tfeat)
            all.push_back({Act::Select});
        isColumnSelected = isColumnSelected || act == Act::Tccs;
    }
    return all;
}

const std::vector<Sequence>& sequences()
{
    static const std::vector<Sequence> all = makeSequences();
    return all;
}

const Sequence& sequenceOf(Form form, Opcode opcode)
{
    const auto& all = sequences();
    const auto row = std::find_if(all.begin(), all.end(), [form, opcode](const Sequence& sequence) {
        return sequence.form == form && sequence.opcode == opcode;
    });
    check(row != all.end(), "an opcode has no command sequence in this form");
    return *row;
}

bool takesPrefix(Form form)
{
    return form != Form::Suspend && form != Form::Resume && form != Form::CopyIn;
}

SequenceStep prefixStep(nand::PslcPrefix prefix)
{
    return command(prefix == nand::PslcPrefix::A2h ? 0xA2 : 0xDA);
}

SequenceStep snapConfirm()
{
    return command(0x20);
}

const Steps& cacheEndSteps()
{
    static const Steps steps{command(0x3F)};
    return steps;
}

} // namespace strobe::pins
