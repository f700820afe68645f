#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One channel: the NAND interface block on the wires (models/nand/protocol.h says which phases go where). Upstream one
// socket for the flash controller, which may have any number of operations outstanding; downstream one socket per die,
// in order of the dies' positions. The same payload travels the whole way. Decisions and times are NandInterface's;
// this module moves payloads and waits.
//
// Times: an operation arrives at now() + delay of BEGIN_REQ; BEGIN_RESP reaches the controller at op.done, delay zero.
// Dies may answer by annotation or on the backward path; both kinds give equal times, with one condition: a die that
// reports R/B# on the backward path does so in the first delta cycle of that instant or the one after it, because the
// channel waits that long before it gives the bus away.
// Response status is the die's: TLM_OK_RESPONSE for what it carried out (failed programs and erases included),
// TLM_COMMAND_ERROR_RESPONSE for what it refused. It may be set early; it is valid from BEGIN_RESP on.
// The controller keeps its reference to the payload until BEGIN_RESP, so none is taken here.
// Only non-blocking transport is served; a blocking call gets an error response. Errors of a peer against the protocol
// fail a check().

#include "models/base/event_heap.h"
#include "models/base/ids.h"
#include "models/channel/bus_watcher.h"
#include "models/channel/nand_interface.h"
#include "models/nand/protocol.h"
#include "models/tlm/agenda.h"

#include <systemc>
#include <vector>

namespace strobe::channel {

class ChannelModule : public sc_core::sc_module {
public:
    nand::TargetSocket<ChannelModule> host{"host"};
    sc_core::sc_vector<nand::InitiatorSocketTagged<ChannelModule>> dies;

    // A die's place on the channel is its flat number modulo `diesOnChannel`.
    ChannelModule(const sc_core::sc_module_name& name, ChannelId id, const BusSchedule& schedule,
                  std::uint32_t diesOnChannel, SegmentOrder order, const JoinPolicy& join = {});
    ChannelModule(const sc_core::sc_module_name& name, ChannelId id, DieSchedules schedules, SegmentOrder order,
                  const JoinPolicy& join = {});

    ChannelId id() const { return id_; }
    const NandInterface& interface() const { return interface_; }
    std::uint64_t activations() const { return activations_; } // of the one process, for benchmarks
    void resetUsage();
    void watch(BusWatcher& watcher) { watcher_ = &watcher; } // which must outlive the simulation
    BusWatcher* watcher() const { return watcher_; }         // null: none. A second one passes its reports on to it

private:
    void start_of_simulation() override;
    tlm::tlm_sync_enum fromHost(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    tlm::tlm_sync_enum fromDie(int die, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay);
    void refuseBlocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

    void step();
    void completeEnded(Time now);
    void accept(tlm::tlm_generic_payload& payload, Time arrived);
    bool mustWaitForDies(Time now);
    void sendRequest(const NandInterface::Grant& grant, Time now);
    void arrayFinished(std::uint32_t lane, tlm::tlm_generic_payload& payload, Time ready);
    void reportPrimitive(tlm::tlm_generic_payload& payload, Time at);
    void complete(std::uint32_t die, std::uint32_t lane, tlm::tlm_generic_payload& payload, Time now);

    // The response on the bus, which is completed when it has left it.
    struct Responding {
        std::uint32_t die = 0;
        std::uint32_t lane = 0;
        tlm::tlm_generic_payload* payload = nullptr;
    };

    ChannelId id_;
    NandInterface interface_;
    BusWatcher* watcher_ = nullptr;
    EventHeap<tlm::tlm_generic_payload*> arrivals_;
    std::vector<tlm::tlm_fw_transport_if<nand::Protocol>*> wires_; // what the sockets of the dies are bound to
    Responding responding_;
    EventHeap<Responding> endings_; // with separate command lines: several responses may be under way
    std::uint32_t unannounced_ = 0; // dies at work that will report on the backward path
    Time waitedAt_ = Time{-1};      // the instant at which the module has already waited for them
    bool isWaiting_ = false;        // this activation ends that wait
    bool isStepping_ = false;
    Wake wake_ = Wake::calls<&ChannelModule::step>(*this);
    std::uint64_t activations_ = 0;
};

} // namespace strobe::channel
