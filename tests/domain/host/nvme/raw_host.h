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

FakeSsd::Config slowDrive(Time latency);

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

    explicit RawHost(const FakeSsd::Config& drive = {}, const nvme::ControllerOptions& config = {});
    ~RawHost() override;
    void makeQueue(std::uint32_t id, std::uint32_t entries);

    void run(Time until = never);
    void write(std::uint32_t offset, std::uint64_t value, std::uint32_t bytes = 4);
    std::uint32_t read(std::uint32_t offset) const;
    void enable(std::uint32_t more = 0);
    void clearCq(std::uint32_t id);
    bool isReady() const { return (read(nvme::reg::CSTS) & nvme::cstsReady) != 0; }

    static nvme::SubmissionEntry make(std::uint8_t opcode, std::uint16_t id = 1);
    static nvme::SubmissionEntry make(nvme::AdminOpcode opcode, std::uint16_t id = 1);
    static nvme::SubmissionEntry make(nvme::IoOpcode opcode, std::uint16_t id = 1);
    void put(std::uint32_t id, const nvme::SubmissionEntry& submission);
    void ringSq(std::uint32_t id) { write(nvme::reg::doorbells + id * 8, queues[id].tail); }
    void ringCq(std::uint32_t id) { write(nvme::reg::doorbells + id * 8 + 4, queues[id].head); }
    // Takes the entries of the completion queue, without the doorbell.
    std::vector<nvme::CompletionEntry> take(std::uint32_t id);
    // One command, its completion awaited and acknowledged. REQUIRES: nothing else is outstanding in the queue.
    nvme::CompletionEntry execute(std::uint32_t id, const nvme::SubmissionEntry& submission);
    nvme::NvmeStatus status(std::uint32_t id, const nvme::SubmissionEntry& submission);

    nvme::SubmissionEntry createCq(std::uint32_t id, std::uint32_t entries, std::uint32_t vector = 0) const;
    nvme::SubmissionEntry createSq(std::uint32_t id, std::uint32_t entries, std::uint32_t cq) const;
    void createPair(std::uint32_t id, std::uint32_t entries = 8);
    static nvme::SubmissionEntry blocks(nvme::IoOpcode opcode, std::uint64_t lba, std::uint32_t sectors,
                                        std::uint16_t id = 1);

    static nvme::SubmissionEntry feature(nvme::AdminOpcode opcode, nvme::Feature number, std::uint32_t value = 0);

    // The data window of slot 0.
    void driveReady(std::uint64_t, std::uint32_t, Time) override {}
    void completed(std::uint16_t, host::CommandStatus, Time) override {}
    void fillWriteData(std::uint16_t, std::uint32_t first, std::uint32_t sectors, Content destination) override;
    void takeReadData(std::uint16_t, std::uint32_t first, std::uint32_t sectors, Content source) override;
};

} // namespace strobe::test
