// SPDX-License-Identifier: Apache-2.0
//
// A platform around a drive: a bus with a RAM, and a processor whose program starts the NVMe controller, writes eight
// blocks, reads them back and compares. Registers and queue entries: NVM Express 1.4.
#include "platform/device/ssd_device.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <stdexcept>

constexpr std::uint32_t ram = 0x8000'0000, ramBytes = 1 << 20, nvme = 0xFE00'0000; // addresses on the bus
constexpr std::uint32_t source = ram + 0x10000, target = ram + 0x20000;
constexpr std::uint32_t entries = 16; // of each queue

struct Queue { // a submission queue and its completion queue
    std::uint32_t id;
    std::uint32_t submissions, completions; // addresses
    std::uint32_t tail = 0, head = 0, phase = 1;
};

struct Platform : sc_core::sc_module {
    tlm_utils::simple_target_socket<Platform> fromSsd{"from_ssd"};
    tlm_utils::simple_initiator_socket<Platform> toSsd{"to_ssd"};
    sc_core::sc_in<bool> interrupt{"interrupt"};
    std::vector<unsigned char> memory = std::vector<unsigned char>(ramBytes);
    bool hasPassed = false;

    SC_HAS_PROCESS(Platform);
    explicit Platform(const sc_core::sc_module_name& name) : sc_module(name)
    {
        fromSsd.register_b_transport(this, &Platform::route);
        SC_THREAD(program);
    }

    // The bus: from the processor and the drive to the RAM and the drive's registers.
    void route(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        const std::uint64_t address = payload.get_address(), length = payload.get_data_length();
        if (address >= nvme) {
            payload.set_address(address - nvme);
            return toSsd->b_transport(payload, delay);
        }
        if (address < ram || address + length > ram + ramBytes)
            return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        unsigned char* place = &memory[address - ram];
        if (payload.is_write())
            std::memcpy(place, payload.get_data_ptr(), length);
        else
            std::memcpy(payload.get_data_ptr(), place, length);
        delay += sc_core::sc_time(50, sc_core::SC_NS);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    // The processor.
    template <class Value>
    Value access(tlm::tlm_command command, std::uint64_t address, Value value = {})
    {
        tlm::tlm_generic_payload payload;
        sc_core::sc_time delay;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(sizeof value);
        payload.set_streaming_width(sizeof value);
        route(payload, delay);
        if (payload.is_response_error())
            throw std::runtime_error("bus error");
        wait(delay);
        return value;
    }
    template <class Value>
    void write(std::uint64_t address, Value value)
    {
        access(tlm::TLM_WRITE_COMMAND, address, value);
    }
    std::uint32_t read(std::uint64_t address) { return access<std::uint32_t>(tlm::TLM_READ_COMMAND, address); }

    // Submits a command and waits for the interrupt that announces its completion.
    void command(Queue& queue, std::uint32_t opcode, std::uint32_t nsid, std::uint32_t prp1, std::uint32_t dword10,
                 std::uint32_t dword11 = 0, std::uint32_t dword12 = 0)
    {
        const std::array<std::uint32_t, 16> entry{opcode, nsid, 0, 0, 0, 0, prp1, 0, 0, 0, dword10, dword11, dword12};
        write(queue.submissions + queue.tail * 64U, entry);
        queue.tail = (queue.tail + 1) % entries;
        write(nvme + 0x1000 + queue.id * 8, queue.tail); // doorbell
        const std::uint32_t completion = queue.completions + queue.head * 16U + 12;
        while ((read(completion) >> 16U & 1U) != queue.phase) {
            if (!interrupt.read())
                wait(interrupt.posedge_event());
        }
        if (read(completion) >> 17U != 0)
            throw std::runtime_error("the command failed");
        queue.head = (queue.head + 1) % entries;
        queue.phase ^= queue.head == 0 ? 1U : 0U;
        write(nvme + 0x1004 + queue.id * 8, queue.head);
    }

    void program()
    {
        Queue admin{0, ram, ram + 0x1000}, io{1, ram + 0x2000, ram + 0x3000};
        write(nvme + 0x24, (entries - 1) << 16U | (entries - 1)); // AQA, ASQ, ACQ
        write(nvme + 0x28, std::uint64_t{admin.submissions});
        write(nvme + 0x30, std::uint64_t{admin.completions});
        write(nvme + 0x14, 4U << 20U | 6U << 16U | 1U); // CC: entries of 16 and 64 bytes, enable
        while ((read(nvme + 0x1C) & 1U) == 0)           // CSTS.RDY
            wait(1, sc_core::SC_MS);
        command(admin, 0x06, 1, target, 0); // identify the namespace
        std::printf("namespace: %u blocks\n", read(target));
        command(admin, 0x05, 0, io.completions, (entries - 1) << 16U | 1U, 3); // create, contiguous, with interrupts
        command(admin, 0x01, 0, io.submissions, (entries - 1) << 16U | 1U, 1U << 16U | 1U);

        std::array<unsigned char, 4096> data{};
        for (std::size_t i = 0; i < data.size(); ++i)
            data[i] = static_cast<unsigned char>(i % 251);
        write(source, data);
        const auto microseconds = [] { return sc_core::sc_time_stamp().to_seconds() * 1e6; };
        const double start = microseconds();
        command(io, 0x01, 1, source, 1000, 0, 7); // write blocks 1000 to 1007
        const double written = microseconds();
        command(io, 0x02, 1, target, 1000, 0, 7); // read them
        const double done = microseconds();
        hasPassed = access(tlm::TLM_READ_COMMAND, target, decltype(data){}) == data;
        std::printf("write %.3f us, read %.3f us, data %s\n", written - start, done - written,
                    hasPassed ? "as written" : "WRONG");
        sc_core::sc_stop();
    }
};

int sc_main(int argc, char** argv) // arguments: a scenario, and changes like "nand.ways=8"
try {
    strobe::SsdDeviceOptions options;
    options.sets.assign(argv + (argc > 1 ? 2 : 1), argv + argc);
    strobe::SsdDevice ssd("ssd", argc > 1 ? argv[1] : "devices/nvme-mlc-8x4", options);
    Platform platform("platform");
    sc_core::sc_signal<bool> interrupt("interrupt");
    ssd.dma.bind(platform.fromSsd);
    platform.toSsd.bind(ssd.registers);
    ssd.interrupt.bind(interrupt);
    platform.interrupt.bind(interrupt);
    sc_core::sc_start();
    return platform.hasPassed ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
