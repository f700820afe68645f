#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Unit table of one row run: in control memory a word for each mapping unit of 4 KiB, the address of its data in the
// data buffer or 0, and after the words of the whole descriptor a spare record of 16 bytes for each unit.
//   program    units come from where the words point to, zeros where a word is 0; the records are fetched
//   read       units go where the words point to, those with 0 nowhere; the records are written
// The words of a row come in one burst, its records move in one burst, and so do units that are neighbours in the data
// buffer. Rows are pages of one chip. Owns no clock.

#include "models/controller/unit_port.h"

#include <cstdint>
#include <vector>

namespace strobe::controller {

class UnitTable {
public:
    struct Step { // of a row run
        Moved moved;
        MalformedReason reason = MalformedReason::None; // if not moved.ok
    };
    // Fetches the words of the units of `sectors` sectors, of which the first is sector `offset` of the descriptor;
    // for a program then the units into `page`, and the records. The records are at rest until the next fetch.
    Step fetch(const UnitContext& unit, const FlashDescriptor& descriptor, std::uint32_t offset, std::uint32_t sectors,
               Content page, Time now);
    // Read, after fetch(): the units of `page` to where their words point to.
    Step storeUnits(const UnitContext& unit, Content page, Time at) const;
    Step storeRecords(const UnitContext& unit, Time at);

    // After fetch(): calls take(address, sectors) for each run of units that are neighbours in the data buffer.
    template <class Take>
    void forEachRun(Take take) const
    {
        for (std::uint32_t first = 0, end = 0; first < units(); first = end) {
            end = endOfRun(first);
            if (words_[first] != 0)
                take(BusAddress{words_[first]}, (end - first) * sectorsPerUnit);
        }
    }

    // By unit of the row: the first is Operation::spare, the others are Operation::moreSpares.
    nand::Spare* records() { return records_.data(); }

private:
    Moved moveUnits(const UnitContext& unit, Content page, Direction direction, Time at, MalformedReason& reason) const;
    Moved moveRecords(const UnitContext& unit, Direction direction, Time at);
    std::uint32_t endOfRun(std::uint32_t first) const; // a unit without data is a run of its own
    std::uint32_t units() const { return static_cast<std::uint32_t>(words_.size()); } // of the row

    std::vector<std::uint32_t> words_; // of the row, as firmware wrote them
    std::vector<nand::Spare> records_;
    BusAddress recordsAt_{}; // of the row
};

} // namespace strobe::controller
