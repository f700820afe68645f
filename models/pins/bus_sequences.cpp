// SPDX-License-Identifier: Apache-2.0
#include "models/pins/bus_sequences.h"

#include "models/base/check.h"
#include "models/channel/word_lines.h"
#include "models/pins/replay.h"

#include <algorithm>

namespace strobe::pins {

using nand::Form;
using nand::Opcode;
using nand::Operation;

namespace {

constexpr std::uint32_t cachePages = 3;

enum class Kind : std::uint8_t { Alone, Planes, Cache, CachePlanes, Halves, Suspended };

struct SequenceSteps {
    BusSequence sequence;
    Kind kind;
    Opcode opcode;
    bool isPslc = false;
};
constexpr std::array<SequenceSteps, busSequenceTable.size()> sequenceSteps{{
    {BusSequence::Read, Kind::Alone, Opcode::Read},
    {BusSequence::Program, Kind::Alone, Opcode::Program},
    {BusSequence::Erase, Kind::Alone, Opcode::Erase},
    {BusSequence::CopyBack, Kind::Alone, Opcode::CopyBack},
    {BusSequence::Status, Kind::Alone, Opcode::ReadStatus},
    {BusSequence::Id, Kind::Alone, Opcode::ReadId},
    {BusSequence::Reset, Kind::Alone, Opcode::Reset},
    {BusSequence::MultiPlaneRead, Kind::Planes, Opcode::Read},
    {BusSequence::MultiPlaneProgram, Kind::Planes, Opcode::Program},
    {BusSequence::MultiPlaneErase, Kind::Planes, Opcode::Erase},
    {BusSequence::CacheRead, Kind::Cache, Opcode::Read},
    {BusSequence::CacheProgram, Kind::Cache, Opcode::Program},
    {BusSequence::CopyBackHalves, Kind::Halves, Opcode::CopyBack},
    {BusSequence::ProgramSuspend, Kind::Suspended, Opcode::Program},
    {BusSequence::EraseSuspend, Kind::Suspended, Opcode::Erase},
    {BusSequence::PslcRead, Kind::Alone, Opcode::Read, true},
    {BusSequence::PslcProgram, Kind::Alone, Opcode::Program, true},
    {BusSequence::PslcErase, Kind::Alone, Opcode::Erase, true},
    {BusSequence::MultiPlaneCacheProgram, Kind::CachePlanes, Opcode::Program},
}};

const SequenceSteps& stepsOf(BusSequence sequence)
{
    const auto steps = std::find_if(sequenceSteps.begin(), sequenceSteps.end(),
                                    [sequence](const SequenceSteps& p) { return p.sequence == sequence; });
    check(steps != sequenceSteps.end(), "an operation sequence has no steps");
    return *steps;
}

// A page that takes several accesses: the others, each with its own request.
void replayOtherAccesses(Replay& replay, const Operation& op, const nand::Part& part)
{
    Operation next = inForm(Form::Access, op);
    for (std::uint32_t left = part.accesses(op.sectors) - 1; left > 0; --left) {
        next.accesses = left - 1;
        replay.ask(next);
        replay.answer(next);
    }
}

void replayAlone(Replay& replay, const std::vector<Operation>& ops, const nand::Part& part)
{
    replay.ask(ops.front());
    replay.answer(ops.front());
    replayOtherAccesses(replay, ops.front(), part);
}

void replayPlanes(Replay& replay, const std::vector<Operation>& ops)
{
    const auto formOf = [&ops](std::size_t i) { return i + 1 < ops.size() ? Form::Plane : Form::LastPlane; };
    for (std::size_t i = 0; i < ops.size(); ++i)
        replay.ask(inForm(formOf(i), ops[i]));
    for (std::size_t i = 0; i < ops.size(); ++i)
        replay.answer(inForm(formOf(i), ops[i]));
}

bool isOfWordLine(const SequenceSteps& steps, const nand::Part& part)
{
    return part.geometry.hasWordLines() && steps.opcode == Opcode::Program && !steps.isPslc;
}

// All pages, in the forms that they have, then the outcome of each plane.
void replayWordLines(Replay& replay, const std::vector<Operation>& ops)
{
    for (const Operation& op : ops)
        replay.ask(op);
    for (const Operation& op : ops)
        replay.answer(op);
}

// The pages of a word line for each of these pages.
std::vector<Operation> wordLinesOf(const std::vector<Operation>& planes, const nand::DieGeometry& geometry)
{
    std::vector<Operation> pages;
    for (Operation op : planes) {
        for (op.target.page = 0; op.target.page < geometry.pagesPerProgram; ++op.target.page)
            pages.push_back(op);
    }
    std::vector<channel::Waiting> order;
    order.reserve(pages.size());
    for (Operation& page : pages)
        order.push_back({&page});
    channel::orderRequests(geometry, order);
    std::vector<Operation> ordered;
    ordered.reserve(order.size());
    for (const channel::Waiting& page : order)
        ordered.push_back(*page.op);
    return ordered;
}

// A page goes out when the next one has been requested.
void replayCacheRead(Replay& replay, const std::vector<Operation>& ops)
{
    replay.ask(ops[0]);
    for (std::size_t i = 1; i < ops.size(); ++i) {
        replay.ask(inForm(Form::Cache, ops[i]));
        replay.answer(ops[i - 1]);
    }
    replay.endCacheRead();
    replay.answer(ops.back());
}

// The outcome of a page is read after the next one has been accepted.
void replayCacheProgram(Replay& replay, const std::vector<Operation>& ops)
{
    replay.ask(inForm(Form::Cache, ops[0]));
    for (std::size_t i = 1; i < ops.size(); ++i) {
        replay.ask(inForm(i + 1 < ops.size() ? Form::Cache : Form::Alone, ops[i]));
        replay.answer(ops[i - 1]);
    }
    replay.answer(ops.back());
}

// The same with a page of each plane at a time.
void replayCachePlanes(Replay& replay, const std::vector<Operation>& ops, std::size_t planes)
{
    const auto formOf = [&](std::size_t i) {
        return (i + 1) % planes != 0 ? Form::Plane : i + 1 == ops.size() ? Form::LastPlane : Form::LastPlaneCache;
    };
    const auto answer = [&](std::size_t first) {
        for (std::size_t i = first; i < first + planes; ++i)
            replay.answer(inForm(formOf(i), ops[i]));
    };
    for (std::size_t first = 0; first < ops.size(); first += planes) {
        for (std::size_t i = first; i < first + planes; ++i)
            replay.ask(inForm(formOf(i), ops[i]));
        if (first != 0)
            answer(first - planes);
    }
    answer(ops.size() - planes);
}

void replayHalves(Replay& replay, const std::vector<Operation>& ops)
{
    for (const Form half : {Form::CopyOut, Form::CopyIn}) {
        replay.ask(inForm(half, ops.front()));
        replay.answer(inForm(half, ops.front()));
    }
}

void replaySuspended(Replay& replay, const std::vector<Operation>& ops, const nand::Part& part)
{
    replay.askAndSuspend(ops[0], suspendedAfter(ops[0], part));
    replay.ask(ops[1]);
    replay.answer(ops[1]);
    replayOtherAccesses(replay, ops[1], part);
    replay.resume(ops[0]);
    replay.answer(ops[0]);
    replayOtherAccesses(replay, ops[0], part);
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

bool movesPageData(BusSequence sequence)
{
    const SequenceSteps& steps = stepsOf(sequence);
    const bool isRead = steps.opcode == Opcode::Read || steps.opcode == Opcode::Program;
    return isRead || steps.kind == Kind::Halves || steps.kind == Kind::Suspended;
}

std::string unsupportedReason(BusSequence sequence, const PinTwin& twin)
{
    const nand::Part& part = twin.part();
    const SequenceSteps& steps = stepsOf(sequence);
    const bool isPlanes = steps.kind == Kind::Planes || steps.kind == Kind::CachePlanes;
    if (steps.isPslc && !part.geometry.hasPslc())
        return "it has no pSLC mode";
    if (part.isOverwritable() && (steps.opcode == Opcode::Erase || steps.opcode == Opcode::CopyBack))
        return "it is phase-change memory, which has neither erase nor copy-back";
    if (part.isOverwritable() && (steps.kind == Kind::Cache || steps.kind == Kind::CachePlanes))
        return "it is phase-change memory, which has no cache register";
    if (part.isOverwritable() && steps.kind != Kind::Alone)
        return "it is phase-change memory, whose commands are neither joined nor suspended";
    if (part.geometry.hasWordLines() && steps.opcode == Opcode::CopyBack)
        return "it programs whole word lines, and copy-backs are of single pages";
    if (isOfWordLine(steps, part) && steps.kind != Kind::Alone && steps.kind != Kind::Planes)
        return "it programs whole word lines, of which only the program and the multi-plane program are drawn";
    if (isPlanes && part.geometry.planes < 2)
        return "it has one plane";
    if (isPlanes && part.multiPlane == nand::MultiPlaneRule::None)
        return "it has no multi-plane commands";
    if (steps.kind == Kind::CachePlanes && !part.hasPlaneCache())
        return "it has no multi-plane cache programs";
    if (steps.kind != Kind::Suspended)
        return {};
    if (part.maxSuspends == 0)
        return "it cannot suspend";
    if (part.geometry.blocks() < 2)
        return "it has one block, and meanwhile only others can be read";
    const Operation op = operationsOf(sequence, part).front();
    const bool isErase = op.opcode == Opcode::Erase;
    const channel::InterfaceTiming& timing = twin.model().timing;
    const Time rest = isErase ? part.times.tESUSP : part.times.tPSUSP;
    if (arrayTime(op, part) - suspendedAfter(op, part) <= timing.tCS + timing.cycle + rest)
        return std::string("its ") + (isErase ? "erase" : "program") +
               " is over before the array could come to rest from half way on";
    return {};
}

std::vector<Operation> operationsOf(BusSequence sequence, const nand::Part& part)
{
    const SequenceSteps& steps = stepsOf(sequence);
    const nand::DieGeometry& geometry = part.geometry;
    const bool hasData = steps.opcode == Opcode::Read || steps.opcode == Opcode::Program;
    const std::uint32_t lastRow = geometry.blocks() / geometry.planes - 1; // of blocks, one in each plane
    Operation op;
    op.opcode = steps.opcode;
    op.pslc = steps.isPslc;
    op.target = {geometry.blocks() - 1, 1 % geometry.pagesPerBlock};
    op.source = {op.target.block, 0};
    op.sectors = hasData ? geometry.sectorsPerPage() : 0;

    std::vector<Operation> ops;
    switch (steps.kind) {
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
    case Kind::CachePlanes:
        for (std::uint32_t i = 0; i < cachePages * geometry.planes; ++i) {
            op.target = {lastRow * geometry.planes + i % geometry.planes,
                         (1 + i / geometry.planes) % geometry.pagesPerBlock};
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
    return isOfWordLine(steps, part) ? wordLinesOf(ops, geometry) : ops;
}

Waveform waveformOf(BusSequence sequence, const PinTwin& twin, std::optional<std::uint32_t> bytes)
{
    const SequenceSteps& steps = stepsOf(sequence);
    const nand::Part& part = twin.part();
    const std::vector<Operation> ops = operationsOf(sequence, part);
    Replay replay(twin, bytes);
    if (isOfWordLine(steps, part)) {
        replayWordLines(replay, ops);
        return replay.finish();
    }
    switch (steps.kind) {
    case Kind::Alone: replayAlone(replay, ops, part); break;
    case Kind::Planes: replayPlanes(replay, ops); break;
    case Kind::Cache:
        steps.opcode == Opcode::Read ? replayCacheRead(replay, ops) : replayCacheProgram(replay, ops);
        break;
    case Kind::CachePlanes: replayCachePlanes(replay, ops, part.geometry.planes); break;
    case Kind::Halves: replayHalves(replay, ops); break;
    case Kind::Suspended: replaySuspended(replay, ops, part); break;
    }
    return replay.finish();
}

} // namespace strobe::pins
