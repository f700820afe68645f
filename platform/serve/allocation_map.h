#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which mapping units of a drive hold data, as seen by its host: units that were never written, or that were trimmed
// as a whole, read as zeros. A unit that was written in part holds data. Not known: what the drive itself has freed or
// kept, and contents of a drive that was loaded from a file, all of which counts as data.

#include <cstdint>
#include <vector>

namespace strobe::platform::serve {

class AllocationMap {
public:
    // `isUsed`: everything holds data at first.
    AllocationMap(std::uint64_t sectors, std::uint32_t unitSectors, bool isUsed);

    void written(std::uint64_t lba, std::uint64_t sectors);
    void trimmed(std::uint64_t lba, std::uint64_t sectors); // the units that are wholly inside

    struct Extent {
        std::uint64_t sectors;
        bool isHole;
    };
    // The extents of a range, from its start on; at most `most`, which may not cover all of it.
    // REQUIRES: the range is within the drive and not empty; most is not 0.
    std::vector<Extent> extents(std::uint64_t lba, std::uint64_t sectors, std::size_t most) const;

private:
    std::uint64_t sectors_;
    std::uint32_t unitSectors_;
    std::vector<bool> holdsData_; // by unit
};

} // namespace strobe::platform::serve
