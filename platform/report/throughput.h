#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Amounts over a time: requests and data per second, and the energy that they took.

#include "models/base/statistics.h"
#include "models/base/time.h"

#include <cstdint>
#include <string>

namespace strobe::platform {

double perSecond(double amount, Time time); // zero if no time has passed

// Requests of one kind or of all kinds, completed within `time`.
struct Throughput {
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0; // of all kinds: read and written
    Time time{};

    double iops() const { return perSecond(static_cast<double>(requests), time); }
    double megabytesPerSecond() const { return perSecond(static_cast<double>(bytes), time) / 1e6; }
    double mebibytesPerSecond() const { return perSecond(static_cast<double>(bytes), time) / 1048576.0; }
    void declare(Statistics& stats) const;
};

// Energy that the drive or a component took during `time`, in which the host read and wrote `bytes`.
struct EnergyUse {
    double joule = 0;
    Time time{};
    std::uint64_t bytes = 0;

    double watt() const { return perSecond(joule, time); }
    double joulePerByte() const; // zero without bytes, as the next
    double joulePerSector() const;
    void declare(Statistics& stats) const; // of the drive
    void declareComponent(Statistics& stats) const;
};

// One component of the drive over the measured time.
struct EnergyReport {
    std::string component;
    double joule = 0;
    std::string source;
    std::string group; // of resources that do the work (models/base/resource_group.h); empty: a constant consumer
};

// A power state of the drive over the measured time.
struct PowerStateReport {
    double watt = 0; // of the state; of state 0 the most that the drive takes
    Time time{};
    std::uint64_t entries = 0;
    double joule = 0; // that the drive took in it

    void declare(Statistics& stats) const;
};

} // namespace strobe::platform
