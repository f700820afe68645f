// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/drive_health.h"

namespace strobe::platform {

host::DriveHealth healthOf(const Dies& dies, std::uint32_t sparesPerDie)
{
    const WearReport wear = wearOf(dies);
    host::DriveHealth health;
    for (const nand::Die* die : dies) {
        const nand::DieCounters& counters = die->counters().array;
        const std::uint64_t page = die->part().geometry.pageBytes;
        health.bytesProgrammed += (counters.programs + counters.copyBacks) * page;
        health.bytesErased += counters.erases * die->part().geometry.pagesPerBlock * page;
        health.bytesRead += (counters.reads + counters.copyBacks) * page;
        health.endurance = die->part().endurance;
    }
    health.blocks = wear.blocks - wear.factoryBad;
    health.failedBlocks = wear.failed;
    health.spareBlocks = std::uint64_t{sparesPerDie} * dies.size();
    health.fewestErases = wear.minimum;
    health.mostErases = wear.maximum;
    health.meanErases = health.blocks == 0 ? 0 : static_cast<double>(wear.erases) / static_cast<double>(health.blocks);
    return health;
}

} // namespace strobe::platform
