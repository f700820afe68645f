#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which commands the drive gets: in the order in which they are ready, and at most `mostWrites` writes at a time. A
// write that finds as many writes in the drive waits, and so do all commands after it, reads too: a real controller
// hands commands on in order, and its write path has places for few of them. Numbers of commands are by command slot.
// Without a limit nothing waits. Pure.

#include "models/base/check.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>

namespace strobe::host::nvme {

class Admission {
public:
    static constexpr std::uint32_t noLimit = std::numeric_limits<std::uint32_t>::max();

    explicit Admission(std::uint32_t mostWrites) : mostWrites_(mostWrites) {}

    // False: the command is in line now.
    bool admit(std::uint16_t slot, bool isWrite)
    {
        if (line_.empty() && hasPlace(isWrite)) {
            writes_ += isWrite ? 1U : 0U;
            return true;
        }
        line_.push_back({slot, isWrite});
        return false;
    }
    // The first command in line, if the drive can have it: it is admitted.
    std::optional<std::uint16_t> next()
    {
        if (line_.empty() || !hasPlace(line_.front().isWrite))
            return std::nullopt;
        const Waiting first = line_.front();
        line_.pop_front();
        writes_ += first.isWrite ? 1U : 0U;
        return first.slot;
    }
    // A write in line is aborted: it keeps its turn, but needs no place any more.
    void withdraw(std::uint16_t slot)
    {
        for (Waiting& waiting : line_)
            waiting.isWrite = waiting.isWrite && waiting.slot != slot;
    }
    void writeEnded() // one that was admitted
    {
        check(writes_ > 0, "a write ended that the drive did not have");
        --writes_;
    }
    // Commands in line are gone; those in the drive end there.
    void reset() { line_.clear(); }

private:
    struct Waiting {
        std::uint16_t slot;
        bool isWrite;
    };
    bool hasPlace(bool isWrite) const { return !isWrite || writes_ < mostWrites_; }

    std::uint32_t mostWrites_;
    std::uint32_t writes_ = 0; // in the drive
    std::deque<Waiting> line_;
};

} // namespace strobe::host::nvme
