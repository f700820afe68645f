// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/ssd_module.h"

#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/cpu/native_cpu_module.h"
#include "models/cpu/rv32_cpu_module.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/core_guards.h"
#include "platform/assembly/core_image.h"
#include "platform/config/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace strobe::platform {

namespace {

// Ports of the bulk memory, by use; the CPU's is added by the memory itself.
enum MemoryPorts : std::uint32_t { HostPortIndex, FlashPortIndex };

memory::BulkMemoryConfig sdramConfig(const Scenario& scenario, const MemoryLayout& layout)
{
    return {
        layout.sdram,     layout.dataBuffer, scenario.dataMode, scenario.memory.bytesPerSecond, scenario.memory.latency,
        {"host", "flash"}};
}

controller::ReadCaptureConfig captureConfig(const Scenario& scenario)
{
    controller::ReadCaptureConfig config;
    config.output = scenario.nand.part.output;
    config.electrical = scenario.channel.parameters;
    config.environment = scenario.environment;
    config.corner = scenario.nand.corner;
    config.baseCycle = scenario.channel.timing.outCycle();
    config.fastClock = scenario.channel.calibration.fastClock;
    config.idBytes = static_cast<std::uint32_t>(scenario.nand.part.id.size());
    config.drift = scenario.channel.calibration.drift;
    config.codewordBytes = scenario.controller.ecc.code.codewordBytes;
    config.seed = scenario.seed;
    return config;
}

controller::FlashControllerConfig flashConfig(const Scenario& scenario, const MemoryLayout& layout)
{
    controller::FlashControllerConfig config;
    config.units = scenario.flashUnits();
    config.unitDepth = scenario.controller.unitDepth;
    config.hasForeground = scenario.controller.hasForeground;
    config.superchip = scenario.controller.superchip;
    config.unitOperations =
        std::min(std::max(scenario.controller.dieDepth * scenario.nand.part.geometry.pagesPerProgram,
                          scenario.controller.readDepth) *
                     scenario.controller.superchip.chip,
                 controller::FlashController::maxUnitOperations);
    config.dataMode = scenario.dataMode;
    config.dataBuffer = layout.dataBuffer;
    config.hasHost = true;
    config.hasSynthesizer = scenario.controller.hasSynthesizer;
    config.hasPriority = scenario.controller.hasPriority;
    config.hasPlaneReads = scenario.nand.part.hasPlaneReads();
    config.interleaving = scenario.controller.interleaving;
    config.array = scenario.nand.array;
    config.die = scenario.nand.part.geometry;
    config.ecc = scenario.controller.ecc;
    config.eccOfChannels = scenario.controller.eccOfChannels;
    config.seed = scenario.seed;
    config.unitRegisterLatency = scenario.controller.unitRegisterCycles * scenario.channel.timing.cycle;
    if (scenario.channel.calibration.isEnabled)
        config.capture = captureConfig(scenario);
    return config;
}

// A ticket in the form that the host interface carries.
std::uint32_t tokenOf(controller::Ticket ticket)
{
    return std::uint32_t{raw(ticket.unit)} << 16 | ticket.lane;
}
controller::Ticket ticketOf(std::uint32_t token)
{
    return {UnitId{static_cast<std::uint16_t>(token >> 16)}, static_cast<std::uint16_t>(token)};
}

cpu::NativeCpuConfig nativeConfig(const Scenario& scenario, const std::string& image)
{
    cpu::NativeCpuConfig config;
    config.image = image;
    config.clockHz = scenario.cpu.hertz;
    config.quantum = scenario.cpu.quantum;
    for (const CostSetting& point : scenario.firmware.costs)
        config.costs.override(point.name, point.cycles);
    return config;
}

} // namespace

bool SsdModule::HostWire::deliver(const controller::HostRun& run, Time)
{
    return ssd_.hostInterface.deliver(
        {run.slot, run.first, run.sectors, run.completes, run.content, tokenOf(run.ticket)});
}

void SsdModule::HostWire::handBack(std::uint16_t slot, Time)
{
    ssd_.hostInterface.handBack(slot);
}

void SsdModule::HostWire::fail(std::uint16_t slot, Time)
{
    ssd_.hostInterface.fail(slot);
}

