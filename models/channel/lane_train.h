#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What one die of a channel executes: a single operation, or a train of operations that are carried out together, and
// the train that a waiting read has suspended. Decides which step of the die follows; the bus and the times of segments
// belong to the caller (nand_interface.h). Owns no clock.
//
//   planes         a prefix of the queue whose operations the part allows in one command: all requests, the array once,
//                  then a response each. A train of planes is formed when its first request starts.
//                  Joining planes goes before caching: an operation that can join its successor is not put into cache
//                  form by itself.
//   word lines     programs of the pages of a word line are one program, also of several planes (word_lines.h). They
//                  do not take the cache form. Without joining, a channel of such parts has no other trains.
//   cache read     when the data of a page could be sent and the next operation in the queue is a read, that read is
//                  requested first (31h); 3Fh requests the last page.
//   cache program  a program that starts while the next of the queue is a program is confirmed by 15h; the next one
//                  follows at tCBSY, and the outcome of each is read after the next one has been accepted. Of a part
//                  with multi-plane cache programs, programs joined by planes are chained in the same way, as long as
//                  the next ones in the queue are of the same planes.
//   suspend        a read that finds its die in a program or erase of another block suspends it; up to suspendReads are
//                  served, then it is resumed. After the part's maxSuspends it runs to completion. The same number of
//                  reads in a row may pass waiting programs and erases of other blocks.
//   plane reads    a part with plane-independent reads senses them one by one, at the same time in different planes:
//                  they are neither joined nor in cache form, and the caller keeps them apart from the train.
//
// Not modelled: multi-plane cache reads.

#include "models/channel/die_queue.h"
#include "models/channel/join_policy.h"
#include "models/nand/part.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::channel {

class LaneTrain {
public:
    // What the lane does when the bus is granted to it.
    enum class Step : std::uint8_t { Response, NextRequest, CacheEnd, Suspend, Read, Resume };

    // The oldest operation that is not finished; its `op` is null while the lane is idle.
    const Waiting& first() const { return current_.first; }
    // A single operation: all that a channel that joins nothing needs.
    void startSingle(const Waiting& waiting) { current_.first = waiting; }
    void clear() { current_.first = {}; }

    // The calls below are for channels that join or suspend, or whose parts have word lines. `join` and `part` are the
    // same in every call.
    void reserve(std::size_t operations);
    // Takes the head of the queue, or a read that passes it, and the operations that join it; their forms are set. The
    // programs of a word line are queued one after the other.
    // REQUIRES: the lane is idle, the queue is not empty.
    // `readOption`: to which the die is set; a read with another one joins nothing.
    void start(DieQueue& queue, const JoinPolicy& join, const nand::Part& part, std::uint32_t readOption = 0);

    Step step() const { return step_; }
    bool isWordLines() const { return current_.kind == Kind::WordLines; }
    // The operation of the step. REQUIRES: a train.
    const nand::Operation& stepOperation() const;
    // The operation whose request was granted last. Suspend and resume travel with the first operation of their train.
    nand::Operation& latest() const
    {
        const bool isFirst = current_.issued == 0 || step_ == Step::Suspend || step_ == Step::Resume;
        return isFirst ? *current_.first.op : *current_.more[current_.issued - 1].op;
    }

    // R/B# rises at `ready` after the request granted last. Returns the next step.
    Step arrayDone(Time ready);
    // The first operation is finished: what follows. False: nothing, it was the last one and nothing is suspended.
    bool advance(const DieQueue& queue, const JoinPolicy& join);

    // The next request of the train starts; a cache program takes its successor from the queue.
    Waiting issueNext(DieQueue& queue, const JoinPolicy& join, const nand::Part& part);
    // The data of a page could be sent: returns whether another read joins and is to be requested first.
    bool extendCacheRead(DieQueue& queue, const JoinPolicy& join, const nand::Part& part);
    // 3Fh starts: the last page of a cache read is sent next.
    void endCacheRead();

