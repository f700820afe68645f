// SPDX-License-Identifier: Apache-2.0
//
// A platform with a bus, a RAM, an interrupt line, a drive, and a processor: one thread that brings the NVMe controller
// up, writes eight blocks, reads them back and compares. Register and queue layouts: NVM Express 1.4.

#include "platform/device/ssd_device.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

constexpr std::uint64_t ramBase = 0x8000'0000, ramBytes = 1 << 20, ssdBase = 0xFE00'0000;

struct Ram : sc_core::sc_module {
    tlm_utils::simple_target_socket<Ram> socket{"socket"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(ramBytes);

    explicit Ram(const sc_core::sc_module_name& name) : sc_module(name)
    {
        socket.register_b_transport(this, &Ram::access);
    }
    void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        if (payload.get_address() + payload.get_data_length() > ramBytes)
            return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        unsigned char* place = bytes.data() + payload.get_address();
        if (payload.is_write())
            std::memcpy(place, payload.get_data_ptr(), payload.get_data_length());
        else
            std::memcpy(payload.get_data_ptr(), place, payload.get_data_length());
        delay += sc_core::sc_time(50, sc_core::SC_NS);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

struct Bus : sc_core::sc_module { // from processor and drive to RAM and registers
    tlm_utils::simple_target_socket<Bus> fromCpu{"from_cpu"}, fromSsd{"from_ssd"};
    tlm_utils::simple_initiator_socket<Bus> toRam{"to_ram"}, toSsd{"to_ssd"};

    explicit Bus(const sc_core::sc_module_name& name) : sc_module(name)
    {
        fromCpu.register_b_transport(this, &Bus::route);
        fromSsd.register_b_transport(this, &Bus::route);
    }
    void route(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        const std::uint64_t address = payload.get_address();
        const bool isSsd = address >= ssdBase;
        if (!isSsd && address < ramBase)
            return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        payload.set_address(address - (isSsd ? ssdBase : ramBase));
        (isSsd ? toSsd : toRam)->b_transport(payload, delay);
        payload.set_address(address);
    }
};

struct Cpu : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Cpu> bus{"bus"};
    sc_core::sc_in<bool> interrupt{"interrupt"};
    bool hasPassed = false;

    explicit Cpu(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }
    SC_HAS_PROCESS(Cpu);

private:
    struct Queue { // a submission queue and its completion queue, 16 entries each
        std::uint32_t id;
        std::uint64_t submissions, completions;
        std::uint16_t tail = 0, head = 0, phase = 1;
    };
    static constexpr std::uint32_t entries = 16;
    static constexpr std::uint64_t source = ramBase + 0x10000, target = ramBase + 0x20000, page = ramBase + 0x30000;

    template <class Value>
    Value access(tlm::tlm_command command, std::uint64_t address, Value value = {})
    {
        tlm::tlm_generic_payload payload;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(sizeof value);
        payload.set_streaming_width(sizeof value);
        bus->b_transport(payload, delay);
        if (payload.is_response_error())
            throw std::runtime_error("bus error");
        wait(delay);
        return value;
    }
    template <class Value>
    Value read(std::uint64_t address)
    {
        return access<Value>(tlm::TLM_READ_COMMAND, address);
    }
    template <class Value>
    void write(std::uint64_t address, Value value)
    {
        access(tlm::TLM_WRITE_COMMAND, address, value);
    }

    // One command, and wait for the interrupt that announces its completion.
    void command(Queue& queue, std::uint32_t opcode, std::uint32_t nsid, std::uint64_t prp1, std::uint64_t prp2,
                 std::uint32_t dword10, std::uint32_t dword11, std::uint32_t dword12)
    {
        std::array<std::uint32_t, 16> entry{};
        entry[0] = opcode | std::uint32_t{queue.tail} << 16U;
        entry[1] = nsid;
        std::memcpy(&entry[6], &prp1, sizeof prp1);
        std::memcpy(&entry[8], &prp2, sizeof prp2);
        entry[10] = dword10, entry[11] = dword11, entry[12] = dword12;
        write(queue.submissions + queue.tail * 64U, entry);
        queue.tail = static_cast<std::uint16_t>((queue.tail + 1U) % entries);
        write(ssdBase + 0x1000 + queue.id * 8, std::uint32_t{queue.tail});
        const std::uint64_t completion = queue.completions + queue.head * 16U + 12;
        while ((read<std::uint32_t>(completion) >> 16U & 1U) != queue.phase) {
            if (!interrupt.read())
                wait(interrupt.posedge_event());
        }
        const std::uint32_t status = read<std::uint32_t>(completion) >> 17U;
        queue.head = static_cast<std::uint16_t>((queue.head + 1U) % entries);
        queue.phase ^= queue.head == 0 ? 1U : 0U;
        write(ssdBase + 0x1004 + queue.id * 8, std::uint32_t{queue.head});
        if (status != 0)
            throw std::runtime_error("command failed");
    }

    void run()
    {
        Queue admin{0, ramBase, ramBase + 0x1000}, io{1, ramBase + 0x2000, ramBase + 0x3000};
        write(ssdBase + 0x14, std::uint32_t{0}); // CC.EN off
        while ((read<std::uint32_t>(ssdBase + 0x1C) & 1U) != 0)
            wait(1, sc_core::SC_MS);
        write(ssdBase + 0x24, (entries - 1) << 16U | (entries - 1)); // AQA, ASQ, ACQ
        write(ssdBase + 0x28, admin.submissions);
        write(ssdBase + 0x30, admin.completions);
        write(ssdBase + 0x14, 4U << 20U | 6U << 16U | 1U); // CC: entries of 16 and 64 bytes, enable
        while ((read<std::uint32_t>(ssdBase + 0x1C) & 1U) == 0)
            wait(1, sc_core::SC_MS);

        command(admin, 0x06, 1, page, 0, 0, 0, 0); // identify the namespace
        std::printf("namespace: %llu blocks\n", static_cast<unsigned long long>(read<std::uint64_t>(page)));
        command(admin, 0x05, 0, io.completions, 0, (entries - 1) << 16U | 1U, 3, 0); // with interrupts, contiguous
        command(admin, 0x01, 0, io.submissions, 0, (entries - 1) << 16U | 1U, 1U << 16U | 1U, 0);

        for (std::uint64_t i = 0; i < 4096; i += 8)
            write(source + i, i * 0x0101'0101'0101'0101 + 7);
        const sc_core::sc_time start = sc_core::sc_time_stamp();
        command(io, 0x01, 1, source, 0, 1000, 0, 7); // write blocks 1000 to 1007
        const sc_core::sc_time written = sc_core::sc_time_stamp();
        command(io, 0x02, 1, target, 0, 1000, 0, 7); // read them
        const sc_core::sc_time done = sc_core::sc_time_stamp();
        hasPassed = true;
        for (std::uint64_t i = 0; i < 4096; i += 8)
            hasPassed = hasPassed && read<std::uint64_t>(target + i) == i * 0x0101'0101'0101'0101 + 7;
        std::printf("write %.3f us, read %.3f us, data %s\n", (written - start).to_seconds() * 1e6,
                    (done - written).to_seconds() * 1e6, hasPassed ? "as written" : "WRONG");
        sc_core::sc_stop();
    }
};

int sc_main(int argc, char** argv)
{
    try {
        strobe::SsdDeviceOptions options;
        options.sets.assign(argv + (argc > 1 ? 2 : 1), argv + argc);
        strobe::SsdDevice ssd("ssd", argc > 1 ? argv[1] : "devices/nvme-mlc-8x4", options);
        Ram ram("ram");
        Bus bus("bus");
        Cpu cpu("cpu");
        sc_core::sc_signal<bool> interrupt("interrupt");
        cpu.bus.bind(bus.fromCpu);
        ssd.dma.bind(bus.fromSsd);
        bus.toRam.bind(ram.socket);
        bus.toSsd.bind(ssd.registers);
        ssd.interrupt.bind(interrupt);
        cpu.interrupt.bind(interrupt);
        sc_core::sc_start();
        return cpu.hasPassed ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
