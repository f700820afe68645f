// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/csr_file.h"

#include "models/base/check.h"

namespace strobe::rv32 {

namespace {

constexpr std::uint32_t misaValue =
    1U << 30 | 1U << ('A' - 'A') | 1U << ('C' - 'A') | 1U << ('I' - 'A') | 1U << ('M' - 'A');
constexpr std::uint32_t mstatusMie = 1U << 3;
constexpr std::uint32_t mstatusMpie = 1U << 7;
constexpr std::uint32_t mstatusMpp = 3U << 11;                   // machine mode, always
constexpr std::uint32_t countersInhibitable = 1U << 0 | 1U << 2; // cycle, instret

constexpr std::uint32_t bit(InterruptLine line)
{
    return 1U << static_cast<unsigned>(line);
}
constexpr std::uint32_t allLines =
    bit(InterruptLine::Software) | bit(InterruptLine::Timer) | bit(InterruptLine::External);

bool isWithin(std::uint32_t number, std::uint32_t first, std::uint32_t last)
{
    return number >= first && number <= last;
}

bool isAlwaysZero(std::uint32_t number)
{
    return number == csr::mstatush || number == csr::mvendorid || number == csr::marchid || number == csr::mimpid ||
           number == csr::mconfigptr || isWithin(number, csr::mhpmevent3, csr::mhpmevent31) ||
           isWithin(number, csr::mhpmcounter3, csr::mhpmcounter31) ||
           isWithin(number, csr::mhpmcounter3h, csr::mhpmcounter31h);
}

} // namespace

bool CsrFile::isCounter(std::uint32_t number)
{
    switch (number) {
    case csr::mcycle:
    case csr::mcycleh:
    case csr::minstret:
    case csr::minstreth:
    case csr::cycle:
    case csr::cycleh:
    case csr::time:
    case csr::timeh:
    case csr::instret:
    case csr::instreth: return true;
    default: return false;
    }
}

std::uint32_t CsrFile::mstatus() const
{
    return mstatusMpp | (isEnabled_ ? mstatusMie : 0) | (wasEnabled_ ? mstatusMpie : 0);
}

std::optional<std::uint32_t> CsrFile::read(std::uint32_t number) const
{
    switch (number) {
    case csr::mstatus: return mstatus();
    case csr::misa: return misaValue;
    case csr::mie: return mie_;
    case csr::mtvec: return mtvec_;
    case csr::mcountinhibit: return mcountinhibit_;
    case csr::mscratch: return mscratch_;
    case csr::mepc: return mepc_;
    case csr::mcause: return mcause_;
    case csr::mtval: return mtval_;
    case csr::mip: return mip_;
    case csr::mhartid: return hart_;
    default: break;
    }
    if (isAlwaysZero(number))
        return 0;
    return std::nullopt;
}

bool CsrFile::write(std::uint32_t number, std::uint32_t value)
{
    switch (number) {
    case csr::mstatus:
        isEnabled_ = (value & mstatusMie) != 0;
        wasEnabled_ = (value & mstatusMpie) != 0;
        return true;
    case csr::mie: mie_ = value & allLines; return true;
    case csr::mtvec:
        if ((value & 2) == 0) // the other modes are reserved: nothing changes
            mtvec_ = value;
        return true;
    case csr::mcountinhibit: mcountinhibit_ = value & countersInhibitable; return true;
    case csr::mscratch: mscratch_ = value; return true;
    case csr::mepc: mepc_ = value & ~1U; return true;
    case csr::mcause: mcause_ = value; return true;
    case csr::mtval: mtval_ = value; return true;
    case csr::misa:             // fixed
    case csr::mip: return true; // its lines are driven from outside
    default: return isAlwaysZero(number);
    }
}

void CsrFile::setLine(InterruptLine line, bool level)
{
    mip_ = level ? mip_ | bit(line) : mip_ & ~bit(line);
}

InterruptLine CsrFile::nextInterrupt() const
{
    const std::uint32_t pending = mip_ & mie_;
    for (const InterruptLine line : {InterruptLine::External, InterruptLine::Software, InterruptLine::Timer}) {
        if ((pending & bit(line)) != 0)
            return line;
    }
    check(false, "an interrupt is taken that is not pending");
    return {};
}

std::uint32_t CsrFile::enterTrap(std::uint32_t cause, std::uint32_t value, std::uint32_t pc)
{
    mepc_ = pc;
    mcause_ = cause;
    mtval_ = value;
    wasEnabled_ = isEnabled_;
    isEnabled_ = false;
    const std::uint32_t base = mtvec_ & ~3U;
    const bool isVectored = (mtvec_ & 1) != 0 && (cause & interruptFlag) != 0;
    return isVectored ? base + 4 * (cause & ~interruptFlag) : base;
}

std::uint32_t CsrFile::leaveTrap()
{
    isEnabled_ = wasEnabled_;
    wasEnabled_ = true;
    return mepc_;
}

} // namespace strobe::rv32
