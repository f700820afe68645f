#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What interrupt controller and timer have in common: a register socket (base protocol, addresses from 0, aligned
// 32-bit accesses only) and simulated time. A write may arrive with a delay, because CPUs run ahead; it takes effect
// at its time. Every access first performs what is due by now, so the order of processes at one instant does not
// matter. Writes are queued in the order of their times; nearly all arrive in that order.

#include "models/base/register_bank.h"
#include "models/base/ring_queue.h"
#include "models/tlm/agenda.h"

#include <cstdint>
#include <functional>
#include <systemc>
#include <tlm_utils/simple_target_socket.h>
#include <utility>
#include <vector>

namespace strobe::cpu {

class PeripheralModule : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<PeripheralModule> registers{"registers"};

    // Who writes a register now, for reports of a write that takes effect later: any number that is not 0.
    void locateWriter(std::function<std::uint32_t()> writer) { locateWriter_ = std::move(writer); }

protected:
    PeripheralModule(const sc_core::sc_module_name& name, const RegisterInfo* table, std::size_t rows);

    // Does everything that is due by now and arms the next wake-up. Derived classes call it before they answer and
    // after they have changed anything.
    void catchUp();

    virtual Access readRegister(std::uint32_t offset, std::uint32_t& value, Time at) = 0;
    virtual Access writeRegister(std::uint32_t offset, std::uint32_t value) = 0;
    // As it is now, without side effects.
    virtual Access viewRegister(std::uint32_t offset, std::uint32_t& value) const = 0;
    virtual Time step(Time now) = 0; // performs own work due by now; returns the time of the next work, or never
    // Inside step(): when anything else may do something; never: nothing else is due in the simulation.
    Time nextOfOthers() { return wake_.nextOfOthers(); }
    // A write to this register has no effect before the next access or other work: no wake-up is needed.
    virtual bool isOnlyStored(std::uint32_t /*offset*/) const { return false; }
    // Inside writeRegister(): who wrote it; 0: not known.
    std::uint32_t writer() const { return writer_; }

private:
    struct PostedWrite {
        Time at{};
        std::uint32_t offset = 0;
        std::uint32_t value = 0;
        std::uint32_t writer = 0;
    };
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned debug(tlm::tlm_generic_payload& payload);
    Access write(std::uint32_t offset, std::uint32_t value, Time at);
    void post(const PostedWrite& write);
    Time nextSeen() const; // when the first of the posted writes does more than store

    std::vector<bool> isMapped_; // by word
    RingQueue<PostedWrite> posted_;
    std::function<std::uint32_t()> locateWriter_; // empty: places are not reported
    std::uint32_t writer_ = 0;                    // of the write that takes effect
    Wake wake_ = Wake::calls<&PeripheralModule::catchUp>(*this);
};

} // namespace strobe::cpu
