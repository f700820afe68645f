#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// How firmware controls read capture: the registers CAPTURE, DIE_CAPTURE, PATTERN_* and TEMPERATURE*, and an interrupt
// line of its own. A pattern read is one READ ID with priority, one at a time; no flash unit sends it. The line is high
// while a pattern read's result waits in PATTERN_STATUS, and while the temperature is outside its limits.
//
// Owns no clock: the owner calls start() and watchTemperature() at the times it gets, and sends the operation.

#include "models/base/interrupt_output.h"
#include "models/base/register_bank.h"
#include "models/controller/ports.h"
#include "models/controller/read_capture.h"

#include <cstdint>
#include <optional>

namespace strobe::controller {

class CaptureControl {
public:
    // `registers`, those of regs::flash, must outlive it.
    CaptureControl(const ReadCaptureConfig& config, RegisterBank& registers);

    ReadCapture& capture() { return capture_; }
    const ReadCapture& capture() const { return capture_; }
    InterruptOutput& line() { return line_; }

    // Register accesses; writes have reached the bank.
    void setDie(DieId die, std::uint32_t value, Time at);
    // PATTERN_READ. True: start() is due at `at`. False: there is no such die, or a pattern read is in progress.
    bool requestPattern(std::uint32_t value, Time at);
    std::uint32_t status(Time now) const;      // PATTERN_STATUS
    std::uint32_t temperature(Time now) const; // TEMPERATURE

    // PATTERN_STATUS, or a limit, was written, or the temperature has changed.
    void updateLine(Time at);
    // The same when the line has to follow the temperature: returns when it changes next, if that differs from what was
    // returned before.
    std::optional<Time> watchTemperature(Time at);

    struct Pattern {
        Ticket ticket;
        nand::Operation op;
    };
    Pattern start(std::uint32_t request, Time now);
    static bool isPattern(Ticket ticket);
    void patternArrived(Ticket ticket, const nand::Operation& op, Time now);

private:
    bool isTooHotOrCold(Time now) const;

    RegisterBank& registers_;
    ReadCapture capture_;
    InterruptOutput line_;
    Time temperatureChange_ = never; // as returned last
};

} // namespace strobe::controller
