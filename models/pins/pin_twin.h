#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NAND bus at the level of its pins: replays an operation as the edges that a logic analyser would see between
// controller and die. A twin of BusSchedule: it shares InterfaceTiming's parameters with it and nothing else; lengths
// come out of the edges, and tests hold the two against each other.
// Data: an operation's real bytes where it carries them, else a counting pattern. Sequences as in bus_schedule.h; there
// too is what they leave out (a copy-back does not wait for its tR on the bus).

#include "models/nand/operation.h"
#include "models/nand/part.h"
#include "models/pins/bus_cycles.h"

#include <optional>

namespace strobe::pins {

class PinTwin {
public:
    PinTwin(PinModel model, nand::Part part) : model_(std::move(model)), part_(std::move(part)) {}

    // Whether the twin knows the sequence of such an operation. Those of several planes, of the cache register and of
    // suspend and resume it does not.
    static bool knows(nand::Opcode opcode);
    static bool knows(const nand::Operation& op) { return op.form == nand::Form::Alone && knows(op.opcode); }

    // One tenure of the bus, as drawn.
    struct Tenure {
        Time start{};
        Time end{};        // of its last cycle
        Time firstDrive{}; // the controller's first change of the bus
        Time released{};   // the last change of any pin: data of a read arrives after its cycle
    };
    // The request or response of an operation that begins at `start`, with chip enable `chipEnable` low. `bytes`
    // replaces the amount of data that the operation's sectors stand for. REQUIRES: knows(op).
    Tenure request(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable = 0,
                   std::optional<std::uint32_t> bytes = {}) const;
    Tenure response(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable = 0,
                    std::optional<std::uint32_t> bytes = {}) const;
    // R/B# of die `die`: low tWB after the request's end, until `ready`.
    void busy(Waveform& waveform, const nand::Operation& op, Time requestEnd, Time ready, std::uint32_t die = 0) const;

    // A whole operation on an idle bus, beginning at zero.
    Waveform replay(const nand::Operation& op, std::optional<std::uint32_t> bytes = {}) const;

    const PinModel& model() const { return model_; }
    const nand::Part& part() const { return part_; }

private:
    struct Writer;
    PinTwin clockedAs(const nand::Operation& op) const;
    bool hasResponse(const nand::Operation& op) const;
    std::uint32_t dataBytes(const nand::Operation& op, std::optional<std::uint32_t> bytes) const;

    PinModel model_;
    nand::Part part_;
};

} // namespace strobe::pins
