#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Entries of a trace of firmware as bytes, and back: a few bytes each, because an entry holds only what does not follow
// from those before it. Both sides keep the same state (TracePast).
//
// An entry: a byte with `what` (bits 0 and 1), the core (2 and 3) and flags (4: pc, 5: time, 6: number as expected;
// 7: the bits of the instruction at this pc are known, or the name of the register is), then what the flags do not say,
// as short numbers (models/base/bytes.h), differences with their sign in bit 0:
//   pc - expected, time - that of the entry before it, number - that of the entry before it
//   Instruction  bits, unless known; a byte with the number of accesses (bits 0 and 1) and their shapes; the difference
//                of each address to the one before it; if the instruction has a destination, the difference of its
//                value to that which an entry has last given the register
//   Register     the same byte, with bit 7: has a value; address; name unless known; value
//   Trap         mcause, mtval, target
//   Return       target
// A shape has three bits: store, and the logarithm of the bytes.

#include "models/base/bytes.h"
#include "models/cpu/debug/trace_entry.h"

#include <array>
#include <string>
#include <unordered_map>

namespace strobe::cpu {

// State of one core in encoder and decoder.
struct TracePast {
    Time at{};
    Time step{};
    std::uint64_t number = 0;
    std::uint32_t pc = 0;
    std::uint32_t nextPc = 0;
    bool isCompleted = false; // the last entry is an instruction
    std::uint32_t address = 0;
    std::array<std::uint32_t, 32> registers{};
    std::unordered_map<std::uint32_t, std::uint32_t> bits; // by pc

    std::uint32_t expectedPc(TraceEntry::What what) const { return what == TraceEntry::What::Register ? pc : nextPc; }
    std::uint64_t expectedNumber(TraceEntry::What what) const;
    void follow(const TraceEntry& entry);
};

class TraceEncoder {
public:
    void add(const TraceEntry& entry, ByteWriter& out); // REQUIRES: entry.core < TraceEntry::mostCores

private:
    std::array<TracePast, TraceEntry::mostCores> past_;
    std::unordered_map<std::uint32_t, std::string> names_; // of registers
};

class TraceDecoder {
public:
    // The next entry. Throws DamagedBytes.
    TraceEntry take(ByteReader& in);

private:
    void takeAccesses(ByteReader& in, TraceEntry& entry, TracePast& past, unsigned shapes);

    std::array<TracePast, TraceEntry::mostCores> past_;
    std::unordered_map<std::uint32_t, std::string> names_;
};

} // namespace strobe::cpu
