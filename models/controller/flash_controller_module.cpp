// SPDX-License-Identifier: Apache-2.0
#include "models/controller/flash_controller_module.h"

#include "models/base/check.h"
#include "models/base/strobe_registers.h"
#include "models/tlm/register_access.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>

namespace strobe::controller {

namespace {

tlm::tlm_command commandOf(nand::Opcode opcode)
{
    switch (opcode) {
    case nand::Opcode::Read:
    case nand::Opcode::ReadStatus:
    case nand::Opcode::ReadId: return tlm::TLM_READ_COMMAND;
    case nand::Opcode::Program: return tlm::TLM_WRITE_COMMAND;
    default: return tlm::TLM_IGNORE_COMMAND;
    }
}

// Byte address of the first sector within the die.
std::uint64_t byteAddress(const nand::Operation& op, const nand::DieGeometry& die)
{
    const std::uint64_t page = std::uint64_t{op.target.block} * die.pagesPerBlock + op.target.page;
    return page * die.pageBytes + op.firstSector * sectorBytes;
}

} // namespace

FlashControllerModule::FlashControllerModule(const sc_core::sc_module_name& name, const FlashControllerConfig& config)
    : sc_module(name), channels("channel", config.array.channels), controller_(config, *this, *this),
      suspended_(config.allUnits(), nullptr)
{
    registers.bind(interface());
    for (std::size_t i = 0; i < channels.size(); ++i)
        channels[i].register_nb_transport_bw(this, &FlashControllerModule::fromChannel, static_cast<int>(i));
}

void FlashControllerModule::resetCounters()
{
    controller_.resetCounters(now());
    activations_ = 0;
}

void FlashControllerModule::step()
{
    ++activations_;
    isStepping_ = true; // work due by now is done below: no wake-up is needed for it
    controller_.advance(now());
    isStepping_ = false;
    arm();
}

void FlashControllerModule::arm()
{
    if (!isStepping_)
        wake_.at(controller_.nextTime());
}

void FlashControllerModule::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    const std::uint64_t address = payload.get_address();
    const bool isOfUnit =
        (address >= regs::flash::UNIT_HEAD && address < regs::flash::DIE_CAPTURE) || address >= regs::flash::PRIMITIVE;
    if (isOfUnit)
        delay += toSc(controller_.config().unitRegisterLatency);
    serveRegisterAccess(
        payload, delay,
        [this](std::uint32_t offset, std::uint32_t& value) { return controller_.readRegister(offset, value, now()); },
        [this](std::uint32_t offset, std::uint32_t value, Time at) {
            return controller_.writeRegister(offset, value, now(), at);
        });
    arm();
}

unsigned int FlashControllerModule::transport_dbg(tlm::tlm_generic_payload& payload)
{
    return serveRegisterView(payload, [this](std::uint32_t offset, std::uint32_t& value) {
        return controller_.viewRegister(offset, value);
    });
}

tlm::tlm_sync_enum FlashControllerModule::fromChannel(int, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay)
{
    if (phase == tlm::END_REQ)
        return tlm::TLM_ACCEPTED;
    if (phase == nand::PRIMITIVE_ENDED) {
        const Ticket ticket = payload.get_extension<Transaction>()->ticket;
        suspended_[ticket.unit] = &payload;
        controller_.primitiveEnded(ticket, now() + fromSc(delay));
        arm();
        return tlm::TLM_ACCEPTED;
    }
    check(phase == tlm::BEGIN_RESP, "a channel may send END_REQ, PRIMITIVE_ENDED and BEGIN_RESP");
    check(delay == sc_core::SC_ZERO_TIME, "a channel sends BEGIN_RESP when the operation is done, not before");
    const Transaction& transaction = *payload.get_extension<Transaction>();
    check(transaction.status != nand::Status::Pending, "a channel finished an operation without an outcome");
    controller_.operationDone(transaction.ticket, transaction, now());
    payload.release();
    arm();
    return tlm::TLM_COMPLETED;
}

bool FlashControllerModule::takeRead(std::uint16_t slot, std::uint64_t lba, std::uint32_t sectors)
{
    const bool isTaken = controller_.takeRead(slot, lba, sectors, now());
    arm();
    return isTaken;
}

void FlashControllerModule::hostTook(Ticket ticket)
{
    controller_.hostTook(ticket, now());
    arm();
}

void FlashControllerModule::continueAfter(const FunctionalFlash& substitute,
                                          const std::vector<FunctionalFlash::List>& lists)
{
    namespace registers = regs::flash;
    controller_.continueAfter(substitute.events(), substitute.failures());
    for (const FunctionalFlash::List& list : lists)
        controller_.writeRegister(registers::UNIT_HEAD + raw(list.unit) * registers::UNIT_HEAD_step, raw(list.head),
                                  now(), now());
    arm();
}

Moved FlashControllerModule::move(BusAddress address, std::uint32_t bytes, Content content, Direction direction,
                                  Time at)
{
    memory::Burst burst{address, bytes, content, direction == Direction::ToMemory};
    const Time present = now();
    sc_core::sc_time delay = toSc(at - present);
    memory->b_transport(burst, delay);
    return {present + fromSc(delay), burst.isOk};
}

bool FlashControllerModule::peek(BusAddress address, std::uint32_t bytes, std::byte* data)
{
    memory::Burst burst{address, bytes, {data, DataMode::Bytes}, false};
    return memory->transport_dbg(burst) == bytes;
}

void FlashControllerModule::send(ChannelId channel, Ticket ticket, const nand::Operation& op, Time at)
{
    tlm::tlm_generic_payload& payload = pool_.acquireUnset();
    Transaction& transaction = *payload.get_extension<Transaction>();
    static_cast<nand::Operation&>(transaction) = op;
    transaction.ticket = ticket;
    payload.set_command(commandOf(op.opcode));
    payload.set_address(byteAddress(op, controller_.config().die));
    payload.set_data_length(static_cast<unsigned int>(op.sectors * sectorBytes));
    payload.set_streaming_width(payload.get_data_length());

    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = toSc(at - now());
    const tlm::tlm_sync_enum answer = channels[raw(channel)]->nb_transport_fw(payload, phase, delay);
    check(answer == tlm::TLM_ACCEPTED || (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ),
          "a channel answers BEGIN_REQ with TLM_ACCEPTED or END_REQ");
}

void FlashControllerModule::proceed(ChannelId channel, UnitId unit)
{
    tlm::tlm_generic_payload& payload = *suspended_[unit];
    suspended_[unit] = nullptr;
    tlm::tlm_phase phase = nand::NEXT_PRIMITIVE;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    check(channels[raw(channel)]->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED,
          "a channel answers NEXT_PRIMITIVE with TLM_ACCEPTED");
}

} // namespace strobe::controller
