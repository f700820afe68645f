#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The pins of a whole channel, drawn from operations that have been carried out: their time stamps say where each
// request and response was on the bus. Used after a run, with what a RecorderModule has kept.

#include "models/nand/operation.h"
#include "models/pins/pin_twin.h"

#include <cstddef>
#include <vector>

namespace strobe::pins {

// What to keep of a run: the first `limit` operations that one channel is sent at `from` or later.
struct RecorderRequest {
    ChannelId channel{};
    std::size_t limit = 0;
    Time from{};
};

// A finished operation, with its data where it carries real bytes.
struct RecordedOperation {
    explicit RecordedOperation(const nand::Operation& finished);

    nand::Operation op() const; // its data points into this record

private:
    nand::Operation op_;
    std::vector<std::byte> data_;
};

struct ChannelPicture {
    Waveform waveform;
    std::size_t contentions = 0; // requests and responses that begin to drive before a die has let go of the bus
    std::size_t left = 0;        // operations of which the twin has no picture
};

// `twins`: one per die, by position on the channel; `luns` dies share a chip enable. The names of the pins are those of
// the first die. REQUIRES: a twin or more; the twins' timing is that with which the operations were carried out.
ChannelPicture drawChannel(const std::vector<PinTwin>& twins, std::uint32_t luns,
                           const std::vector<RecordedOperation>& operations);

} // namespace strobe::pins
