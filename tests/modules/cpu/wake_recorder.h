#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Notes when an interrupt controller wakes its CPU, which is asleep from the start; sleep() puts it to sleep again.

#include "models/cpu/interrupt_controller_module.h"
#include "models/tlm/time_bridge.h"

#include <vector>

namespace strobe::test {

struct WakeRecorder : sc_core::sc_module {
    std::vector<Time> wakes;

    WakeRecorder(sc_core::sc_module_name name, cpu::InterruptControllerModule& interrupts)
        : sc_module(name), interrupts_(interrupts)
    {
        interrupts.onWake([this](Time at) { wake_.at(at); });
        sleep();
    }
    void sleep(Time earliest = now()) { interrupts_.armWake(earliest); }
    void record()
    {
        if (interrupts_.active() != 0)
            wakes.push_back(now());
        else
            sleep();
    }

private:
    cpu::InterruptControllerModule& interrupts_;
    Wake wake_ = Wake::calls<&WakeRecorder::record>(*this);
};

} // namespace strobe::test
