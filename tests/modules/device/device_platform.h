#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A platform around SsdDevice for tests: memory that can wait, annotate and refuse, and a thread that runs a script of
// register accesses and NVMe commands. The script must not use REQUIRE: it runs in a process.

#include "platform/device/ssd_device.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

namespace strobe::test {

struct PlatformMemory : sc_core::sc_module {
    static constexpr std::uint64_t base = 0x8000'0000;
    static constexpr std::uint64_t messages = 0xFEE0'0000; // MSI-X target

    tlm_utils::simple_target_socket<PlatformMemory> socket{"socket"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(1U << 20U);
    sc_core::sc_time waits;     // in each access
    sc_core::sc_time annotates; // for each access
    std::vector<std::uint32_t> received;

    explicit PlatformMemory(const sc_core::sc_module_name& name) : sc_module(name)
    {
        socket.register_b_transport(this, &PlatformMemory::access);
    }

    template <class Value>
    Value at(std::uint64_t address) const
    {
        Value value;
        std::memcpy(&value, bytes.data() + (address - base), sizeof value);
        return value;
    }
    void put(std::uint64_t address, const void* data, std::size_t size)
    {
        std::memcpy(bytes.data() + (address - base), data, size);
    }

private:
    void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        const std::uint64_t address = payload.get_address();
        const unsigned length = payload.get_data_length();
        delay += annotates;
        if (waits > sc_core::SC_ZERO_TIME)
            sc_core::wait(waits);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        if (address == messages && payload.is_write() && length == 4) {
            received.emplace_back();
            std::memcpy(&received.back(), payload.get_data_ptr(), length);
        } else if (address < base || address + length > base + bytes.size()) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        } else if (payload.is_write()) {
            put(address, payload.get_data_ptr(), length);
        } else {
            std::memcpy(payload.get_data_ptr(), bytes.data() + (address - base), length);
        }
    }
};

struct RegisterPayload : tlm::tlm_generic_payload {
    template <class Value>
    RegisterPayload(tlm::tlm_command command, std::uint64_t address, Value& value)
    {
        set_command(command);
        set_address(address);
        set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        set_data_length(sizeof value);
        set_streaming_width(sizeof value);
    }
};

class DevicePlatform : public sc_core::sc_module {
public:
    static constexpr std::uint64_t data = PlatformMemory::base + 0x10000;
    static constexpr std::uint32_t entries = 16;

    SsdDevice ssd;
    PlatformMemory memory{"memory"};
    tlm_utils::simple_initiator_socket<DevicePlatform> cpu{"cpu"};
    sc_core::sc_signal<bool> line{"line"};
    std::function<void()> script;
    bool isDone = false;

    explicit DevicePlatform(const sc_core::sc_module_name& name, const SsdDeviceOptions& options = {},
                            const char* scenario = "devices/nvme-mlc-8x4")
        : sc_module(name), ssd("ssd", scenario, options)
    {
        cpu.bind(ssd.registers);
        ssd.dma.bind(memory.socket);
        ssd.interrupt.bind(line);
        SC_THREAD(play);
    }

    tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
    {
        cpu->b_transport(payload, delay);
        return payload.get_response_status();
    }
    template <class Value>
    void write(std::uint64_t offset, Value value)
    {
        RegisterPayload payload(tlm::TLM_WRITE_COMMAND, offset, value);
        sc_core::sc_time delay;
        isOk = access(payload, delay) == tlm::TLM_OK_RESPONSE && isOk;
    }
    template <class Value>
    Value read(std::uint64_t offset)
    {
        Value value{};
        RegisterPayload payload(tlm::TLM_READ_COMMAND, offset, value);
        sc_core::sc_time delay;
        isOk = access(payload, delay) == tlm::TLM_OK_RESPONSE && isOk;
        return value;
    }

    // Admin queue pair, controller enabled, one I/O queue pair. `vector`: of the I/O completions.
    void bringUp(std::uint32_t vector = 0)
    {
        write(0x24, (entries - 1) << 16U | (entries - 1));
        write(0x28, std::uint64_t{admin_.submissions});
        write(0x30, std::uint64_t{admin_.completions});
        write(0x14, 4U << 20U | 6U << 16U | 1U);
        while ((read<std::uint32_t>(0x1C) & 1U) == 0)
            wait(100, sc_core::SC_US);
        isOk = adminCommand(0x05, io_.completions, 1U | (entries - 1) << 16U, vector << 16U | 3U) == 0 && isOk;
        isOk = adminCommand(0x01, io_.submissions, 1U | (entries - 1) << 16U, 1U << 16U | 1U) == 0 && isOk;
    }
    std::uint32_t adminCommand(std::uint32_t opcode, std::uint64_t prp1, std::uint32_t dword10, std::uint32_t dword11)
    {
        submit(admin_, opcode, 0, prp1, dword10, dword11, 0);
        return completion(admin_);
    }
    // One page. Returns the status field.
    std::uint32_t ioCommand(std::uint32_t opcode, std::uint64_t page, std::uint32_t lba)
    {
        submitIo(opcode, page, lba);
        return completion(io_);
    }
    void submitIo(std::uint32_t opcode, std::uint64_t page, std::uint32_t lba)
    {
        submit(io_, opcode, 1, page, lba, 0, 7);
    }
    bool hasIoCompletion() const { return (memory.at<std::uint16_t>(entryOf(io_)) & 1U) == io_.phase; }
    std::uint32_t takeIoCompletion() { return completion(io_); }

    bool isOk = true; // no bus error, no admin command failed

private:
    SC_HAS_PROCESS(DevicePlatform);
    struct Queue {
        std::uint32_t id;
        std::uint64_t submissions, completions;
        std::uint32_t tail = 0, head = 0;
        std::uint16_t phase = 1;
    };
    static std::uint64_t entryOf(const Queue& queue) { return queue.completions + queue.head * 16U + 14; }

    void submit(Queue& queue, std::uint32_t opcode, std::uint32_t nsid, std::uint64_t prp1, std::uint32_t dword10,
                std::uint32_t dword11, std::uint32_t dword12)
    {
        std::array<std::uint32_t, 16> entry{};
        entry[0] = opcode | queue.tail << 16U;
        entry[1] = nsid;
        std::memcpy(&entry[6], &prp1, sizeof prp1);
        entry[10] = dword10;
        entry[11] = dword11;
        entry[12] = dword12;
        memory.put(queue.submissions + queue.tail * 64U, entry.data(), sizeof entry);
        queue.tail = (queue.tail + 1) % entries;
        write(0x1000 + queue.id * 8, queue.tail);
    }
    std::uint32_t completion(Queue& queue)
    {
        while ((memory.at<std::uint16_t>(entryOf(queue)) & 1U) != queue.phase)
            wait(1, sc_core::SC_US);
        const std::uint32_t status = memory.at<std::uint16_t>(entryOf(queue)) >> 1U & 0x7FFU;
        queue.head = (queue.head + 1) % entries;
        queue.phase ^= queue.head == 0 ? 1U : 0U;
        write(0x1004 + queue.id * 8, queue.head);
        return status;
    }
    void play()
    {
        script();
        isDone = true;
        sc_core::sc_pause();
    }

    Queue admin_{0, PlatformMemory::base, PlatformMemory::base + 0x1000};
    Queue io_{1, PlatformMemory::base + 0x2000, PlatformMemory::base + 0x3000};
};

} // namespace strobe::test
