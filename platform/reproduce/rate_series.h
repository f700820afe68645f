#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a curve of bandwidth shows: the spread of its rates, and its plateaus with the cliffs between them. Rates are in
// bytes per second, places in bytes since the beginning.

#include <cstddef>
#include <vector>

namespace strobe::platform {

struct RateInterval {
    double bytes;
    double seconds; // above 0
};
using RateSeries = std::vector<RateInterval>;

// The rate that this share of the intervals does not exceed (nearest rank). The last interval is left out where others
// exist, because the end of the run cuts it. REQUIRES: at least one interval.
double percentileOfRates(const RateSeries& series, double share);

struct Plateau {
    double rate; // of all of its data
    double end;  // place
};

// The `count` plateaus that fit the curve best: the sum over its data of the squared logarithm of the rate against the
// plateau's is least, so that a slow plateau counts as much as a fast one. The curve has no intervals without data:
// they are added to the next one. REQUIRES: as many intervals with data as plateaus.
std::vector<Plateau> plateausOf(const RateSeries& series, std::size_t count);

} // namespace strobe::platform
