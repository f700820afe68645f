#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The flash controller on its wires. FlashController decides what happens and when; this module moves payloads and
// waits.
//   registers   base protocol, addresses from 0 (regs::flash), aligned 32-bit accesses only; called by CPUs through the
//               fabric; a posted write may arrive with a delay
//   memory      the data-mover wire (models/memory/protocol.h); the target adds to the delay and never waits
//   channels    one NAND socket per channel, in order of their ids (models/nand/protocol.h); bind to
//   ChannelModule::host
// The interrupt line is a callback: connect it with onLine() before the run; so is that of read capture.
// Operations arrive at a channel by delay annotation of BEGIN_REQ; BEGIN_RESP is taken at its own instant (delay zero)
// and answered TLM_COMPLETED. PRIMITIVE_ENDED of a stepped operation is answered TLM_ACCEPTED; NEXT_PRIMITIVE follows
// when firmware issues it. It wakes for doorbells, arrived descriptors of programs, decoded and stored data.

#include "models/controller/functional_flash.h"
#include "models/memory/protocol.h"
#include "models/nand/protocol.h"
#include "models/tlm/agenda.h"
#include "models/tlm/blocking_target.h"
#include "models/tlm/payload_pool.h"

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

namespace strobe::controller {

class FlashControllerModule : public sc_core::sc_module,
                              private FlashDmaPort,
                              private ChannelPort,
                              private BlockingTarget {
public:
    tlm::tlm_target_socket<> registers{"registers"};
    tlm_utils::simple_initiator_socket<FlashControllerModule, 32, memory::Protocol> memory{"memory"};
    sc_core::sc_vector<nand::InitiatorSocketTagged<FlashControllerModule>> channels;

    FlashControllerModule(const sc_core::sc_module_name& name, const FlashControllerConfig& config);

    void onLine(InterruptOutput::Listener line) { controller_.onLine(std::move(line)); }
    void onCaptureLine(InterruptOutput::Listener line) { controller_.onCaptureLine(std::move(line)); }
    void connectHost(HostSink& host) { controller_.connectHost(host); }
    void observe(FlashObserver& observer) { controller_.observe(observer); }
    bool takeRead(std::uint16_t slot, std::uint64_t lba, std::uint32_t sectors); // FlashController::takeRead, now
    void hostTook(Ticket ticket); // the host interface has taken the sectors of this ticket, now

    // After a substitute, which leaves these lists; now.
    void continueAfter(const FunctionalFlash& substitute, const std::vector<FunctionalFlash::List>& lists);

    const FlashController& controller() const { return controller_; }
    void onFailure(std::function<void(const Failure&)> listener) { controller_.onFailure(std::move(listener)); }
    std::size_t operationsInFlight() const { return pool_.inFlight(); }
    std::uint64_t activations() const { return activations_; } // of the one process, for benchmarks
    void resetCounters();

private:
    // An operation with its ticket. (It takes the extension id of the NAND wire, so channels see an Operation.)
    struct Transaction : nand::OperationExtension {
        Ticket ticket;

        tlm::tlm_extension_base* clone() const override { return new Transaction(*this); }
    };

    void step();
    void arm();
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override; // of the registers
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;
    tlm::tlm_sync_enum fromChannel(int channel, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);

    Moved move(BusAddress address, std::uint32_t bytes, Content content, Direction direction, Time at) override;
    bool peek(BusAddress address, std::uint32_t bytes, std::byte* data) override;
    void send(ChannelId channel, Ticket ticket, const nand::Operation& op, Time at) override;
    void proceed(ChannelId channel, UnitId unit) override;

    FlashController controller_;
    PayloadPool<Transaction> pool_;
    IdVector<UnitId, tlm::tlm_generic_payload*> suspended_; // stepped operations; null: none
    Wake wake_ = Wake::calls<&FlashControllerModule::step>(*this);
    bool isStepping_ = false;
    std::uint64_t activations_ = 0;
};

} // namespace strobe::controller
