#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A host with which a test operates an NVMe controller register by register and entry by entry; it polls its completion
// queues. The drive behind the controller is the fake one.

#include "models/host/nvme/nvme_controller.h"
#include "tests/domain/host/fake_ssd.h"

#include <algorithm>
#include <vector>

namespace strobe::test {

namespace nvme = host::nvme;

inline FakeSsd::Config slowDrive(Time latency)
{
    FakeSsd::Config config;
    config.latency = latency;
    return config;
}

struct RawHost : host::HostSide {
    static constexpr std::uint32_t adminEntries = 8;

    struct Queue {
        std::uint64_t sq = 0;
        std::uint64_t cq = 0;
        std::uint32_t entries = 0;
        std::uint32_t tail = 0;
        std::uint32_t head = 0;
        bool phase = true;
    };

    host::PcieLink link{host::PcieConfig{}};
    host::DriverMemory memory;
    FakeSsd ssd;
    nvme::Controller controller;
    Time now{};
    std::vector<Queue> queues{65};
    std::vector<std::uint32_t> messages; // data of MSI-X
    std::vector<std::byte> buffer;       // of slot 0, what the drive read from or wrote to the host

    explicit RawHost(const FakeSsd::Config& drive = {}, const nvme::ControllerOptions& config = {})
        : ssd(drive), controller(config, drive.mode, link, memory), buffer(1 << 20)
    {
        memory.connect(*this);
        controller.connect(ssd);
        ssd.connect(controller);
        controller.onMessage([this](std::uint64_t, std::uint32_t data, Time) { messages.push_back(data); });
        makeQueue(0, adminEntries);
    }
    void makeQueue(std::uint32_t id, std::uint32_t entries)
    {
        queues[id] = {memory.allocate(entries * 64), memory.allocate(entries * 16), entries};
    }

    void run(Time until = never)
    {
        for (;;) {
            const Time next = std::min(controller.nextTime(), ssd.nextTime());
            if (next == never || next > until)
                return;
            now = std::max(now, next);
            ssd.advance(now);
            controller.advance(now);
        }
    }
    void write(std::uint32_t offset, std::uint64_t value, std::uint32_t bytes = 4)
    {
        controller.writeRegister(offset, bytes, value, now);
        run();
    }
    std::uint32_t read(std::uint32_t offset) const
    {
        return static_cast<std::uint32_t>(controller.readRegister(offset, 4));
    }
    void enable(std::uint32_t more = 0)
    {
        controller.driveReady(now);
        queues[0].tail = queues[0].head = 0;
        queues[0].phase = true;
        clearCq(0);
        write(nvme::reg::AQA, (adminEntries - 1) << 16U | (adminEntries - 1));
        write(nvme::reg::ASQ, queues[0].sq, 8);
        write(nvme::reg::ACQ, queues[0].cq, 8);
        write(nvme::reg::CC, 1U | 6U << 16U | 4U << 20U | more);
    }
    void clearCq(std::uint32_t id)
    {
        const std::vector<std::byte> zeros(queues[id].entries * 16);
        memory.write(queues[id].cq, zeros.data(), static_cast<std::uint32_t>(zeros.size()));
    }
    bool isReady() const { return (read(nvme::reg::CSTS) & nvme::cstsReady) != 0; }

