// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_link.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::host {

namespace {

nvme::ControllerOptions options(const NvmeConfig& config)
{
    nvme::ControllerOptions options;
    options.queues = NvmeLink::maxQueues;
    options.entries = NvmeLink::maxEntries;
    options.hasVolatileCache = config.hasVolatileCache;
    options.powerLosses = config.powerLosses;
    options.namespaces = config.namespaces;
    options.powerStates = config.powerStates;
    options.writeCommands = config.writeCommands;
    return options;
}

} // namespace

NvmeLink::NvmeLink(const NvmeConfig& config, DataMode dataMode)
    : function_(config.pcie, options(config), dataMode, memory_), driver_(config, function_, memory_)
{
    check(config.queues >= 1 && config.queues <= maxQueues, "an NVMe port has 1 to 64 I/O queue pairs");
    check(config.queueEntries >= 2 && config.queueEntries <= maxEntries, "an NVMe queue has 2 to 4096 entries");
    function_.onMessage(
        [this](std::uint64_t address, std::uint32_t data, Time now) { driver_.message(address, data, now); });
}

void NvmeLink::connect(HostPort& drive, HostSide& host)
{
    host_ = &host;
    function_.connect(drive);
    driver_.connect(host);
    memory_.connect(host);
}

void NvmeLink::driveReady(Time now)
{
    function_.driveReady(now);
    driver_.start(now);
}

void NvmeLink::placed(std::uint16_t slot, std::uint64_t lba, Time now)
{
    function_.placed(slot, lba, now);
    const std::uint32_t origin = function_.controller().commandOf(slot).origin; // queue and identifier
    host_->placed(driver_.slotOf(origin >> 16U, origin & 0xFFFFU), lba);
}

void NvmeLink::advance(Time now)
{
    while (nextTime() <= now) { // this work may cause further due work
        function_.advance(now);
        driver_.advance(now);
    }
}

void NvmeLink::resetUsage()
{
    function_.resetUsage();
}

Time nvmeCommandTime(const NvmeConfig& config, bool isRead, std::uint32_t sectors)
{
    const PcieConfig& pcie = config.pcie;
    constexpr std::uint64_t high = std::uint64_t{1} << 32;
    const std::uint32_t bytes = sectors * std::uint32_t{sectorBytes};
    const auto oneWay = [&](std::uint64_t lineBytes) { return pcieLineTime(pcie, lineBytes) + pcie.latency; };
    const auto read = [&](std::uint32_t amount) {
        return oneWay(requestTrain(pcie, high, amount).bytes) + pcie.memoryLatency +
               oneWay(completionTrain(pcie, high, amount).bytes);
    };
    const Time doorbell = oneWay(tlpOverhead(pcie, 3) + 4);
    const Time fetch = read(nvme::submissionBytes);
    // The completion follows the data on the same line, so the data's own latency does not count.
    const Time data = isRead ? pcieLineTime(pcie, writeTrain(pcie, high, bytes).bytes) : read(bytes);
    const Time completion = pcieLineTime(pcie, writeTrain(pcie, high, nvme::completionBytes).bytes);
    const Time message = oneWay(tlpOverhead(pcie, 3) + 4);
    return config.submit + doorbell + fetch + data + completion + message + config.interrupt;
}

} // namespace strobe::host
