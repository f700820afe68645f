#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The host interface block on its wires.
//   registers  base protocol, addresses from the start of the block, 32-bit accesses; b_transport never waits. A write
//              takes effect at now + delay, a read sees the present (CPUs synchronise before reading).
//   memory     its port of the bulk memory: records, events and sectors, each burst at the instant at which it is
// issued Which accesses are refused: models/tlm/register_access.h.
// The interrupt line and firmware faults are the domain object's callbacks: block().onLine(…), block().onFault(…).

#include "models/host/host_interface.h"
#include "models/memory/protocol.h"
#include "models/tlm/agenda.h"
#include "models/tlm/blocking_target.h"

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

namespace strobe::host {

class HostInterfaceModule : public sc_core::sc_module, public HostPort, private HostDmaPort, private BlockingTarget {
public:
    tlm::tlm_target_socket<> registers{"registers"};
    tlm_utils::simple_initiator_socket<HostInterfaceModule, 32, memory::Protocol> memory{"memory"};

    HostInterfaceModule(const sc_core::sc_module_name& name, const HostInterfaceConfig& config);
    void connect(Front& front) { block_.connect(front); } // before the simulation starts

    void submit(const Command& command, Time at) override;
    Time accessBuffer(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors, Content content,
                      Time at) override;
    void transferDone(std::uint64_t handle, Time at) override;
    std::uint64_t capacitySectors() const override { return block_.capacitySectors(); }
    std::uint32_t slots() const override { return block_.slots(); }
    ZoneShape zones() const override { return block_.zones(); }
    ZoneList zoneStates(std::uint32_t first, std::uint32_t count, Time at) override
    {
        return block_.zoneStates(first, count, at);
    }
    DriveHeat* heat() const override { return heat_; }
    void connectHeat(DriveHeat& heat) { heat_ = &heat; } // before the simulation starts
    void temperatureTaken(Time at) { block_.temperatureTaken(at); }
    PlacementShape placement() const override { return block_.placement(); }
    std::vector<PlacementEntry> placementEntries(Time at) override { return block_.placementEntries(at); }

    bool deliver(const DirectRead& read); // as HostInterface::deliver, now
    void handBack(std::uint16_t slot);    // the same
    void fail(std::uint16_t slot);

    void supplyFails(std::function<void(Time)> saved); // the same

    HostInterface& block() { return block_; }
    const HostInterface& block() const { return block_; }

private:
    Time move(BusAddress address, std::uint32_t bytes, Content content, bool isWrite, Time at) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;
    void step();
    void arm();

    HostInterface block_;
    DriveHeat* heat_ = nullptr; // null: no thermal model
    Wake wake_ = Wake::calls<&HostInterfaceModule::step>(*this);
};

} // namespace strobe::host
