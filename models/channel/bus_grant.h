#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The bus of a channel goes to a segment. Returned by the NAND interface block (nand_interface.h), which says what to
// do with it.

#include "models/base/time.h"
#include "models/nand/operation.h"

#include <cstdint>

namespace strobe::channel {

enum class GrantPhase : std::uint8_t {
    Request,
    Response,
    CacheEnd // 3Fh: neither begins nor ends an operation
};

struct BusGrant {
    std::uint32_t die; // position on the channel
    nand::Operation* op;
    void* owner; // as given to NandInterface::submit()
    GrantPhase phase;
    Time busTime;       // how long the bus is held
    std::uint32_t lane; // of the die, with the number of its position, or of one of its planes
};

} // namespace strobe::channel
