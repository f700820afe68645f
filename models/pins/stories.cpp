// SPDX-License-Identifier: Apache-2.0
#include "models/pins/stories.h"

#include "models/base/check.h"
#include "models/pins/replay.h"

#include <algorithm>

namespace strobe::pins {

using nand::Form;
using nand::Opcode;
using nand::Operation;

namespace {

constexpr std::uint32_t cachePages = 3;

enum class Kind : std::uint8_t { Alone, Planes, Cache, Halves, Suspended };

struct Plot {
    Story story;
    Kind kind;
    Opcode opcode;
};
constexpr std::array<Plot, storyTable.size()> plots{{
    {Story::Read, Kind::Alone, Opcode::Read},
    {Story::Program, Kind::Alone, Opcode::Program},
    {Story::Erase, Kind::Alone, Opcode::Erase},
    {Story::CopyBack, Kind::Alone, Opcode::CopyBack},
    {Story::Status, Kind::Alone, Opcode::ReadStatus},
    {Story::Id, Kind::Alone, Opcode::ReadId},
    {Story::Reset, Kind::Alone, Opcode::Reset},
    {Story::MultiPlaneRead, Kind::Planes, Opcode::Read},
    {Story::MultiPlaneProgram, Kind::Planes, Opcode::Program},
    {Story::MultiPlaneErase, Kind::Planes, Opcode::Erase},
    {Story::CacheRead, Kind::Cache, Opcode::Read},
    {Story::CacheProgram, Kind::Cache, Opcode::Program},
    {Story::CopyBackHalves, Kind::Halves, Opcode::CopyBack},
    {Story::ProgramSuspend, Kind::Suspended, Opcode::Program},
    {Story::EraseSuspend, Kind::Suspended, Opcode::Erase},
}};

const Plot& plotOf(Story story)
{
    const auto plot = std::find_if(plots.begin(), plots.end(), [story](const Plot& p) { return p.story == story; });
    check(plot != plots.end(), "an operation sequence has no steps");
    return *plot;
}

Operation in(Form form, Operation op)
{
    op.form = form;
    return op;
}

// A page that takes several accesses: the others, each with its own request.
void tellOtherAccesses(Replay& replay, const Operation& op, const nand::Part& part)
{
    Operation next = in(Form::Access, op);
    for (std::uint32_t left = part.accesses(op.sectors) - 1; left > 0; --left) {
        next.accesses = left - 1;
        replay.ask(next);
        replay.answer(next);
    }
}

void tellAlone(Replay& replay, const std::vector<Operation>& ops, const nand::Part& part)
{
    replay.ask(ops.front());
    replay.answer(ops.front());
    tellOtherAccesses(replay, ops.front(), part);
}

void tellPlanes(Replay& replay, const std::vector<Operation>& ops)
{
    const auto formOf = [&ops](std::size_t i) { return i + 1 < ops.size() ? Form::Plane : Form::LastPlane; };
    for (std::size_t i = 0; i < ops.size(); ++i)
        replay.ask(in(formOf(i), ops[i]));
    for (std::size_t i = 0; i < ops.size(); ++i)
        replay.answer(in(formOf(i), ops[i]));
}

// A page goes out when the next one has been requested.
void tellCacheRead(Replay& replay, const std::vector<Operation>& ops)
{
    replay.ask(ops[0]);
    for (std::size_t i = 1; i < ops.size(); ++i) {
        replay.ask(in(Form::Cache, ops[i]));
        replay.answer(ops[i - 1]);
    }
    replay.endCacheRead();
    replay.answer(ops.back());
}

// The outcome of a page is read after the next one has been accepted.
void tellCacheProgram(Replay& replay, const std::vector<Operation>& ops)
{
    replay.ask(in(Form::Cache, ops[0]));
    for (std::size_t i = 1; i < ops.size(); ++i) {
        replay.ask(in(i + 1 < ops.size() ? Form::Cache : Form::Alone, ops[i]));
        replay.answer(ops[i - 1]);
    }
    replay.answer(ops.back());
}

void tellHalves(Replay& replay, const std::vector<Operation>& ops)
{
    for (const Form half : {Form::CopyOut, Form::CopyIn}) {
        replay.ask(in(half, ops.front()));
        replay.answer(in(half, ops.front()));
    }
}

void tellSuspended(Replay& replay, const std::vector<Operation>& ops, const nand::Part& part)
{
    replay.askAndSuspend(ops[0], suspendedAfter(ops[0], part));
    replay.ask(ops[1]);
    replay.answer(ops[1]);
    tellOtherAccesses(replay, ops[1], part);
    replay.resume(ops[0]);
    replay.answer(ops[0]);
    tellOtherAccesses(replay, ops[0], part);
}

Time arrayTime(const Operation& op, const nand::Part& part)
{
    return op.opcode == Opcode::Erase ? part.times.tBERS : part.tPROG(op.target.page);
}

} // namespace

Time suspendedAfter(const Operation& op, const nand::Part& part)
{
    return arrayTime(op, part) / 2;
}

bool movesPageData(Story story)
{
    const Plot& plot = plotOf(story);
    const bool isRead = plot.opcode == Opcode::Read || plot.opcode == Opcode::Program;
    return isRead || plot.kind == Kind::Halves || plot.kind == Kind::Suspended;
}

std::string whyNot(Story story, const PinTwin& twin)
{
    const nand::Part& part = twin.part();
    const Plot& plot = plotOf(story);
    const bool isPlanes = plot.kind == Kind::Planes;
    if (part.isOverwritable() && (plot.opcode == Opcode::Erase || plot.opcode == Opcode::CopyBack))
        return "it is phase-change memory, which has neither erase nor copy-back";
    if (part.isOverwritable() && plot.kind == Kind::Cache)
        return "it is phase-change memory, which has no cache register";
    if (part.isOverwritable() && plot.kind != Kind::Alone)
        return "it is phase-change memory, whose commands are neither joined nor suspended";
    if (isPlanes && part.geometry.planes < 2)
        return "it has one plane";
    if (isPlanes && part.multiPlane == nand::MultiPlaneRule::None)
        return "it has no multi-plane commands";
    if (plot.kind != Kind::Suspended)
        return {};
    if (part.maxSuspends == 0)
        return "it cannot suspend";
    if (part.geometry.blocks() < 2)
        return "it has one block, and meanwhile only others can be read";
    const Operation op = operationsOf(story, part).front();
    const bool isErase = op.opcode == Opcode::Erase;
    const channel::InterfaceTiming& timing = twin.model().timing;
    const Time rest = isErase ? part.times.tESUSP : part.times.tPSUSP;
    if (arrayTime(op, part) - suspendedAfter(op, part) <= timing.tCS + timing.cycle + rest)
        return std::string("its ") + (isErase ? "erase" : "program") +
               " is over before the array could come to rest from half way on";
    return {};
}

std::vector<Operation> operationsOf(Story story, const nand::Part& part)
{
    const Plot& plot = plotOf(story);
    const nand::DieGeometry& geometry = part.geometry;
    const bool hasData = plot.opcode == Opcode::Read || plot.opcode == Opcode::Program;
    const std::uint32_t lastRow = geometry.blocks() / geometry.planes - 1; // of blocks, one in each plane
    Operation op;
    op.opcode = plot.opcode;
    op.target = {geometry.blocks() - 1, 1 % geometry.pagesPerBlock};
    op.source = {op.target.block, 0};
    op.sectors = hasData ? geometry.sectorsPerPage() : 0;

    std::vector<Operation> ops;
    switch (plot.kind) {
    case Kind::Alone: ops = {op}; break;
    case Kind::Planes:
        for (std::uint32_t plane = 0; plane < geometry.planes; ++plane) {
            op.target.block = lastRow * geometry.planes + plane;
            ops.push_back(op);
        }
        break;
    case Kind::Cache:
        for (std::uint32_t i = 1; i <= cachePages; ++i) {
            op.target.page = i % geometry.pagesPerBlock;
            ops.push_back(op);
        }
        break;
    case Kind::Halves:
        op.form = Form::CopyOut;
        op.replaced = geometry.sectorsPerPage() > 2 ? 0b101 : 0b1;
        op.replacesSpare = true;
        ops = {op};
        break;
    case Kind::Suspended:
        ops = {op, op};
        ops[1].opcode = Opcode::Read;
        ops[1].target.block = 0;
        ops[1].sectors = geometry.sectorsPerPage();
        break;
    }
    return ops;
}

Waveform tell(Story story, const PinTwin& twin, std::optional<std::uint32_t> bytes)
{
    const Plot& plot = plotOf(story);
    const nand::Part& part = twin.part();
    const std::vector<Operation> ops = operationsOf(story, part);
    Replay replay(twin, bytes);
    switch (plot.kind) {
    case Kind::Alone: tellAlone(replay, ops, part); break;
    case Kind::Planes: tellPlanes(replay, ops); break;
    case Kind::Cache: plot.opcode == Opcode::Read ? tellCacheRead(replay, ops) : tellCacheProgram(replay, ops); break;
    case Kind::Halves: tellHalves(replay, ops); break;
    case Kind::Suspended: tellSuspended(replay, ops, part); break;
    }
    return replay.finish();
}

} // namespace strobe::pins
