// SPDX-License-Identifier: Apache-2.0
//
// The parts of instructions outside threaded code: memory that is not in the tables, atomics, CSRs.
#include "models/cpu/rv32/core.h"

#include "models/cpu/rv32/instruction.h"

#include <cstring>

namespace strobe::rv32 {

// --- memory
// -----------------------------------------------------------------------------------------------------------

void Core::map(const DirectRegion& region)
{
    memory_.add(region);
    code_.forget(region.first, region.last);
    refreshPages(region.first, region.last);
}

void Core::unmap(std::uint32_t first, std::uint32_t last)
{
    for (const DirectRegion& region : memory_.remove(first, last)) {
        code_.forget(region.first, region.last);
        refreshPages(region.first, region.last);
    }
}

void Core::refreshPages(std::uint32_t first, std::uint32_t last)
{
    for (std::uint32_t page = first >> pageBits; page <= last >> pageBits; ++page) {
        const std::uint32_t start = page << pageBits;
        bool isLoadWatched = false;
        bool isStoreWatched = false;
        for (const Watchpoint& watchpoint : watchpoints_) {
            if (watchpoint.touches(start, pageBytes)) {
                isLoadWatched = isLoadWatched || watchpoint.onLoad;
                isStoreWatched = isStoreWatched || watchpoint.onStore;
            }
        }
        memory_.refresh(page, !isLoadWatched, !isStoreWatched && code_.page(start) == nullptr);
    }
}

Core::Done Core::loadSlowly(std::uint32_t address, unsigned bytes, std::uint32_t& value)
{
    if (address % bytes != 0) {
        raise(Cause::LoadMisaligned, address);
        return Done::Trap;
    }
    if (const std::uint8_t* const direct = memory_.find(address, bytes, false); direct != nullptr) {
        std::memcpy(&value, direct, bytes);
    } else {
        const BusResult result = environment_.load(address, bytes, value);
        if (result == BusResult::Later)
            return Done::Later;
        if (result == BusResult::Fault) {
            raise(Cause::LoadAccess, address);
            return Done::Trap;
        }
    }
    if (!watchpoints_.empty())
        watch(address, bytes, false);
    return Done::Ok;
}

Core::Done Core::storeSlowly(std::uint32_t address, unsigned bytes, std::uint32_t value)
{
    if (address % bytes != 0) {
        raise(Cause::StoreMisaligned, address);
        return Done::Trap;
    }
    if (std::uint8_t* const direct = memory_.find(address, bytes, true); direct != nullptr) {
        std::memcpy(direct, &value, bytes);
        code_.forget(address, address + bytes - 1);
    } else {
        const BusResult result = environment_.store(address, bytes, value);
        if (result == BusResult::Later)
            return Done::Later;
        if (result == BusResult::Fault) {
            raise(Cause::StoreAccess, address);
            return Done::Trap;
        }
    }
    if (!watchpoints_.empty())
        watch(address, bytes, true);
    return Done::Ok;
}

void Core::watch(std::uint32_t address, unsigned bytes, bool isStore)
{
    for (const Watchpoint& watchpoint : watchpoints_) {
        if ((isStore ? watchpoint.onStore : watchpoint.onLoad) && watchpoint.touches(address, bytes)) {
            watchHit_ = {address, bytes, isStore, watchpoint};
            isWatchHit_ = true;
            attention_ = true;
            return;
        }
    }
}

// --- atomics
// ----------------------------------------------------------------------------------------------------------

namespace {

std::uint32_t combine(Operation operation, std::uint32_t old, std::uint32_t operand)
{
    const auto a = static_cast<std::int32_t>(old);
    const auto b = static_cast<std::int32_t>(operand);
    switch (operation) {
    case Operation::AmoaddW: return old + operand;
    case Operation::AmoxorW: return old ^ operand;
    case Operation::AmoandW: return old & operand;
    case Operation::AmoorW: return old | operand;
    case Operation::AmominW: return a < b ? old : operand;
    case Operation::AmomaxW: return a > b ? old : operand;
    case Operation::AmominuW: return old < operand ? old : operand;
    case Operation::AmomaxuW: return old > operand ? old : operand;
    default: return operand; // swap
    }
}

} // namespace

std::uint8_t* Core::atomicMemory(std::uint32_t address, bool isStore)
{
    std::uint8_t* bytes = memory_.find(address, 4, isStore);
    if (bytes == nullptr) {
        environment_.wantDirect(address);
        bytes = memory_.find(address, 4, isStore);
    }
    return bytes;
}

Core::Done Core::accessAtomically(const Step& step)
{
    const auto operation = static_cast<Operation>(step.imm);
    const bool isStore = operation != Operation::LrW;
    const bool isLoad = operation != Operation::ScW;
    const std::uint32_t address = x_[step.rs1];
    if (observer_ != nullptr) {
        if (isLoad)
            observer_->accessed(*this, address, 4, false);
        if (isStore)
            observer_->accessed(*this, address, 4, true);
    }
    if (address % 4 != 0) {
        raise(isStore ? Cause::StoreMisaligned : Cause::LoadMisaligned, address);
        return Done::Trap;
    }
    std::uint8_t* const bytes = atomicMemory(address, isStore);
    if (bytes == nullptr) {
        raise(isStore ? Cause::StoreAccess : Cause::LoadAccess, address);
        return Done::Trap;
    }
    std::uint32_t old = 0;
    std::memcpy(&old, bytes, sizeof old);
    const std::uint32_t operand = x_[step.rs2];
    if (operation == Operation::LrW) {
        hasReservation_ = true;
        reservation_ = address;
        x_[step.rd] = old;
        watch(address, 4, false);
        return Done::Ok;
    }
    if (operation == Operation::ScW) {
        const bool succeeds = hasReservation_ && reservation_ == address;
        hasReservation_ = false;
        x_[step.rd] = succeeds ? 0 : 1;
        if (!succeeds)
            return Done::Ok;
    } else {
        x_[step.rd] = old;
        watch(address, 4, false);
    }
    const std::uint32_t value = combine(operation, old, operand);
    std::memcpy(bytes, &value, sizeof value);
    code_.forget(address, address + 3);
    watch(address, 4, true);
    return Done::Ok;
}

// --- control and status registers
// -------------------------------------------------------------------------------------

Core::Done Core::accessCsr(const Step& step)
{
    const auto operation = static_cast<Operation>(step.rs2);
    const auto number = static_cast<std::uint32_t>(step.imm);
    const bool isImmediate = operation >= Operation::Csrrwi;
    const bool isSwap = operation == Operation::Csrrw || operation == Operation::Csrrwi;
    const bool isClear = operation == Operation::Csrrc || operation == Operation::Csrrci;
    const bool writes = isSwap || step.rs1 != 0;
    const std::uint32_t operand = isImmediate ? step.rs1 : x_[step.rs1];

    if (number == csr::mip && !environment_.senseInterrupts())
        return Done::Later;
    const std::optional<std::uint32_t> old = csr(number);
    if (!old.has_value() || (writes && CsrFile::isReadOnly(number))) {
        std::uint32_t bits = 0;
        if (fetch(pc_, bits))
            raise(Cause::IllegalInstruction, bits);
        return Done::Trap;
    }
    x_[step.rd] = *old;
    if (!writes)
        return Done::Ok;
    const std::uint32_t value = isSwap ? operand : isClear ? *old & ~operand : *old | operand;
    if (CsrFile::isCounter(number)) {
        writeCounter(number, value, 1);
        return Done::Ok;
    }
    csrs_.write(number, value);
    if (number == csr::mstatus || number == csr::mie)
        interruptsMayHaveChanged();
    else if (number == csr::mcountinhibit)
        inhibitCounters();
    return Done::Ok;
}

std::uint32_t Core::readCounter(std::uint32_t number) const
{
    std::uint64_t value = 0;
    switch (number) {
    case csr::time:
    case csr::timeh: value = environment_.time(*this); break;
    case csr::mcycle:
    case csr::mcycleh:
    case csr::cycle:
    case csr::cycleh: value = cycleCounter_.value(environment_.cycles(*this)); break;
    default: value = instretCounter_.value(retired()); break;
    }
    constexpr std::uint32_t highHalf = 0x80; // of the number
    return static_cast<std::uint32_t>((number & highHalf) != 0 ? value >> 32 : value);
}

// The new value is visible to the instruction after the write: a write of either half suppresses the count of the
// present instruction, which is `own`.
void Core::writeCounter(std::uint32_t number, std::uint32_t half, std::uint64_t own)
{
    const bool isCycle = number == csr::mcycle || number == csr::mcycleh;
    Counter& counter = isCycle ? cycleCounter_ : instretCounter_;
    const std::uint64_t source = isCycle ? environment_.cycles(*this) : retired();
    const bool isHigh = number == csr::mcycleh || number == csr::minstreth;
    const std::uint64_t old = counter.value(source);
    const std::uint64_t value = isHigh ? std::uint64_t{half} << 32 | (old & 0xFFFFFFFF) : (old >> 32 << 32) | half;
    counter.set(value, source + own);
}

void Core::inhibitCounters()
{
    cycleCounter_.inhibit((csrs_.inhibited() & 1) != 0, environment_.cycles(*this));
    instretCounter_.inhibit((csrs_.inhibited() & 4) != 0, retired());
}

} // namespace strobe::rv32
