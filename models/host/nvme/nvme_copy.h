#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A copy command of the NVM command set (source ranges of format 0): which drive commands it consists of, one after the
// other, and the sectors between them. Each range is read into the controller and then written after what was copied
// before; nothing crosses the link. Ranges and destination may overlap: a range is read when all ranges before it have
// been written. Not modelled: other formats, other namespaces, protection information.
//
// Owns no clock and does not call the drive: IoCommands submits the commands.

#include "models/base/content.h"
#include "models/base/partition.h"
#include "models/host/command_port.h"
#include "models/host/nvme/nvme_format.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

class CopyJob {
public:
    // InvalidField: another format of the ranges. CommandSizeLimitExceeded: too many ranges.
    // `isForced`: the writes go to flash before the command ends.
    // `space`: the namespace of ranges and destination.
    NvmeStatus begin(const SubmissionEntry& submission, const SectorPart& space, bool isForced);
    void end() { ranges_.clear(); }
    bool isActive() const { return !ranges_.empty(); }

    std::vector<CopyRange>& ranges() { return ranges_; } // from host memory
    // When they have arrived. CommandSizeLimitExceeded: a range, or all of them, are too long. LbaOutOfRange.
    NvmeStatus check() const;

    // The next read or write; false: all is copied. `mode`: of the data.
    bool next(Command& command, DataMode mode);
    Content data(std::uint32_t first); // of the read or write in progress, from this sector on

private:
    std::vector<CopyRange> ranges_;
    std::size_t range_ = 0;
    bool isRead_ = false; // the range
    bool isForced_ = false;
    SectorPart space_;
    std::uint64_t destination_ = 0; // in the namespace
    std::vector<std::byte> sectors_;
    DataMode mode_ = DataMode::None;
};

} // namespace strobe::host::nvme
