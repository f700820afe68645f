#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The parts of an NVMe controller below its registers, with a link, host memory and one open queue pair, for tests of
// one part without a controller. Submissions are passed to the parts directly; completions are read from host memory.

#include "models/host/nvme/nvme_completions.h"
#include "models/host/nvme/nvme_pcie_port.h"
#include "models/host/nvme/nvme_queue_manager.h"

#include <vector>

namespace strobe::test {

namespace nvme = host::nvme;

// Host memory that holds user data as bytes too, as the memory of another platform does.
class ByteMemory final : public host::HostMemory {
public:
    std::uint64_t allocate(std::uint64_t bytes) { return pages_.allocate(bytes); }
    bool read(std::uint64_t address, void* destination, std::uint32_t bytes) override
    {
        return pages_.read(address, destination, bytes);
    }
    bool write(std::uint64_t address, const void* source, std::uint32_t bytes) override
    {
        return pages_.write(address, source, bytes);
    }
    bool readSectors(std::uint64_t address, std::uint32_t sectors, Content destination) override
    {
        return read(address, destination.data, sectors * std::uint32_t{sectorBytes});
    }
    bool writeSectors(std::uint64_t address, std::uint32_t sectors, Content source) override
    {
        return write(address, source.data, sectors * std::uint32_t{sectorBytes});
    }

private:
    host::DriverMemory pages_;
};

struct Parts {
    static constexpr std::uint32_t pageBytes = 4096;
    static constexpr std::uint32_t entries = 8;

    host::PcieLink link{host::PcieConfig{}};
    ByteMemory memory;
    nvme::QueueManager queues{{4, 4096, 5, 0}};
    nvme::Interrupts interrupts{5};
    nvme::PciePort port{link, memory, 0xFE00'0000};
    nvme::CompletionPath completions{queues, interrupts, port};
    std::uint64_t sq = memory.allocate(entries * 64);
    std::uint64_t cq = memory.allocate(entries * 16);
    std::vector<nvme::PciePort::Arrival> arrivals; // all but Kind::None
    Time now{};

    Parts() { queues.openAdmin(sq, entries, cq, entries); }

    // Takes everything in flight; `each` gets the arrivals.
    template <class Each>
    void run(Each each)
    {
        while (port.nextTime() != never) {
            now = port.nextTime();
            const nvme::PciePort::Arrival arrival = port.take(now);
            if (arrival.kind == nvme::PciePort::Arrival::Kind::None)
                continue;
            arrivals.push_back(arrival);
            each(arrival);
        }
    }
    void run();
    // Fetches `commands` admin commands, as the controller does before it completes them.
    void fetchAdmin(std::uint32_t commands = 1);
    nvme::CompletionEntry completion(std::uint32_t index);
    static nvme::SubmissionEntry create(std::uint32_t id, std::uint32_t size, std::uint32_t dword11,
                                        std::uint64_t base);
};

} // namespace strobe::test
