#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Notes when an interrupt controller wakes its CPUs.

#include "models/cpu/interrupt_controller_module.h"
#include "models/tlm/time_bridge.h"

#include <vector>

namespace strobe::test {

struct WakeRecorder : sc_core::sc_module {
    std::vector<Time> wakes;

    WakeRecorder(sc_core::sc_module_name name, const cpu::InterruptControllerModule& interrupts) : sc_module(name)
    {
        SC_HAS_PROCESS(WakeRecorder);
        SC_METHOD(record);
        sensitive << interrupts.wake();
        dont_initialize();
    }
    void record() { wakes.push_back(now()); }
};

} // namespace strobe::test
