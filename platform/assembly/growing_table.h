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
        return items_[index];
    }
    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }

private:
    [[gnu::noinline]] void grow(std::size_t size)
    {
        items_.resize(size);
        size_ = size;
    }

    std::vector<T> items_;
    std::size_t size_ = 0;
};

} // namespace strobe::platform
