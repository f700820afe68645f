// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/simulation_step.h"

#include "models/tlm/sanitizer_stack.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/fault_report.h"

#include <systemc>

namespace strobe::platform {

StepEnd simulateStep(SsdModule& ssd, Agenda& agenda, Time length)
{
    agenda.runAheadUntil(now() + length);
    sc_core::sc_start(toSc(length));
    restoreSanitizerStack();
    try {
        ssd.rethrowFault();
    } catch (const cpu::FirmwareEnded&) {
        return StepEnd::FirmwareEnded;
    } catch (const cpu::FirmwareFault& fault) {
        throw cpu::FirmwareFault(fault.what() + describeFault(ssd, ssd.cpu->isFaulted() ? 0 : 1));
    }
    return StepEnd::Simulated;
}

} // namespace strobe::platform
