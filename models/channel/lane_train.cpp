// SPDX-License-Identifier: Apache-2.0
#include "models/channel/lane_train.h"

#include "models/base/check.h"
#include "models/channel/word_lines.h"
#include "models/nand/multi_plane.h"

#include <algorithm>
#include <utility>

namespace strobe::channel {

namespace {

using nand::Form;
using nand::Opcode;

Waiting takeFront(std::vector<Waiting>& items)
{
    const Waiting front = items.front();
    items.erase(items.begin());
    return front;
}

bool mayJoinPlanes(const JoinPolicy& join, const nand::Part& part)
{
    return join.multiPlane && join.planesAtOnce > 1 && part.geometry.planes > 1;
}

// A soft read is alone, and reads under different options need SET FEATURES between them.
bool haveReferences(const nand::Operation& a, const nand::Operation& b)
{
    return a.readOption == b.readOption && a.senses == 1 && b.senses == 1;
}

bool arePlanes(const nand::Part& part, const nand::Operation& a, const nand::Operation& b)
{
    return a.opcode == b.opcode && a.pslc == b.pslc && haveReferences(a, b) &&
           areMultiPlane(part, a.opcode, a.pslc, a.target, b.target);
}

// The next operation of the queue may join a cache command after `before`: of that opcode and mode, and without a plane
// to go with.
bool isForCache(const DieQueue& queue, const nand::Operation& before, const JoinPolicy& join, const nand::Part& part)
{
    if (queue.empty() || queue.front().op->opcode != before.opcode || queue.front().op->pslc != before.pslc)
        return false;
    return !mayJoinPlanes(join, part) || queue.depth() < 2 || !arePlanes(part, *queue[0].op, *queue[1].op);
}

Time restOf(const nand::Part& part, Opcode opcode)
{
    return opcode == Opcode::Erase ? part.times.tESUSP : part.times.tPSUSP;
}

} // namespace

void LaneTrain::reserve(std::size_t operations)
{
    current_.more.reserve(std::max<std::size_t>(operations, 2));
    suspended_.more.reserve(std::max<std::size_t>(operations, 2));
}

void LaneTrain::start(DieQueue& queue, const JoinPolicy& join, const nand::Part& part, std::uint32_t readOption)
{
    Train& train = current_;
    train.first = takeHead(queue, join);
    train.kind = Kind::Single;
    train.more.clear();
    train.issued = 0;
    step_ = Step::Response;
    suspensions_ = 0;
    nand::Operation& first = *train.first.op;
    if (first.form == Form::CopyOut)
        return;
    first.form = Form::Alone;
    if (WordLines::isPart(part.geometry, first)) {
        startWordLines(queue, join, part);
        return;
    }
    if (first.opcode == Opcode::Read && first.readOption != readOption) // it begins with SET FEATURES
        return;
    std::size_t available = queue.depth(); // joined operations have the same priority
    if (mayJoinPlanes(join, part)) {
        const auto fits = [&](const nand::Operation& op) {
            return arePlanes(part, op, first) &&
                   std::all_of(train.more.begin(), train.more.end(),
                               [&](const Waiting& w) { return arePlanes(part, op, *w.op); });
        };
        for (; available > 0 && train.more.size() + 1 < join.planesAtOnce && fits(*queue.front().op); --available)
            train.more.push_back(queue.pop());
        if (!train.more.empty()) {
            train.kind = Kind::Planes;
            first.form = Form::Plane;
            for (const Waiting& w : train.more)
                w.op->form = Form::Plane;
            train.more.back().op->form = Form::LastPlane;
            return;
        }
    }
    if (join.cache && first.opcode == Opcode::Program && available > 0 && isForCache(queue, first, join, part)) {
        train.kind = Kind::CacheProgram;
        first.form = Form::Cache;
        train.more.push_back(queue.pop());
    }
}

// The word line whose first page was taken, and those of other planes that follow in the queue.
void LaneTrain::startWordLines(DieQueue& queue, const JoinPolicy& join, const nand::Part& part)
{
    Train& train = current_;
    const std::uint32_t perLine = part.geometry.pagesPerProgram;
    const auto takePages = [&](std::uint32_t pages) {
        for (std::uint32_t i = 0; i < pages; ++i)
            train.more.push_back(queue.pop());
    };
    train.kind = Kind::WordLines;
    train.more.push_back(train.first);
    takePages(perLine - 1);
    const std::size_t most = mayJoinPlanes(join, part) ? join.planesAtOnce : 1;
    std::size_t available = queue.depth();             // joined operations have the same priority
    const auto fits = [&](const nand::Operation& op) { // pages of one word line are not of different planes
        return WordLines::isPart(part.geometry, op) &&
               std::all_of(train.more.begin(), train.more.end(),
                           [&](const Waiting& w) { return arePlanes(part, op, *w.op); });
    };
    for (std::size_t lines = 1; lines < most && available != 0 && fits(*queue.front().op); ++lines) {
        takePages(perLine);
        available -= perLine;
    }
    orderRequests(part.geometry, train.more);
    train.first = takeFront(train.more);
}

// The head of the queue, or a read that passes it.
Waiting LaneTrain::takeHead(DieQueue& queue, const JoinPolicy& join)
{
    const bool mayPass = join.suspend != Suspend::None && readsInRow_ < join.suspendReads;
    const std::size_t read = mayPass ? findRead(queue, nullptr) : noRead;
    readsInRow_ = read != noRead && read > 0 ? readsInRow_ + 1 : 0;
    return read == noRead ? queue.pop() : queue.take(read);
}

// The first read of a queue that is independent of everything before it and of the suspended operation; noRead if there
// is none.
std::size_t LaneTrain::findRead(const DieQueue& queue, const Train* suspended)
{
    const std::size_t depth = queue.depth();
    for (std::size_t i = 0; i < depth; ++i) {
        if (queue[i].op->opcode == Opcode::Read && isFree(queue, i, suspended))
            return i;
    }
    return noRead;
}

// The read at that place of the queue is independent of everything before it and of the suspended operation.
bool LaneTrain::isFree(const DieQueue& queue, std::size_t place, const Train* suspended)
{
    const std::uint32_t block = queue[place].op->target.block;
    bool isFree = suspended == nullptr || suspended->first.op->target.block != block;
    for (std::size_t k = 0; isFree && suspended != nullptr && k < suspended->more.size(); ++k)
        isFree = suspended->more[k].op->target.block != block;
    for (std::size_t k = 0; isFree && k < place; ++k)
        isFree = queue[k].op->opcode == Opcode::Read || queue[k].op->target.block != block;
    return isFree;
}

LaneTrain::Step LaneTrain::afterRead(const DieQueue& queue, const JoinPolicy& join) const
{
    const bool another = readsInRow_ < join.suspendReads && findRead(queue, &suspended_) != noRead;
    return another ? Step::Read : Step::Resume;
}

std::size_t LaneTrain::findPlaneRead(const DieQueue& queue, const JoinPolicy& join, const nand::Part& part,
                                     std::uint32_t readOption, std::uint32_t plane) const
{
    const bool isServing = servesReads();
    const bool mayPass = (isServing || join.suspend != Suspend::None) && readsInRow_ < join.suspendReads;
    if (isServing && !mayPass)
        return noRead;
    const std::size_t depth = queue.depth();
    for (std::size_t i = 0; i < depth; ++i) {
        const nand::Operation& op = *queue[i].op;
        if (op.opcode != Opcode::Read) {
            if (!mayPass)
                return noRead;
            continue;
        }
        if (op.senses != 1 || op.readOption != readOption)
            return noRead;
        if (part.geometry.planeOf(op.target.block) == plane && isFree(queue, i, isServing ? &suspended_ : nullptr))
            return i;
    }
    return noRead;
}

Waiting LaneTrain::takePlaneRead(DieQueue& queue, std::size_t place)
{
    bool passes = servesReads();
    for (std::size_t i = 0; i < place && !passes; ++i)
        passes = queue[i].op->opcode != Opcode::Read;
    readsInRow_ = passes ? readsInRow_ + 1 : 0;
    const Waiting read = queue.take(place);
    read.op->form = Form::PlaneRead;
    return read;
}

const nand::Operation& LaneTrain::stepOperation() const
{
    switch (step_) {
    case Step::NextRequest: return *current_.more[current_.issued].op;
    case Step::Read:
    case Step::Resume: return *suspended_.first.op;
    default: return *current_.first.op;
    }
}

LaneTrain::Step LaneTrain::arrayDone(Time ready)
{
    arrayReady_ = ready;
    if (step_ == Step::Suspend) {
        latest().form = suspendedForm_;
        std::swap(current_, suspended_);
        return step_ = Step::Read;
    }
    if (step_ == Step::Resume)
        latest().form = suspendedForm_;
    const bool joins = current_.kind == Kind::Planes || current_.kind == Kind::WordLines;
    const bool nextFollows = (joins && current_.issued < current_.more.size()) ||
                             (current_.kind == Kind::CacheProgram && current_.issued == 0 && !current_.more.empty());
    if (current_.kind == Kind::WordLines && !nextFollows) {
        current_.more.insert(current_.more.begin(), current_.first);
        orderResponses(current_.more);
        current_.first = takeFront(current_.more);
    }
    return step_ = nextFollows ? Step::NextRequest : Step::Response;
}

bool LaneTrain::advance(const DieQueue& queue, const JoinPolicy& join)
{
    Train& train = current_;
    if (!train.more.empty()) {
        train.first = takeFront(train.more);
        train.issued -= 1;
        const nand::Operation& op = *train.first.op;
        if (train.kind == Kind::CacheRead && op.status == nand::Status::Ok)
            step_ = Step::CacheEnd;
        else if (train.kind == Kind::CacheProgram && op.form == Form::Cache)
            step_ = Step::NextRequest;
        else
            step_ = Step::Response;
        return true;
    }
    if (suspended_.first.op == nullptr)
        return false;
    step_ = afterRead(queue, join);
    return true;
}

Waiting LaneTrain::issueNext(DieQueue& queue, const JoinPolicy& join, const nand::Part& part)
{
    Train& train = current_;
    const Waiting next = train.more[train.issued++];
    if (train.kind == Kind::CacheProgram) {
        const bool goesOn = isForCache(queue, *next.op, join, part);
        next.op->form = goesOn ? Form::Cache : Form::Alone;
        if (goesOn)
            train.more.push_back(queue.pop());
    }
    step_ = Step::Response;
    return next;
}

bool LaneTrain::extendCacheRead(DieQueue& queue, const JoinPolicy& join, const nand::Part& part)
{
    Train& train = current_;
    const bool mayJoin = join.cache && !part.hasPlaneReads() && suspended_.first.op == nullptr && train.more.empty() &&
                         (train.kind == Kind::Single || step_ == Step::CacheEnd);
    if (!mayJoin || train.first.op->opcode != Opcode::Read || train.first.op->status != nand::Status::Ok)
        return false;
    if (!isForCache(queue, *train.first.op, join, part) || !haveReferences(*train.first.op, *queue.front().op))
        return false;
    train.kind = Kind::CacheRead;
    train.issued = 0;
    train.more.push_back(queue.pop());
    train.more.back().op->form = Form::Cache;
    step_ = Step::NextRequest;
    return true;
}

void LaneTrain::endCacheRead()
{
    step_ = Step::Response;
    current_.kind = Kind::CacheReadEnded;
}

bool LaneTrain::shouldSuspend(const DieQueue& queue, const JoinPolicy& join, const nand::Part& part, Time from) const
{
    if (join.suspend == Suspend::None || step_ != Step::Response || suspended_.first.op != nullptr)
        return false;
    const Opcode opcode = current_.first.op->opcode;
    const bool maySuspend =
        (opcode == Opcode::Erase && join.suspendsErases()) || (opcode == Opcode::Program && join.suspendsPrograms());
    if (!maySuspend || current_.kind == Kind::CacheProgram || current_.issued != current_.more.size() ||
        suspensions_ >= part.maxSuspends || arrayReady_ <= from + restOf(part, opcode))
        return false;
    return findRead(queue, &current_) != noRead;
}

void LaneTrain::planSuspend(Time responsePossible)
{
    responsePossible_ = responsePossible;
    step_ = Step::Suspend;
}

bool LaneTrain::suspend(const nand::Part& part, Time latched)
{
    const nand::Operation& op = *current_.first.op;
    if (arrayReady_ <= latched + restOf(part, op.opcode)) {
        step_ = Step::Response;
        return false;
    }
    suspendedForm_ = op.form;
    readsInRow_ = 0;
    ++suspensions_;
    return true;
}

void LaneTrain::resume()
{
    std::swap(current_, suspended_);
    suspended_.first = {};
    readsInRow_ = 0;
}

const Waiting& LaneTrain::startRead(DieQueue& queue)
{
    const std::size_t read = findRead(queue, &suspended_);
    check(read != noRead, "the read for which a die was suspended is missing");
    current_.kind = Kind::Single;
    current_.first = queue.take(read);
    current_.first.op->form = Form::Alone;
    ++readsInRow_;
    step_ = Step::Response;
    return current_.first;
}

} // namespace strobe::channel
