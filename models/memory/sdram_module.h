#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The bulk SDRAM on its wires. Contents and timing are BulkMemory's.
//   ports   one socket per data mover (DMA engine), memory::Protocol with bus addresses. b_transport never waits: it
//           adds port waiting, latency and transfer time to the delay, so SC_METHODs may call it. Call it when the
//           burst is issued: calls are served in call order, so one with a delay also delays later calls with earlier
//           times. transport_dbg reads plain bytes of control memory, without time.
//   fabric  access of the CPUs: base protocol, addresses counted from the start of the memory (the fabric subtracts the
//           base), control memory only, with port timing. A time-decoupled access is synchronised first (b_transport
//           waits), so that path reservations stay in time order. DMI is granted for control memory, read and write,
//           without timing: firmware's own loads and stores are part of its cost points.
// Address errors: outside the memory, across the border of the data buffer, sectors not 512-byte aligned, and the data
// buffer through `fabric` (in the usual data modes it holds no bytes that a CPU could read).

#include "models/memory/bulk_memory.h"
#include "models/memory/protocol.h"

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

namespace strobe::memory {

class SdramModule : public sc_core::sc_module {
public:
    // Offers the interface itself: a convenience socket would add a call to each burst.
    class Port : public tlm::tlm_target_socket<32, Protocol>, private tlm::tlm_fw_transport_if<Protocol> {
    public:
        Port(const char* name, BulkMemory& memory, std::uint32_t number);

    private:
        void b_transport(Burst& burst, sc_core::sc_time& delay) override;
        tlm::tlm_sync_enum nb_transport_fw(Burst& burst, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
        bool get_direct_mem_ptr(Burst&, tlm::tlm_dmi&) override { return false; }
        unsigned int transport_dbg(Burst& burst) override; // reads plain bytes: how many

        BulkMemory& memory_;
        std::uint32_t number_;
    };

    sc_core::sc_vector<Port> ports; // in the order of config.ports, named port_<name>
    tlm_utils::simple_target_socket<SdramModule> fabric{"fabric"};

    // The CPUs' port is appended to config.ports as "cpu".
    SdramModule(const sc_core::sc_module_name& name, const BulkMemoryConfig& config);

    BulkMemory& memory() { return memory_; }
    const BulkMemory& memory() const { return memory_; }
    std::uint32_t cpuPort() const { return cpuPort_; }

private:
    void fabricTransport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    bool fabricDirectMemory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
    unsigned int fabricDebug(tlm::tlm_generic_payload& payload);
    std::byte* controlBytes(const tlm::tlm_generic_payload& payload);

    BulkMemory memory_;
    std::uint32_t cpuPort_;
};

} // namespace strobe::memory
