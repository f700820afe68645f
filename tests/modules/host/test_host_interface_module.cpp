// SPDX-License-Identifier: Apache-2.0
//
// The host side whole: driver, SATA port, host interface block and SDRAM, with firmware that is a few lines of test.
#include "models/base/strobe_registers.h"
#include "models/host/host_driver_module.h"
#include "models/host/host_interface_module.h"
#include "models/host/sata_port_module.h"
#include "models/memory/sdram_module.h"
#include "tests/domain/host/sata_bench.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <cstring>
#include <tlm_utils/simple_initiator_socket.h>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;
namespace reg = strobe::regs::host;

namespace {

constexpr std::uint32_t memoryBase = 0x8000'0000;
constexpr std::uint32_t memorySize = 4 << 20;
constexpr std::uint32_t recordsAt = memoryBase + 0x1000;
constexpr std::uint32_t ringAt = memoryBase + 0x2000;
constexpr std::uint32_t ringEntries = 128;
constexpr std::uint32_t bufferBase = memoryBase + (1 << 20);
constexpr std::uint32_t bufferSize = 3 << 20;
constexpr std::uint32_t driveSectors = bufferSize / 512; // the drive's "flash" is the buffer itself

memory::BulkMemoryConfig sdram(DataMode mode)
{
    memory::BulkMemoryConfig config;
    config.region = {BusAddress{memoryBase}, memorySize};
    config.dataBuffer = {BusAddress{bufferBase}, bufferSize};
    config.dataMode = mode;
    config.bytesPerSecond = 1'600'000'000;
    config.latency = 50ns;
    config.ports = {"host"};
    return config;
}

// Firmware of a drive that has no flash: it takes events from the ring and orders transfers straight from or to the
// place in the buffer where the sectors live. 2 us per event.
class TinyFirmware : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<TinyFirmware> registers{"registers"};
    tlm_utils::simple_initiator_socket<TinyFirmware> fabric{"fabric"}; // into memory; reads go through pointers here
    std::function<void(std::uint32_t slot)> beforeCommand;             // to misbehave
    std::uint64_t interrupts = 0;

    TinyFirmware(const sc_core::sc_module_name& name, memory::BulkMemory& memory)
        : sc_module(name), memory_(memory), raised_("raised")
    {
        SC_HAS_PROCESS(TinyFirmware);
        SC_THREAD(main);
    }
    std::function<void(Time until)> reportLine; // requests reports of the line's changes

    void setLine(bool asserted, Time at)
    {
        raisedAt_ = asserted ? at : never;
        interrupts += asserted ? 1 : 0;
        if (asserted)
            raised_.notify(toSc(at - now()));
    }
    void write(std::uint32_t offset, std::uint32_t value, Time ahead = {})
    {
        access(tlm::TLM_WRITE_COMMAND, offset, value, ahead);
    }
    std::uint32_t read(std::uint32_t offset)
    {
        std::uint32_t value = 0;
        access(tlm::TLM_READ_COMMAND, offset, value, Time{});
        return value;
    }
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value, Time ahead,
                                    unsigned length = 4)
    {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(offset);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(length);
        payload.set_streaming_width(length);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay = toSc(ahead);
        registers->b_transport(payload, delay);
        return payload.get_response_status();
    }

private:
    std::uint32_t word(std::uint32_t address)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, memory_.bytes(BusAddress{address}, 4), sizeof value);
        return value;
    }
    void main()
    {
        wait(toSc(100us));
        write(reg::CAPACITY_LO, driveSectors);
        write(reg::COMMANDS, recordsAt);
        write(reg::RING_BASE, ringAt);
        write(reg::RING_ENTRIES, ringEntries);
        write(reg::CONTROL, 1);
        for (std::uint32_t taken = 0;;) {
            for (reportLine(now()); raisedAt_ > now(); reportLine(now()))
                wait(raised_);
            const std::uint32_t phase = (taken & ringEntries) == 0 ? regs::hostEvent::KIND_phase_mask : 0;
            const std::uint32_t entry = ringAt + taken % ringEntries * regs::hostEvent::size;
            if ((word(entry) & regs::hostEvent::KIND_phase_mask) == phase) {
                serve(word(entry + regs::hostEvent::SLOT));
                write(reg::RING_CONSUMER, ++taken, 1us); // half of it ahead of the kernel
            }
            wait(toSc(2us));
        }
    }
    void serve(std::uint32_t slot)
    {
        if (beforeCommand)
            beforeCommand(slot);
        const std::uint32_t record = recordsAt + slot * regs::hostCommand::size;
        const std::uint32_t kind = word(record) & regs::hostCommand::KIND_kind_mask;
        const std::uint32_t lba = word(record + regs::hostCommand::LBA_LO);
        const std::uint32_t sectors = word(record + regs::hostCommand::SECTORS);
        if (kind == 4) {
            const std::uint32_t from = (lba + 7) / 8 * 8;
            const std::uint32_t to = (lba + sectors) / 8 * 8;
            if (from < to)
                clearSectors(memory_.sectors(BusAddress{bufferBase + from * 512}, to - from), to - from);
        }
        if (kind >= 3) {
            write(reg::COMPLETE, slot, 2us);
            return;
        }
        const std::uint32_t start =
            slot | (kind == 1 ? reg::XFER_START_to_host_mask : 0) | reg::XFER_START_complete_mask;
        write(reg::XFER_RANGE, (sectors - 1) << reg::XFER_RANGE_more_shift, 2us);
        write(reg::XFER_BUFFER, bufferBase + lba * 512, 2us);
        write(reg::XFER_START, start, 2us);
    }

    memory::BulkMemory& memory_;
    sc_core::sc_event raised_;
    Time raisedAt_ = never;
};

