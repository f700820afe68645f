#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// An entry of a trace of firmware: what one hart did at one simulated time. The choice among entries: by kind,
// simulated time and address.

#include "models/base/enum_table.h"
#include "models/base/time.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::cpu {

enum class TraceKind : std::uint8_t { Instructions, Registers, Interrupts };

inline constexpr std::array<EnumRow<TraceKind>, 3> traceKindTable{
    {{TraceKind::Instructions, "instructions", "every instruction, with what it wrote and touched"},
     {TraceKind::Registers, "registers", "accesses on the bus, with the name of the register and the value"},
     {TraceKind::Interrupts, "interrupts", "interrupts, exceptions and the return from them"}}};
constexpr const auto& enumTable(TraceKind)
{
    return traceKindTable;
}

struct TraceAccess {
    std::uint32_t address = 0;
    std::uint8_t bytes = 0; // 1, 2, 4
    bool isStore = false;
};

struct TraceEntry {
    enum class What : std::uint8_t {
        Instruction, // completed
        Register,    // access on the bus, by the instruction at pc
        Trap,        // interrupt or exception before the instruction at pc; the hart goes on at target
        Return,      // mret at pc, to target
    };
    static constexpr unsigned mostCores = 4;

    What what = What::Instruction;
    std::uint8_t core = 0;
    Time at{};                // when the instruction began, its access began on the bus, or the trap was entered
    std::uint64_t number = 0; // instructions that the hart has completed before
    std::uint32_t pc = 0;
    std::uint32_t bits = 0;       // Instruction: as in memory; a compressed one has 16
    std::uint32_t value = 0;      // Instruction: of the register that it wrote; Register: on the bus; Trap: mtval
    bool hasValue = false;        // else 0: nothing was written, or the value that was read is lost (x0)
    std::uint8_t accessCount = 0; // Instruction: of memory or on the bus (an atomic has two); Register: 1
    std::array<TraceAccess, 2> accesses{};
    std::uint32_t cause = 0;  // Trap: mcause
    std::uint32_t target = 0; // Trap, Return
    std::string name;         // Register: of accesses[0]
};

TraceKind kindOf(TraceEntry::What what);

class TraceFilter {
public:
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };
    Time from{};
    Time to = never;           // the first that does not belong to it
    std::vector<Range> ranges; // none: all addresses
    std::bitset<traceKindTable.size()> kinds{~0ULL};

    bool takes(TraceKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
    bool takes(Time at) const { return at >= from && at < to; }
    // By kind, time and address: one of the entry's addresses (pc, access, target) is in one of the ranges.
    bool takes(const TraceEntry& entry) const;

private:
    bool holds(std::uint32_t address) const;
};

} // namespace strobe::cpu
