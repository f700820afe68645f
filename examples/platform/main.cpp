// SPDX-License-Identifier: Apache-2.0
//
// A platform with an NVMe drive, a bus, a RAM, and a driver that writes eight blocks and compares what it reads.
#include "models/host/nvme/nvme_commands.h"
#include "platform/device/cpu_socket.h"
#include "platform/device/ssd_device.h"

#include <cstring>
#include <tlm_utils/multi_passthrough_target_socket.h>

using namespace strobe::host::nvme;

constexpr std::uint32_t ram = 0x8000'0000, registers = 0xFE00'0000; // addresses on the bus
constexpr std::uint32_t source = ram + 0x10000, target = ram + 0x20000, bytes = 4096;

struct Platform : sc_core::sc_module {
    tlm_utils::multi_passthrough_target_socket<Platform> bus{"bus"}; // from the processor and the drive
    tlm_utils::simple_initiator_socket<Platform> toDrive{"to_drive"};
    strobe::CpuSocket cpu{"cpu"};
    sc_core::sc_signal<bool> interrupt{"interrupt"};
    strobe::SsdDevice ssd;
    std::vector<unsigned char> memory = std::vector<unsigned char>(1 << 20);

    SC_HAS_PROCESS(Platform);
    Platform(const sc_core::sc_module_name& name, const char* scenario, const strobe::SsdDeviceOptions& options)
        : sc_module(name), ssd("ssd", scenario, options)
    {
        bus.register_b_transport(this, &Platform::route);
        cpu.bind(bus);
        ssd.dma.bind(bus);
        toDrive.bind(ssd.registers);
        ssd.interrupt.bind(interrupt);
        SC_THREAD(driver);
    }

    void route(int /*initiator*/, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        const std::uint64_t address = payload.get_address(), length = payload.get_data_length();
        if (address >= registers) {
            payload.set_address(address - registers);
            return toDrive->b_transport(payload, delay);
        }
        if (address < ram || address + length > ram + memory.size())
            return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        unsigned char *place = &memory[address - ram], *data = payload.get_data_ptr();
        std::memcpy(payload.is_read() ? data : place, payload.is_read() ? place : data, length);
        delay += sc_core::sc_time(50, sc_core::SC_NS);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    // Submits a command and waits for its completion; returns the time that this took, in microseconds.
    double run(QueuePair& queue, const SubmissionEntry& command)
    {
        const sc_core::sc_time start = sc_core::sc_time_stamp();
        cpu.write(queue.submission(), command);
        queue.advanceTail();
        cpu.write(registers + queue.tailDoorbell(), queue.sqTail);
        while (!queue.isNew(cpu.read<CompletionEntry>(queue.completion()))) {
            if (!interrupt.read())
                wait(interrupt.posedge_event());
        }
        if (cpu.read<CompletionEntry>(queue.completion()).status() != NvmeStatus::Success)
            throw std::runtime_error("a command failed");
        queue.advanceHead();
        cpu.write(registers + queue.headDoorbell(), queue.cqHead);
        return (sc_core::sc_time_stamp() - start).to_seconds() * 1e6;
    }

    void driver()
    {
        QueuePair admin{0, 16, ram, ram + 0x1000}, io{1, 16, ram + 0x2000, ram + 0x3000}; // 16 entries each
        cpu.write(registers + reg::AQA, (admin.entries - 1) << 16U | (admin.entries - 1));
        cpu.write(registers + reg::ASQ, admin.sq);
        cpu.write(registers + reg::ACQ, admin.cq);
        cpu.write(registers + reg::CC, ccEntrySizes | ccEnable);
        while ((cpu.read<std::uint32_t>(registers + reg::CSTS) & cstsReady) == 0)
            wait(1, sc_core::SC_MS);
        run(admin, identify(identifyNamespaceStructure, 1, target));
        std::printf("namespace: %u blocks\n", cpu.read<std::uint32_t>(target));
        run(admin, createCompletionQueue(io, 0));
        run(admin, createSubmissionQueue(io));

        for (std::uint32_t i = 0; i < bytes; ++i)
            memory[source - ram + i] = static_cast<unsigned char>(i % 251);
        const double written = run(io, transfer(IoOpcode::Write, 1, 1000, 8, source)); // blocks 1000 to 1007
        const double read = run(io, transfer(IoOpcode::Read, 1, 1000, 8, target));
        if (std::memcmp(&memory[source - ram], &memory[target - ram], bytes) != 0)
            throw std::runtime_error("the data is not as written");
        std::printf("write %.3f us, read %.3f us, data as written\n", written, read);
        sc_core::sc_stop();
    }
};

int sc_main(int argc, char** argv) // arguments: a scenario, and changes like "nand.ways=8"
{
    const strobe::SsdDeviceOptions options{{argv + (argc > 1 ? 2 : 1), argv + argc}, {}};
    Platform platform("platform", argc > 1 ? argv[1] : "devices/nvme-mlc-8x4", options);
    sc_core::sc_start(); // SystemC's main() prints what is thrown and returns 1
    return 0;
}
