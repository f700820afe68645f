#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Finds firmware that reads RAM that was never written: a shadow bit for every byte of the memory that is private to
// the harts (SRAM). The contents of the image and everything that a hart has stored count as written; memory below a
// stack pointer becomes unwritten again as soon as its stack shrinks, and so does a word of the pattern with which
// start-up fills a stack, except its lowest word, which firmware reads to check that it is intact. A load counts if
// none of its bytes was written: copies of structs with padding are not errors. Each place in the code is reported
// once. It also follows the stack pointers, so that the use of every stack is known (stacks.h). Not detected: memory
// that hardware also writes, values that are only copied.

#include "firmware/hal/cores.h"
#include "models/cpu/debug/stacks.h"
#include "models/cpu/elf_image.h"
#include "models/cpu/rv32/core.h"

#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace strobe::cpu {

class MemoryCheck final : public rv32::Observer {
public:
    struct Finding {
        std::uint32_t pc = 0;
        std::uint32_t address = 0;
        unsigned bytes = 0;
    };

    // Watches [first, first + bytes), for all harts that it is attached to. The image must outlive it.
    MemoryCheck(const ElfImage& image, std::uint32_t first, std::uint32_t bytes, std::uint32_t stackPattern);

    void powerOn(); // memory is what the image brings again; findings stay

    void retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned cycles) override;
    void accessed(const rv32::Core& core, std::uint32_t address, unsigned bytes, bool isStore) override;

    const std::vector<Finding>& findings() const { return findings_; } // the first of each place, in order
    const Stacks& stacks() const { return stacks_; }

private:
    struct Hart {
        std::uint32_t sp = 0;
        std::uint32_t storedAt = 0; // by the current instruction
        unsigned storedBytes = 0;
    };
    void mark(std::uint32_t address, std::uint32_t bytes, bool written);
    bool isAnyWritten(std::uint32_t address, unsigned bytes) const;

    std::vector<std::pair<std::uint32_t, std::uint32_t>> segments_; // of the image: address, bytes of contents
    std::uint32_t first_;
    std::uint32_t pattern_;
    Stacks stacks_;
    std::vector<bool> written_;
    std::array<Hart, HAL_CORES> harts_;
    std::set<std::uint32_t> reported_; // pc
    std::vector<Finding> findings_;
};

} // namespace strobe::cpu
