// SPDX-License-Identifier: Apache-2.0
#include "models/host/power_loss_recovery.h"

#include <algorithm>
#include <utility>

namespace strobe::host {

bool PowerLossRecovery::powerLost(const std::vector<OutstandingCommand>& commands, bool mayReissue)
{
    isReadingBack_ = false;
    counts_.lostCommands += commands.size();
    if (rule_ != LostCommands::Reissue || !mayReissue)
        return false;
    lost_.insert(lost_.begin(), commands.begin(), commands.end());
    return true;
}

std::vector<OutstandingCommand> PowerLossRecovery::takeLost()
{
    return std::exchange(lost_, {});
}

void PowerLossRecovery::begin(std::uint64_t firstSector)
{
    isReadingBack_ = true;
    nextSector_ = firstSector;
}

Integrity::Range PowerLossRecovery::next(const Integrity& integrity, std::uint64_t zone)
{
    Integrity::Range range = integrity.writtenFrom(nextSector_, longestRead);
    if (zone != 0)
        range.sectors = static_cast<std::uint32_t>(std::min<std::uint64_t>(range.sectors, zone - range.lba % zone));
    for (const SectorPart& part : namespaces_) {
        if (range.lba >= part.first && range.lba < part.end())
            range.sectors = static_cast<std::uint32_t>(std::min<std::uint64_t>(range.sectors, part.end() - range.lba));
    }
    nextSector_ = range.lba + range.sectors;
    return range;
}

} // namespace strobe::host