    static nvme::SubmissionEntry make(std::uint8_t opcode, std::uint16_t id = 1)
    {
        nvme::SubmissionEntry submission;
        submission.dword[0] = opcode | std::uint32_t{id} << 16U;
        return submission;
    }
    static nvme::SubmissionEntry make(nvme::AdminOpcode opcode, std::uint16_t id = 1)
    {
        return make(static_cast<std::uint8_t>(opcode), id);
    }
    static nvme::SubmissionEntry make(nvme::IoOpcode opcode, std::uint16_t id = 1)
    {
        nvme::SubmissionEntry submission = make(static_cast<std::uint8_t>(opcode), id);
        submission.dword[1] = 1;
        return submission;
    }
    void put(std::uint32_t id, const nvme::SubmissionEntry& submission)
    {
        Queue& queue = queues[id];
        memory.write(queue.sq + queue.tail * 64, submission.dword.data(), 64);
        queue.tail = (queue.tail + 1) % queue.entries;
    }
    void ringSq(std::uint32_t id) { write(nvme::reg::doorbells + id * 8, queues[id].tail); }
    void ringCq(std::uint32_t id) { write(nvme::reg::doorbells + id * 8 + 4, queues[id].head); }
    // Takes the entries of the completion queue, without the doorbell.
    std::vector<nvme::CompletionEntry> take(std::uint32_t id)
    {
        std::vector<nvme::CompletionEntry> found;
        Queue& queue = queues[id];
        for (;;) {
            nvme::CompletionEntry completion;
            memory.read(queue.cq + queue.head * 16, &completion, 16);
            if (completion.phase() != queue.phase)
                return found;
            found.push_back(completion);
            if (++queue.head == queue.entries) {
                queue.head = 0;
                queue.phase = !queue.phase;
            }
        }
    }
    // One command, its completion awaited and acknowledged. REQUIRES: nothing else is outstanding in the queue.
    nvme::CompletionEntry execute(std::uint32_t id, const nvme::SubmissionEntry& submission)
    {
        put(id, submission);
        ringSq(id);
        const std::vector<nvme::CompletionEntry> found = take(id);
        check(found.size() == 1, "one command, one completion");
        ringCq(id);
        return found[0];
    }
    nvme::NvmeStatus status(std::uint32_t id, const nvme::SubmissionEntry& submission)
    {
        return execute(id, submission).status();
    }

    nvme::SubmissionEntry createCq(std::uint32_t id, std::uint32_t entries, std::uint32_t vector = 0) const
    {
        nvme::SubmissionEntry s = make(nvme::AdminOpcode::CreateCq);
        s.setQuad(6, queues[id].cq);
        s.dword[10] = (entries - 1) << 16U | id;
        s.dword[11] = vector << 16U | 3U;
        return s;
    }
    nvme::SubmissionEntry createSq(std::uint32_t id, std::uint32_t entries, std::uint32_t cq) const
    {
        nvme::SubmissionEntry s = make(nvme::AdminOpcode::CreateSq);
        s.setQuad(6, queues[id].sq);
        s.dword[10] = (entries - 1) << 16U | id;
        s.dword[11] = cq << 16U | 1U;
        return s;
    }
    void createPair(std::uint32_t id, std::uint32_t entries = 8)
    {
        makeQueue(id, entries);
        check(status(0, createCq(id, entries, id)) == nvme::NvmeStatus::Success, "the completion queue is created");
        check(status(0, createSq(id, entries, id)) == nvme::NvmeStatus::Success, "the submission queue is created");
    }
    static nvme::SubmissionEntry blocks(nvme::IoOpcode opcode, std::uint64_t lba, std::uint32_t sectors,
                                        std::uint16_t id = 1)
    {
        nvme::SubmissionEntry s = make(opcode, id);
        s.setQuad(6, host::DriverMemory::dataPage(0, 0));
        s.setQuad(8, host::DriverMemory::dataPage(0, 1));
        s.setQuad(10, lba);
        s.dword[12] = sectors - 1;
        return s;
    }

    static nvme::SubmissionEntry feature(nvme::AdminOpcode opcode, nvme::Feature number, std::uint32_t value = 0)
    {
        nvme::SubmissionEntry s = make(opcode);
        s.dword[10] = static_cast<std::uint32_t>(number);
        s.dword[11] = value;
        return s;
    }

    // The data window of slot 0.
    void driveReady(std::uint64_t, std::uint32_t, Time) override {}
    void completed(std::uint16_t, host::CommandStatus, Time) override {}
    void fillWriteData(std::uint16_t, std::uint32_t first, std::uint32_t sectors, Content destination) override
    {
        copySectors(destination, Content{buffer.data(), destination.mode}.at(first), sectors);
    }
    void takeReadData(std::uint16_t, std::uint32_t first, std::uint32_t sectors, Content source) override
    {
        copySectors(Content{buffer.data(), source.mode}.at(first), source, sectors);
    }
};

} // namespace strobe::test
