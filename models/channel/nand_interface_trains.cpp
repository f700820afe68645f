// SPDX-License-Identifier: Apache-2.0
//
// Trains: operations of one die that are carried out together, and what a waiting read suspends.
//
//   planes         a prefix of the queue whose operations the part allows in one command: all requests, the array once,
//                  then a response each. A train of planes is formed when its first request starts.
//   cache read     when the data of a page could go out and the next of the queue is a read, that is asked for first
//                  (31h); 3Fh asks for the last page.
//   cache program  a program that starts while the next of the queue is a program is confirmed by 15h; the next one
//                  follows at tCBSY, and the outcome of each is read when the one behind it has been taken over.
//   suspend        a read that finds its die in a program or erase of another block suspends it; up to suspendReads are
//                  served, then it is resumed. After the part's maxSuspends it runs to its end. The same number of
//                  reads in a row may pass waiting programs and erases of other blocks.
#include "models/base/check.h"
#include "models/channel/nand_interface.h"
#include "models/nand/multi_plane.h"

#include <algorithm>

namespace strobe::channel {

namespace {

using nand::Form;
using nand::Opcode;

constexpr std::uint64_t bit(std::uint32_t lane)
{
    return std::uint64_t{1} << lane;
}
constexpr std::size_t none = SIZE_MAX;

template <class T>
T takeFront(std::vector<T>& items)
{
    T front = items.front();
    items.erase(items.begin());
    return front;
}

} // namespace

void NandInterface::offerStep(std::uint32_t die, Step step, const nand::Operation& op, SegmentClass segment,
                              Time possible)
{
    lanes_[die].step = step;
    offerOnBus(die, {possible, rankOf(op, segment)});
}

// The head of the queue, or a read that passes it.
NandInterface::Waiting NandInterface::takeHead(Lane& lane)
{
    auto& queue = lane.foreground.empty() ? lane.background : lane.foreground;
    const bool mayPass = join_.suspend != Suspend::None && lane.readsInRow < join_.suspendReads;
    const std::size_t read = mayPass ? findRead(queue, nullptr) : none;
    lane.readsInRow = read != none && read > 0 ? lane.readsInRow + 1 : 0;
    return read == none ? queue.pop() : queue.take(read);
}

// The first read of a queue that depends on nothing before it; `none` if there is none.
std::size_t NandInterface::findRead(const RingQueue<Waiting>& queue, const Train* suspended) const
{
    const auto touches = [](const nand::Operation& write, const nand::Operation& read) {
        return write.target.block == read.target.block;
    };
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const nand::Operation& read = *queue[i].op;
        if (read.opcode != Opcode::Read)
            continue;
        bool isFree = suspended == nullptr || !touches(*suspended->first.op, read);
        for (std::size_t k = 0; isFree && suspended != nullptr && k < suspended->more.size(); ++k)
            isFree = !touches(*suspended->more[k].op, read);
        for (std::size_t k = 0; isFree && k < i; ++k)
            isFree = queue[k].op->opcode == Opcode::Read || !touches(*queue[k].op, read);
        if (isFree)
            return i;
    }
    return none;
}

// REQUIRES: the first operation of the train has been taken from the queue, its request has not started.
void NandInterface::formTrain(std::uint32_t die)
{
    Lane& lane = lanes_[die];
    Train& train = lane.train;
    train.kind = TrainKind::Single;
    train.more.clear();
    train.issued = 0;
    lane.step = Step::Response;
    lane.suspensions = 0;
    nand::Operation& first = *train.first.op;
    if (first.form == Form::CopyOut)
        return;
    first.form = Form::Alone;
    auto& queue = lane.foreground.empty() ? lane.background : lane.foreground;
    const nand::Part& part = schedules_[die]->part();
    if (join_.multiPlane && part.geometry.planes > 1) {
        const auto fits = [&](const nand::Operation& op) {
            const auto isBeside = [&](const nand::Operation& other) {
                return op.opcode == other.opcode && areMultiPlane(part, op.opcode, op.target, other.target);
            };
            return isBeside(first) &&
                   std::all_of(train.more.begin(), train.more.end(), [&](const Waiting& w) { return isBeside(*w.op); });
        };
        while (!queue.empty() && train.more.size() + 1 < join_.planesAtOnce && fits(*queue.front().op)) {
            train.more.push_back(queue.pop());
            --queued_;
        }
        if (!train.more.empty()) {
            train.kind = TrainKind::Planes;
            first.form = Form::Plane;
            for (const Waiting& w : train.more)
                w.op->form = Form::Plane;
            train.more.back().op->form = Form::LastPlane;
            return;
        }
    }
    if (join_.cache && first.opcode == Opcode::Program && !queue.empty() &&
        queue.front().op->opcode == Opcode::Program) {
        train.kind = TrainKind::CacheProgram;
        first.form = Form::Cache;
        train.more.push_back(queue.pop());
        --queued_;
    }
}

