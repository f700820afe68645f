#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What interrupt controller and timer have in common: a register socket (base protocol, addresses from 0, aligned
// 32-bit accesses only) and simulated time. A write may arrive with a delay, because CPUs run ahead; it takes effect
// at its time. Every access first does what is due by now, so the order of processes at one instant does not matter.

#include "models/base/event_heap.h"
#include "models/base/register_bank.h"
#include "models/tlm/agenda.h"

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

namespace strobe::cpu {

class PeripheralModule : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<PeripheralModule> registers{"registers"};

protected:
    PeripheralModule(const sc_core::sc_module_name& name, const RegisterInfo* table, std::size_t rows);

    // Does everything that is due by now and arms the next wake-up. Derived classes call it before they answer and
    // after they have changed anything.
    void settle();

    virtual Access readRegister(std::uint32_t offset, std::uint32_t& value, Time at) = 0;
    virtual Access writeRegister(std::uint32_t offset, std::uint32_t value) = 0;
    virtual Time step(Time now) = 0; // own work due by now; returns when there will be more, or never

private:
    struct PostedWrite {
        std::uint32_t offset;
        std::uint32_t value;
    };
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    Access write(std::uint32_t offset, std::uint32_t value, Time at);
    bool isMapped(std::uint32_t offset) const;

    const RegisterInfo* table_;
    std::size_t rows_;
    EventHeap<PostedWrite> posted_;
    Wake wake_ = Wake::calls<&PeripheralModule::settle>(*this);
};

} // namespace strobe::cpu
