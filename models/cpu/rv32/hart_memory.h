#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The memory of a hart: host memory that threaded code reaches by tables, the bus (Environment) for everything else,
// decoded code that stores must invalidate, and watchpoints. It decides which pages the tables show.

#include "models/cpu/rv32/code_cache.h"
#include "models/cpu/rv32/direct_memory.h"
#include "models/cpu/rv32/environment.h"
#include "models/cpu/rv32/hart.h"
#include "models/cpu/rv32/watchpoints.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::rv32 {

class HartMemory {
public:
    HartMemory(const Core& core, Hart& hart, Environment& environment)
        : core_(core), hart_(hart), environment_(environment)
    {
    }

    void map(const DirectRegion& region);
    void unmap(std::uint32_t first, std::uint32_t last);
    const DirectMemory& direct() const { return direct_; }

    // Loads and stores that the tables do not serve, and misaligned ones.
    Done load(std::uint32_t address, unsigned bytes, std::uint32_t& value);
    Done store(std::uint32_t address, unsigned bytes, std::uint32_t value);
    // Host memory of an aligned word, for an atomic operation; null: there is none.
    std::uint8_t* word(std::uint32_t address, bool isStore);
    void storeWord(std::uint8_t* bytes, std::uint32_t address, std::uint32_t value);
    void watch(std::uint32_t address, unsigned bytes, bool isStore);

    // The bits of an instruction. False: the trap is raised.
    bool fetch(std::uint32_t pc, std::uint32_t& bits);
    // The same without effect on anything; nothing: they are not in direct memory.
    std::optional<std::uint32_t> peek(std::uint32_t pc) const;
    // The page with the code at `pc`, made if necessary. Null: the trap is raised.
    CodePage* enterCode(std::uint32_t pc);
    CodeCache& code() { return code_; }

    // From now on such accesses to the range are reported. Stores: pages that are wholly inside are kept out of the
    // table of stores; of the others only those stores are seen that the table does not serve for another reason
    // (code). Null: kept out, too; threaded code serves the rest of the page, after the last such range, by a window.
    void guard(Guard guard, std::uint32_t first, std::uint32_t last);
    void reportExecution(std::uint32_t pc); // an instruction was translated

    void addWatchpoint(const Watchpoint& watchpoint);
    bool removeWatchpoint(const Watchpoint& watchpoint);
    Watchpoints& watchpoints() { return watchpoints_; }
    const Watchpoints& watchpoints() const { return watchpoints_; }

private:
    bool fetchHalf(std::uint32_t address, std::uint32_t& half);
    void refreshPages(std::uint32_t first, std::uint32_t last);
    struct Range {
        Guard guard;
        std::uint32_t first;
        std::uint32_t last;
    };
    const Range* guardOf(Guard guard, std::uint32_t first, std::uint32_t last) const; // that they touch; null: none
    void reportStore(std::uint32_t address, unsigned bytes);
    bool isConstantPage(std::uint32_t start) const;

    const Core& core_;
    Hart& hart_;
    Environment& environment_;
    DirectMemory direct_;
    CodeCache code_;
    Watchpoints watchpoints_;
    std::vector<Range> guards_;
};

} // namespace strobe::rv32
