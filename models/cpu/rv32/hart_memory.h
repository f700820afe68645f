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

namespace strobe::rv32 {

class HartMemory {
public:
    HartMemory(Hart& hart, Environment& environment) : hart_(hart), environment_(environment) {}

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
    // The page with the code at `pc`, made if necessary. Null: the trap is raised.
    CodePage* enterCode(std::uint32_t pc);
    CodeCache& code() { return code_; }

    void addWatchpoint(const Watchpoint& watchpoint);
    bool removeWatchpoint(const Watchpoint& watchpoint);
    Watchpoints& watchpoints() { return watchpoints_; }
    const Watchpoints& watchpoints() const { return watchpoints_; }

private:
    bool fetchHalf(std::uint32_t address, std::uint32_t& half);
    void refreshPages(std::uint32_t first, std::uint32_t last);

    Hart& hart_;
    Environment& environment_;
    DirectMemory direct_;
    CodeCache code_;
    Watchpoints watchpoints_;
};

} // namespace strobe::rv32
