#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Pending events of one module: a binary heap ordered by time and, at equal times, by order of insertion, so that runs
// repeat exactly. Its owner drains what is due and sleeps until nextTime(). (tlm_utils' peq_with_cb_and_phase keeps
// a sorted list and is linear in the number of pending events.)

#include "models/base/check.h"
#include "models/base/time.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace strobe {

template <class T>
class EventHeap {
public:
    void push(Time at, T value)
    {
        items_.push_back(Item{at, sequence_++, std::move(value)});
        std::push_heap(items_.begin(), items_.end(), Later{});
    }

    bool empty() const { return items_.empty(); }
    std::size_t size() const { return items_.size(); }
    Time nextTime() const { return items_.empty() ? never : items_.front().at; }
    bool isDue(Time now) const { return !items_.empty() && items_.front().at <= now; }

    // Removes and returns the earliest event. REQUIRES: !empty().
    T pop()
    {
        check(!items_.empty(), "pop from an empty event heap");
        std::pop_heap(items_.begin(), items_.end(), Later{});
        T value = std::move(items_.back().value);
        items_.pop_back();
        return value;
    }
    void clear() { items_.clear(); }

private:
    struct Item {
        Time at;
        std::uint64_t sequence;
        T value;
    };
    struct Later {
        bool operator()(const Item& a, const Item& b) const
        {
            return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
        }
    };
    std::vector<Item> items_;
    std::uint64_t sequence_ = 0;
};

} // namespace strobe
