#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Sums of the stages of many requests, by kind and by latency: bins on a logarithmic axis, 128 to the factor of two, so
// that the stages of the slowest requests follow without keeping the requests. The slowest x % are whole bins from the
// top, and the needed share of the last one (whose requests differ by less than 1 % in latency).
// Memory is bounded: a bin that holds requests takes less than 1 KiB and a number per die.

#include "models/base/statistics.h"
#include "models/host/request.h"
#include "platform/report/stage_path.h"
#include "platform/report/stage_sums.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace strobe::platform {

// What is known of a request besides its stages.
struct RequestFacts {
    std::uint64_t id = 0; // from 1, in order of issue, over all phases
    std::uint64_t lba = 0;
    std::uint32_t sectors = 0;
    std::uint32_t die = UINT32_MAX; // flat number, of the flash operation that it followed; UINT32_MAX: none
    host::RequestKind kind = host::RequestKind::Read;
};

// One request, whole.
struct TracedRequest : RequestFacts {
    StagePath path;

    Time latency() const { return path.end() - path.start(); }
};

// The mean request of some.
struct StageMeans {
    std::uint64_t requests = 0;
    double latency = 0; // picoseconds, as all of them
    std::array<double, stageIds> stages{};
    std::array<double, stageIds> bufferWaitCauses{}; // of the buffer wait: what the flash operation did that ended it
    std::vector<double> dies; // shares of the requests, by die of the operation that they followed

    void declare(Statistics& stats) const; // the times rounded to picoseconds
};

class StageTally {
public:
    explicit StageTally(std::size_t dies) : dies_(dies) {}

    struct Bin : StageTotals { // of its last requests, whose latencies add up to less than 2^64 ps
        __extension__ using Sum = __int128;
        struct Earlier { // of those before them
            Sum latency = 0;
            std::array<Sum, stageIds> stages{};
            std::array<Sum, stageIds> bufferWaitCauses{};
        };
        std::uint64_t requests = 0; // all
        std::uint64_t latency = 0;
        std::vector<std::uint32_t> dies;
        std::unique_ptr<Earlier> earlier; // null: none

        void settle(); // the last requests become earlier ones

        void followed(std::uint32_t die) // flat number, of the flash operation that a request followed
        {
            if (die < dies.size())
                ++dies[die];
        }
    };
    // A request more. Returns what its stages and its die are to be added to, valid as long as this.
    Bin& add(host::RequestKind kind, Time latency);
    void add(const TracedRequest& request);
    std::uint64_t requests(host::RequestKind kind) const { return kinds_[static_cast<std::size_t>(kind)].requests; }
    // Of the slowest `share` (0 to 1) of the requests of that kind, at least one. REQUIRES: there are any.
    StageMeans slowest(host::RequestKind kind, double share) const;

private:
    struct Kind {
        std::uint64_t requests = 0;
        std::vector<std::unique_ptr<Bin>> bins; // by latency
    };
    static std::size_t binOf(Time latency);

    std::size_t dies_;
    std::array<Kind, host::requestKindTable.size()> kinds_;
};

// The slowest requests of a run, at most `limit`, the slowest first. Of equal ones those that came first.
class SlowestRequests {
public:
    explicit SlowestRequests(std::size_t limit) : limit_(limit) {}

    // Whether the next request will be kept.
    bool takes(Time latency) const
    {
        return kept_.size() < limit_ || (limit_ != 0 && latency > kept_.front().latency());
    }
    void add(const TracedRequest& request)
    {
        if (takes(request.latency()))
            keep(request);
    }
    std::vector<TracedRequest> sorted() const;

private:
    void keep(const TracedRequest& request);

    std::size_t limit_;
    std::vector<TracedRequest> kept_; // a heap: the fastest at the front
};

// Of the measured requests of a run.
struct RequestStatistics {
    StageTally tally;
    SlowestRequests slowest;
};

} // namespace strobe::platform