// R/B# rises at `ready` after the request of `latest`, and the next segment is possible then.
void NandInterface::arrayOfTrain(std::uint32_t die, nand::Operation& latest, Time ready, Time possible)
{
    Lane& lane = lanes_[die];
    Train& train = lane.train;
    lane.arrayReady = ready;
    if (lane.step == Step::Suspend) {
        latest.form = lane.suspendedForm;
        std::swap(lane.train, lane.suspended);
        offerStep(die, Step::Read, latest, SegmentClass::CommandRequest, possible);
        return;
    }
    if (lane.step == Step::Resume)
        latest.form = lane.suspendedForm;
    lane.step = Step::Response;
    const bool nextFollows = (train.kind == TrainKind::Planes && train.issued < train.more.size()) ||
                             (train.kind == TrainKind::CacheProgram && train.issued == 0 && !train.more.empty());
    if (nextFollows) {
        const nand::Operation& next = *train.more[train.issued].op;
        const bool hasData = schedules_[die]->hasDataIn(next.opcode);
        offerStep(die, Step::NextRequest, next, hasData ? SegmentClass::DataRequest : SegmentClass::CommandRequest,
                  possible);
        return;
    }
    offerResponse(die, possible);
    considerSuspend(die, latest.requestEnd);
}

std::optional<NandInterface::Grant> NandInterface::startStep(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    switch (lane.step) {
    case Step::Suspend: return startSuspend(die, now);
    case Step::Resume: return startResume(die, now);
    case Step::Read: {
        auto& queue = lane.foreground.empty() ? lane.background : lane.foreground;
        const std::size_t read = findRead(queue, &lane.suspended);
        check(read != none, "a read for which a die was suspended has gone");
        lane.train.kind = TrainKind::Single;
        lane.train.first = queue.take(read);
        lane.train.first.op->form = Form::Alone;
        --queued_;
        ++lane.readsInRow;
        lane.step = Step::Response;
        lane.usage.extend(lane.accountedTo, now);
        lane.accountedTo = now;
        answered_ &= ~bit(die);
        return grantRequest(die, lane.train.first, now);
    }
    case Step::CacheEnd: {
        if (startsCacheRead(lane))
            return startNextRequest(die, now);
        const Waiting& last = lane.train.first;
        const Time busTime = schedules_[die]->cacheEndTime();
        hold(candidates_[die].possible, now, busTime);
        lane.step = Step::Response;
        lane.train.kind = TrainKind::CacheReadEnded;
        offerResponse(die, schedules_[die]->cacheEndPossible(now + busTime, last.op->arrayEnd));
        return Grant{die, last.op, last.owner, Phase::CacheEnd, busTime};
    }
    default: return startNextRequest(die, now);
    }
}

NandInterface::Grant NandInterface::startNextRequest(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    Train& train = lane.train;
    const Waiting next = train.more[train.issued++];
    if (train.kind == TrainKind::CacheProgram) {
        auto& queue = lane.foreground.empty() ? lane.background : lane.foreground;
        const bool goesOn = !queue.empty() && queue.front().op->opcode == Opcode::Program;
        next.op->form = goesOn ? Form::Cache : Form::Alone;
        if (goesOn) {
            train.more.push_back(queue.pop());
            --queued_;
        }
    }
    lane.step = Step::Response;
    answered_ &= ~bit(die);
    return grantRequest(die, next, now);
}

// The page of the lane could go out: is there another read to ask for before? Then it joins the train.
bool NandInterface::startsCacheRead(Lane& lane)
{
    const Train& train = lane.train;
    const bool mayJoin = join_.cache && lane.suspended.first.op == nullptr && train.more.empty() &&
                         (train.kind == TrainKind::Single || lane.step == Step::CacheEnd);
    if (!mayJoin || train.first.op->opcode != Opcode::Read || train.first.op->status != nand::Status::Ok)
        return false;
    auto& queue = lane.foreground.empty() ? lane.background : lane.foreground;
    if (queue.empty() || queue.front().op->opcode != Opcode::Read)
        return false;
    lane.train.kind = TrainKind::CacheRead;
    lane.train.issued = 0;
    lane.train.more.push_back(queue.pop());
    lane.train.more.back().op->form = Form::Cache;
    lane.step = Step::NextRequest;
    --queued_;
    return true;
}

