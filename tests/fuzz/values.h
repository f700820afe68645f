#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a fuzz input as a sequence of values, for targets whose input is a list of actions. After the last byte
// all values are zero.

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace strobe::fuzz {

class Values {
public:
    Values(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    bool isOver() const { return at_ >= size_; }
    std::uint8_t byte() { return isOver() ? 0 : data_[at_++]; }
    std::uint64_t number(unsigned bytes) // little endian
    {
        constexpr unsigned bitsOfByte = 8;
        std::uint64_t value = 0;
        for (unsigned i = 0; i < bytes; ++i)
            value |= std::uint64_t{byte()} << bitsOfByte * i;
        return value;
    }
    // One of the usual values, or one of so many bytes. A byte chooses.
    std::uint64_t usualOr(std::initializer_list<std::uint64_t> usual, unsigned bytes)
    {
        const std::size_t chosen = byte() % (usual.size() + 1);
        return chosen < usual.size() ? usual.begin()[chosen] : number(bytes);
    }

private:
    const std::uint8_t* data_;
    std::size_t size_;
    std::size_t at_ = 0;
};

} // namespace strobe::fuzz