    // What the next grant would take from the queue: its head, or the read that passes it; the read for which the die
    // was suspended; whether another page joins a cache read.
    const nand::Operation& upcomingHead(const DieQueue& queue, const JoinPolicy& join) const;
    const nand::Operation& upcomingRead(const DieQueue& queue) const;
    bool mayExtendCacheRead(const DieQueue& queue, const JoinPolicy& join, const nand::Part& part) const;

    // A read waits for the operation in the array, and the suspend command can be sent from `from` on.
    bool shouldSuspend(const DieQueue& queue, const JoinPolicy& join, const nand::Part& part, Time from) const;
    // Suspend is the next step; `responsePossible` applies again if the suspend command would be too late.
    void planSuspend(Time responsePossible);
    // The suspend command would be latched at `latched`. False: the array finishes before it could be suspended; the
    // response follows as without the suspension.
    bool suspend(const nand::Part& part, Time latched);
    Time responsePossible() const { return responsePossible_; }
    void resume();
    // The read for which the die was suspended starts. REQUIRES: the queue still holds one.
    const Waiting& startRead(DieQueue& queue);

    // Plane-independent reads of a part that has them: they are not of the train, but start while there is none or
    // while it is suspended.
    bool servesReads() const { return suspended_.first.op != nullptr && step_ == Step::Read; }
    // The place in the queue of the read that `plane` may start, by the rules for reads that pass others; noRead if
    // there is none. A read that changes the die's read option is not independent; later reads wait
    // for it.
    static constexpr std::size_t noRead = SIZE_MAX;
    std::size_t findPlaneRead(const DieQueue& queue, const JoinPolicy& join, const nand::Part& part,
                              std::uint32_t readOption, std::uint32_t plane) const;
    Waiting takePlaneRead(DieQueue& queue, std::size_t place); // its form is set
    // The suspension has no plane-independent read to serve: what follows, another read or the resumption.
    Step endPlaneReads(const DieQueue& queue, const JoinPolicy& join) { return step_ = afterRead(queue, join); }

private:
    enum class Kind : std::uint8_t { Single, Planes, WordLines, CacheRead, CacheReadEnded, CacheProgram };
    struct Train {
        Waiting first; // the oldest that is not finished
        Kind kind = Kind::Single;
        std::uint32_t issued = 0;  // of `more`: their requests have been granted
        std::vector<Waiting> more; // after it; cache read: at most one issued and one reserved
        // Cache program: operations of one command, its planes; and how many of the oldest command are not finished.
        // Of the commands after it, one is issued at most, and one reserved.
        std::uint32_t planes = 1;
        std::uint32_t oldest = 1;
    };

    Waiting takeHead(DieQueue& queue, const JoinPolicy& join);
    std::size_t passingRead(const DieQueue& queue, const JoinPolicy& join) const;
    void chain(DieQueue& queue, const JoinPolicy& join, const nand::Part& part);
    bool requestFollows() const;
    static bool isCommand(const Train& train, const DieQueue& queue, const JoinPolicy& join, const nand::Part& part);
    void startWordLines(DieQueue& queue, const JoinPolicy& join, const nand::Part& part);
    static std::size_t findRead(const DieQueue& queue, const Train* suspended);
    static bool isFree(const DieQueue& queue, std::size_t place, const Train* suspended);
    Step afterRead(const DieQueue& queue, const JoinPolicy& join) const;

    // A channel that joins nothing touches only the first member, which the caller keeps beside its own hot members.
    Train current_; // from the first request to the last finish
    Step step_ = Step::Response;
    nand::Form suspendedForm_ = nand::Form::Alone;
    std::uint32_t suspensions_ = 0; // of the train
    std::uint32_t readsInRow_ = 0;  // of a suspension, or that passed waiting writes
    Time arrayReady_{};             // as reported last
    Time responsePossible_{};       // when the response is possible if the operation is not suspended
    Train suspended_;               // first.op null: nothing is suspended
};

} // namespace strobe::channel
