// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/power_loss.h"

#include "models/tlm/time_bridge.h"
#include "platform/assembly/simulation_step.h"

#include <algorithm>
#include <systemc>

namespace strobe::platform {

HoldUp holdUp(SsdModule& ssd, Agenda& agenda, Time most)
{
    const Time begin = now();
    HoldUp result;
    ssd.hostInterface.supplyFails([&](Time) {
        result.isSaved = true;
        agenda.pause();
    });
    while (!result.isSaved && now() < begin + most && sc_core::sc_pending_activity()) {
        if (simulateStep(ssd, agenda, begin + most - now()) == StepEnd::FirmwareEnded) {
            result.hasFirmwareEnded = true;
            break;
        }
    }
    result.length = result.isSaved ? now() - begin : most;
    return result;
}

void addHoldUp(PowerReport& power, const HoldUp& held)
{
    ++power.holdUps;
    power.notSaved += held.isSaved ? 0U : 1U;
    power.longestHoldUp = std::max(power.longestHoldUp, held.length);
}

std::uint64_t powerOff(const DieArray& dies, Time at)
{
    std::uint64_t interrupted = 0;
    for (const auto& die : dies)
        interrupted += die->powerOff(at);
    return interrupted;
}

RecoveryReport operationsSince(Time powerOn, const SsdModule& ssd)
{
    const auto& operations = ssd.flash.controller().dispatcher().counters().operations;
    const auto count = [&operations](nand::Purpose purpose, nand::Opcode opcode) {
        return operations[static_cast<std::size_t>(purpose)][static_cast<std::size_t>(opcode)];
    };
    RecoveryReport start;
    start.at = powerOn;
    start.pagesScanned = count(nand::Purpose::Metadata, nand::Opcode::Read);
    for (std::size_t purpose = 0; purpose < operations.size(); ++purpose) {
        start.otherReads += operations[purpose][static_cast<std::size_t>(nand::Opcode::Read)];
        start.programs += operations[purpose][static_cast<std::size_t>(nand::Opcode::Program)];
        start.erases += operations[purpose][static_cast<std::size_t>(nand::Opcode::Erase)];
    }
    start.otherReads -= start.pagesScanned;
    return start;
}

} // namespace strobe::platform
