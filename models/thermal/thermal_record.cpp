// SPDX-License-Identifier: Apache-2.0
#include "models/thermal/thermal_record.h"

#include <algorithm>
#include <cmath>

namespace strobe::thermal {

void ThermalFigures::Level::declare(Statistics& stats)
{
    stats.add("entries", Unit::Count, "times that firmware began to throttle at this level", entries);
    stats.add("time", Unit::Duration, "time at this level", time);
}

void ThermalFigures::declare(Statistics& stats)
{
    stats.derive("controller max", Unit::Celsius, "highest temperature of the controller", highest[Controller]);
    stats.derive("flash max", Unit::Celsius, "highest temperature of the flash packages", highest[Flash]);
    stats.derive("controller end", Unit::Celsius, "temperature of the controller at the end", last[Controller]);
    stats.derive("flash end", Unit::Celsius, "temperature of the flash packages at the end", last[Flash]);
    stats.derive("peak", Unit::Watt, "highest mean power of one thermal.interval of measured time", peakWatt);
    stats.add("warning", Unit::Duration, "time at or above thermal.warning", warning);
    stats.add("critical", Unit::Duration, "time at or above thermal.critical", critical);
    stats.add("limited", Unit::Duration, "time in which firmware limited the dies that work at a time", limited);
}

ThermalRecord::ThermalRecord(const NetworkConfig& network, const Thresholds& thresholds)
    : network_(network), thresholds_(thresholds)
{
    figures_.highest = network_.celsius();
    course_.push_back({Time{}, network_.celsius(), 0, {}});
}

double ThermalRecord::composite() const
{
    return std::max(celsius()[Controller], celsius()[Flash]);
}

bool ThermalRecord::isSettled() const
{
    constexpr double step = 1.0 / 16;
    const PerNode end = network_.steady(watts_);
    return std::abs(end[Controller] - celsius()[Controller]) < step && std::abs(end[Flash] - celsius()[Flash]) < step;
}

void ThermalRecord::sample(Time now, const PerNode& joule, bool isMeasured)
{
    const Time step = now - at_;
    if (step <= Time{})
        return;
    at_ = now;
    const double seconds = toSeconds(step);
    const double total = joule[Controller] + joule[Flash];
    watt_ = total / seconds;
    // In what was before the sample it was nearly as warm as it is now.
    watts_ = {joule[Controller] / seconds, joule[Flash] / seconds};
    network_.advance(step, watts_);
    for (std::size_t node = 0; node < nodes; ++node)
        figures_.highest[node] = std::max(figures_.highest[node], celsius()[node]);
    if (isMeasured)
        figures_.peakWatt = std::max(figures_.peakWatt, watt_);
    if (composite() >= thresholds_.warning)
        figures_.warning += step;
    if (composite() >= thresholds_.critical)
        figures_.critical += step;
    keepPoint(now, total);
}

void ThermalRecord::keepPoint(Time now, double joule)
{
    joule_ += joule;
    sampled_ = throttle_;
    if (++skipped_ < stride_)
        return;
    course_.push_back(point());
    pointAt_ = now;
    skipped_ = 0;
    joule_ = 0;
    if (course_.size() <= mostPoints)
        return;
    // The mean power of a point that stays is also that of the one before, which goes.
    std::vector<ThermalPoint> fewer{course_.front()};
    for (std::size_t i = 2; i < course_.size(); i += 2) {
        const double before = toSeconds(course_[i - 1].at - course_[i - 2].at) * course_[i - 1].watt;
        const double own = toSeconds(course_[i].at - course_[i - 1].at) * course_[i].watt;
        fewer.push_back(course_[i]);
        fewer.back().watt = (before + own) / toSeconds(course_[i].at - course_[i - 2].at);
    }
    course_ = std::move(fewer);
    stride_ *= 2;
}

ThermalPoint ThermalRecord::point() const
{
    return {at_, celsius(), joule_ / toSeconds(at_ - pointAt_), sampled_};
}

std::vector<ThermalPoint> ThermalRecord::course() const
{
    std::vector<ThermalPoint> course = course_;
    if (skipped_ != 0)
        course.push_back(point());
    return course;
}

void ThermalRecord::countThrottle(ThermalFigures& figures, Time now) const
{
    const Time time = now - throttleSince_;
    if (throttle_.level == 1)
        figures.light.time += time;
    if (throttle_.level == 2)
        figures.heavy.time += time;
    if (throttle_.dies != 0)
        figures.limited += time;
}

void ThermalRecord::throttle(Throttle throttle, Time now)
{
    countThrottle(figures_, now);
    if (throttle.level != throttle_.level) {
        figures_.light.entries += throttle.level == 1 ? 1 : 0;
        figures_.heavy.entries += throttle.level == 2 ? 1 : 0;
    }
    throttle_ = throttle;
    throttleSince_ = now;
}

void ThermalRecord::powerOff(Time now)
{
    throttle({}, now);
    sample(now, {}, false); // what it took since the last sample is too little to count
}

void ThermalRecord::powerOn(Time now)
{
    sample(now, {}, false);
    throttleSince_ = now;
}

ThermalFigures ThermalRecord::figures(Time now) const
{
    ThermalFigures figures = figures_;
    countThrottle(figures, now);
    figures.last = celsius();
    return figures;
}

} // namespace strobe::thermal