bool SsdModule::HostWire::takeRead(const host::Command& command, Time)
{
    return ssd_.flash.takeRead(command.slot, command.lba, command.sectors);
}

SsdModule::SsdModule(const sc_core::sc_module_name& name, const Scenario& scenario, DieArray& flashDies,
                     PowerOn powerOn, const std::string& image, cpu::LineListener console,
                     const pins::RecorderRequest* recorded, thermal::ThermalRecord* thermal)
    : sc_module(name), layout(layOutMemory(scenario)), dies(flashDies), sdram("sdram", sdramConfig(scenario, layout)),
      sram("sram", scenario.sram.size, scenario.sram.latency), boot("boot", layout.boot.size, scenario.sram.latency),
      fabric("fabric", scenario.fabric.latency), interrupts("interrupts"), timer("timer", interrupts),
      uart("uart", {}, console), flash("flash", flashConfig(scenario, layout)),
      hostInterface("host_interface", {scenario.host.queueDepth, layout.dataBuffer}), scenario_(scenario),
      countsFrom_(now())
{
    if (scenario.firmware.cores > 1) {
        second = std::make_unique<SecondCore>();
        Core core = makeCore("cpu_1", 1, second->interrupts, image, console);
        second->cpu = std::move(core.cpu);
        second->firmware = std::move(core.firmware);
    }
    Core core = makeCore("cpu", 0, interrupts, image, std::move(console));
    cpu = std::move(core.cpu);
    firmware = std::move(core.firmware);
    takeSpareLayout();
    dieModules_ = makeDieModules(dies);
    if (recorded != nullptr)
        recorder = std::make_unique<pins::RecorderModule>("recorder", *recorded);
    wireFlash(recorded);
    wireTemperature(thermal);
    wireFabric();
    watchConsole();
    loadMemory(powerOn);

    worn_ = scenario.nand.wornBlocks;
    std::sort(worn_.begin(), worn_.end(), [](const WornBlock& a, const WornBlock& b) { return a.at > b.at; });
    if (!worn_.empty())
        SC_METHOD(wearBlocksOut);
}

SsdModule::Core SsdModule::makeCore(const char* name, std::uint32_t number, cpu::InterruptControllerModule& controller,
                                    const std::string& image, cpu::LineListener console)
{
    if (scenario_.firmware.mode == FirmwareMode::Native) {
        cpu::NativeCpuConfig config = nativeConfig(scenario_, image);
        config.core = number;
        return {std::make_unique<cpu::NativeCpuModule>(name, config, controller, std::move(console)), nullptr};
    }
    cpu::ElfImage elf = loadCoreImage(image, scenario_, layout);
    cpu::Rv32CpuConfig config;
    config.hart = number;
    config.resetPc = elf.entry();
    config.clockHz = scenario_.cpu.hertz;
    config.quantum = scenario_.cpu.quantum;
    auto core = std::make_unique<cpu::Rv32CpuModule>(name, config, controller);
    auto program = std::make_unique<cpu::Rv32Firmware>(std::move(elf), core->core(), core->name(), std::move(console));
    const auto mistake = [this](const std::string& text) { noteMemoryFault(text, now()); };
    guardMemory(*core, *program, mistake);
    guardRegisters(*core, *program, layout, scenario_.firmware.cores, mistake);
    core->onBreak([running = program.get()](rv32::Core& broken) { return running->serveBreak(broken); });
    return {std::move(core), std::move(program)};
}

void SsdModule::takeSpareLayout()
{
    isSpareLayoutKnown = isImageOf(scenario_.firmware.image, scenario_.firmware.ftl);
    if (!firmware)
        return;
    const std::optional<cpu::SpareLayout> described = cpu::SpareLayout::of(firmware->image());
    if (!described)
        return;
    spareLayout = *described;
    isSpareLayoutKnown = true;
}

std::vector<cpu::CostMeter::Row> SsdModule::costs() const
{
    std::vector<cpu::CostMeter::Row> rows = firmware ? firmware->costs() : cpu->costs();
    if (!second)
        return rows;
    const std::vector<cpu::CostMeter::Row> more = second->firmware ? second->firmware->costs() : second->cpu->costs();
    std::uint64_t cycles = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].times += more[i].times;
        rows[i].cycles += more[i].cycles;
        rows[i].squares += more[i].squares;
        cycles += rows[i].cycles;
    }
    for (cpu::CostMeter::Row& row : rows)
        row.share = cycles == 0 ? 0.0 : static_cast<double>(row.cycles) / static_cast<double>(cycles);
    return rows;
}

