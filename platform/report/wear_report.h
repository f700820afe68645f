#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Wear of the flash since power-on, preconditioning included: what the dies counted, and the figures that follow from
// it.

#include "models/base/statistics.h"
#include "models/base/time.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::platform {

struct WearSample { // of the blocks in use for data at one instant
    Time at{};
    std::uint64_t writtenBytes = 0; // by the host, since power-on
    std::uint64_t blocks = 0;       // programmed or erased at least once, last not for metadata, and not bad
    std::uint32_t minimum = 0;
    std::uint32_t maximum = 0;
    std::uint64_t erases = 0; // sum over the blocks

    void declare(Statistics& stats)
    {
        stats.add("at", Unit::Duration, "simulated time of the sample", at);
        stats.add("written", Unit::Bytes, "written by the host since power-on", writtenBytes);
        stats.add("blocks", Unit::Count, "blocks in use for data", blocks);
        stats.add("min_erases", Unit::Count, "erases of the least worn of these blocks", minimum);
        stats.add("max_erases", Unit::Count, "erases of the most worn", maximum);
        stats.derive("difference", Unit::Count, "between the two", std::uint64_t{maximum - minimum});
        stats.add("erases", Unit::Count, "sum over these blocks", erases);
    }
};

struct DieWear { // erase counts of one die, block by block
    std::uint32_t channel = 0;
    std::uint32_t position = 0; // on the channel
    std::vector<std::uint32_t> erases;
    std::vector<std::uint32_t> factoryBad; // blocks, ascending
    std::vector<std::uint32_t> failed;     // others, of which a program or erase has failed
};

struct WearReport {
    std::uint64_t blocks = 0;
    std::uint64_t factoryBad = 0;
    std::uint64_t failed = 0; // of which a program or erase has failed
    std::uint32_t minimum = 0;
    std::uint32_t maximum = 0;
    std::uint64_t erases = 0;             // sum over blocks
    std::uint32_t endurance = 0;          // rated program/erase cycles of the part; 0: not known
    std::vector<std::uint64_t> histogram; // [n]: good blocks erased n times; the last entry counts "n or more"
    std::vector<WearSample> history;      // if requested by the scenario
    std::vector<DieWear> map;             // if requested by the scenario
    double preAged = 0;                   // normalised wear before the run
    struct Overwrites {                   // PCM: programs of a page
        std::uint64_t pages = 0;
        std::uint32_t minimum = 0;
        std::uint32_t maximum = 0;
        std::uint64_t sum = 0;

        double mean() const; // zero without pages
        void declare(Statistics& stats) const;
    };
    std::optional<Overwrites> overwrites;

    void declare(Statistics& stats) const;
    void declarePreAge(Statistics& stats) const; // of a drive that was aged before the run
};

double meanErases(const WearReport& wear); // of the good blocks
// The unit of wear: erases of blocks or, for a part without erases, programs of pages.
double meanCycles(const WearReport& wear);
double mostCycles(const WearReport& wear);
// Share of the rated cycles that is used, the initial wear included; nothing if the part has no rating.
std::optional<double> lifeUsed(const WearReport& wear, double cycles);

} // namespace strobe::platform
