#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The pins of a whole channel, drawn from executed operations and from the channel's reports about its bus: which die
// held it, when and in which form. Used after a run, with the records of a RecorderModule.

#include "models/channel/nand_interface.h"
#include "models/nand/operation.h"
#include "models/pins/pin_twin.h"

#include <cstddef>
#include <vector>

namespace strobe::pins {

// The operations to keep of a run: the first `limit` operations that one channel is sent at `from` or later.
struct RecorderRequest {
    ChannelId channel{};
    std::size_t limit = 0;
    Time from{};
};

// A tenure of the bus by an operation. One operation may have many: planes, halves, accesses, suspend and resume.
struct BusTenure {
    channel::NandInterface::Phase phase{};
    nand::Form form{};
    std::uint32_t accesses = 0; // of the page that were still to come
    Time start{};
    Time end{};
    Time ready{}; // of a request: R/B# rises
};

// A finished operation, with its spare records, and its data where it carries real bytes.
class RecordedOperation {
public:
    RecordedOperation(const nand::Operation& finished, std::vector<BusTenure> tenures);

    nand::Operation op() const; // its data and records point into this object
    const std::vector<BusTenure>& tenures() const { return tenures_; }

private:
    nand::Operation op_;
    std::vector<std::byte> data_;
    std::vector<nand::Spare> moreSpares_;
    std::vector<BusTenure> tenures_;
};

struct ChannelPicture {
    Waveform waveform;
    // Tenures that drive the bus before a die has released it; not examined with separate command lines.
    std::size_t contentions = 0;
};

// `twins`: one per die, by position on the channel; `luns` dies share a chip enable. The names of the pins are those of
// the first die. REQUIRES: a twin or more; the twins have the timing with which the operations were executed
// (each tenure is as long on the pins as it was on the bus).
ChannelPicture drawChannel(const std::vector<PinTwin>& twins, std::uint32_t luns,
                           const std::vector<RecordedOperation>& operations);

} // namespace strobe::pins
