#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The temperature of a drive over a run, power cycles included: the network, what firmware does about it, and figures
// of both. The composite temperature is that of the warmer node. Times in which it is at or above a threshold are
// counted by whole samples, times of throttling exactly. The course has at most 1,024 points, and its end: when there
// are more, every other one is left out. Owns no clock. Units: degrees Celsius, W, J, picoseconds.

#include "models/base/statistics.h"
#include "models/thermal/thermal_network.h"

#include <cstdint>
#include <vector>

namespace strobe::thermal {

struct Throttle {            // what firmware reports
    std::uint32_t level = 0; // 0 none, 1 light, 2 heavy
    std::uint32_t dies = 0;  // that may work at a time; 0: no limit
    bool operator==(const Throttle& other) const { return level == other.level && dies == other.dies; }
};

struct ThermalFigures {
    struct Level {
        std::uint64_t entries = 0;
        Time time{};
        void declare(Statistics& stats);
    };
    PerNode highest{};
    PerNode last{};
    double peakWatt = 0; // mean of a sample's interval that was measured throughout
    Time warning{};      // at or above the threshold
    Time critical{};
    Level light;
    Level heavy;
    Time limited{}; // with a limit of the dies that work at a time

    void declare(Statistics& stats);
};

struct ThermalPoint {
    Time at{};
    PerNode celsius{};
    double watt = 0; // mean since the point before
    Throttle throttle;
};

class ThermalRecord {
public:
    static constexpr std::size_t mostPoints = 1024;

    struct Thresholds {
        double warning = 70;
        double critical = 80;
    };
    ThermalRecord(const NetworkConfig& network, const Thresholds& thresholds);

    // The interval from the last call until `now` is over: what the nodes took in it. `isMeasured`: all of it is
    // measured time.
    void sample(Time now, const PerNode& joule, bool isMeasured);
    void throttle(Throttle throttle, Time now); // firmware has decided
    void powerOff(Time now);                    // nothing is throttled, and nothing takes power until powerOn()
    void powerOn(Time now);

    double composite() const;
    bool isSettled() const; // the temperatures stay within a step of the sensor if the power stays as it is
    const PerNode& celsius() const { return network_.celsius(); }
    double watt() const { return watt_; } // of the last interval
    const Thresholds& thresholds() const { return thresholds_; }
    const Throttle& throttle() const { return throttle_; }
    ThermalFigures figures(Time now) const;
    std::vector<ThermalPoint> course() const; // until the last sample

private:
    void countThrottle(ThermalFigures& figures, Time now) const;
    void keepPoint(Time now, double joule);
    ThermalPoint point() const; // of all since the last one

    ThermalNetwork network_;
    Thresholds thresholds_;
    ThermalFigures figures_;
    Throttle throttle_;
    Time throttleSince_{};
    Time at_{}; // of the last sample
    double watt_ = 0;
    PerNode watts_{}; // the same of each node
    std::vector<ThermalPoint> course_;
    std::uint64_t stride_ = 1;  // samples of a point
    std::uint64_t skipped_ = 0; // since the last one
    double joule_ = 0;          // in these
    Throttle sampled_;          // at the last one
    Time pointAt_{};            // of the last point
};

} // namespace strobe::thermal