std::uint64_t SsdModule::instructions() const
{
    return cpu->instructions() + (second ? second->cpu->instructions() : 0);
}

void SsdModule::resetCounters(Time now)
{
    countsFrom_ = now;
    wasReset_ = true;
    cpu->resetUsage();
    if (firmware)
        firmware->resetCosts();
    if (second) {
        second->cpu->resetUsage();
        if (second->firmware)
            second->firmware->resetCosts();
    }
    sdram.memory().resetUsage();
    fabric.resetUsage();
    flash.resetCounters();
    hostInterface.block().resetRingCounters(now);
    for (auto& channel : channels)
        channel->resetUsage();
    for (auto& die : dies)
        die->resetCounters();
}

void SsdModule::rethrowFault() const
{
    cpu->rethrowFault();
    if (second)
        second->cpu->rethrowFault();
}

void SsdModule::wireFlash(const pins::RecorderRequest* recorded)
{
    channels = makeChannels(scenario_, dieModules_);
    for (std::uint32_t c = 0; c < channels.size(); ++c) {
        const ChannelId id{static_cast<std::uint16_t>(c)};
        if (recorder && recorded->channel == id) {
            flash.channels[c].bind(recorder->host);
            recorder->channel.bind(channels[id]->host);
            channels[id]->watch(*recorder);
        } else {
            flash.channels[c].bind(channels[id]->host);
        }
    }
    flash.memory.bind(sdram.ports[FlashPortIndex]);
    flash.onLine([&controller = second ? second->interrupts : interrupts](bool asserted, Time at) {
        controller.setLine(cpu::InterruptSource::Flash, asserted, at);
    });

    flash.onCaptureLine(
        [this](bool asserted, Time at) { interrupts.setLine(cpu::InterruptSource::Capture, asserted, at); });

    flash.connectHost(hostWire_);
    if (scenario_.controller.hasSynthesizer)
        hostInterface.block().connectReads(hostWire_);
    hostInterface.block().onDelivered([this](std::uint32_t token) { flash.hostTook(ticketOf(token)); });
    hostInterface.memory.bind(sdram.ports[HostPortIndex]);
    hostInterface.block().onLine(
        [this](bool asserted, Time at) { interrupts.setLine(cpu::InterruptSource::Host, asserted, at); });
    interrupts.addSource([this](Time until) { hostInterface.block().reportLine(until); });
    if (firmware)
        hostInterface.block().locateFirmware([this] { return cpu->programCounter(); });
    hostInterface.block().onFault([this](const std::string& text, Time at) { noteHostFault(text, at); });
}

// The sensor is made after the cores: what is due at one instant runs in this order.
void SsdModule::wireTemperature(thermal::ThermalRecord* record)
{
    if (!scenario_.thermal.isEnabled)
        return;
    if (record == nullptr)
        throw ConfigError("/thermal/enabled: only drives with Strobe's own host have a thermal model (`strobe run` and "
                          "what is made of runs); must be false");
    temperature =
        std::make_unique<thermal::TemperatureSensorModule>("temperature_sensor", *record, scenario_.thermal.interval);
    temperature->onLine([&controller = second ? second->interrupts : interrupts](bool asserted, Time at) {
        controller.setLine(cpu::InterruptSource::Thermal, asserted, at);
    });
    heat = std::make_unique<SensedHeat>(scenario_.thermal, temperature->sensor());
    hostInterface.connectHeat(*heat);
    temperature->onSample([this](Time at) { hostInterface.temperatureTaken(at); });
}

void SsdModule::noteHostFault(const std::string& text, Time at)
{
    note(hostFaults_, text, at);
}

void SsdModule::note(FirmwareFaults& faults, const std::string& text, Time at)
{
    if (++faults.count <= scenario_.report.failureDetails)
        faults.first.push_back(toText(at) + ": " + text);
    if (misuse_)
        misuse_(toText(at) + ": " + text);
}

