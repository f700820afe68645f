#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The physical region list (PRDT) of one AHCI command: where its data is in host memory. Reads the list, moves sectors
// between its regions and the link, and understands the range list of DATA SET MANAGEMENT. Regions have any length and
// alignment. No timing: the adapter (ahci_hba.h) accounts for the time.

#include "models/base/content.h"
#include "models/host/ahci/ahci_format.h"
#include "models/host/command_port.h"
#include "models/host/pcie/host_memory.h"

#include <cstdint>
#include <vector>

namespace strobe::host::ahci {

class RegionList {
public:
    void clear() { regions_.clear(); }
    // The entries of the header's table, in place of what was here. False: they are not in memory.
    bool read(HostMemory& memory, const CommandHeader& header);
    std::uint64_t bytes() const { return regions_.empty() ? 0 : regions_.back().end; }

    // Sectors [first, first + sectors) of the command's data. REQUIRES: with tags, no sector is in two regions.
    void fetch(HostMemory& memory, std::uint32_t first, std::uint32_t sectors, Content destination) const;
    void store(HostMemory& memory, std::uint32_t first, std::uint32_t sectors, Content source) const;
    // Plain bytes to the first sector.
    void storeSector(HostMemory& memory, const void* source) const;

    // The data is a range list of `blocks` times 512 bytes: sets kind, lba and sectors of `trim` to the run that it
    // describes. False: it describes none or several, or is not in memory.
    bool readTrim(HostMemory& memory, std::uint32_t blocks, Command& trim) const;

private:
    struct Region {
        std::uint64_t address;
        std::uint64_t begin; // byte within the command's data
        std::uint64_t end;
    };

    template <class Each>
    void eachPiece(std::uint32_t first, std::uint32_t sectors, Each each) const;
    template <class MoveSectors, class MoveBytes>
    void move(std::uint32_t first, std::uint32_t sectors, Content content, MoveSectors moveSectors,
              MoveBytes moveBytes) const;

    std::vector<Region> regions_;
    std::vector<RegionEntry> entries_; // as they were read
};

} // namespace strobe::host::ahci
