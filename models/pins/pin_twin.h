#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The NAND bus at the level of its pins: replays an operation as the edges that a logic analyser would see between
// controller and die. A twin of BusSchedule: it shares InterfaceTiming's parameters with it and nothing else; lengths
// result from the edges, and tests compare the two.
// The form of an operation decides its commands (command_sequences.h), and TenureWriter draws them. A whole operation:
// replay.h. Several that belong together: bus_sequences.h. Anything that the bus schedule omits (bus_schedule.h) is
// omitted here too: a copy-back in one piece does not wait for its tR on the bus.

#include "models/nand/operation.h"
#include "models/nand/part.h"
#include "models/pins/bus_cycles.h"
#include "models/pins/tenure_writer.h"

#include <optional>

namespace strobe::pins {

class PinTwin {
public:
    PinTwin(PinModel model, nand::Part part) : model_(std::move(model)), part_(std::move(part)) {}

    // The request or response of an operation, in its form, that begins at `start`, with chip enable `chipEnable` low.
    // `bytes` replaces the amount of each run of page data. REQUIRES: the opcode has that form.
    Tenure request(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable = 0,
                   std::optional<std::uint32_t> bytes = {}) const;
    Tenure response(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable = 0,
                    std::optional<std::uint32_t> bytes = {}) const;
    // 3Fh: requests the last page of a cache read.
    Tenure cacheEnd(Waveform& waveform, Time start, std::uint32_t chipEnable = 0) const;
    // When R/B# rises after it, if the array is free at `arrayEnd`.
    Time cacheEndReady(Time end, Time arrayEnd) const { return std::max(end, arrayEnd) + part_.times.tRCBSY; }
    // R/B# of die `die`: low tWB after the request's end, until `ready`.
    void busy(Waveform& waveform, Time requestEnd, Time ready, std::uint32_t die = 0) const;

    const PinModel& model() const { return model_; }
    const nand::Part& part() const { return part_; }

private:
    PinTwin clockedAs(const nand::Operation& op) const;

    PinModel model_;
    nand::Part part_;
};

} // namespace strobe::pins
