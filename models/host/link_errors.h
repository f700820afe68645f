#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Planned errors of a host link: which packets or frames have to be sent again. What that costs is the link's
// (pcie_link.h, sata_link.h). Pure.

#include "models/base/rng.h"
#include "models/base/statistics.h"
#include "models/base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::host {

struct LinkErrors {     // probabilities, of each packet or frame, each time that it is sent
    double damaged = 0; // arrives with a wrong CRC: the receiver refuses it
    double lost = 0;    // is not recognised at all: the sender's timer has to expire. PCIe only
    std::uint64_t seed = 1;
    std::uint64_t powerLosses = 0; // before; other draws after each

    bool isOn() const { return damaged > 0 || lost > 0; }
};

struct LinkErrorCounters {
    std::uint64_t damaged = 0;
    std::uint64_t lost = 0;
    Time repeats{};

    void declare(Statistics& stats)
    {
        stats.add("damaged", Unit::Count, "packets or frames that arrived damaged and were sent again", damaged);
        stats.add("lost", Unit::Count, "packets that were not recognised and sent again after the replay timer", lost);
        stats.add("repeats", Unit::Duration, "link time spent on repeats", repeats);
    }
};

// After the other statistics of a link, if errors are planned.
inline std::vector<Statistic> withErrors(std::vector<Statistic> link, const LinkErrors& plan,
                                         const LinkErrorCounters& counters)
{
    if (!plan.isOn())
        return link;
    const std::vector<Statistic> more = statisticsOf(counters);
    link.insert(link.end(), more.begin(), more.end());
    return link;
}

// Draws the errors of a link, and counts them.
class LinkErrorDraws {
public:
    explicit LinkErrorDraws(const LinkErrors& errors)
        : errors_(errors), draws_(errors.seed, "link errors " + std::to_string(errors.powerLosses))
    {
    }

    bool isOn() const { return errors_.isOn(); }
    // Of so many packets, each of which takes a draw every time that it is sent: what the repetitions add.
    // `afterDamage`, `afterLoss`: what one of each adds.
    Time repeats(std::uint32_t packets, Time afterDamage, Time afterLoss)
    {
        Time all{};
        for (std::uint32_t packet = 0; packet < packets;) {
            const double draw = draws_.unit();
            if (draw < errors_.damaged) {
                ++counters_.damaged;
                all += afterDamage;
            } else if (draw < errors_.damaged + errors_.lost) {
                ++counters_.lost;
                all += afterLoss;
            } else {
                ++packet;
            }
        }
        counters_.repeats += all;
        return all;
    }

    const LinkErrorCounters& counters() const { return counters_; }
    void resetCounters() { counters_ = {}; }

private:
    LinkErrors errors_;
    Rng draws_;
    LinkErrorCounters counters_;
};

} // namespace strobe::host
