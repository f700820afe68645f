// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/nvme/raw_host.h"

#include <algorithm>
#include <vector>

namespace strobe::test {

FakeSsd::Config slowDrive(Time latency)
{
    FakeSsd::Config config;
    config.latency = latency;
    return config;
}

RawHost::RawHost(const FakeSsd::Config& drive, const nvme::ControllerOptions& config)
    : ssd(drive), controller(config, drive.mode, link, memory), buffer(1 << 20)
{
    memory.connect(*this);
    controller.connect(ssd);
    ssd.connect(controller);
    controller.onMessage([this](std::uint64_t, std::uint32_t data, Time) { messages.push_back(data); });
    makeQueue(0, adminEntries);
}

RawHost::~RawHost() = default;

void RawHost::makeQueue(std::uint32_t id, std::uint32_t entries)
{
    queues[id] = {memory.allocate(entries * 64), memory.allocate(entries * 16), entries};
}

void RawHost::run(Time until)
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

void RawHost::write(std::uint32_t offset, std::uint64_t value, std::uint32_t bytes)
{
    controller.writeRegister(offset, bytes, value, now);
    run();
}

std::uint32_t RawHost::read(std::uint32_t offset) const
{
    return static_cast<std::uint32_t>(controller.readRegister(offset, 4));
}

void RawHost::enable(std::uint32_t more)
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

void RawHost::clearCq(std::uint32_t id)
{
    const std::vector<std::byte> zeros(queues[id].entries * 16);
    memory.write(queues[id].cq, zeros.data(), static_cast<std::uint32_t>(zeros.size()));
}

nvme::SubmissionEntry RawHost::make(std::uint8_t opcode, std::uint16_t id)
{
    nvme::SubmissionEntry submission;
    submission.dword[0] = opcode | std::uint32_t{id} << 16U;
    return submission;
}

nvme::SubmissionEntry RawHost::make(nvme::AdminOpcode opcode, std::uint16_t id)
{
    return make(static_cast<std::uint8_t>(opcode), id);
}

nvme::SubmissionEntry RawHost::make(nvme::IoOpcode opcode, std::uint16_t id)
{
    nvme::SubmissionEntry submission = make(static_cast<std::uint8_t>(opcode), id);
    submission.dword[1] = 1;
    return submission;
}

void RawHost::put(std::uint32_t id, const nvme::SubmissionEntry& submission)
{
    Queue& queue = queues[id];
    memory.write(queue.sq + queue.tail * 64, submission.dword.data(), 64);
    queue.tail = (queue.tail + 1) % queue.entries;
}

std::vector<nvme::CompletionEntry> RawHost::take(std::uint32_t id)
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

nvme::CompletionEntry RawHost::execute(std::uint32_t id, const nvme::SubmissionEntry& submission)
{
    put(id, submission);
    ringSq(id);
    const std::vector<nvme::CompletionEntry> found = take(id);
    check(found.size() == 1, "one command, one completion");
    ringCq(id);
    return found[0];
}

nvme::NvmeStatus RawHost::status(std::uint32_t id, const nvme::SubmissionEntry& submission)
{
    return execute(id, submission).status();
}

nvme::SubmissionEntry RawHost::createCq(std::uint32_t id, std::uint32_t entries, std::uint32_t vector) const
{
    nvme::SubmissionEntry s = make(nvme::AdminOpcode::CreateCq);
    s.setQuad(6, queues[id].cq);
    s.dword[10] = (entries - 1) << 16U | id;
    s.dword[11] = vector << 16U | 3U;
    return s;
}

nvme::SubmissionEntry RawHost::createSq(std::uint32_t id, std::uint32_t entries, std::uint32_t cq) const
{
    nvme::SubmissionEntry s = make(nvme::AdminOpcode::CreateSq);
    s.setQuad(6, queues[id].sq);
    s.dword[10] = (entries - 1) << 16U | id;
    s.dword[11] = cq << 16U | 1U;
    return s;
}

void RawHost::createPair(std::uint32_t id, std::uint32_t entries)
{
    makeQueue(id, entries);
    check(status(0, createCq(id, entries, id)) == nvme::NvmeStatus::Success, "the completion queue is created");
    check(status(0, createSq(id, entries, id)) == nvme::NvmeStatus::Success, "the submission queue is created");
}

nvme::SubmissionEntry RawHost::blocks(nvme::IoOpcode opcode, std::uint64_t lba, std::uint32_t sectors, std::uint16_t id)
{
    nvme::SubmissionEntry s = make(opcode, id);
    s.setQuad(6, host::DriverMemory::dataPage(0, 0));
    s.setQuad(8, host::DriverMemory::dataPage(0, 1));
    s.setQuad(10, lba);
    s.dword[12] = sectors - 1;
    return s;
}

nvme::SubmissionEntry RawHost::feature(nvme::AdminOpcode opcode, nvme::Feature number, std::uint32_t value)
{
    nvme::SubmissionEntry s = make(opcode);
    s.dword[10] = static_cast<std::uint32_t>(number);
    s.dword[11] = value;
    return s;
}

void RawHost::fillWriteData(std::uint16_t, std::uint32_t first, std::uint32_t sectors, Content destination)
{
    copySectors(destination, Content{buffer.data(), destination.mode}.at(first), sectors);
}

void RawHost::takeReadData(std::uint16_t, std::uint32_t first, std::uint32_t sectors, Content source)
{
    copySectors(Content{buffer.data(), source.mode}.at(first), source, sectors);
}

} // namespace strobe::test
