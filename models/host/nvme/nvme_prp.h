#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The memory pages that the PRP entries of one command describe (NVM Express 1.4, section 4.3): PRP 1 with an offset,
// then PRP 2 or PRP lists. A list ends with its memory page; if the command needs more entries, the last one in the
// page points to the next list. The caller accounts for the time of fetching lists. Not modelled: SGLs.

#include "models/host/nvme/nvme_format.h"
#include "models/host/pcie/host_memory.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

class PrpPages {
public:
    // `alignment`: of PRP 1 in bytes. Returns Success or PrpOffsetInvalid.
    NvmeStatus begin(const SubmissionEntry& submission, std::uint64_t bytes, std::uint32_t pageBytes,
                     std::uint32_t alignment);
    void clear();

    bool isComplete() const { return pagesLeft_ == 0; }
    struct List { // entries to fetch next
        std::uint64_t address;
        std::uint32_t entries;
    };
    List nextList() const; // REQUIRES: !isComplete()
    // The entries of nextList() have arrived. Returns Success, DataTransferError (they are not in memory) or
    // PrpOffsetInvalid.
    NvmeStatus readList(HostMemory& memory);

    std::uint64_t first() const { return pages_[0] + offset_; } // PRP 1; REQUIRES: begin() was successful
    std::uint64_t offset() const { return offset_; }            // of the data in its first page
    // The contiguous pieces of `bytes` bytes from byte `first` of the data on: each(address, bytes before it, its
    // bytes). REQUIRES: isComplete(), and the range lies within the data
    template <class Each>
    void eachPiece(std::uint64_t first, std::uint64_t bytes, Each each) const;

private:
    std::uint32_t pageBytes_ = 4096;
    std::uint64_t offset_ = 0;
    std::vector<std::uint64_t> pages_;
    std::uint64_t pagesLeft_ = 0; // not listed yet
    std::uint64_t listAddress_ = 0;
};

template <class Each>
void PrpPages::eachPiece(std::uint64_t first, std::uint64_t bytes, Each each) const
{
    std::uint64_t at = offset_ + first;
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t within = at % pageBytes_;
        const std::uint64_t part = std::min(bytes - done, pageBytes_ - within);
        each(pages_[at / pageBytes_] + within, done, static_cast<std::uint32_t>(part));
        at += part;
        done += part;
    }
}

} // namespace strobe::host::nvme
