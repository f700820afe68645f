#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// First in, first out in one growing ring: no allocation once it has reached its largest size (std::deque keeps
// allocating and freeing blocks as it moves along). Elements are default-constructible values.

#include "models/base/check.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace strobe {

template <class T>
class RingQueue {
public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    void push(T value)
    {
        if (size_ == items_.size())
            grow();
        items_[(head_ + size_) & (items_.size() - 1)] = std::move(value);
        ++size_;
    }

    // REQUIRES: !empty()
    T& front() { return items_[head_]; }
    const T& front() const { return items_[head_]; }

    // The element `index` places after the front. REQUIRES: index < size()
    const T& operator[](std::size_t index) const { return items_[(head_ + index) & (items_.size() - 1)]; }

    // The element `from` places after the front moves up to place `to`; those between move back by one.
    // REQUIRES: to <= from < size()
    void moveUp(std::size_t from, std::size_t to)
    {
        check(to <= from && from < size_, "no such places in a queue");
        const std::size_t mask = items_.size() - 1;
        T value = std::move(items_[(head_ + from) & mask]);
        for (std::size_t i = from; i > to; --i)
            items_[(head_ + i) & mask] = std::move(items_[(head_ + i - 1) & mask]);
        items_[(head_ + to) & mask] = std::move(value);
    }

    T pop()
    {
        check(size_ > 0, "pop from an empty queue");
        T value = std::move(items_[head_]);
        // When empty, the ring restarts at its beginning, which is still in the caches.
        head_ = --size_ == 0 ? 0 : static_cast<std::uint32_t>((head_ + 1) & (items_.size() - 1));
        return value;
    }

    // Removes the element `index` places after the front; those before it stay in order. REQUIRES: index < size()
    T take(std::size_t index)
    {
        const std::size_t mask = items_.size() - 1;
        T value = std::move(items_[(head_ + index) & mask]);
        for (std::size_t i = index; i > 0; --i)
            items_[(head_ + i) & mask] = std::move(items_[(head_ + i - 1) & mask]);
        pop();
        return value;
    }

private:
    void grow()
    {
        std::vector<T> larger(items_.empty() ? 4 : items_.size() * 2);
        for (std::size_t i = 0; i < size_; ++i)
            larger[i] = std::move(items_[(head_ + i) & (items_.size() - 1)]);
        items_ = std::move(larger);
        head_ = 0;
    }

    std::vector<T> items_; // a power of two
    std::uint32_t head_ = 0;
    std::uint32_t size_ = 0;
};

} // namespace strobe
