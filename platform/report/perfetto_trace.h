#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A trace in Perfetto's protobuf format (TrackEvent packets), which ui.perfetto.dev and trace_processor read: tracks in
// a tree, slices on them, and flows, which the viewer draws as arrows between slices. Times are nanoseconds there:
// picoseconds are rounded down, so that slices which touch stay in order. Slices of one track must not overlap, but for
// those inside another one. Names of slices and of arguments are written once.

#include "models/base/time.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strobe::platform {

class PerfettoTrace {
public:
    using Track = std::uint64_t; // 0: none

    // `rank`: place among the tracks of the same parent.
    Track track(std::string_view name, Track parent, std::uint32_t rank);

    struct Slice {
        Track track = 0;
        Time start{};
        Time end{};
        std::string_view name;            // used before the call returns
        std::vector<std::uint64_t> flows; // numbers of flows that pass through it
        std::vector<std::pair<std::string_view, std::int64_t>> arguments;
    };
    // `inside`: within it, in order of time, without overlap; their tracks are not used.
    void slice(const Slice& slice, const std::vector<Slice>& inside = {});

    // The same in two steps, for what is inside slices which are inside: the end belongs to the last slice of the track
    // that has none yet.
    void begin(const Slice& slice, Track track);
    void end(Time at, Track track);

    const std::string& bytes() const { return bytes_; }
    std::string takeBytes() { return std::move(bytes_); }

private:
    struct Names { // ids from 1
        std::deque<std::string> kept;
        std::unordered_map<std::string_view, std::uint64_t> ids; // of what is kept
    };
    template <class Field>
    std::uint64_t idOf(std::string_view name, Names& names, Field field);

    std::string bytes_;
    Track tracks_ = 0;
    bool isStarted_ = false;
    Names names_;
    Names keys_;           // of arguments
    std::string interned_; // new names, for the next packet
    std::vector<std::uint64_t> ids_;
};

} // namespace strobe::platform
