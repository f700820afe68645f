#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Atomic instructions of a hart (extension A) and the reservation of its last lr.

#include "models/cpu/rv32/code_cache.h"
#include "models/cpu/rv32/hart.h"
#include "models/cpu/rv32/hart_memory.h"
#include "models/cpu/rv32/system_unit.h"

#include <cstdint>

namespace strobe::rv32 {

class AtomicUnit {
public:
    AtomicUnit(Hart& hart, HartMemory& memory, SystemUnit& system) : hart_(hart), memory_(memory), system_(system) {}

    Done execute(const Step& step);
    bool hasReservation() const { return hasReservation_; }
    void breakReservation() { hasReservation_ = false; }

private:
    Hart& hart_;
    HartMemory& memory_;
    SystemUnit& system_;
    bool hasReservation_ = false;
    std::uint32_t reservation_ = 0;
};

} // namespace strobe::rv32
