#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A platform around SsdDevice for tests: memory that can wait, annotate and refuse, and a thread that runs a script of
// register accesses and NVMe commands. The script must not use REQUIRE: it runs in a process.

#include "models/host/nvme/nvme_commands.h"
#include "platform/device/cpu_socket.h"
#include "platform/device/ssd_device.h"

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
    CpuSocket cpu{"cpu"};
    CpuSocket configuration{"configuration"};
    sc_core::sc_signal<bool> line{"line"};
    std::function<void()> script;
    bool isDone = false;

    explicit DevicePlatform(const sc_core::sc_module_name& name, const SsdDeviceOptions& options = {},
                            const char* scenario = "devices/nvme-mlc-8x4")
        : sc_module(name), ssd("ssd", scenario, options)
    {
        cpu.bind(ssd.registers);
        configuration.bind(ssd.configuration);
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
        isOk = cpu.access(tlm::TLM_WRITE_COMMAND, offset, value) == tlm::TLM_OK_RESPONSE && isOk;
    }
    template <class Value>
    Value read(std::uint64_t offset)
    {
        Value value{};
        isOk = cpu.access(tlm::TLM_READ_COMMAND, offset, value) == tlm::TLM_OK_RESPONSE && isOk;
        return value;
    }

    // Admin queue pair, controller enabled, one I/O queue pair. `vector`: of the I/O completions.
    void bringUp(std::uint32_t vector = 0)
    {
        using namespace host::nvme;
        write(reg::AQA, (entries - 1) << 16U | (entries - 1));
        write(reg::ASQ, admin_.sq);
        write(reg::ACQ, admin_.cq);
        write(reg::CC, ccEntrySizes | ccEnable);
        while ((read<std::uint32_t>(reg::CSTS) & cstsReady) == 0)
            wait(100, sc_core::SC_US);
        submit(admin_, createCompletionQueue(io_, vector));
        isOk = completion(admin_) == NvmeStatus::Success && isOk;
        submit(admin_, createSubmissionQueue(io_));
        isOk = completion(admin_) == NvmeStatus::Success && isOk;
    }
    // One page.
    host::nvme::NvmeStatus ioCommand(host::nvme::IoOpcode opcode, std::uint64_t page, std::uint32_t lba)
    {
        submitIo(opcode, page, lba);
        return completion(io_);
    }
    void submitIo(host::nvme::IoOpcode opcode, std::uint64_t page, std::uint32_t lba)
    {
        submit(io_, host::nvme::transfer(opcode, 1, lba, 8, page));
    }
    // 512 bytes to the address.
    host::nvme::NvmeStatus logPage(std::uint32_t number, std::uint64_t address)
    {
        host::nvme::SubmissionEntry command =
            host::nvme::submissionOf(host::nvme::AdminOpcode::GetLogPage, 0xFFFF'FFFF, address);
        command.dword[10] = number | (512 / 4 - 1) << 16U;
        submit(admin_, command);
        return completion(admin_);
    }
    bool hasIoCompletion() const { return io_.isNew(memory.at<host::nvme::CompletionEntry>(io_.completion())); }
    host::nvme::NvmeStatus takeIoCompletion() { return completion(io_); }

    bool isOk = true; // no bus error, no admin command failed

private:
    SC_HAS_PROCESS(DevicePlatform);

    void submit(host::nvme::QueuePair& queue, const host::nvme::SubmissionEntry& command)
    {
        memory.put(queue.submission(), &command, sizeof command);
        queue.advanceTail();
        write(queue.tailDoorbell(), queue.sqTail);
    }
    host::nvme::NvmeStatus completion(host::nvme::QueuePair& queue)
    {
        while (!queue.isNew(memory.at<host::nvme::CompletionEntry>(queue.completion())))
            wait(1, sc_core::SC_US);
        const auto status = memory.at<host::nvme::CompletionEntry>(queue.completion()).status();
        queue.advanceHead();
        write(queue.headDoorbell(), queue.cqHead);
        return status;
    }
    void play()
    {
        script();
        isDone = true;
        sc_core::sc_pause();
    }

    host::nvme::QueuePair admin_{0, entries, PlatformMemory::base, PlatformMemory::base + 0x1000};
    host::nvme::QueuePair io_{1, entries, PlatformMemory::base + 0x2000, PlatformMemory::base + 0x3000};
};

} // namespace strobe::test
