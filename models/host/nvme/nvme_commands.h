#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Submission queue entries of the commands that a driver needs (NVM Express 1.4, sections 5 and 6): one function per
// command. The identifier (dword 0, bits 31:16) is zero. `buffer` becomes PRP entry 1, PRP entry 2 is zero: data beyond
// one memory page needs a list that the caller adds.

#include "models/host/nvme/nvme_queue_pair.h"
#include "models/host/nvme/nvme_queues.h"

namespace strobe::host::nvme {

inline constexpr std::uint32_t identifyNamespaceStructure = 0; // CNS
inline constexpr std::uint32_t identifyControllerStructure = 1;
inline constexpr std::uint32_t identifyActiveNamespaces = 2;

template <class Opcode>
SubmissionEntry submissionOf(Opcode opcode, std::uint32_t nsid, std::uint64_t buffer = 0)
{
    SubmissionEntry command;
    command.dword[0] = static_cast<std::uint32_t>(opcode);
    command.dword[1] = nsid;
    command.setQuad(6, buffer);
    return command;
}

inline SubmissionEntry identify(std::uint32_t structure, std::uint32_t nsid, std::uint64_t buffer)
{
    SubmissionEntry command = submissionOf(AdminOpcode::Identify, nsid, buffer);
    command.dword[10] = structure;
    return command;
}

// Physically contiguous, with interrupts.
inline SubmissionEntry createCompletionQueue(const QueuePair& pair, std::uint32_t vector)
{
    SubmissionEntry command = submissionOf(AdminOpcode::CreateCq, 0, pair.cq);
    command.dword[10] = (pair.entries - 1) << 16U | pair.id;
    command.dword[11] = vector << 16U | 3U;
    return command;
}

// Physically contiguous.
inline SubmissionEntry createSubmissionQueue(const QueuePair& pair, QueuePriority priority = QueuePriority::Urgent)
{
    SubmissionEntry command = submissionOf(AdminOpcode::CreateSq, 0, pair.sq);
    command.dword[10] = (pair.entries - 1) << 16U | pair.id;
    command.dword[11] = pair.id << 16U | static_cast<std::uint32_t>(priority) << 1U | 1U;
    return command;
}

// Of the command with that identifier in that queue.
inline SubmissionEntry abortOf(std::uint32_t queue, std::uint32_t commandId)
{
    SubmissionEntry command = submissionOf(AdminOpcode::Abort, 0);
    command.dword[10] = commandId << 16U | queue;
    return command;
}

// Read or Write of `blocks` logical blocks, at least one.
inline SubmissionEntry transfer(IoOpcode opcode, std::uint32_t nsid, std::uint64_t lba, std::uint32_t blocks,
                                std::uint64_t buffer)
{
    SubmissionEntry command = submissionOf(opcode, nsid, buffer);
    command.setQuad(10, lba);
    command.dword[12] = blocks - 1;
    return command;
}

} // namespace strobe::host::nvme
