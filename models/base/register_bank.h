#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A bank of 32-bit registers described by a table (generated from firmware/regs/*.rdl): offset, reset, writable bits,
// write-1-to-clear bits, text. Pure: no kernel, no time. Behaviour is attached per register with onRead/onWrite.
// Access rules: 32-bit aligned accesses only; anything else, and any offset outside the table, is refused (Access::…),
// which the bus turns into an error response. Writes to read-only bits are ignored, as in hardware.

#include "models/base/check.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace strobe {

// One row of a generated register table. The registers of an array of `count` are `step` bytes apart.
struct RegisterInfo {
    const char* name;
    std::uint32_t offset;
    std::uint32_t count;
    std::uint32_t step;
    std::uint32_t reset;
    std::uint32_t writable; // bits that a write replaces
    std::uint32_t clearOnWrite1;
    const char* description;
};

enum class Access : std::uint8_t { Ok, Unmapped, Misaligned };

class RegisterBank {
public:
    using ReadHook = std::function<std::uint32_t(std::uint32_t element)>;
    using WriteHook = std::function<void(std::uint32_t element, std::uint32_t value)>;

    RegisterBank(const RegisterInfo* table, std::size_t rows, std::uint32_t sizeBytes);

    // Hooks are called with the element number of an array (0 otherwise); a write hook sees the value written, before
    // masking, after the stored value has been updated. REQUIRES: `offset` is the first offset of a row.
    void onRead(std::uint32_t offset, ReadHook hook);
    void onWrite(std::uint32_t offset, WriteHook hook);

    Access read(std::uint32_t offset, std::uint32_t& value);
    Access write(std::uint32_t offset, std::uint32_t value);

    std::uint32_t peek(std::uint32_t offset) const // no hook; REQUIRES: mapped
    {
        checkMapped(offset);
        return slots_[offset / 4].value;
    }
    // The same as read(), for registers whose hook has no side effect.
    Access view(std::uint32_t offset, std::uint32_t& value) const;
    void poke(std::uint32_t offset, std::uint32_t value) // the device side: no masks, no hook
    {
        checkMapped(offset);
        slots_[offset / 4].value = value;
    }
    void setBits(std::uint32_t offset, std::uint32_t bits) { poke(offset, peek(offset) | bits); }
    void reset();

private:
    struct Slot { // one 32-bit word of the bank
        std::uint32_t value = 0;
        std::uint32_t writable = 0;
        std::uint32_t clearOnWrite1 = 0;
        std::uint32_t element = 0;
        std::int32_t row = -1; // -1: nothing mapped here
        bool hasWriteHook = false;
    };
    struct Row {
        const RegisterInfo* info;
        ReadHook read;
        WriteHook write;
    };
    void checkMapped(std::uint32_t offset) const
    {
        check(offset % 4 == 0 && offset / 4 < slots_.size() && slots_[offset / 4].row >= 0,
              "no register at this offset");
    }
    Row& rowAt(std::uint32_t offset);

    std::vector<Row> rows_;
    std::vector<Slot> slots_;
};

} // namespace strobe
