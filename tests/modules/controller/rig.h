#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A flash controller with everything below it, all real: SDRAM, channels, dies. Firmware's side is a script.

#include "models/base/rng.h"
#include "models/base/strobe_registers.h"
#include "models/channel/channel_module.h"
#include "models/controller/flash_controller_module.h"
#include "models/memory/sdram_module.h"
#include "models/nand/die_module.h"
#include "models/tlm/time_bridge.h"

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <vector>

namespace strobe::controller::test {

using namespace std::chrono_literals;

// Plays a CPU on the register socket.
class Cpu : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};
    tlm_utils::simple_initiator_socket<Cpu> toMemory{"to_memory"}; // bound because it must be; scripts use the model
    sc_core::sc_event lineRose;

    explicit Cpu(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(play); }
    SC_HAS_PROCESS(Cpu);

    std::function<void()> script; // runs from time zero in a process; may wait

    tlm::tlm_response_status access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value,
                                    Time delay = {}, unsigned int length = 4)
    {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(offset);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(length);
        payload.set_streaming_width(length);
        sc_core::sc_time annotated = toSc(delay);
        socket->b_transport(payload, annotated);
        return payload.get_response_status();
    }
    void write(std::uint32_t offset, std::uint32_t value, Time delay = {})
    {
        check(access(tlm::TLM_WRITE_COMMAND, offset, value, delay) == tlm::TLM_OK_RESPONSE, "register write");
    }
    std::uint32_t read(std::uint32_t offset)
    {
        std::uint32_t value = 0;
        check(access(tlm::TLM_READ_COMMAND, offset, value) == tlm::TLM_OK_RESPONSE, "register read");
        return value;
    }

private:
    void play()
    {
        if (script)
            script();
    }
};

struct RigConfig {
    nand::ArrayGeometry array;
    std::uint32_t units = 1;
    std::uint32_t unitOperations = 2;
    SuperchipGeometry superchip;
    EccConfig ecc{2us, 3us, 0};
    DataMode dataMode = DataMode::Tags;
    nand::Part part;
    std::uint64_t memoryRate = 1'000'000'000;
    std::uint32_t ringEntries = 256;
    bool hasForeground = false;
    Interleaving interleaving = Interleaving::Fine;
    channel::InterfaceTiming timing; // none: the fast one
};

// 2 KiB pages, SLC times; 8 blocks of 64 pages.
inline nand::Part slcPart()
{
    nand::Part part;
    part.geometry = {1, 8, 64, 2048, 64};
    part.times = {25us, 200us, 2ms, 5us, 6us, 10us, 500us};
    part.id = {0xEC};
    return part;
}

// 12 ns, double data rate, with waits that are all different.
inline channel::InterfaceTiming fastInterface()
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

class Rig {
public:
    static constexpr memory::Region region{BusAddress{0x80000000}, 0x400000};
    static constexpr memory::Region buffer{BusAddress{0x80200000}, 0x200000};
    static constexpr BusAddress ringAt{0x80000000};
    static constexpr BusAddress descriptorsAt{0x80010000};
    static constexpr Time memoryLatency = 100ns;

    explicit Rig(const RigConfig& config)
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

    BusAddress descriptorAt(std::uint32_t number) const { return descriptorsAt + number * descriptorBytes; }
    BusAddress bufferAt(std::uint32_t sector) const
    {
        return buffer.base + static_cast<std::uint32_t>(sector * sectorBytes);
    }
    void put(std::uint32_t number, const FlashDescriptor& descriptor)
    {
        const DescriptorWords words = toWords(descriptor);
        std::memcpy(sdram.memory().bytes(descriptorAt(number), descriptorBytes), words.data(), sizeof words);
    }
    Outcome outcome(std::uint32_t number) { return parseStatus(word(descriptorAt(number) + 0x28)); }
    std::uint32_t word(BusAddress address)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, sdram.memory().bytes(address, 4), sizeof value);
        return value;
    }
    void head(std::uint32_t unit, std::uint32_t number, Time delay = {})
    {
        cpu.write(regs::flash::UNIT_HEAD + unit * regs::flash::UNIT_HEAD_step, raw(descriptorAt(number)), delay);
    }
    // A whole-page descriptor that reports.
    FlashDescriptor page(SuperchipOpcode opcode, std::uint32_t die, nand::PageAddress at, std::uint32_t bufferSector)
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
    // Time of memory, bus and array for one operation of a whole page on an idle drive.
    Time burst(std::uint32_t bytes) const { return memoryLatency + transferTime(bytes, config_.memoryRate); }
    Time flashTime(nand::Opcode opcode) const
    {
        nand::Operation op;
        op.opcode = opcode;
        op.sectors = part_.geometry.sectorsPerPage();
        Time sum{};
        for (const channel::Segment& segment : schedule.segments(op))
            sum += segment.duration;
        return sum;
    }
    Time requestTime(nand::Opcode opcode) const
    {
        nand::Operation op;
        op.opcode = opcode;
        op.sectors = part_.geometry.sectorsPerPage();
        return schedule.requestTime(op);
    }
    Time responseTime(nand::Opcode opcode) const
    {
        nand::Operation op;
        op.opcode = opcode;
        op.sectors = part_.geometry.sectorsPerPage();
        return schedule.responseTime(op);
    }
    const nand::Part& part() const { return part_; }

    struct LineChange {
        bool asserted;
        Time at;
    };

private:
    static memory::BulkMemoryConfig memoryConfig(const RigConfig& config)
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
    static FlashControllerConfig controllerConfig(const RigConfig& config)
    {
        FlashControllerConfig controller;
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
    void addChannel(std::uint16_t number)
    {
        const std::uint32_t count = config_.array.diesPerChannel();
        channels.push_back(std::make_unique<channel::ChannelModule>(("channel_" + std::to_string(number)).c_str(),
                                                                    ChannelId{number}, schedule, count,
                                                                    channel::SegmentOrder::CommandsFirst));
        controller.channels[number].bind(channels.back()->host);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto flat = static_cast<std::uint16_t>(number * count + i);
            dies.push_back(std::make_unique<nand::Die>(DieId{flat}, part_, 0, Rng(1, "die")));
            dieModules_.push_back(
                std::make_unique<nand::DieModule>(("die_" + std::to_string(flat)).c_str(), *dies.back()));
            channels.back()->dies[i].bind(dieModules_.back()->socket);
        }
    }

    nand::Part part_;
    RigConfig config_;

public:
    channel::BusSchedule schedule;
    memory::SdramModule sdram;
    FlashControllerModule controller;
    Cpu cpu;
    std::vector<std::unique_ptr<channel::ChannelModule>> channels;
    std::vector<std::unique_ptr<nand::Die>> dies;
    std::vector<LineChange> lines;

private:
    std::vector<std::unique_ptr<nand::DieModule>> dieModules_;
};

} // namespace strobe::controller::test
