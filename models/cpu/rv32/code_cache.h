#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Decoded instructions by page: one Step per halfword. A step that has not been decoded, or whose bytes were
// overwritten since, calls the decoder; after the last step of a page there are two that continue in the next page.
// Beside each step is the entry of the compiled block that begins there (block_compiler.h).
// Pages live as long as the cache, so a step in execution stays valid while its page is invalidated.

#include "models/cpu/rv32/direct_memory.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

namespace strobe::rv32 {

struct Step {
    const void* handler;
    std::int32_t imm;
    std::uint8_t rd; // 32 for x0
    std::uint8_t rs1;
    std::uint8_t rs2;
    std::uint8_t cycles;
};
static_assert(sizeof(Step) == 16);

inline constexpr std::uint32_t stepsPerPage = pageBytes / 2;

struct CodePage {
    std::uint32_t base = 0;
    std::array<Step, stepsPerPage + 2> steps;
    std::array<const void*, stepsPerPage> entries{};   // of compiled code, by step
    std::array<std::uint8_t, stepsPerPage> arrivals{}; // by jumps, at steps without a block
    std::bitset<stepsPerPage> covered;                 // belongs to a block
    bool hasBlocks = false;                            // an entry has been set

    std::uint32_t pcOf(const Step* step) const { return base + static_cast<std::uint32_t>(step - steps.data()) * 2; }
    Step* stepOf(std::uint32_t pc) { return &steps[indexOf(pc)]; }
    static std::uint32_t indexOf(std::uint32_t pc) { return (pc & (pageBytes - 1)) / 2; }
    std::uint32_t indexOf(const Step& step) const { return static_cast<std::uint32_t>(&step - steps.data()); }
};

class CodeCache {
public:
    // Sets the handlers of steps that are not instructions. Everything is invalidated.
    void setHandlers(const void* decode, const void* nextPage);
    // Sets the entry of steps without a block. All blocks are forgotten.
    void setEntry(const void* entry);

    CodePage* page(std::uint32_t pc) const { return pages_[pc >> pageBits]; }
    CodePage& make(std::uint32_t pc); // REQUIRES: page(pc) is null
    CodePage* const* table() const { return pages_.data(); }

    // Instructions with a byte in the range, and all blocks of their pages if one of them is in a block.
    void forget(std::uint32_t first, std::uint32_t last);
    void forgetAll();
    void forgetBlocks();

private:
    void clear(CodePage& page) const;
    void clearBlocks(CodePage& page) const;

    PageTable<CodePage*> pages_;
    std::vector<std::unique_ptr<CodePage>> owned_;
    const void* decode_ = nullptr;
    const void* nextPage_ = nullptr;
    const void* entry_ = nullptr;
};

} // namespace strobe::rv32
