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

    explicit Controller(const sc_core::sc_module_name& name) : sc_module(name)
    {
        socket.register_nb_transport_bw(this, &Controller::backward);
        SC_METHOD(sendStaged);
        sensitive << staging_;
    }
    SC_HAS_PROCESS(Controller);

    // Sent when the simulation starts, annotated with the time `at`.
    void stage(Time at, const nand::Operation& op) { staged_.push_back({at, op}); }
    // From within the simulation: sent by a separate process at this instant, after the present one.
    void sendSoon(const nand::Operation& op)
    {
        staged_.push_back({now(), op});
        staging_.notify();
    }

    tlm::tlm_generic_payload& send(const nand::Operation& op, Time delay = {})
    {
        tlm::tlm_generic_payload& payload = pool_.acquire();
        static_cast<nand::Operation&>(nand::operationOf(payload)) = op;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time annotated = toSc(delay);
        const tlm::tlm_sync_enum answer = socket->nb_transport_fw(payload, phase, annotated);
        ++sent;
        if (answer != tlm::TLM_UPDATED || phase != tlm::END_REQ || fromSc(annotated) != delay)
            ++wrongAnswers;
        return payload;
    }

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

    void sendStaged()
    {
        for (const Staged& item : staged_)
            send(item.op, item.at - now());
        staged_.clear();
    }

    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
    {
        const nand::Operation op = nand::operationOf(payload);
        if (phase != tlm::BEGIN_RESP || op.done != now() || delay != sc_core::SC_ZERO_TIME)
            ++lateResponses;
        ++completed;
        if (keep)
            done.push_back({op, payload.get_response_status(), now()});
        payload.release();
        if (onDone)
            onDone(op);
        return tlm::TLM_COMPLETED;
    }

    PayloadPool<nand::OperationExtension> pool_;
    std::deque<Staged> staged_;
    sc_core::sc_event staging_;
};

enum class Answering { ByAnnotation, Backward, Mixed }; // mixed: every other die

// One channel, number `id`, of dies that start erased.
class Rig {
public:
    Rig(const InterfaceTiming& timing, const nand::Part& part, std::uint32_t dieCount, SegmentOrder order,
        Answering answering = Answering::ByAnnotation, std::uint16_t id = 0)
        : part_(part), schedule(timing, part_), controller("controller"),
          channel("channel", ChannelId{id}, schedule, dieCount, order)
    {
        controller.socket.bind(channel.host);
        for (std::uint32_t i = 0; i < dieCount; ++i) {
            const DieId dieId = flat(i);
            dies.push_back(std::make_unique<nand::Die>(dieId, part_, 0, Rng(1, "die")));
            const std::string name = "die_" + std::to_string(i);
            if (answering == Answering::Backward || (answering == Answering::Mixed && i % 2 == 1)) {
                backward_.push_back(std::make_unique<strobe::test::BackwardDieModule>(name.c_str(), *dies.back()));
                channel.dies[i].bind(backward_.back()->socket);
            } else {
                annotating_.push_back(std::make_unique<nand::DieModule>(name.c_str(), *dies.back()));
                channel.dies[i].bind(annotating_.back()->socket);
            }
        }
    }

    DieId flat(std::uint32_t position) const
    {
        const std::uint32_t first = std::uint32_t{raw(channel.id())} * channel.interface().dies();
        return DieId{static_cast<std::uint16_t>(first + position)};
    }
    nand::Operation operation(std::uint32_t die, nand::Opcode opcode, nand::PageAddress target = {}) const
    {
        nand::Operation op;
        op.die = flat(die);
        op.opcode = opcode;
        op.target = target;
        op.sectors = part_.geometry.sectorsPerPage();
        return op;
    }

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
