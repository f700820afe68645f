#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Records a run over time: at the end of each interval of measured time it takes the differences of cumulative figures,
// so models do nothing for it. Memory is bounded: when there are `most` intervals, neighbours are joined in pairs and
// intervals become twice as long. Percentiles of an interval are as accurate as those of the whole run, because its
// histogram is kept. Owns no clock.

#include "models/host/driver.h"
#include "models/nand/operation.h"
#include "platform/report/report.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace strobe::platform {

// Figures that only grow, over all power cycles.
struct CumulativeFigures {
    struct Group {
        std::size_t members = 0;
        Time busy{};
        Time waited{};
    };
    std::array<Group, resourceGroupTable.size()> groups{};
    std::array<std::uint64_t, nand::purposeTable.size()> programs{}; // pages, by nand::Purpose
};

// The state of a run at one instant.
struct Observed {
    CumulativeFigures figures;
    const std::vector<host::PhaseResult>& phases;                  // so far
    std::array<Time, host::requestKindTable.size()> outstanding{}; // HostDriver::outstandingTime()
};

class SeriesRecorder {
public:
    static constexpr std::size_t fewest = 128; // intervals after they were joined
    static constexpr std::size_t most = 2 * fewest;
    static constexpr std::size_t mostAsAsked = 16'384; // of a length that the user chose
    static constexpr Time shortest = std::chrono::microseconds(50);

    // `every`: length of the intervals; nothing: `shortest`, or as long as the bound on their number requires.
    explicit SeriesRecorder(std::optional<Time> every);

    void start(Time now);    // measured time runs
    void stop(Time now);     // and no longer
    Time nextSample() const; // when sample() is to be called; never: not before the next start()
    void sample(Time now, const Observed& observed);
    // Includes the last, shorter interval. REQUIRES: stopped.
    SeriesReport finish(const Observed& observed);

private:
    static constexpr std::size_t kinds = host::requestKindTable.size();
    using Bins = std::vector<std::pair<std::int16_t, std::uint64_t>>; // number and samples, ascending
    struct Requests {
        std::uint64_t completed = 0;
        std::uint64_t sectors = 0;
        Bins latency;
        double outstanding = 0; // integral over the interval, ps
    };
    struct Interval {
        Time length{};
        std::array<Requests, kinds> requests{};
        CumulativeFigures figures;
    };
    struct Seen { // of one kind in one phase
        std::uint64_t completed = 0;
        std::uint64_t sectors = 0;
        std::vector<std::uint64_t> bins; // empty: none counted yet
    };

    void close(const Observed& observed);
    void takeRequests(Interval& interval, const Observed& observed);
    static Bins newSamples(Seen& seen, const LatencyHistogram& histogram);
    void joinPairs();
    static void join(Interval& first, const Interval& second);
    static Bins sumOf(const Bins& a, const Bins& b);

    Time interval_;
    std::size_t most_;
    std::vector<Interval> intervals_;
    bool isRunning_ = false;
    Time since_{};   // measured time runs since
    Time elapsed_{}; // of the open interval before that
    CumulativeFigures before_;
    std::vector<std::array<Seen, kinds>> seen_; // by phase
    std::array<double, kinds> outstanding_{};   // integral up to the last sample
};

} // namespace strobe::platform
