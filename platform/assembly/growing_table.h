#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Items by a small number, created when they are first used. Unlike a vector's, its size is at hand: a vector divides
// by the size of an item, once per access.

#include <cstddef>
#include <vector>

namespace strobe::platform {

template <class T>
class GrowingTable {
public:
    // References are valid until the next call with a larger index.
    T& operator[](std::size_t index)
    {
        if (index >= size_)
            grow(index + 1);
        return first_[index];
    }
    // The item; null: it has not been used.
    T* find(std::size_t index) { return index < size_ ? first_ + index : nullptr; }
    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }

private:
    [[gnu::noinline]] void grow(std::size_t size)
    {
        items_.resize(size);
        first_ = items_.data();
        size_ = size;
    }

    std::vector<T> items_;
    T* first_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace strobe::platform
