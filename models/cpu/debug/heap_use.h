#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What firmware takes from the heap of the C library: calls of malloc(), calloc(), realloc(), memalign(),
// aligned_alloc() and free(), and what sbrk() has given them of the memory from __heap_start to __heap_end. The
// functions are found by their symbols; an image without them has no heap. Sizes are those that firmware asks for: the
// allocator needs a little more. Calls made inside of a call (realloc() calls malloc()), or by an interrupt or another
// task of the same core while it lasts, are not counted, except those of sbrk(): a free of a block from such a call is
// reported. Not seen: allocators of other names.

#include "firmware/hal/cores.h"
#include "models/cpu/elf_image.h"
#include "models/cpu/rv32/core.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace strobe::cpu {

class HeapUse final : public rv32::Observer {
public:
    struct Use {
        std::uint64_t bytes = 0; // allocated now
        std::uint64_t blocks = 0;
        std::uint64_t mostBytes = 0; // at a time
        std::uint64_t given = 0;     // by sbrk, at most
        std::uint64_t size = 0;      // of the heap
        std::uint64_t refused = 0;   // requests that were answered with a null pointer
    };
    struct BadFree { // of what is not allocated
        std::uint32_t address = 0;
        std::uint32_t caller = 0; // a place in it, just after the call
    };

    explicit HeapUse(const ElfImage& image);

    bool isThere() const { return !entries_.empty(); } // an allocator, and its heap
    void powerOn();                                    // nothing is allocated; what has been found stays

    void jumped(const rv32::Core& core, std::uint32_t from, std::uint32_t to) override;

    const Use& use() const { return use_; }
    const std::vector<BadFree>& badFrees() const { return badFrees_; } // the first of each caller

private:
    enum class Function : std::uint8_t { Malloc, Calloc, Realloc, Memalign, Free, Sbrk };
    struct Entry {
        std::uint32_t address = 0;
        Function function{};
    };
    struct Call {
        Function function{};
        std::uint32_t first = 0; // arguments
        std::uint32_t second = 0;
        std::uint32_t returnsTo = 0;
        std::uint32_t sp = 0;
    };

    void enter(std::optional<Call>& open, const Call& call);
    void leave(std::optional<Call>& open, const rv32::Core& core, std::uint32_t to);
    void returned(const Call& call, std::uint32_t result);
    void take(std::uint32_t address, std::uint64_t bytes);
    void give(std::uint32_t address, std::uint32_t caller);

    std::vector<Entry> entries_;
    std::uint32_t start_ = 0;
    struct Open { // calls of a hart that have not returned
        std::optional<Call> allocator;
        std::optional<Call> sbrk;
    };
    std::array<Open, HAL_CORES> open_;                        // by hart
    std::unordered_map<std::uint32_t, std::uint64_t> blocks_; // bytes by address
    Use use_;
    std::set<std::uint32_t> reported_; // callers
    std::vector<BadFree> badFrees_;
};

} // namespace strobe::cpu
