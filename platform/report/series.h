#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A run over time, as plain data: consecutive intervals of measured time (the time outside measured phases, and while
// power is off, is left out), and what completed in each of them. The assembly fills it (series_recorder.h).

#include "models/base/resource_group.h"
#include "models/base/time.h"
#include "models/host/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe::platform {

struct SeriesReport {
    // All lists have one entry per interval.
    struct Operation { // host requests of one kind
        host::RequestKind kind = host::RequestKind::Read;
        std::vector<std::uint64_t> requests; // completed
        std::vector<std::uint64_t> bytes;
        std::vector<std::optional<Time>> p50; // response times; nothing: no request completed
        std::vector<std::optional<Time>> p99;
        std::vector<std::optional<Time>> p999;
        std::vector<double> queueDepth; // outstanding requests, averaged over the interval
    };
    struct Purpose {
        std::string purpose;
        std::vector<std::uint64_t> programs; // pages, copy-back included
    };
    struct Group { // mean over the members
        ResourceGroup group = ResourceGroup::Link;
        std::vector<double> utilisation; // a job counts when its end is known: single intervals may exceed 1
        std::vector<double> meanQueue;
    };

    Time interval{};          // of all but the last, which may be shorter
    std::vector<Time> length; // empty: nothing was recorded
    std::vector<Operation> operations;
    std::vector<Purpose> programs;
    std::vector<Group> groups;
};

} // namespace strobe::platform
