#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Latencies on a logarithmic axis: 2,400 bins over eight decades (10 ns to 1 s, and one bin beyond either end), 19 KiB,
// about 2 ns per sample, percentiles within 0.5 % up to 99.99. Minimum, maximum, count and sum are exact.

#include "models/base/time.h"

#include <cstdint>
#include <memory>

namespace strobe {

class LatencyHistogram {
public:
    LatencyHistogram();
    LatencyHistogram(const LatencyHistogram& other);
    LatencyHistogram& operator=(const LatencyHistogram& other);
    LatencyHistogram(LatencyHistogram&&) noexcept;
    LatencyHistogram& operator=(LatencyHistogram&&) noexcept;
    ~LatencyHistogram();

    void record(Time latency); // REQUIRES: latency >= 0
    void merge(const LatencyHistogram& other);
    void reset();

    std::uint64_t count() const { return count_; }
    Time minimum() const { return count_ == 0 ? Time{} : minimum_; }
    Time maximum() const { return maximum_; }
    Time mean() const;                                       // zero when empty
    double sum() const { return static_cast<double>(sum_); } // ps
    // The latency that `percent` of the samples do not exceed; zero when empty. REQUIRES: 0 <= percent <= 100.
    Time percentile(double percent) const;

    // The samples of one bin. Bin -1 is below the range, bin `bins` beyond it. REQUIRES: -1 <= bin <= bins.
    static constexpr int bins = 2400;
    static constexpr int binsPerDecade = 300;
    std::uint64_t countOf(int bin) const;
    static Time lowerEdge(int bin); // REQUIRES: 0 <= bin <= bins
    // As many samples in the bin; extremes and mean become as accurate as the bin is wide.
    void add(int bin, std::uint64_t samples);

private:
    struct Bins;                        // keeps Boost.Histogram out of this header
    __extension__ using Sum = __int128; // a day of ten-second latencies does not fit 64 bits of picoseconds
    std::unique_ptr<Bins> bins_;
    std::uint64_t count_ = 0;
    Time minimum_ = never;
    Time maximum_{};
    Sum sum_ = 0;
};

} // namespace strobe
