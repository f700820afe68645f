#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Equal runs of `length` values, handed out by number and recycled: memory for objects that are created and destroyed
// continually (the pages of a block between program and erase) without touching the allocator each time. Grows by
// chunks of about 16 KiB; a run never moves, so its address stays valid until release(). Memory is returned when the
// pool is destroyed.

#include "models/base/check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::nand {

template <class T>
class SlotPool {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    // REQUIRES: length > 0
    explicit SlotPool(std::size_t length) : length_(length)
    {
        while ((std::size_t{2} << chunkShift_) * length * sizeof(T) <= chunkBytes)
            ++chunkShift_;
    }

    // A run with the contents that its last owner left (initially zero).
    std::uint32_t acquire()
    {
        if (free_.empty())
            grow();
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        return slot;
    }
    void release(std::uint32_t slot) { free_.push_back(slot); }

    T* operator[](std::uint32_t slot) { return chunks_[slot >> chunkShift_].get() + offset(slot); }
    const T* operator[](std::uint32_t slot) const { return chunks_[slot >> chunkShift_].get() + offset(slot); }

    std::size_t length() const { return length_; }
    // Host memory: the runs, and a place in the free list for each.
    std::size_t bytes() const
    {
        return chunks_.size() * runsPerChunk() * (length_ * sizeof(T) + sizeof(std::uint32_t));
    }

private:
    static constexpr std::size_t chunkBytes = 16 * 1024;

    std::size_t offset(std::uint32_t slot) const { return (slot & (runsPerChunk() - 1)) * length_; }
    std::uint32_t runsPerChunk() const { return std::uint32_t{1} << chunkShift_; }
    void grow()
    {
        const auto first = static_cast<std::uint32_t>(chunks_.size()) * runsPerChunk();
        check(first <= none - runsPerChunk(), "a slot pool has run out of slot numbers");
        chunks_.push_back(std::make_unique<T[]>(runsPerChunk() * length_));
        for (std::uint32_t i = runsPerChunk(); i-- > 0;) // lowest number on top
            free_.push_back(first + i);
    }

    std::size_t length_;
    std::uint32_t chunkShift_ = 0; // a chunk holds two to the power of it runs
    std::vector<std::unique_ptr<T[]>> chunks_;
    std::vector<std::uint32_t> free_;
};

} // namespace strobe::nand
