// SPDX-License-Identifier: Apache-2.0
#include "tests/modules/controller/rig.h"

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <vector>

namespace strobe::controller::test {

tlm::tlm_response_status Cpu::access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value, Time delay,
                                     unsigned int length)
{
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    sc_core::sc_time annotated = toSc(delay);
    socket->b_transport(payload, annotated);
    took = fromSc(annotated);
    return payload.get_response_status();
}

void Cpu::write(std::uint32_t offset, std::uint32_t value, Time delay)
{
    check(access(tlm::TLM_WRITE_COMMAND, offset, value, delay) == tlm::TLM_OK_RESPONSE, "register write");
}

std::uint32_t Cpu::read(std::uint32_t offset)
{
    std::uint32_t value = 0;
    check(access(tlm::TLM_READ_COMMAND, offset, value) == tlm::TLM_OK_RESPONSE, "register read");
    return value;
}

void Cpu::play()
{
    if (script)
        script();
}

nand::Part slcPart()
{
    nand::Part part;
    part.geometry = {1, 8, 64, 2048, 64};
    part.times = {25us, 200us, 2ms, 5us, 6us, 10us, 500us};
    part.id = {0xEC};
    return part;
}

channel::InterfaceTiming fastInterface()
{
    channel::InterfaceTiming timing;
    timing.name = "fast";
    timing.cycle = 12ns;
    timing.bytesPerCycle = 2;
    timing.tADL = 100ns;
    timing.tWB = 90ns;
    timing.tRR = 20ns;
    timing.tWHR = 60ns;
    timing.statusPollDelay = 50ns;
    return timing;
}

Rig::Rig(const RigConfig& config)
    : part_(config.part), config_(config),
      schedule(config.timing.cycle > Time{} ? config.timing : fastInterface(), part_),
      sdram("sdram", memoryConfig(config)), controller("controller", controllerConfig(config)), cpu("cpu")
{
    controller.memory.bind(sdram.ports[0]);
    cpu.socket.bind(controller.registers);
    cpu.toMemory.bind(sdram.fabric);
    controller.onLine([this](bool asserted, Time at) {
        lines.push_back({asserted, at});
        if (asserted)
            cpu.lineRose.notify(toSc(at - now()));
    });
    for (std::uint16_t c = 0; c < config.array.channels; ++c)
        addChannel(c);
    cpu.write(regs::flash::RING_BASE, raw(ringAt));
    cpu.write(regs::flash::RING_ENTRIES, config.ringEntries);
}

BusAddress Rig::bufferAt(std::uint32_t sector) const
{
    return buffer.base + static_cast<std::uint32_t>(sector * sectorBytes);
}

void Rig::put(std::uint32_t number, const FlashDescriptor& descriptor)
{
    const DescriptorWords words = toWords(descriptor);
    std::memcpy(sdram.memory().bytes(descriptorAt(number), descriptorBytes), words.data(), sizeof words);
}

std::uint32_t Rig::word(BusAddress address)
{
    std::uint32_t value = 0;
    std::memcpy(&value, sdram.memory().bytes(address, 4), sizeof value);
    return value;
}

void Rig::head(std::uint32_t unit, std::uint32_t number, Time delay)
{
    cpu.write(regs::flash::UNIT_HEAD + unit * regs::flash::UNIT_HEAD_step, raw(descriptorAt(number)), delay);
}

FlashDescriptor Rig::page(SuperchipOpcode opcode, std::uint32_t die, nand::PageAddress at, std::uint32_t bufferSector)
{
    FlashDescriptor d;
    d.opcode = opcode;
    d.report = true;
    d.inlineBlocks = true;
    d.inlineSpare = true;
    d.superchip = die;
    d.blocks = at.block;
    if (opcode != SuperchipOpcode::Erase) {
        d.sectors = part_.geometry.sectorsPerPage();
        d.startSector = at.page * d.sectors;
        d.buffer = bufferAt(bufferSector);
    }
    return d;
}

Time Rig::flashTime(nand::Opcode opcode) const
{
    nand::Operation op;
    op.opcode = opcode;
    op.sectors = part_.geometry.sectorsPerPage();
    Time sum{};
    for (const channel::Segment& segment : schedule.segments(op))
        sum += segment.duration;
    return sum;
}

Time Rig::requestTime(nand::Opcode opcode) const
{
    nand::Operation op;
    op.opcode = opcode;
    op.sectors = part_.geometry.sectorsPerPage();
    return schedule.requestTime(op);
}

Time Rig::responseTime(nand::Opcode opcode) const
{
    nand::Operation op;
    op.opcode = opcode;
    op.sectors = part_.geometry.sectorsPerPage();
    return schedule.responseTime(op);
}

memory::BulkMemoryConfig Rig::memoryConfig(const RigConfig& config)
{
    memory::BulkMemoryConfig memory;
    memory.region = region;
    memory.dataBuffer = buffer;
    memory.dataMode = config.dataMode;
    memory.bytesPerSecond = config.memoryRate;
    memory.latency = memoryLatency;
    memory.ports = {"flash"};
    return memory;
}

FlashControllerConfig Rig::controllerConfig(const RigConfig& config)
{
    FlashControllerConfig controller;
    controller.unitRegisterLatency = config.unitRegisterLatency;
    controller.units = config.units;
    controller.hasForeground = config.hasForeground;
    controller.interleaving = config.interleaving;
    controller.unitOperations = config.unitOperations;
    controller.array = config.array;
    controller.die = config.part.geometry;
    controller.superchip = config.superchip;
    controller.ecc = config.ecc;
    controller.dataMode = config.dataMode;
    controller.dataBuffer = buffer;
    return controller;
}

void Rig::addChannel(std::uint16_t number)
{
    const std::uint32_t count = config_.array.diesPerChannel();
    channels.push_back(std::make_unique<channel::ChannelModule>(("channel_" + std::to_string(number)).c_str(),
                                                                ChannelId{number}, schedule, count,
                                                                channel::SegmentOrder::CommandsFirst));
    controller.channels[number].bind(channels.back()->host);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto flat = static_cast<std::uint16_t>(number * count + i);
        dies.push_back(std::make_unique<nand::Die>(DieId{flat}, part_, 0, Rng(1, "die")));
        dieModules_.push_back(std::make_unique<nand::DieModule>(("die_" + std::to_string(flat)).c_str(), *dies.back()));
        channels.back()->dies[i].bind(dieModules_.back()->socket);
    }
}

} // namespace strobe::controller::test
