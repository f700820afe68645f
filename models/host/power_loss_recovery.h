#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the host driver does when a drive is ready again after a power loss (or for the first time, with data of an
// earlier process): it reads back all sectors that were ever written, then issues the lost commands again. This class
// holds which sectors come next, which commands were lost, and the counts; the driver sends the commands.

#include "models/base/partition.h"
#include "models/host/integrity.h"
#include "models/host/lost_commands.h"
#include "models/host/outstanding_commands.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace strobe::host {

struct RecoveryCounts {
    std::uint64_t lostCommands = 0;
    std::uint64_t unreadable = 0; // sectors that could not be read back
};

class PowerLossRecovery {
public:
    static constexpr std::uint32_t longestRead = 256; // sectors

    explicit PowerLossRecovery(LostCommands rule) : rule_(rule) {}

    // `commands` of phases were outstanding when the power was lost, in their order. True: they wait for takeLost(),
    // before those of earlier losses. False: the caller drops them. `mayReissue`: the host goes on.
    bool powerLost(const std::vector<OutstandingCommand>& commands, bool mayReissue);
    std::vector<OutstandingCommand> takeLost();

    void divide(std::vector<SectorPart> namespaces) { namespaces_ = std::move(namespaces); } // no read crosses a border
    // `firstSector`: the capacity: nothing is read back.
    void begin(std::uint64_t firstSector);
    void end() { isReadingBack_ = false; }
    bool isReadingBack() const { return isReadingBack_; }
    // The next read; none of its sectors has been returned since begin(). 0 sectors: all have been.
    // `zone`: no read crosses a multiple of so many sectors; 0: it may.
    Integrity::Range next(const Integrity& integrity, std::uint64_t zone = 0);
    void unreadable(std::uint32_t sectors) { counts_.unreadable += sectors; }

    const RecoveryCounts& counts() const { return counts_; }

private:
    LostCommands rule_;
    bool isReadingBack_ = false;
    std::uint64_t nextSector_ = 0;
    std::vector<SectorPart> namespaces_;   // none: one
    std::vector<OutstandingCommand> lost_; // to be issued again
    RecoveryCounts counts_;
};

} // namespace strobe::host
