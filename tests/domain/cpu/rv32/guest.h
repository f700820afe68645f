#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A core with 64 KiB of direct memory at 0x80000000 and a bus that records what arrives there.

#include "models/cpu/rv32/core.h"
#include "tests/support/rv32_assembler.h"

#include <cstring>
#include <functional>
#include <vector>

namespace strobe::test {

struct BusAccess {
    bool isStore = false;
    std::uint32_t address = 0;
    unsigned bytes = 0;
    std::uint32_t value = 0;
    std::uint64_t retired = 0; // instructions before it
    std::uint32_t pc = 0;

    bool operator==(const BusAccess& other) const
    {
        return isStore == other.isStore && address == other.address && bytes == other.bytes && value == other.value &&
               retired == other.retired && pc == other.pc;
    }
};

class Guest : public rv32::Environment {
public:
    static constexpr std::uint32_t memoryBase = 0x80000000;
    static constexpr std::uint32_t memoryBytes = 0x10000;
    static constexpr std::uint32_t handler = memoryBase + 0x8000; // where set-up programs put their trap handler
    static constexpr std::uint32_t deviceBase = 0x40000000;       // answers; nothing else does

    explicit Guest(std::vector<std::uint32_t> program, const rv32::CoreConfig& config = {});
    ~Guest();

    void put(std::uint32_t address, const std::vector<std::uint32_t>& words);
    std::uint32_t word(std::uint32_t address) const;
    std::uint32_t csr(std::uint32_t number) const { return core.csr(number).value(); }

    rv32::BusResult load(std::uint32_t address, unsigned bytes, std::uint32_t& value) override;
    rv32::BusResult store(std::uint32_t address, unsigned bytes, std::uint32_t value) override;
    void interruptMaskChanged() override { ++maskChanges; }
    bool breakInstruction(rv32::Core& /*core*/) override { return takesBreaks; }
    void guardHit(const rv32::Core& hart, rv32::Guard guard, std::uint32_t address) override;

    std::vector<std::uint8_t> memory;
    rv32::Core core;
    std::vector<BusAccess> accesses;
    struct GuardHit {
        rv32::Guard guard;
        std::uint32_t address;
        std::uint32_t pc;
    };
    std::vector<GuardHit> guardHits;
    std::uint32_t deviceValue = 0;
    std::function<void()> onAccess;
    int putOff = 0; // so many accesses are answered Later
    int maskChanges = 0;
    bool takesBreaks = false;

private:
    static rv32::CoreConfig at(rv32::CoreConfig config);
    rv32::BusResult record(bool isStore, std::uint32_t address, unsigned bytes, std::uint32_t& value);
};

} // namespace strobe::test
