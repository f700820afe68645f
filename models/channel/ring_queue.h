#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// First in, first out, in a ring that doubles when it is full: unlike a deque it stops allocating once it has been as
// long as it ever gets. For small values that are cheap to copy.

#include "models/base/check.h"

#include <cstddef>
#include <vector>

namespace strobe::channel {

template <class T>
class RingQueue {
public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    const T& front() const { return items_[first_]; } // REQUIRES: !empty()

    void push(const T& value)
    {
        if (size_ == items_.size())
            grow();
        items_[(first_ + size_) & (items_.size() - 1)] = value;
        ++size_;
    }
    T pop()
    {
        check(!empty(), "pop from an empty ring queue");
        const T value = items_[first_];
        first_ = (first_ + 1) & (items_.size() - 1);
        --size_;
        return value;
    }

private:
    void grow()
    {
        std::vector<T> larger(items_.empty() ? 8 : items_.size() * 2); // a power of two
        for (std::size_t i = 0; i < size_; ++i)
            larger[i] = items_[(first_ + i) & (items_.size() - 1)];
        items_.swap(larger);
        first_ = 0;
    }

    std::vector<T> items_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

} // namespace strobe::channel
