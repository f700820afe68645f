// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/atomic_unit.h"

#include "models/cpu/rv32/instruction.h"

#include <cstring>

namespace strobe::rv32 {

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

Done AtomicUnit::execute(const Step& step)
{
    const auto operation = static_cast<Operation>(step.imm);
    const bool isStore = operation != Operation::LrW;
    const bool isLoad = operation != Operation::ScW;
    const std::uint32_t address = hart_.x[step.rs1];
    if (isLoad)
        system_.reportAccess(address, 4, false);
    if (isStore)
        system_.reportAccess(address, 4, true);
    if (address % 4 != 0)
        return hart_.raise(isStore ? Cause::StoreMisaligned : Cause::LoadMisaligned, address);
    std::uint8_t* const bytes = memory_.word(address, isStore);
    if (bytes == nullptr)
        return hart_.raise(isStore ? Cause::StoreAccess : Cause::LoadAccess, address);
    std::uint32_t old = 0;
    std::memcpy(&old, bytes, sizeof old);
    const std::uint32_t operand = hart_.x[step.rs2];
    if (operation == Operation::LrW) {
        hasReservation_ = true;
        reservation_ = address;
        hart_.x[step.rd] = old;
        memory_.watch(address, 4, false);
        return Done::Ok;
    }
    if (operation == Operation::ScW) {
        const bool succeeds = hasReservation_ && reservation_ == address;
        hasReservation_ = false;
        hart_.x[step.rd] = succeeds ? 0 : 1;
        if (!succeeds)
            return Done::Ok;
    } else {
        hart_.x[step.rd] = old;
        memory_.watch(address, 4, false);
    }
    memory_.storeWord(bytes, address, combine(operation, old, operand));
    return Done::Ok;
}

} // namespace strobe::rv32