// The first operation of the train is finished. False: it was the last one and nothing is suspended.
bool NandInterface::goOn(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    Train& train = lane.train;
    if (!train.more.empty()) {
        train.first = takeFront(train.more);
        train.issued -= 1;
        const nand::Operation& op = *train.first.op;
        if (train.kind == TrainKind::CacheRead && op.status == nand::Status::Ok)
            offerStep(die, Step::CacheEnd, op, SegmentClass::DataResponse, now);
        else if (train.kind == TrainKind::CacheProgram && op.form == Form::Cache)
            offerStep(die, Step::NextRequest, *train.more.front().op, SegmentClass::DataRequest, now);
        else
            offerResponse(die, now);
        return true;
    }
    if (lane.suspended.first.op == nullptr)
        return false;
    auto& queue = lane.foreground.empty() ? lane.background : lane.foreground;
    const bool another = lane.readsInRow < join_.suspendReads && findRead(queue, &lane.suspended) != none;
    offerStep(die, another ? Step::Read : Step::Resume, *lane.suspended.first.op, SegmentClass::CommandRequest, now);
    return true;
}

// A read may wait for what the lane has in the array. `from`: when the die could be told at the earliest.
void NandInterface::considerSuspend(std::uint32_t die, Time from)
{
    Lane& lane = lanes_[die];
    const Train& train = lane.train;
    const bool inArray = lane.step == Step::Response && ((responses_ | silentResponses_) & bit(die)) != 0;
    if (join_.suspend == Suspend::None || !inArray || lane.suspended.first.op != nullptr)
        return;
    const nand::Operation& op = *train.first.op;
    const bool isErase = op.opcode == Opcode::Erase;
    const bool maySuspend =
        (isErase && join_.suspendsErases()) || (op.opcode == Opcode::Program && join_.suspendsPrograms());
    const nand::Part& part = schedules_[die]->part();
    const Time rest = isErase ? part.times.tESUSP : part.times.tPSUSP;
    if (!maySuspend || train.kind == TrainKind::CacheProgram || train.issued != train.more.size() ||
        lane.suspensions >= part.maxSuspends || lane.arrayReady <= from + rest)
        return;
    auto& queue = lane.foreground.empty() ? lane.background : lane.foreground;
    if (findRead(queue, &train) == none)
        return;
    lane.response = candidates_[die];
    silentResponses_ &= ~bit(die);
    offerStep(die, Step::Suspend, op, SegmentClass::CommandRequest, std::max(from, op.requestEnd));
}

// Nothing, if the array will be done before it could come to rest: then the response follows as it would have.
std::optional<NandInterface::Grant> NandInterface::startSuspend(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    nand::Operation& op = *lane.train.first.op;
    const nand::ArrayTimes& times = schedules_[die]->part().times;
    const Time rest = op.opcode == Opcode::Erase ? times.tESUSP : times.tPSUSP;
    nand::Operation command;
    command.opcode = op.opcode;
    command.form = Form::Suspend;
    if (lane.arrayReady <= now + schedules_[die]->requestTime(command) + rest) {
        lane.step = Step::Response;
        offerResponse(die, lane.response.possible);
        return std::nullopt;
    }
    lane.suspendedForm = op.form;
    lane.readsInRow = 0;
    ++lane.suspensions;
    ++suspensions_;
    const Time start = std::max({op.requestStart, measuredFrom_, lane.accountedTo});
    lane.usage.extend(start, now);
    lane.accountedTo = now;
    return grantCut(die, Form::Suspend, now);
}

std::optional<NandInterface::Grant> NandInterface::startResume(std::uint32_t die, Time now)
{
    Lane& lane = lanes_[die];
    std::swap(lane.train, lane.suspended);
    lane.suspended.first = {};
    lane.readsInRow = 0;
    return grantCut(die, Form::Resume, now);
}

// The command travels on the payload of the operation it is for.
NandInterface::Grant NandInterface::grantCut(std::uint32_t die, Form form, Time now)
{
    const Waiting& waiting = lanes_[die].train.first;
    const Time start = waiting.op->requestStart;
    waiting.op->form = form;
    answered_ &= ~bit(die);
    const Grant grant = grantRequest(die, waiting, now);
    waiting.op->requestStart = start;
    return grant;
}

} // namespace strobe::channel
