#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which stacks the harts use, and how deep each went: those that the image declares by symbols of
// firmware/hal/rv32/link.ld (of both cores and of the trap handler), and those that firmware makes itself, such as the
// stacks of tasks. A stack pointer that is changed relative to itself stays in its stack, so an overflow belongs to the
// stack that overflowed. One that is set is in the stack that holds it, or begins another: a task that is continued has
// the stack pointer with which it was left. The top of such a stack is the highest stack pointer seen in it; its limit
// follows from the object (array) that holds it, and from the next lower stack in the same object.

#include "models/cpu/elf_image.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::cpu {

class Stacks {
public:
    struct Stack {
        std::string name;          // "core 0", "traps"; else of the object that holds it, or its top
        std::uint32_t limit = 0;   // lowest address that belongs to it; 0 with size 0: unknown
        std::uint32_t size = 0;    // bytes; 0: unknown
        std::uint32_t deepest = 0; // bytes that were in use at a time; more than its size: it has overflowed
    };
    // How an instruction has changed the stack pointer.
    enum class Move : std::uint8_t {
        Relative, // from its value before
        Set,      // to another value
        HalfSet,  // to a part of an address (lui, auipc): the next move completes it
    };

    explicit Stacks(const ElfImage& image);

    void powerOn(); // the harts are in no stack; what is known of the stacks stays
    // REQUIRES: hart < HAL_CORES. True: it is in the stack in which it was before.
    bool moved(std::size_t hart, std::uint32_t sp, Move move);

    bool isDeclared(std::uint32_t address) const;      // in a stack of the link script
    bool isDeclaredLimit(std::uint32_t address) const; // its lowest address
    std::vector<Stack> used() const;                   // declared ones first, the others in ascending order of address

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    struct Range {
        std::string name;
        std::uint32_t limit = 0; // of a declared stack
        std::uint32_t top = 0;
        std::uint32_t lowest = 0; // stack pointer
        bool isDeclared = false;
    };

    void declare(const std::string& name, std::string_view limit, std::string_view top);
    std::size_t rangeOf(std::uint32_t sp);
    const ElfImage::Symbol* objectAt(std::uint32_t address) const;

    const ElfImage& image_;
    std::vector<Range> ranges_;
    std::vector<std::size_t> present_; // by hart
};

} // namespace strobe::cpu
