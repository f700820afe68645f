// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/rate_series.h"

#include "models/base/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strobe::platform {

namespace {

RateSeries withData(const RateSeries& series)
{
    RateSeries merged;
    double waited = 0;
    for (const RateInterval& interval : series) {
        waited += interval.seconds;
        if (interval.bytes == 0)
            continue;
        merged.push_back({interval.bytes, waited});
        waited = 0;
    }
    return merged;
}

// Sums up to each interval, for the cost of any part of the curve.
class Costs {
public:
    explicit Costs(const RateSeries& series)
    {
        for (const RateInterval& interval : series) {
            const double level = std::log(interval.bytes / interval.seconds);
            weight_.push_back(weight_.back() + interval.bytes);
            first_.push_back(first_.back() + interval.bytes * level);
            second_.push_back(second_.back() + interval.bytes * level * level);
        }
    }
    // The squared distances of the intervals [from, to) from their mean.
    double of(std::size_t from, std::size_t to) const
    {
        const double first = first_[to] - first_[from];
        return second_[to] - second_[from] - first * first / (weight_[to] - weight_[from]);
    }
    std::size_t size() const { return weight_.size() - 1; }

private:
    std::vector<double> weight_{0};
    std::vector<double> first_{0};
    std::vector<double> second_{0};
};

// Where the plateaus end, as numbers of intervals: dynamic programming over the number of plateaus.
std::vector<std::size_t> endsOf(const Costs& costs, std::size_t count)
{
    constexpr double never = std::numeric_limits<double>::infinity();
    const std::size_t size = costs.size();
    std::vector<std::vector<std::size_t>> begins(count, std::vector<std::size_t>(size + 1, 0));
    std::vector<double> least(size + 1, never);
    for (std::size_t end = 1; end <= size; ++end)
        least[end] = costs.of(0, end);
    for (std::size_t plateau = 1; plateau < count; ++plateau) {
        std::vector<double> next(size + 1, never);
        for (std::size_t end = plateau + 1; end <= size; ++end) {
            for (std::size_t begin = plateau; begin < end; ++begin) {
                const double cost = least[begin] + costs.of(begin, end);
                if (cost < next[end]) {
                    next[end] = cost;
                    begins[plateau][end] = begin;
                }
            }
        }
        least = std::move(next);
    }
    std::vector<std::size_t> ends(count, size);
    for (std::size_t plateau = count - 1; plateau > 0; --plateau)
        ends[plateau - 1] = begins[plateau][ends[plateau]];
    return ends;
}

} // namespace

double percentileOfRates(const RateSeries& series, double share)
{
    check(!series.empty(), "percentiles of no intervals");
    std::vector<double> rates;
    for (const RateInterval& interval : series)
        rates.push_back(interval.bytes / interval.seconds);
    if (rates.size() > 1)
        rates.pop_back();
    std::sort(rates.begin(), rates.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(rates.size())));
    return rates[std::max<std::size_t>(rank, 1) - 1];
}

std::vector<Plateau> plateausOf(const RateSeries& series, std::size_t count)
{
    const RateSeries curve = withData(series);
    check(count > 0 && curve.size() >= count, "fewer intervals than plateaus");
    std::vector<Plateau> plateaus;
    double place = 0;
    std::size_t begin = 0;
    for (const std::size_t end : endsOf(Costs(curve), count)) {
        double bytes = 0;
        double seconds = 0;
        for (; begin < end; ++begin) {
            bytes += curve[begin].bytes;
            seconds += curve[begin].seconds;
        }
        place += bytes;
        plateaus.push_back({bytes / seconds, place});
    }
    return plateaus;
}

} // namespace strobe::platform
