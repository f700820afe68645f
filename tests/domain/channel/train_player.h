#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Plays operations through a NandInterface that joins and suspends, with real dies that annotate, without a kernel.
// Records which die had the bus at which time.

#include "models/channel/nand_interface.h"
#include "models/nand/die.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace strobe::channel::test {

class TrainPlayer {
public:
    TrainPlayer(const InterfaceTiming& timing, const nand::Part& part, std::uint32_t count, const JoinPolicy& join);
    ~TrainPlayer();

    nand::Operation& add(std::uint32_t die, Time at, const nand::Operation& op);

    Time play();

    struct Tenure { // of the bus
        NandInterface::Phase phase;
        const nand::Operation* op;
        nand::Form form; // at that time, as the next one
        std::uint32_t accesses;
        Time start;
        Time end;
        Time ready; // of a request: R/B# rises
    };

    std::deque<nand::Operation> operations;
    std::vector<Tenure> tenures;     // those with bus time
    std::vector<std::string> phases; // "0 request 0-40" …, in nanoseconds
    std::vector<std::unique_ptr<nand::Die>> dies;

private:
    struct Arrival {
        Time at;
        std::uint32_t die;
        nand::Operation* op;
    };

    void start(const NandInterface::Grant& grant, Time now);
    void finish(const NandInterface::Grant& grant, Time now);
    void finishEnded(Time now);

    nand::Part part_;

public:
    NandInterface interface;

private:
    std::deque<Arrival> arrivals_;
    struct Responding {
        Time end;
        NandInterface::Grant grant;
    };
    std::vector<Responding> responding_; // one, or several with separate command lines
};

} // namespace strobe::channel::test
