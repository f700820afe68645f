#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Pending events of one module: a binary heap ordered by time and, at equal times, by order of insertion, so that runs
// repeat exactly. Its owner drains what is due and sleeps until nextTime(). (tlm_utils' peq_with_cb_and_phase keeps
// a sorted list and is linear in the number of pending events.)

#include "models/base/check.h"
#include "models/base/time.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace strobe {

template <class T>
class EventHeap {
public:
    // The position is found before the item is stored: storing it in parts and reading it back at once would stall the
    // processor. Usually it is the last position.
    void push(Time at, T value)
    {
        std::size_t place = items_.size();
        if (place == 0 || items_[parent(place)].at <= at) { // among equal times the one pushed last is the latest
            items_.push_back(Item{at, sequence_++, std::move(value)});
            return;
        }
        Item moved = std::move(items_[parent(place)]);
        items_.push_back(std::move(moved));
        for (place = parent(place); place > 0 && items_[parent(place)].at > at; place = parent(place))
            items_[place] = std::move(items_[parent(place)]);
        items_[place] = Item{at, sequence_++, std::move(value)};
    }

    bool empty() const { return items_.empty(); }
    std::size_t size() const { return items_.size(); }
    Time nextTime() const { return items_.empty() ? never : items_.front().at; }
    bool isDue(Time now) const { return !items_.empty() && items_.front().at <= now; }

    // Removes and returns the earliest event. REQUIRES: !empty().
    T pop()
    {
        check(!items_.empty(), "pop from an empty event heap");
        T value = std::move(items_.front().value);
        if (items_.size() > 1)
            closeGap();
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
    static bool isLater(const Item& a, const Item& b) { return a.at != b.at ? a.at > b.at : a.sequence > b.sequence; }
    static std::size_t parent(std::size_t place) { return (place - 1) / 2; }

    // The first place is empty: the earlier of two children moves up, and the last item goes where it belongs.
    void closeGap()
    {
        const std::size_t last = items_.size() - 1;
        std::size_t place = 0;
        for (std::size_t child = 1; child < last; child = 2 * place + 1) {
            if (child + 1 < last && isLater(items_[child], items_[child + 1]))
                ++child;
            if (!isLater(items_[last], items_[child]))
                break;
            items_[place] = std::move(items_[child]);
            place = child;
        }
        items_[place] = std::move(items_[last]);
    }

    std::vector<Item> items_;
    std::uint64_t sequence_ = 0;
};

} // namespace strobe
