#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Results of the operations of `strobe operations`: counts, times and shares of the time, as text and as JSON; which
// chip was in which state at which time and which chip held the buses, as CSV and as bars for a terminal.

#include "models/operations/operation_source.h"
#include "platform/config/scenario.h"

#include <string>
#include <vector>

namespace strobe::platform {

struct OperationsResult {
    struct Kind {
        nand::Opcode opcode;
        operations::OpcodeResult result;
    };
    std::vector<Kind> kinds;              // those that occur
    Time begin{};                         // of the measurement, in simulated time
    Time elapsed{};                       // from there to the end of the last operation
    std::vector<Time> busBusy;            // of each channel; with separate command lines its data lines
    std::vector<Time> commandLinesBusy{}; // of each channel; empty without them
    std::vector<Time> arrayBusy;          // of each die
    std::uint64_t pageBytes = 0;
    std::uint64_t mismatches = 0;      // pages read whose contents were not those written
    std::uint64_t problems = 0;        // these, and operations that failed or were refused
    bool isInterrupted = false;        // not all of them were carried out
    std::vector<nand::Operation> kept; // the first ones; their time stamps count from `begin`
    std::string contents;              // of nand.contents.file, if the scenario writes it and the run came to its end

    const operations::OpcodeResult& of(nand::Opcode opcode) const; // zeros if it did not occur
    double megabytesPerSecond(nand::Opcode opcode) const;          // of its pages, over the whole time
    double commandLinesShare() const;                              // of the busiest command lines
    double busShare() const;                                       // of the busiest bus
    double arrayShare() const;                                     // of the busiest die
};

std::string operationsText(const Scenario& scenario, const OperationsResult& result);
std::string operationsJson(const Scenario& scenario, const OperationsResult& result);

// For the operations kept: a line per state of a chip. `operation` is a number in order of completion; `bus`: 1 while
// the bus is held for the chip.
std::string timelineCsv(const Scenario& scenario, const OperationsResult& result);
// The same as bars: a row per chip, and a row per bus with the last digit of the chip that it is held for.
std::string timelineBars(const Scenario& scenario, const OperationsResult& result, std::size_t width);

} // namespace strobe::platform
