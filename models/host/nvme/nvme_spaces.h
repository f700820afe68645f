#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The namespaces of a drive as the host's driver finds them: it lists their numbers, then learns the size of each. The
// sectors of the host are those of the namespaces, one after the other. Plain state.

#include "models/base/check.h"
#include "models/base/partition.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

class HostSpaces {
public:
    struct Place {
        std::uint32_t space = 1; // number of the namespace
        std::uint64_t lba = 0;   // in it
    };

    // `numbers`: the active list, up to its first zero.
    void list(const std::vector<std::uint32_t>& numbers)
    {
        spaces_.clear();
        identified_ = 0;
        for (std::size_t i = 0; i < numbers.size() && numbers[i] != 0; ++i)
            spaces_.push_back({numbers[i], {}});
        check(!spaces_.empty(), "the NVMe controller has no namespace");
    }
    bool isComplete() const { return identified_ == spaces_.size(); }
    std::uint32_t next() const { return spaces_[identified_].number; } // to be identified. REQUIRES: !isComplete()
    void identified(std::uint64_t sectors)
    {
        spaces_[identified_].part = {identified_ == 0 ? 0 : spaces_[identified_ - 1].part.end(), sectors};
        ++identified_;
    }

    // REQUIRES: isComplete()
    bool areSeveral() const { return spaces_.size() > 1; }
    std::uint64_t sectors() const { return spaces_.back().part.end(); }
    // Sectors beyond the drive are beyond the last namespace. REQUIRES: no border is within the sectors
    Place placeOf(std::uint64_t lba, std::uint32_t sectors) const
    {
        const Space* found = spaces_.data();
        while (found != &spaces_.back() && lba >= found->part.end())
            ++found;
        check(found == &spaces_.back() || sectors <= found->part.end() - lba,
              "a request crosses the border of a namespace");
        return {found->number, lba - found->part.first};
    }

private:
    struct Space {
        std::uint32_t number = 1;
        SectorPart part;
    };
    std::vector<Space> spaces_;
    std::size_t identified_ = 0;
};

} // namespace strobe::host::nvme
