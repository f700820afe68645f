// SPDX-License-Identifier: Apache-2.0
#include "models/nand/error_model.h"

#include "models/base/check.h"

#include <algorithm>
#include <cmath>

namespace strobe::nand {

namespace {

constexpr double shortest = 1.0 / 60; // hours

double formulaRate(const ErrorFormula& f, const PageStress& page)
{
    const double retention = page.hours > 0 ? f.b * std::pow(page.cycles, f.m) * std::pow(page.hours, f.n) : 0;
    const double disturb = page.reads > 0 ? f.g * std::pow(page.cycles, f.p) * std::pow(page.reads, f.q) : 0;
    const double rate = f.e + f.a * std::pow(page.cycles, f.k) + retention + disturb;
    if (page.pslc)
        return rate * f.pslcFactor;
    return f.pageFactors.empty() ? rate : rate * f.pageFactors[page.pageType % f.pageFactors.size()];
}

// The segment of ascending rows in which `x` lies, and its place there; beyond the ends: that of the first or last one.
struct Place {
    std::size_t low;
    double share;
};
template <class Rows, class X>
Place placeIn(const Rows& rows, double x, X xOf)
{
    if (rows.size() < 2)
        return {0, 0};
    std::size_t low = 0;
    while (low + 2 < rows.size() && x >= xOf(rows[low + 1]))
        ++low;
    return {low, (x - xOf(rows[low])) / (xOf(rows[low + 1]) - xOf(rows[low]))};
}

double between(const std::vector<double>& low, const std::vector<double>& high, std::size_t state, double share)
{
    return low[state] + (high[state] - low[state]) * share;
}

// Where each state of a page is now.
class States {
public:
    States(const ThresholdStates& table, const PageStress& page)
        : table_(table), page_(page), time_(placeIn(table.retention, std::log(std::max(page.hours, shortest)),
                                                    [](const StatesAfter& row) { return std::log(row.hours); })),
          wear_(placeIn(table.wear, page.cycles, [](const StatesWorn& row) { return row.cycles; })),
          atTable_(placeIn(table.wear, table.cycles, [](const StatesWorn& row) { return row.cycles; })),
          growth_(table.cycles > 0 ? std::pow(std::max(page.cycles, 1.0) / table.cycles, table.wearExponent) : 1)
    {
    }

    double mean(std::size_t state) const
    {
        double mean = grown(&StatesAfter::means, state) + worn(wear_, state) - worn(atTable_, state);
        if (state == 0)
            mean += table_.disturb * page_.reads;
        return mean;
    }
    double deviation(std::size_t state) const
    {
        constexpr double least = 0.1; // of the first row: a line in log t must not cross zero
        const double first = table_.retention.front().deviations[state];
        return std::max(grown(&StatesAfter::deviations, state), least * first) * std::max(1 + page_.variation, least);
    }

private:
    double grown(std::vector<double> StatesAfter::*values, std::size_t state) const
    {
        const auto& rows = table_.retention;
        const double first = (rows.front().*values)[state];
        if (rows.size() < 2)
            return first;
        const double now = between(rows[time_.low].*values, rows[time_.low + 1].*values, state, time_.share);
        return first + (now - first) * growth_;
    }
    double worn(Place place, std::size_t state) const
    {
        const auto& rows = table_.wear;
        return rows.size() < 2 ? 0 : between(rows[place.low].means, rows[place.low + 1].means, state, place.share);
    }

    const ThresholdStates& table_;
    const PageStress& page_;
    Place time_;
    Place wear_;
    Place atTable_;
    double growth_;
};

double above(double value, double mean, double deviation) // probability
{
    return 0.5 * std::erfc((value - mean) / (deviation * std::sqrt(2.0)));
}

// Of the states on both sides of a reference, the share that is beyond it.
double beyond(const States& states, std::size_t low, std::size_t high, double reference)
{
    return above(reference, states.mean(low), states.deviation(low)) + 1 -
           above(reference, states.mean(high), states.deviation(high));
}

double pslcRate(const ThresholdStates& table, const PageStress& page)
{
    const std::vector<double>& means = table.retention.front().means;
    constexpr double states = 2;
    return beyond(States(table, page), 0, means.size() - 1, (means.front() + means.back()) / 2) / states;
}

double statesRate(const ThresholdStates& table, const PageStress& page, const std::vector<double>& shifts)
{
    const States states(table, page);
    double wrong = 0;
    for (const std::uint32_t number : table.pages[page.pageType % table.pages.size()]) {
        const std::size_t low = number - 1;
        const double reference = table.references[low] + (shifts.empty() ? 0 : shifts[low]);
        wrong += beyond(states, low, low + 1, reference);
    }
    return wrong / static_cast<double>(table.references.size() + 1);
}

} // namespace

double bitErrorRate(const ErrorModel& model, const PageStress& page, std::uint32_t option)
{
    check(model.isOn() && option <= model.options.size(),
          "a bit error rate of no model, or of an option without entry");
    static const ReadOption atPowerOn;
    const ReadOption& read = option == 0 || page.pslc ? atPowerOn : model.options[option - 1];
    constexpr double most = 0.5; // a page of noise
    if (model.kind == ErrorModelKind::States)
        return std::min(page.pslc ? pslcRate(model.states, page) : statesRate(model.states, page, read.shifts), most);
    return std::min(formulaRate(model.formula, page) * std::exp(page.variation) * read.factor, most);
}

double acceleration(double activation, double celsius, double reference)
{
    constexpr double boltzmann = 8.617e-5; // eV/K
    constexpr double zeroCelsius = 273.15;
    return std::exp(activation / boltzmann * (1 / (reference + zeroCelsius) - 1 / (celsius + zeroCelsius)));
}

} // namespace strobe::nand
