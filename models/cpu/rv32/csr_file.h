#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The control and status registers of a hart with machine mode only (Privileged Architecture 1.12), except the
// counters' values, which the core keeps. Fields that depend on absent modes or extensions are zero.
// Registers that may be read-only zero are: mhpmcounter3..31, mhpmevent3..31, mconfigptr, mvendorid, marchid, mimpid,
// mstatush. Absent: delegation, mcounteren and menvcfg (they belong to lower modes), PMP, triggers,
// hpmcounter3..31.

#include <cstdint>
#include <optional>

namespace strobe::rv32 {

namespace csr {
enum Number : std::uint32_t {
    mstatus = 0x300,
    misa = 0x301,
    mie = 0x304,
    mtvec = 0x305,
    mstatush = 0x310,
    mcountinhibit = 0x320,
    mhpmevent3 = 0x323,
    mhpmevent31 = 0x33F,
    mscratch = 0x340,
    mepc = 0x341,
    mcause = 0x342,
    mtval = 0x343,
    mip = 0x344,
    mcycle = 0xB00,
    minstret = 0xB02,
    mhpmcounter3 = 0xB03,
    mhpmcounter31 = 0xB1F,
    mcycleh = 0xB80,
    minstreth = 0xB82,
    mhpmcounter3h = 0xB83,
    mhpmcounter31h = 0xB9F,
    cycle = 0xC00,
    time = 0xC01,
    instret = 0xC02,
    cycleh = 0xC80,
    timeh = 0xC81,
    instreth = 0xC82,
    mvendorid = 0xF11,
    marchid = 0xF12,
    mimpid = 0xF13,
    mhartid = 0xF14,
    mconfigptr = 0xF15,
};
} // namespace csr

enum class Cause : std::uint32_t {
    FetchAccess = 1,
    IllegalInstruction = 2,
    Breakpoint = 3,
    LoadMisaligned = 4,
    LoadAccess = 5,
    StoreMisaligned = 6,
    StoreAccess = 7,
    EnvironmentCall = 11,
};

// Bit numbers in mie and mip, and codes in mcause.
enum class InterruptLine : std::uint8_t { Software = 3, Timer = 7, External = 11 };

inline constexpr std::uint32_t interruptFlag = 0x80000000; // of mcause

class CsrFile {
public:
    explicit CsrFile(std::uint32_t hart) : hart_(hart) {}

    static bool isReadOnly(std::uint32_t number) { return (number >> 10 & 3) == 3; }
    static bool isCounter(std::uint32_t number); // its value is kept by the core

    // REQUIRES: not a counter. Nothing, or false: there is no such register. A write stores the legal part of the
    // value.
    std::optional<std::uint32_t> read(std::uint32_t number) const;
    bool write(std::uint32_t number, std::uint32_t value); // REQUIRES: not read-only

    void setLine(InterruptLine line, bool level);
    bool interruptsEnabled() const { return isEnabled_ && mie_ != 0; }
    bool isPending() const { return (mip_ & mie_) != 0; } // WFI ends
    bool mustInterrupt() const { return isEnabled_ && isPending(); }
    InterruptLine nextInterrupt() const; // REQUIRES: isPending()

    // Both return the address at which execution continues.
    std::uint32_t enterTrap(std::uint32_t cause, std::uint32_t value, std::uint32_t pc);
    std::uint32_t leaveTrap();

    std::uint32_t inhibited() const { return mcountinhibit_; } // bits of mcountinhibit
    std::uint32_t hart() const { return hart_; }

private:
    std::uint32_t mstatus() const;

    std::uint32_t hart_;
    std::uint32_t mie_ = 0;
    std::uint32_t mip_ = 0;
    std::uint32_t mtvec_ = 0;
    std::uint32_t mscratch_ = 0;
    std::uint32_t mepc_ = 0;
    std::uint32_t mcause_ = 0;
    std::uint32_t mtval_ = 0;
    std::uint32_t mcountinhibit_ = 0;
    bool isEnabled_ = false;  // mstatus.MIE
    bool wasEnabled_ = false; // mstatus.MPIE
};

} // namespace strobe::rv32
