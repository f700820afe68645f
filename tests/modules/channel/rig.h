#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A channel module with dies on one side and a controller that plays scripts on the other.

#include "models/base/rng.h"
#include "models/channel/channel_module.h"
#include "models/nand/die_module.h"
#include "models/tlm/payload_pool.h"
#include "models/tlm/time_bridge.h"
#include "tests/support/backward_die.h"
#include "tests/support/catch.h"

#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <variant>
#include <vector>

namespace strobe::channel::test {

// Plays the flash controller: sends operations (before the simulation starts or from anywhere in it), keeps what comes
// back in order of completion.
class Controller : public sc_core::sc_module {
public:
    nand::InitiatorSocket<Controller> socket{"socket"};

    explicit Controller(const sc_core::sc_module_name& name);
    SC_HAS_PROCESS(Controller);

    // Sent when the simulation starts, annotated with the time `at`.
    void stage(Time at, const nand::Operation& op) { staged_.push_back({at, op}); }
    // From within the simulation: sent by a separate process at this instant, after the present one.
    void sendSoon(const nand::Operation& op);

    tlm::tlm_generic_payload& send(const nand::Operation& op, Time delay = {});

    std::size_t inFlight() const { return pool_.inFlight(); }

    struct Done {
        nand::Operation op;
        tlm::tlm_response_status status;
        Time at; // kernel time of BEGIN_RESP
    };
    std::vector<Done> done; // filled if `keep`
    bool keep = true;
    std::function<void(const nand::Operation&)> onDone; // may send
    std::uint64_t sent = 0;
    std::uint64_t completed = 0;
    std::uint64_t wrongAnswers = 0;
    std::uint64_t lateResponses = 0; // BEGIN_RESP at another time than op.done

private:
    struct Staged {
        Time at;
        nand::Operation op;
    };

    void sendStaged();

    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);

    PayloadPool<nand::OperationExtension> pool_;
    std::deque<Staged> staged_;
    sc_core::sc_event staging_;
};

enum class Answering { ByAnnotation, Backward, Mixed }; // mixed: every other die

// One channel, number `id`, of dies that start erased.
class Rig {
public:
    Rig(const InterfaceTiming& timing, const nand::Part& part, std::uint32_t dieCount, SegmentOrder order,
        Answering answering = Answering::ByAnnotation, std::uint16_t id = 0);

    DieId flat(std::uint32_t position) const;
    nand::Operation operation(std::uint32_t die, nand::Opcode opcode, nand::PageAddress target = {}) const;

private:
    nand::Part part_;

public:
    BusSchedule schedule;
    Controller controller;
    ChannelModule channel;
    std::vector<std::unique_ptr<nand::Die>> dies;

private:
    std::vector<std::unique_ptr<nand::DieModule>> annotating_;
    std::vector<std::unique_ptr<strobe::test::BackwardDieModule>> backward_;
};

} // namespace strobe::channel::test
