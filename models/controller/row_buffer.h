#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Speed-matching buffer of one row slot: a page per bus, the spare records of the row's pages, and with several buses
// the row's sectors in order of memory. The multiplexer deals sectors between the two orders; with one bus both are the
// same. Contents are in one data mode at a time. Not modelled: the time that the
// buffer's memory and the multiplexer take.

#include "models/base/content.h"
#include "models/controller/ports.h"
#include "models/controller/superchip.h"
#include "models/nand/operation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::controller {

class RowBuffer {
public:
    // For the rows of this map, and of smaller ones.
    RowBuffer(const SuperchipMap& map, DataMode mode);

    // Sets the data mode of the next contents; the buffer grows if this mode needs more bytes than any previous one.
    void setMode(DataMode mode)
    {
        if (mode != mode_)
            changeMode(mode);
    }

    Content lane(std::uint32_t bus) // the page on that bus; empty if the mode stores nothing
    {
        return Content{lanes_.empty() ? nullptr : lanes_.data()->bytes.data(), mode_}.at(bus * sectorsPerPage_);
    }
    Content sequence() // the row's sectors in order of memory. REQUIRES: several buses
    {
        return sequence_.empty() ? Content{} : Content{sequence_.data(), mode_};
    }
    Content wholeRow(std::uint32_t buses) { return buses > 1 ? sequence() : lane(0); }
    nand::Spare* spares() { return manySpares_.empty() ? &onlySpare_ : manySpares_.data(); } // of the row's pages

    // Between the order of memory and the pages of the buses.
    void deal(const SuperchipMap& map, const RowRun& run, Direction direction)
    {
        if (map.degrees().bus > 1)
            dealSectors(map, run, direction);
    }

private:
    struct alignas(64) CacheLine {
        std::array<std::byte, 64> bytes;
    };
    void changeMode(DataMode mode);
    void dealSectors(const SuperchipMap& map, const RowRun& run, Direction direction);
    static std::size_t linesOf(std::size_t bytes) { return (bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine); }

    // First what a row on one bus needs.
    DataMode mode_;
    std::uint32_t sectorsPerPage_;
    std::uint32_t sectorsPerRow_;
    std::uint32_t buses_;
    std::vector<CacheLine> lanes_;
    nand::Spare onlySpare_{}; // with one bus
    std::vector<nand::Spare> manySpares_;
    std::vector<std::byte> sequence_;
};

} // namespace strobe::controller
