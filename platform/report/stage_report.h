#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The report's part about the stages of requests: the mean request of each kind, the same for the slowest 10 %, 1 % and
// 0.1 %, and single requests, as plain data, as JSON and as text.

#include "platform/report/stage_tally.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace strobe::platform {

struct StageReport {
    struct Class {
        double share = 1; // of the requests, the slowest ones
        StageMeans means;
    };
    struct Kind {
        host::RequestKind kind = host::RequestKind::Read;
        std::vector<Class> classes; // from all requests to the fewest; those of at least one request
    };
    std::vector<Kind> kinds; // that occurred
    std::vector<TracedRequest> slowest;
    std::uint32_t channels = 1;
    std::uint32_t diesPerChannel = 1;
};

StageReport stageReport(const StageTally& tally, const SlowestRequests& slowest, std::uint32_t channels,
                        std::uint32_t diesPerChannel);

// What took the time of a class of requests, the largest first: stages, with waiting for dies as one.
struct StageFinding {
    StageId stage = 0;        // of a wait for dies: its largest cause
    double share = 0;         // of the latency; of a wait for dies: all of it
    double causeShare = 0;    // of the share: the largest cause (wait for dies), the largest stage behind a buffer wait
    StageId behind = noStage; // buffer wait: that stage
};
std::vector<StageFinding> stageFindings(const StageMeans& means);
// Where half of the requests or more were: "93.0 % on channel 1", "… on die 1.2"; empty: spread, or too few requests.
std::string stagePlace(const StageMeans& means, std::uint32_t channels, std::uint32_t diesPerChannel);
// "slowest 1 % of reads: 71 % waiting for a die that is erasing for garbage collection, 12 % bus wait; 93 % on die 1.2"
std::string stageSentence(const StageReport& report, host::RequestKind kind, const StageReport::Class& of);

nlohmann::ordered_json stageJson(const StageReport& report);
// Lines indented by two spaces: tables and sentences; the list of single requests.
std::string stageText(const StageReport& report);
std::string slowestText(const StageReport& report);

} // namespace strobe::platform
