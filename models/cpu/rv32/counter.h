#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A 64-bit counter that firmware may write and inhibit, over a source that only goes up.

#include <cstdint>

namespace strobe::rv32 {

class Counter {
public:
    std::uint64_t value(std::uint64_t source) const { return isInhibited_ ? held_ : source + offset_; }

    // `source`: its value when the next instruction reads it.
    void set(std::uint64_t value, std::uint64_t source)
    {
        held_ = value;
        offset_ = value - source;
    }
    void inhibit(bool inhibited, std::uint64_t source)
    {
        if (inhibited == isInhibited_)
            return;
        set(value(source), source);
        isInhibited_ = inhibited;
    }

private:
    std::uint64_t offset_ = 0;
    std::uint64_t held_ = 0;
    bool isInhibited_ = false;
};

} // namespace strobe::rv32
