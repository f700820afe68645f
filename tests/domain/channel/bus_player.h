#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Plays operations through a NandInterface without a kernel: arrivals at given times, dies that take the array time of
// the part. Records which die had the bus at which time.

#include "models/channel/nand_interface.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace strobe::channel::test {

class BusPlayer {
public:
    struct Tenure { // of the bus
        std::uint32_t die;
        NandInterface::Phase phase;
        Time start;
        Time end;
        const nand::Operation* op;
    };

    BusPlayer(const BusSchedule& schedule, std::uint32_t dies, SegmentOrder order);
    BusPlayer(const BusSchedule& schedule, std::uint32_t dies, std::unique_ptr<BusPolicy> policy);
    ~BusPlayer();

    nand::Operation& add(std::uint32_t die, Time at, const nand::Operation& op);

    // Plays until nothing is left to do.
    void play();

    // "0 request 0-40" …, in nanoseconds
    std::vector<std::string> phases() const;

    NandInterface interface;
    std::deque<nand::Operation> operations;
    std::vector<Tenure> tenures; // those with bus time

private:
    struct Arrival {
        Time at;
        std::uint32_t die;
        nand::Operation* op;
    };

    void start(const NandInterface::Grant& grant, Time now);
    void finishEnded(Time now);
    Time nextTime(Time now) const;

    BusSchedule schedule_;
    std::deque<Arrival> arrivals_;
    struct Responding {
        Time end;
        NandInterface::Grant grant;
    };
    std::vector<Responding> responding_; // one, or several with separate command lines
};

} // namespace strobe::channel::test
