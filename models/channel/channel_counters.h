#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Operations of one channel, all dies together: how many wait and are in progress, and counts since the last reset.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace strobe::channel {

class ChannelCounters {
public:
    void submitted() { maxQueued_ = std::max(maxQueued_, ++queued_); }
    void requested(std::size_t operations) { queued_ -= operations; } // they, or the train that they are in, have begun
    void dieBegins() { ++busyDies_; }
    void dieEnds() { --busyDies_; }
    void planeReadBegins() { ++planeReads_; }
    void planeReadEnds() { --planeReads_; }
    void finished() { ++finished_; }
    void suspended() { ++suspensions_; }

    bool isIdle() const { return queued_ == 0 && busyDies_ == 0 && planeReads_ == 0; }
    std::size_t queued() const { return queued_; } // operations whose request has not started
    std::size_t maxQueued() const { return maxQueued_; }
    std::uint64_t finishedOperations() const { return finished_; }
    std::uint64_t suspensions() const { return suspensions_; } // since the beginning

    void reset()
    {
        finished_ = 0;
        maxQueued_ = queued_;
    }

private:
    std::size_t queued_ = 0;
    std::size_t maxQueued_ = 0;
    std::size_t busyDies_ = 0;   // with an operation of the whole die
    std::size_t planeReads_ = 0; // plane-independent reads in progress
    std::uint64_t finished_ = 0;
    std::uint64_t suspensions_ = 0;
};

} // namespace strobe::channel
