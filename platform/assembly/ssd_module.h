#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The drive: CPU, memories, fabric, host interface, flash controller, channels and dies, built from a scenario and
// wired. Not included: the host, its link, and everything that reads figures. Blocks are public so that a measurement
// can read them; they are constructed in the order below. A second core (firmware.cores) has its own interrupt
// controller and timer and takes the interrupt of the flash controller.

#include "models/controller/flash_controller_module.h"
#include "models/cpu/cpu_module.h"
#include "models/cpu/interrupt_controller_module.h"
#include "models/cpu/rv32_firmware.h"
#include "models/cpu/spare_layout.h"
#include "models/cpu/timer_module.h"
#include "models/cpu/uart_module.h"
#include "models/fabric/fabric_module.h"
#include "models/host/host_interface_module.h"
#include "models/memory/sdram_module.h"
#include "models/memory/sram_module.h"
#include "models/pins/recorder_module.h"
#include "models/thermal/temperature_sensor_module.h"
#include "platform/assembly/drive_heat.h"
#include "platform/assembly/flash_array.h"
#include "platform/assembly/memory_layout.h"
#include "platform/assembly/memory_map.h"
#include "platform/config/scenario.h"

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

namespace strobe::platform {

class SsdModule : public sc_core::sc_module {
public:
    // `scenario` and `dies` must outlive the module. `powerOn`: the flash's state in the boot block. `image` is
    // the path of the firmware, of the scenario's mode. `recorded`: a channel whose wire gets a recorder; null: none.
    // `thermal`: of a scenario with a thermal model, which must outlive the module; null: ConfigError if it has one.
    SsdModule(const sc_core::sc_module_name& name, const Scenario& scenario, DieArray& flashDies, PowerOn powerOn,
              const std::string& image, cpu::LineListener console, const pins::RecorderRequest* recorded = nullptr,
              thermal::ThermalRecord* thermal = nullptr);

    // Violations of the rules of the host interface by firmware: count and first texts.
    struct FirmwareFaults {
        std::uint64_t count = 0;
        std::vector<std::string> first;
    };
    const FirmwareFaults& hostFaults() const { return hostFaults_; }
    // Stores into code and constants, null stores, execution of the stack, changes of the boot block (core_guards.h).
    const FirmwareFaults& memoryFaults() const { return memoryFaults_; }
    void noteMemoryFault(const std::string& text, Time at) { note(memoryFaults_, text, at); }
    // Bytes that the UART has lost: all are counted, the first is described.
    const FirmwareFaults& consoleFaults() const { return consoleFaults_; }
    void checkBootBlock(); // at the end: notes words that firmware has changed
    void noteHostFault(const std::string& text, Time at);
    // Called when the hardware refuses what firmware orders, after it has been counted.
    void onMisuse(std::function<void(const std::string& text)> listener);

    std::vector<cpu::CostMeter::Row> costs() const; // of the firmware's cost points; none if it has no marked ones
    std::uint64_t instructions() const;             // of all cores
    void resetCounters(Time now);                   // of all parts, when a measured phase begins
    Time countsFrom() const { return countsFrom_; } // the last reset, or power-on
    bool isCountedFromPowerOn() const { return !wasReset_; }
    void rethrowFault() const; // of any core

    const MemoryLayout layout;
    DieArray& dies;
    memory::SdramModule sdram;
    memory::SramModule sram;
    memory::SramModule boot;
    fabric::FabricModule fabric;
    cpu::InterruptControllerModule interrupts;
    cpu::TimerModule timer;
    cpu::UartModule uart;
    controller::FlashControllerModule flash;
    ChannelModules channels;
    std::unique_ptr<pins::RecorderModule> recorder; // null: not requested
    host::HostInterfaceModule hostInterface;
    std::unique_ptr<thermal::TemperatureSensorModule> temperature; // null: no thermal model
    std::unique_ptr<SensedHeat> heat;                              // the same
    std::unique_ptr<cpu::CpuModule> cpu;
    std::unique_ptr<cpu::Rv32Firmware> firmware; // null: compiled for the host, and inside the CPU

    cpu::SpareLayout spareLayout;    // of the firmware; if the image does not say it: that of page mapping
    bool isSpareLayoutKnown = false; // the image says it, or is one of the project's

    struct SecondCore {
        cpu::InterruptControllerModule interrupts{"interrupts_1"};
        cpu::TimerModule timer{"timer_1", interrupts};
        std::unique_ptr<cpu::CpuModule> cpu;
        std::unique_ptr<cpu::Rv32Firmware> firmware;
    };
    std::unique_ptr<SecondCore> second; // null: there is one core

private:
    SC_HAS_PROCESS(SsdModule);

    // The wires between host interface and flash controller: reads to the synthesizer, sectors from the splitter.
    class HostWire final : public controller::HostSink, public host::ReadReceiver {
    public:
        explicit HostWire(SsdModule& ssd) : ssd_(ssd) {}
        bool deliver(const controller::HostRun& run, Time now) override;
        void handBack(std::uint16_t slot, Time now) override;
        void fail(std::uint16_t slot, Time now) override;
        bool takeRead(const host::Command& command, Time now) override;

    private:
        SsdModule& ssd_;
    };
    void wireFlash(const pins::RecorderRequest* recorded);
    void wireFabric();
    void wireTemperature(thermal::ThermalRecord* record);
    tlm::tlm_target_socket<>& socketOf(const BusMapping& mapping);
    void loadMemory(PowerOn powerOn);
    struct Core {
        std::unique_ptr<cpu::CpuModule> cpu;
        std::unique_ptr<cpu::Rv32Firmware> firmware;
    };
    Core makeCore(const char* name, std::uint32_t number, cpu::InterruptControllerModule& controller,
                  const std::string& image, cpu::LineListener console);
    void loadImage(const cpu::ElfImage& image);
    void note(FirmwareFaults& faults, const std::string& text, Time at);
    void watchConsole();
    void takeSpareLayout();
    void wearBlocksOut(); // SC_METHOD: the scenario's worn blocks, each at its time

    const Scenario& scenario_;
    HostWire hostWire_{*this};
    DieModules dieModules_;
    std::vector<WornBlock> worn_; // still to come, latest first
    FirmwareFaults hostFaults_;
    FirmwareFaults memoryFaults_;
    FirmwareFaults consoleFaults_;
    Time countsFrom_;
    bool wasReset_ = false;
    std::vector<std::byte> bootBlock_; // as it was at power-on
    std::function<void(const std::string&)> misuse_;
};

} // namespace strobe::platform
