// SPDX-License-Identifier: Apache-2.0
//
// Between two runs, and between two instructions: which instance runs, what stops it. The instances are in
// threaded_handlers.cpp.
#include "models/cpu/rv32/threaded_code.h"

namespace strobe::rv32 {

void ThreadedCode::choose(bool isTimed, std::optional<Detail> observed)
{
    if (observed == Detail::Instructions)
        instance_ = &ThreadedCode::execute<true, Watch::Instructions>;
    else if (observed == Detail::Calls && !isTimed)
        instance_ = &ThreadedCode::execute<false, Watch::Calls>;
    else if (observed)
        instance_ = isTimed ? &ThreadedCode::execute<true, Watch::Jumps> : &ThreadedCode::execute<false, Watch::Jumps>;
    else
        instance_ =
            isTimed ? &ThreadedCode::execute<true, Watch::Nothing> : &ThreadedCode::execute<false, Watch::Nothing>;
    Handlers handlers{};
    (this->*instance_)(&handlers);
    translator_.setHandlers(handlers);
}

Stop ThreadedCode::run()
{
    if (passBreakpoint_ != hart_.pc)
        passBreakpoint_.reset();
    return (this->*instance_)(nullptr);
}

// hart.pc and hart.left are those before the instruction.
Stop ThreadedCode::holdTrap(unsigned cycles)
{
    hart_.isTrapHeld = true;
    hart_.heldCost = cycles;
    return Stop::Trap;
}

void ThreadedCode::enterHeldTrap()
{
    hart_.isTrapHeld = false;
    hart_.left -= hart_.heldCost;
    hart_.trapCycles += hart_.heldCost;
    system_.enterTrap();
}

// After an instruction during which something outside was called. True: stop.
bool ThreadedCode::serveAttention(Stop& why)
{
    hart_.attention = false;
    if (memory_.watchpoints().takeHit()) {
        why = Stop::Watchpoint;
        return true;
    }
    if (stopRequested_) {
        why = Stop::Requested;
        return true;
    }
    if (system_.csrs().mustInterrupt())
        system_.takeInterrupt();
    return false;
}

} // namespace strobe::rv32
