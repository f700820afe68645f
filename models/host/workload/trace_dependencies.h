#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Due times of the requests of a trace if each waits for the same requests as in the recording.
//
// Recorded: request i arrived at a(i) and was complete at e(i) = a(i) + response. Its predecessors P(i) are the
// requests that had arrived before it and were complete by a(i). Replayed: i is due when all of P(i) are complete, and
// as much later as it was recorded after the last of them:
//     due(i) = max over P(i) of completion(j)  +  a(i) - max over P(i) of e(j),       or a(i) if P(i) is empty
// Requests without a predecessor in between keep their distance to each other, and what overlapped may overlap again.
// Without response times e = a, and every earlier request is a predecessor: arrival gaps become think times.
//
// Not modelled: coincidental order. Two independent programs on one disk are treated as one.

#include "models/base/time.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace strobe::host {

class TraceDependencies {
public:
    void begin(Time started); // the replay's instant at which the trace begins
    // The next request, in the order of arrival: times as recorded (or scaled, both alike).
    void arrived(Time arrival, Time response);
    Time due() const; // of the request that arrived last; never while a predecessor is outstanding

    std::uint64_t issued(); // the request that arrived last; its number
    void completed(std::uint64_t number, Time now);

private:
    struct End {
        Time from; // a request that arrives then or later has this one as its predecessor
        Time end;
        std::uint64_t number;
        bool operator>(const End& other) const { return from > other.from; }
    };

    Time base_{};     // the replay's instant …
    Time recorded_{}; // … of this time of the trace: its start, or the last completion among the predecessors
    Time arrival_{};  // of the request that arrived last
    Time response_{};
    std::uint64_t next_ = 0;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends_; // of requests that are not yet a predecessor
    std::unordered_map<std::uint64_t, Time> early_;                   // of these: complete in the replay, and when
    std::unordered_set<std::uint64_t> awaited_;                       // predecessors that are outstanding in the replay
};

} // namespace strobe::host
