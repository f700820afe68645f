#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Puts the records of a trace into the order of their times, in constant memory: of the 65,536 records read last the
// earliest comes first, records of equal time in the order of the file. A trace in order costs almost nothing. A record
// that is more than a window late is returned late; the source counts it.

#include "models/host/workload/trace_reader.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace strobe::host {

class TraceOrder {
public:
    static constexpr std::size_t window = 65536;

    bool isFull() const { return inOrder_.size() + late_.size() >= window; }
    bool isEmpty() const { return inOrder_.empty() && late_.empty(); }
    void add(const TraceRecord& record);
    TraceRecord take();                                    // REQUIRES: not empty
    std::uint64_t reordered() const { return reordered_; } // records that were put before others

private:
    struct Entry {
        TraceRecord record;
        std::uint64_t number; // in the file
        bool operator>(const Entry& other) const
        {
            return record.at != other.record.at ? record.at > other.record.at : number > other.number;
        }
    };

    std::deque<Entry> inOrder_; // each not earlier than the one before it
    std::vector<Entry> late_;   // a heap of the others, earliest first
    std::uint64_t added_ = 0;
    std::uint64_t reordered_ = 0;
};

} // namespace strobe::host
