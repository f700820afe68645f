#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What a drive and its measurement ask of a CPU, however it runs its firmware: NativeCpuModule compiled for the host,
// Rv32CpuModule instruction by instruction.

#include "models/base/resource.h"
#include "models/cpu/cost_table.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <systemc>
#include <tlm>
#include <vector>

namespace strobe::cpu {

using Console = std::function<void(Time at, std::string_view line)>;

class CpuModule : public sc_core::sc_module {
public:
    virtual tlm::tlm_initiator_socket<>& busSocket() = 0;

    // After the simulation has stopped: throws FirmwareFault, or whatever a module threw inside a bus access.
    virtual void rethrowFault() const = 0;

    // busy: time not asleep; jobs: how often the CPU was woken.
    virtual ResourceUsage usage() const = 0;
    virtual std::vector<CostMeter::Row> costs() const { return {}; } // none where instructions take the time
    virtual std::uint64_t instructions() const { return 0; }         // executed, where there are any
    virtual void resetUsage() = 0;

protected:
    explicit CpuModule(const sc_core::sc_module_name& name) : sc_module(name) {}
};

} // namespace strobe::cpu
