#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A recorded part of a run as a Perfetto trace (perfetto_trace.h), in groups of tracks from the host to the dies:
//   host          the requests, with their stages inside; jobs of the link
//   firmware      CPUs, and cost points of native firmware, or the functions of each core, the called in the caller
//   memory        fabric, SDRAM and its ports
//   flash units   the descriptors (flash jobs)
//   channel C     bus segments, ECC engines; NAND operations of its dies, with the time of the array inside, and a
//                 track for each plane with plane-independent reads
// Slices which overlap on a track are placed on further tracks of the same name, which the viewer draws as one. A flow
// (arrow) leads from a request to the flash jobs that work for it, to their operations and bus segments. A job of no
// request (garbage collection), or of several (the merge of a superblock), has a flow of its own to its operations.

#include "models/base/activity_log.h"
#include "models/nand/operation.h"
#include "platform/report/stage_tally.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::platform {

struct TimelineSpan {
    Time start{};
    Time end{};

    bool touches(Time from, Time until) const { return until > start && from < end; }
};

struct TimelineRecords {
    struct Job { // descriptor
        std::uint64_t number = 0;
        std::uint32_t unit = 0;
        std::string_view opcode; // "read"
        std::string_view purpose;
        std::uint32_t sectors = 0;
        std::uint64_t request = 0; // 0: none that is known
        Time listed{};             // firmware asked for it
        TimelineSpan span;         // from the descriptor's fetch to the result
    };
    struct Operation {
        std::uint64_t job = 0;
        std::uint32_t die = 0; // flat
        nand::Opcode opcode = nand::Opcode::Read;
        nand::Purpose purpose = nand::Purpose::Host;
        Time submitted{};
        TimelineSpan array;
        TimelineSpan span;       // from the first command cycle to the last cycle of the response
        std::uint32_t plane = 0; // from 1, of a plane-independent read; 0: of the whole die
    };
    struct Segment { // of a bus
        std::uint32_t die = 0;
        Time operation{}; // start of its operation's span
        nand::Opcode opcode = nand::Opcode::Read;
        std::string_view phase; // "request"
        TimelineSpan span;
    };

    struct Function { // a call, on the RV32 core
        std::uint32_t core = 0;
        std::uint32_t depth = 0; // 0: the outermost
        std::string_view name;
        TimelineSpan span;
    };

    std::uint32_t diesPerChannel = 1;
    std::uint32_t planes = 0; // of a die, if they read independently of each other; else 0
    std::vector<TracedRequest> requests;
    std::vector<Job> jobs;
    std::vector<Operation> operations;
    std::vector<Segment> segments;
    std::vector<Function> functions; // those of a core lie in each other or do not overlap
    struct Served {                  // a job works for one more request
        std::uint64_t job = 0;
        std::uint64_t request = 0;
    };
    std::vector<Served> served; // each perhaps several times

    // But for the functions.
    std::size_t size() const { return requests.size() + jobs.size() + operations.size() + segments.size(); }
};

// Whose jobs in the log are not drawn, because the records show their work in more detail.
std::vector<ResourceGroup> undrawnGroups();

// Protobuf. What lies within one of the windows, whole.
std::string timelineTrace(const ActivityLog& log, const TimelineRecords& records,
                          const std::vector<TimelineSpan>& windows);

} // namespace strobe::platform
