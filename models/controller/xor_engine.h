#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// XOR engine of the flash controller: computes the parity of a stripe, which is the same strip of several dies, while
// its data passes through the flash units. Each accumulator holds the sum (XOR) of the sectors and spare records of a
// strip, in memory of its own: adding takes no burst and keeps pace with the bus, so it takes no time. A descriptor
// with CONTROL.parity says in SOURCE_SECTOR what is done with its data:
//   program   it is added to the accumulator, or replaced by its sum (the parity itself)
//   read      it is added; the last of the reads of a set gets the sum, which is the data of the strip that is missing
// An accumulator begins at zero when it gets another set than before. The sum is of what the data mode holds of each
// sector: 512 bytes, a tag, or nothing. Blank pages add nothing. Units and their substitute without time share it.

#include "models/base/content.h"
#include "models/nand/operation.h"

#include <cstdint>
#include <vector>

namespace strobe::controller {

class XorEngine {
public:
    static constexpr std::uint32_t maxAccumulators = 4096;

    struct Order { // SOURCE_SECTOR
        std::uint32_t accumulator = 0;
        std::uint32_t set = 0;
        std::uint32_t count = 0; // program: 0 adds, else writes the sum; read: reads of the set
    };
    static constexpr Order order(std::uint32_t word) { return {word & 0xFFF, word >> 12 & 0xFF, word >> 20}; }

    // A part of a strip, on its way to a die; `first`: of its sectors and records within the strip.
    struct Part {
        Content data;
        std::uint32_t firstSector = 0, sectors = 0;
        nand::Spare* records = nullptr;
        std::uint32_t firstRecord = 0, recordCount = 0;
    };
    void program(const Order& order, const Part& part);
    // True: it was the last read of the set, and `data` holds the sum now.
    bool read(const Order& order, Content data, std::uint32_t sectors, bool isBlank);

private:
    struct Accumulator {
        std::uint32_t set = UINT32_MAX;
        std::uint32_t reads = 0;
        std::vector<std::byte> sectors;
        std::vector<nand::Spare> records;
    };
    Accumulator& take(const Order& order);
    static Content sum(Accumulator& accumulator, DataMode mode, std::uint32_t first, std::uint32_t sectors);

    std::vector<Accumulator> accumulators_; // those that were used
};

} // namespace strobe::controller
