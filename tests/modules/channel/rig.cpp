// SPDX-License-Identifier: Apache-2.0
#include "tests/modules/channel/rig.h"

#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <variant>
#include <vector>

namespace strobe::channel::test {

Controller::Controller(const sc_core::sc_module_name& name) : sc_module(name)
{
    socket.register_nb_transport_bw(this, &Controller::backward);
    SC_METHOD(sendStaged);
    sensitive << staging_;
}

void Controller::sendSoon(const nand::Operation& op)
{
    staged_.push_back({now(), op});
    staging_.notify();
}

tlm::tlm_generic_payload& Controller::send(const nand::Operation& op, Time delay)
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

void Controller::sendStaged()
{
    for (const Staged& item : staged_)
        send(item.op, item.at - now());
    staged_.clear();
}

tlm::tlm_sync_enum Controller::backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay)
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

Rig::Rig(const InterfaceTiming& timing, const nand::Part& part, std::uint32_t dieCount, SegmentOrder order,
         Answering answering, std::uint16_t id)
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

DieId Rig::flat(std::uint32_t position) const
{
    const std::uint32_t first = std::uint32_t{raw(channel.id())} * channel.interface().dies();
    return DieId{static_cast<std::uint16_t>(first + position)};
}

nand::Operation Rig::operation(std::uint32_t die, nand::Opcode opcode, nand::PageAddress target) const
{
    nand::Operation op;
    op.die = flat(die);
    op.opcode = opcode;
    op.target = target;
    op.sectors = part_.geometry.sectorsPerPage();
    return op;
}

} // namespace strobe::channel::test
