#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Events of the Linux block layer (blktrace) made into requests. A request appears several times on its way: queued,
// merged, issued to the driver, completed. Issued requests (D) reach the drive, so those are taken; in a trace without
// issues at its beginning (a driver that takes requests as they are queued) queued requests (Q) are taken.
//
// The response time runs to the completion, which is later in the trace: records are held until the completion of the
// oldest one has been read, over 65,536 records at most; then, or at the end, the response is not known. A completion
// belongs to the first outstanding request at its sector. A request that was requeued and issued again counts once. A
// write that asks for a flush before it becomes a flush and a write.

#include "models/host/workload/trace_reader.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace strobe::host {

struct BlockEvent {
    enum class Action : std::uint8_t { Queue, Requeue, Issue, Complete, Other };
    enum class Operation : std::uint8_t { None, Read, Write, Discard };

    Action action = Action::Other;
    Operation operation = Operation::None;
    bool flushBefore = false;
    bool fua = false;
    std::uint32_t device = 0; // numbered in order of appearance
    std::uint64_t sector = 0;
    std::uint64_t bytes = 0; // at most maxTraceLength
    Time at{};
    std::uint64_t line = 0; // as in TraceRecord
    std::size_t timeColumn = 1;
};

class BlockEvents {
public:
    static constexpr std::size_t window = 65536;

    explicit BlockEvents(BlockEvent::Action taken) : taken_(taken) {}

    // Kind of the event if it does not make a request.
    std::optional<SkipReason> add(const BlockEvent& event);
    void finish() { isFinished_ = true; } // no event follows
    bool take(TraceRecord& record);       // false: the oldest record still waits for events

private:
    struct Held {
        TraceRecord record;
        std::uint64_t key;
        bool isComplete;
    };

    static std::uint64_t keyOf(const BlockEvent& event);
    void hold(const BlockEvent& event, RequestKind kind, bool isComplete);
    void complete(const BlockEvent& event);

    BlockEvent::Action taken_;
    std::deque<Held> held_;
    std::uint64_t firstHeld_ = 0;                               // number of the oldest
    std::unordered_map<std::uint64_t, std::uint64_t> underWay_; // by device and sector: the number of the request
    std::unordered_set<std::uint64_t> requeued_;
    bool isFinished_ = false;
};

} // namespace strobe::host
