#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Blocks that a read of the host could not recover, as Get LBA Status reports them (NVM Express 1.4, section 5.27:
// tracked LBAs). All blocks of a failed read are in the list until they are written or deallocated. At most 255
// ranges are kept; then the oldest is dropped. The list does not outlive a power loss. If a block is
// written while a read of it is in progress, and the read fails, the block is listed all the same. A scan finds only
// blocks that were read and failed. Not modelled: the LBA Status Information log page, attributes feature and event.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

class UnrecoverableBlocks {
public:
    static constexpr std::size_t rangeLimit = 255; // with the header, 4,088 bytes

    void readFailed(std::uint64_t lba, std::uint32_t blocks);
    void replaced(std::uint64_t lba, std::uint32_t blocks); // written or deallocated
    void clear() { ranges_.clear(); }
    bool isEmpty() const { return ranges_.empty(); }

    // The structure of Get LBA Status for the blocks [lba, lba + blocks), `blocks` 0: to the end; at most `bytes` long,
    // and without ranges that do not fit.
    // `origin`: the block that the structure calls 0.
    std::vector<std::byte> status(std::uint64_t lba, std::uint64_t blocks, std::size_t bytes,
                                  std::uint64_t origin = 0) const;

private:
    struct Range {
        std::uint64_t first;
        std::uint64_t end;
    };
    std::vector<Range> ranges_; // the oldest first; they do not overlap
};

} // namespace strobe::host::nvme
