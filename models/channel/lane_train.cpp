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
    return a.opcode == b.opcode && a.pslc == b.pslc && !a.isStepped && !b.isStepped && haveReferences(a, b) &&
           areMultiPlane(part, a.opcode, a.pslc, a.target, b.target);
}

// How many operations of the queue, beginning at `place`, join `first` as planes of one command.
std::size_t planesAfter(const nand::Operation& first, const DieQueue& queue, std::size_t place, const JoinPolicy& join,
                        const nand::Part& part)
{
    if (!mayJoinPlanes(join, part))
        return 0;
    const auto fits = [&](std::size_t candidate) {
        bool isPlane = arePlanes(part, *queue[candidate].op, first);
        for (std::size_t i = place; i < candidate && isPlane; ++i)
            isPlane = arePlanes(part, *queue[candidate].op, *queue[i].op);
        return isPlane;
    };
    const std::size_t depth = queue.depth(); // joined operations have the same priority
    std::size_t count = 0;
    while (place + count < depth && count + 1 < join.planesAtOnce && fits(place + count))
        ++count;
    return count;
}

// The next operation of the queue may join a cache command after `before`: of that opcode and mode, and without a plane
// to go with.
bool isForCache(const DieQueue& queue, const nand::Operation& before, const JoinPolicy& join, const nand::Part& part)
{
    return !queue.empty() && queue.front().op->opcode == before.opcode && queue.front().op->pslc == before.pslc &&
           !before.isStepped && !queue.front().op->isStepped &&
           planesAfter(*queue.front().op, queue, 1, join, part) == 0;
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
    const std::size_t others = planesAfter(first, queue, 0, join, part);
    for (std::size_t i = 0; i < others; ++i) {
        train.more.push_back(queue.pop());
        train.more.back().op->form = Form::Plane;
    }
    if (others != 0) {
        train.kind = Kind::Planes;
        first.form = Form::Plane;
        train.more.back().op->form = Form::LastPlane;
    }
    train.planes = train.oldest = static_cast<std::uint32_t>(others + 1);
    chain(queue, join, part);
}

// The next command of a cache program joins behind the last one of the train, which then takes the cache form.
void LaneTrain::chain(DieQueue& queue, const JoinPolicy& join, const nand::Part& part)
{
    Train& train = current_;
    nand::Operation& last = train.more.empty() ? *train.first.op : *train.more.back().op;
    if (!join.cache || last.opcode != Opcode::Program || !isCommand(train, queue, join, part))
        return;
    train.kind = Kind::CacheProgram;
    last.form = train.planes == 1 ? Form::Cache : Form::LastPlaneCache;
    for (std::uint32_t i = 0; i < train.planes; ++i) {
        train.more.push_back(queue.pop());
        train.more.back().op->form = Form::Plane;
    }
    train.more.back().op->form = train.planes == 1 ? Form::Alone : Form::LastPlane;
}

// The head of the queue is a command like the last one of the train: in the same mode, of the same planes.
bool LaneTrain::isCommand(const Train& train, const DieQueue& queue, const JoinPolicy& join, const nand::Part& part)
{
    const nand::Operation& last = train.more.empty() ? *train.first.op : *train.more.back().op;
    if (train.planes == 1)
        return isForCache(queue, last, join, part);
    if (!part.hasPlaneCache() || queue.empty() || queue.front().op->opcode != last.opcode ||
        queue.front().op->pslc != last.pslc || queue.front().op->priority != last.priority ||
        planesAfter(*queue.front().op, queue, 1, join, part) + 1 != train.planes)
        return false;
    const auto planeOf = [&](const Waiting& w) { return part.geometry.planeOf(w.op->target.block); };
    for (std::uint32_t i = 0; i < train.planes; ++i) {
        bool isThere = false;
        for (std::uint32_t k = 0; k < train.planes; ++k) {
            const Waiting& before = k < train.more.size() ? train.more[train.more.size() - 1 - k] : train.first;
            isThere = isThere || planeOf(before) == planeOf(queue[i]);
        }
        if (!isThere)
            return false;
    }
    return true;
}

// The next request of the train may start once the die is ready for it: all planes of a command follow each other, and
// a command of a cache program follows when the array executes the one before it, and nothing older is unfinished.
bool LaneTrain::requestFollows() const
{
    const Train& train = current_;
    if (train.issued == train.more.size())
        return false;
    if (train.kind == Kind::CacheProgram)
        return train.issued + 1 < train.oldest + train.planes;
    return train.kind == Kind::Planes || train.kind == Kind::WordLines;
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

// The place of the read that may pass waiting programs and erases; noRead if there is none.
std::size_t LaneTrain::passingRead(const DieQueue& queue, const JoinPolicy& join) const
{
    const bool mayPass = join.suspend != Suspend::None && readsInRow_ < join.suspendReads;
    return mayPass ? findRead(queue, nullptr) : noRead;
}

const nand::Operation& LaneTrain::upcomingHead(const DieQueue& queue, const JoinPolicy& join) const
{
    const std::size_t read = passingRead(queue, join);
    return *queue[read == noRead ? 0 : read].op;
}

const nand::Operation& LaneTrain::upcomingRead(const DieQueue& queue) const
{
    const std::size_t read = findRead(queue, &suspended_);
    check(read != noRead, "a die was suspended for a read that is not in the queue");
    return *queue[read].op;
}

// The head of the queue, or a read that passes it.
Waiting LaneTrain::takeHead(DieQueue& queue, const JoinPolicy& join)
{
    const std::size_t read = passingRead(queue, join);
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
        if (op.senses != 1 || op.readOption != readOption || op.isStepped)
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
    const bool nextFollows = requestFollows();
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
        if (train.kind == Kind::CacheProgram && --train.oldest == 0)
            train.oldest = train.planes;
        if (train.kind == Kind::CacheRead && train.first.op->status == nand::Status::Ok)
            step_ = Step::CacheEnd;
        else
            step_ = train.kind == Kind::CacheProgram && requestFollows() ? Step::NextRequest : Step::Response;
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
    if (train.kind == Kind::CacheProgram && train.issued == train.more.size()) // the last that is known
        chain(queue, join, part);
    step_ = Step::Response;
    return next;
}

bool LaneTrain::mayExtendCacheRead(const DieQueue& queue, const JoinPolicy& join, const nand::Part& part) const
{
    const Train& train = current_;
    const bool mayJoin = join.cache && !part.hasPlaneReads() && suspended_.first.op == nullptr && train.more.empty() &&
                         (train.kind == Kind::Single || step_ == Step::CacheEnd);
    if (!mayJoin || train.first.op->opcode != Opcode::Read || train.first.op->status != nand::Status::Ok)
        return false;
    return isForCache(queue, *train.first.op, join, part) && haveReferences(*train.first.op, *queue.front().op);
}

bool LaneTrain::extendCacheRead(DieQueue& queue, const JoinPolicy& join, const nand::Part& part)
{
    if (!mayExtendCacheRead(queue, join, part))
        return false;
    Train& train = current_;
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