struct Drive {
    memory::SdramModule memory;
    HostInterfaceModule block;
    SataPortModule port;
    HostDriver driver;
    HostDriverModule host;
    TinyFirmware firmware;
    std::vector<std::string> faults;
    Time finishedAt = never;

    explicit Drive(std::vector<PhaseScript> phases, DataMode mode = DataMode::Tags)
        : memory("memory", sdram(mode)), block("block", {32, {BusAddress{bufferBase}, bufferSize}}),
          port("port", {}, mode), driver({mode, 8}, script(std::move(phases))), host("host", driver),
          firmware("firmware", memory.memory())
    {
        block.memory.bind(memory.ports[0]);
        block.connect(port);
        block.block().onLine([this](bool asserted, Time at) { firmware.setLine(asserted, at); });
        firmware.reportLine = [this](Time until) { block.block().reportLine(until); };
        block.block().onFault([this](const std::string& text, Time) { faults.push_back(text); });
        port.connect(block, host);
        host.connect(port);
        host.driver().onFinished([this](Time at) { finishedAt = at; });
        firmware.registers.bind(block.registers);
        firmware.fabric.bind(memory.fabric);
    }
};

std::vector<Request> mixture(std::uint64_t count)
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t lba = i * 7919 % (driveSectors - 64);
        const auto sectors = static_cast<std::uint32_t>(1 + i % 40);
        requests.push_back(i % 3 == 0    ? read(i * 7919 / 2 % (driveSectors - 64), sectors)
                           : i % 50 == 1 ? trim(lba, sectors)
                           : i % 70 == 2 ? flush()
                                         : write(lba, sectors));
    }
    return requests;
}

} // namespace

TEST_CASE("commands travel from the driver to firmware and back, with their data")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes, DataMode::None);
    KernelFixture kernel;
    Drive drive({{mixture(2000), closedLoop(32)}}, mode);
    kernel.run(1s);
    REQUIRE(drive.finishedAt != never);
    CHECK(drive.host.driver().results()[0].completed == 2000);
    CHECK(drive.host.driver().integrity().mismatches() == 0);
    CHECK(drive.faults.empty());
    CHECK(drive.block.block().counters().commands == 2000);
    CHECK(drive.block.block().counters().completions == 2000);
    CHECK(drive.block.block().activeSlots() == 0);
    CHECK(drive.firmware.read(reg::RING_PRODUCER) == 2000);
    CHECK(drive.host.driver().capacitySectors() == driveSectors);
    if (mode != DataMode::None)
        CHECK(drive.host.driver().integrity().checkedSectors() > 10'000);
}

TEST_CASE("an unloaded write takes link, memory and firmware time and nothing else")
{
    KernelFixture kernel;
    Drive drive({{{write(0, 8)}, closedLoop(1)}});
    kernel.run(1ms);
    const FrameTiming timing{SataConfig{}};
    const auto burst = [](std::uint64_t bytes) { return 50ns + transferTime(bytes, 1'600'000'000); };
    // Command, record and event bursts, the interrupt (the firmware thread wakes in the same instant), the doorbell
    // 500 ns ahead, DMA setup, data (faster than the memory only by the ALIGNs), completion.
    CHECK(drive.finishedAt - drive.host.driver().readyTime() ==
          timing.frame(FisType::RegisterHostToDevice) + burst(32) + burst(16) + 2us + timing.frame(FisType::DmaSetup) +
              timing.data(8) + timing.frame(FisType::SetDeviceBits));
}

TEST_CASE("firmware that completes twice is reported, and the run continues")
{
    KernelFixture kernel;
    Drive drive({{mixture(100), closedLoop(4)}});
    drive.firmware.beforeCommand = [&](std::uint32_t slot) {
        if (drive.faults.empty())
            drive.firmware.write(reg::COMPLETE, (slot + 16) % 32);
    };
    kernel.run(1s);
    CHECK(drive.finishedAt != never);
    REQUIRE(drive.faults.size() >= 1);
    CHECK(drive.faults[0].find("holds no command") != std::string::npos);
    CHECK(drive.block.block().counters().faults == drive.faults.size());
}

TEST_CASE("register accesses follow the bus rules")
{
    KernelFixture kernel;
    Drive drive({});
    std::uint32_t value = 0;
    auto& firmware = drive.firmware;
    CHECK(firmware.access(tlm::TLM_READ_COMMAND, reg::SLOTS, value, Time{}) == tlm::TLM_OK_RESPONSE);
    CHECK(value == 32);
    CHECK(firmware.access(tlm::TLM_READ_COMMAND, 0x800, value, Time{}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(firmware.access(tlm::TLM_READ_COMMAND, 0x2000, value, Time{}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(firmware.access(tlm::TLM_WRITE_COMMAND, 0x2, value, Time{}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(firmware.access(tlm::TLM_READ_COMMAND, reg::SLOTS, value, Time{}, 2) == tlm::TLM_BURST_ERROR_RESPONSE);
}
