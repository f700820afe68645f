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
    Time took{};                  // delay that the last access returned

    tlm::tlm_response_status access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value,
                                    Time delay = {}, unsigned int length = 4);
    void write(std::uint32_t offset, std::uint32_t value, Time delay = {});
    std::uint32_t read(std::uint32_t offset);

private:
    void play();
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
    Time unitRegisterLatency{};
};

// 2 KiB pages, SLC times; 8 blocks of 64 pages.
nand::Part slcPart();

// 12 ns, double data rate, with waits that are all different.
channel::InterfaceTiming fastInterface();

class Rig {
public:
    static constexpr memory::Region region{BusAddress{0x80000000}, 0x400000};
    static constexpr memory::Region buffer{BusAddress{0x80200000}, 0x200000};
    static constexpr BusAddress ringAt{0x80000000};
    static constexpr BusAddress descriptorsAt{0x80010000};
    static constexpr Time memoryLatency = 100ns;

    explicit Rig(const RigConfig& config);

    BusAddress descriptorAt(std::uint32_t number) const { return descriptorsAt + number * descriptorBytes; }
    BusAddress bufferAt(std::uint32_t sector) const;
    void put(std::uint32_t number, const FlashDescriptor& descriptor);
    Outcome outcome(std::uint32_t number) { return parseStatus(word(descriptorAt(number) + 0x28)); }
    std::uint32_t word(BusAddress address);
    void head(std::uint32_t unit, std::uint32_t number, Time delay = {});
    // A whole-page descriptor that reports.
    FlashDescriptor page(SuperchipOpcode opcode, std::uint32_t die, nand::PageAddress at, std::uint32_t bufferSector);
    // Time of memory, bus and array for one operation of a whole page on an idle drive.
    Time burst(std::uint32_t bytes) const { return memoryLatency + transferTime(bytes, config_.memoryRate); }
    Time flashTime(nand::Opcode opcode) const;
    Time requestTime(nand::Opcode opcode) const;
    Time responseTime(nand::Opcode opcode) const;
    const nand::Part& part() const { return part_; }

    struct LineChange {
        bool asserted;
        Time at;
    };

private:
    static memory::BulkMemoryConfig memoryConfig(const RigConfig& config);
    static FlashControllerConfig controllerConfig(const RigConfig& config);
    void addChannel(std::uint16_t number);

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
