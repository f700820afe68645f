#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A submission queue and its completion queue as the host sees them: which entry to write or read next, and the phase
// of new completions (NVM Express 1.4, sections 4.1 and 4.6). Plain state; the owner accesses memory and doorbells.
// One completion queue per submission queue, with the same number. Not modelled: whether the queue has space, which the
// owner ensures (at most entries - 1 commands outstanding).

#include "models/host/nvme/nvme_format.h"

namespace strobe::host::nvme {

struct QueuePair {
    std::uint32_t id = 0; // 0: the admin queues
    std::uint32_t entries = 0;
    std::uint64_t sq = 0; // addresses of the queues
    std::uint64_t cq = 0;
    std::uint32_t sqTail = 0;
    std::uint32_t cqHead = 0;
    bool phase = true;

    void restart() // both queues are empty again; the memory of `cq` has to be cleared
    {
        sqTail = cqHead = 0;
        phase = true;
    }

    // Addresses of the next entries.
    std::uint64_t submission() const { return sq + std::uint64_t{sqTail} * submissionBytes; }
    std::uint64_t completion() const { return cq + std::uint64_t{cqHead} * completionBytes; }

    bool isNew(const CompletionEntry& completion) const { return completion.phase() == phase; }

    void advanceTail() { sqTail = (sqTail + 1) % entries; } // after an entry has been written
    void advanceHead()                                      // after an entry has been read
    {
        cqHead = (cqHead + 1) % entries;
        phase = phase != (cqHead == 0);
    }

    // Offsets of the doorbells, which take sqTail and cqHead. `stride`: CAP.DSTRD.
    std::uint32_t tailDoorbell(std::uint32_t stride = 0) const { return reg::doorbells + 2 * id * (4U << stride); }
    std::uint32_t headDoorbell(std::uint32_t stride = 0) const
    {
        return reg::doorbells + (2 * id + 1) * (4U << stride);
    }
};

} // namespace strobe::host::nvme
