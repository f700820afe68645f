// SPDX-License-Identifier: Apache-2.0
//
// The splitter's other side: rows that go to the host interface, in order. A slot stays occupied until it has taken
// them.
#include "models/controller/flash_unit.h"

namespace strobe::controller {

// The rows of the job that wait for their turn and have it. Behind a row that failed nothing is sent any more.
void FlashUnit::sendToHost(std::uint32_t jobNumber, Time now)
{
    Job& job = jobs_[jobNumber];
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        Slot& slot = slots_[i];
        if (slot.isFree || !slot.isWaiting || slot.job != jobNumber || (slot.offset != job.sent && !job.isStopped))
            continue;
        slot.isWaiting = false;
        if (job.isStopped) {
            finishRow(slot);
            continue;
        }
        job.sent += slot.run.sectors;
        HostRun run;
        run.slot = job.descriptor.hostSlot();
        run.first = job.descriptor.hostFirst() + slot.offset;
        run.sectors = slot.run.sectors;
        run.completes = job.descriptor.completes && job.sent == job.descriptor.sectors;
        run.content = wholeRow(slot);
        run.ticket = {id_, static_cast<std::uint16_t>(i * buses())};
        if (!port_.sendToHost(run, now)) {
            refuse(job, MalformedReason::HostRefused, now);
            finishRow(slot);
        }
        i = SIZE_MAX; // from the first one on: a slot that was looked at may have its turn now
    }
}

void FlashUnit::hostTook(std::uint16_t laneNumber, Time now)
{
    Slot& slot = slots_[laneNumber / buses()];
    spend(Stage::StoringData, now - slot.since);
    finishRow(slot);
    advance(now);
}

} // namespace strobe::controller
