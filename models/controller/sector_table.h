#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Sector table of one row run: a word per sector in control memory, the address of the buffered sector or 0. The
// outbound feeder fetches the words, then the sectors that they name; the selective replacer puts these into a row that
// was read, or into the pages that are programmed.
//   read       sectors that are not buffered come from flash, the selective replacer adds the rest
//   program    pages with buffered sectors are programmed, missing sectors are zeros
//   copy-back  the merge: pages are copied back in halves, with the buffered sectors put in between; pages that are
//              buffered whole are programmed
// Owns no clock. Limit: 64 sectors per page.

#include "models/controller/row_buffer.h"
#include "models/controller/unit_port.h"

#include <cstdint>
#include <vector>

namespace strobe::controller {

// Bits of the sectors [first, first + sectors) of a page.
constexpr std::uint64_t sectorMask(std::uint32_t first, std::uint32_t sectors)
{
    const std::uint64_t low = sectors >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << sectors) - 1;
    return low << first;
}

class SectorTable {
public:
    struct Fetched {
        Moved moved;                                    // until the last sector is here
        Time tableAt;                                   // the words are here
        MalformedReason reason = MalformedReason::None; // if not moved.ok
    };
    // Fetches the words of the row at `table`, then the sectors; neighbouring sectors take one burst.
    Fetched fetch(const UnitContext& unit, const SuperchipMap& map, BusAddress table, const RowRun& run, Time now);

    // Calls take(first, sectors) for buffered sectors that are neighbours in memory. REQUIRES: fetch() of this run
    template <class Take>
    void forEachRun(std::uint32_t sectors, Take take) const
    {
        for (std::uint32_t first = 0, end = 0; first < sectors; first = end) {
            end = endOfRun(first, sectors);
            if (words_[first] != 0)
                take(BusAddress{words_[first]}, end - first);
        }
    }

    // The buffered sectors of the page on a bus, one bit per sector.
    std::uint64_t replaced(std::uint32_t bus) const { return replaced_[bus]; }
    bool isWhole(std::uint32_t bus, const PageRun& share) const
    {
        return replaced_[bus] == sectorMask(share.firstSector, share.sectors);
    }

    // Program and merge: the buffered sectors into the pages, zeros where nothing is buffered.
    void fill(RowBuffer& buffer, const SuperchipMap& map, const RowRun& run);
    // Read: the buffered sectors into the row in order of memory; unmapped: zeros elsewhere.
    void replaceIn(Content row, std::uint32_t sectors, bool isUnmapped);

private:
    // Of neighbours; of one sector, if it is not buffered.
    std::uint32_t endOfRun(std::uint32_t first, std::uint32_t sectors) const
    {
        std::uint32_t end = first + 1;
        while (words_[first] != 0 && end < sectors && words_[end] == words_[end - 1] + sectorBytes)
            ++end;
        return end;
    }
    Moved feed(const UnitContext& unit, const RowRun& run, Time at, MalformedReason& reason);
    void mark(const SuperchipMap& map, const RowRun& run);
    Content fed() { return {fed_.empty() ? nullptr : fed_.data(), mode_}; }

    std::vector<std::uint32_t> words_;    // of the row, as firmware wrote them
    std::vector<std::byte> fed_;          // the buffered sectors, in order of memory
    std::vector<std::uint64_t> replaced_; // by bus
    DataMode mode_ = DataMode::None;
};

} // namespace strobe::controller
