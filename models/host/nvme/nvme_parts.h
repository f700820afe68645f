#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Requests that are too large for one command: the block layer of the host divides them into commands of at most
// `limit` sectors, its parts, and a request ends when all of them have ended. A failed part fails the request with the
// status of the first one. Only reads and writes are divided. Pure.
//
// Identifiers: part p of slot s has the identifier p * (slots of a queue) + s / queues in queue s mod queues, so a
// request without parts has the one that it would have anyway.

#include "models/host/command_port.h"
#include "models/host/nvme/nvme_format.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

class RequestParts {
public:
    static constexpr std::uint32_t maxSectors = 0x10000; // of a command, by NVM Express
    static constexpr std::uint32_t identifiers = 0x10000;

    explicit RequestParts(std::uint32_t limit) : limit_(limit) {}
    void resize(std::size_t slots) { requests_.resize(slots); }

    // Parts that the largest request can have.
    static std::uint32_t most(std::uint32_t limit) { return (maxSectors + limit - 1) / limit; }

    // The request is sent, for the first time or again: none of its parts has ended.
    std::uint32_t begin(const Command& command)
    {
        const bool isDivided = command.kind == RequestKind::Read || command.kind == RequestKind::Write;
        const std::uint32_t parts = isDivided ? (command.sectors + limit_ - 1) / limit_ : 1;
        requests_[command.slot] = {parts, NvmeStatus::Success};
        return parts;
    }
    std::uint32_t first(std::uint32_t part) const { return part * limit_; } // sector of the request
    std::uint32_t sectors(const Command& command, std::uint32_t part) const
    {
        return std::min(command.sectors - first(part), limit_);
    }

    // True: that was the last one.
    bool end(std::uint32_t slot, NvmeStatus status)
    {
        Request& request = requests_[slot];
        if (request.status == NvmeStatus::Success)
            request.status = status;
        return --request.left == 0;
    }
    NvmeStatus status(std::uint32_t slot) const { return requests_[slot].status; }

private:
    struct Request {
        std::uint32_t left = 0;
        NvmeStatus status = NvmeStatus::Success;
    };
    std::uint32_t limit_;
    std::vector<Request> requests_; // by slot
};

} // namespace strobe::host::nvme