// A lost byte is found when it arrives at the UART, for which the core that wrote it has run ahead.
void SsdModule::watchConsole()
{
    if (!firmware)
        return;
    uart.locateWriter([this] {
        const auto* const other = second ? dynamic_cast<const cpu::Rv32CpuModule*>(second->cpu.get()) : nullptr;
        const cpu::CpuModule* writer = cpu.get();
        if (other != nullptr && other->isRunning())
            writer = other;
        return writer->programCounter().value_or(0);
    });
    uart.onLost([this](std::uint32_t pc) {
        if (consoleFaults_.count == 0)
            note(consoleFaults_,
                 fmt::format("a byte was written to UART.DATA while the queue was full (UART.STATUS has its free "
                             "places), pc {:#010x} in {}",
                             pc, firmware->placeOf(pc)),
                 now());
        else
            ++consoleFaults_.count;
    });
}

void SsdModule::onMisuse(std::function<void(const std::string&)> listener)
{
    misuse_ = std::move(listener);
    flash.onFailure([this](const controller::Failure& failure) {
        if (failure.kind != controller::FailureKind::OperationFailed && misuse_)
            misuse_(controller::toText(failure));
    });
}

tlm::tlm_target_socket<>& SsdModule::socketOf(const BusMapping& mapping)
{
    switch (mapping.target) {
    case BusTarget::Sram: return sram.fabric;
    case BusTarget::Boot: return boot.fabric;
    case BusTarget::Sdram: return sdram.fabric;
    case BusTarget::Uart: return uart.registers;
    case BusTarget::TemperatureSensor: return temperature->registers;
    case BusTarget::HostInterface: return hostInterface.registers;
    case BusTarget::FlashController: return flash.registers;
    case BusTarget::InterruptController: return mapping.core == 0 ? interrupts.registers : second->interrupts.registers;
    case BusTarget::Timer: return mapping.core == 0 ? timer.registers : second->timer.registers;
    }
    checkFailed("unknown bus target", __FILE__, __LINE__);
}

void SsdModule::wireFabric()
{
    cpu->busSocket().bind(fabric.cpus);
    if (second)
        second->cpu->busSocket().bind(fabric.cpus);
    for (const BusMapping& mapping : memoryMap(layout, scenario_.firmware.cores))
        fabric.map(mapping.name, mapping.region, socketOf(mapping));
}

void SsdModule::loadMemory(PowerOn powerOn)
{
    if (firmware)
        loadImage(firmware->image());
    makeBootBlock(scenario_, layout, powerOn).fill(boot.bytes());
    bootBlock_.assign(boot.bytes(), boot.bytes() + statisticsOffset);

    if (layout.badBlockTable.size == 0)
        return;
    std::byte* table = sdram.memory().bytes(layout.badBlockTable.base, layout.badBlockTable.size);
    std::size_t bit = 0;
    for (const auto& die : dies) {
        for (std::uint32_t block = 0; block < scenario_.nand.part.geometry.blocks(); ++block, ++bit) {
            if (die->block(block).factoryBad)
                table[bit / 8] |= std::byte{1} << (bit % 8);
        }
    }
}

void SsdModule::checkBootBlock()
{
    for (std::uint32_t at = 0; at < bootBlock_.size(); at += 4) {
        if (std::memcmp(&bootBlock_[at], boot.bytes() + at, 4) != 0)
            noteMemoryFault(fmt::format("the word at {:#x} of the boot block was changed", at), now());
    }
}

// Memory holds zeros before.
void SsdModule::loadImage(const cpu::ElfImage& image)
{
    for (const cpu::ElfImage::Segment& segment : image.segments()) {
        const BusAddress address{segment.address};
        std::byte* place = layout.sram.contains(address, segment.size)
                               ? sram.bytes() + (segment.address - raw(layout.sram.base))
                               : sdram.memory().bytes(address, segment.size);
        std::copy(segment.contents.begin(), segment.contents.end(), place);
    }
}

void SsdModule::wearBlocksOut()
{
    while (!worn_.empty() && worn_.back().at <= now()) {
        dies[worn_.back().die]->wearOut(worn_.back().block);
        worn_.pop_back();
    }
    if (!worn_.empty())
        next_trigger(toSc(worn_.back().at - now()));
}

} // namespace strobe::platform
