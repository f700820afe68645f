// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/spread.h"

#include "models/base/check.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace strobe::platform {

namespace {

constexpr double confidence = 0.95;

// Without long double, whose arithmetic valgrind rounds to double: the library's start-up check of it would end the
// program there.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, Policy>;

} // namespace

Spread spreadOf(const std::vector<double>& samples)
{
    check(!samples.empty(), "a spread of nothing");
    const auto count = static_cast<double>(samples.size());
    // Equal samples have this value as their mean to the last bit, so that a comparison with it is exact.
    if (std::all_of(samples.begin(), samples.end(), [&](double value) { return value == samples.front(); }))
        return {samples.front(), 0, samples.size()};
    double sum = 0;
    for (const double value : samples)
        sum += value;
    const double mean = sum / count;
    double squares = 0;
    for (const double value : samples)
        squares += (value - mean) * (value - mean);
    const StudentsT distribution(count - 1);
    const double t = boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
    return {mean, t * std::sqrt(squares / (count - 1) / count), samples.size()};
}

std::string_view nameOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Holds: return "holds";
    case Verdict::Undecided: return "undecided";
    case Verdict::DoesNotHold: break;
    }
    return "does not hold";
}

Verdict verdictOf(const std::vector<Margin>& margins)
{
    std::vector<double> values;
    values.reserve(margins.size());
    for (const Margin& margin : margins)
        values.push_back(margin.value);
    const Spread spread = spreadOf(values);
    const bool isMetAtZero = margins.front().isMetAtZero;
    if (spread.low() > 0 || (isMetAtZero && spread.low() == 0))
        return Verdict::Holds;
    if (spread.high() < 0 || (!isMetAtZero && spread.high() == 0))
        return Verdict::DoesNotHold;
    return Verdict::Undecided;
}

Verdict both(Verdict a, Verdict b)
{
    return std::max(a, b);
}

} // namespace strobe::platform
