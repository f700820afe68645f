// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_data.h"

#include "models/base/check.h"

#include <algorithm>
#include <cstring>

namespace strobe::host::nvme {

namespace {

template <class Each>
void eachPiece(const PrpPages& pages, const TransferOrder& order, Each each)
{
    pages.eachPiece(std::uint64_t{order.first} * sectorBytes, std::uint64_t{order.sectors} * sectorBytes, each);
}

// Pieces consist of whole sectors unless the data starts within a sector.
bool isWhole(const PrpPages& pages)
{
    return pages.offset() % sectorBytes == 0;
}

bool writeHost(HostMemory& memory, const PrpPages& pages, const TransferOrder& order, Content content)
{
    bool isReachable = true;
    eachPiece(pages, order, [&](std::uint64_t address, std::uint64_t done, std::uint32_t part) {
        const bool moved = isWhole(pages) ? memory.writeSectors(address, part / std::uint32_t{sectorBytes},
                                                                content.at(done / sectorBytes))
                                          : memory.write(address, content.data + done, part);
        isReachable = isReachable && moved;
    });
    return isReachable;
}

bool readHost(HostMemory& memory, const PrpPages& pages, const TransferOrder& order, Content content)
{
    bool isReachable = true;
    eachPiece(pages, order, [&](std::uint64_t address, std::uint64_t done, std::uint32_t part) {
        const bool moved = isWhole(pages) ? memory.readSectors(address, part / std::uint32_t{sectorBytes},
                                                               content.at(done / sectorBytes))
                                          : memory.read(address, content.data + done, part);
        isReachable = isReachable && moved;
    });
    return isReachable;
}

} // namespace

Content DataMover::staged(std::uint32_t sectors)
{
    staging_.resize(std::max(staging_.size(), sectors * stride(mode_)));
    return staging_.empty() ? Content{} : Content{staging_.data(), mode_};
}

bool DataMover::toHost(const PrpPages& pages, const TransferOrder& order, bool isDropped, Time now)
{
    check(order.sectors > 0, "a transfer of no sectors");
    const Content content = staged(order.sectors);
    const Time inMemory = drive_->accessBuffer(order.handle, 0, order.sectors, content, now);
    TlpTrain train;
    std::uint32_t last = 0;
    eachPiece(pages, order, [&](std::uint64_t address, std::uint64_t, std::uint32_t part) {
        train.add(writeTrain(port_.config(), address, part));
        last = std::min(part, port_.config().maxPayload) + requestOverhead(port_.config(), address);
    });
    const bool isReachable = isDropped || writeHost(memory_, pages, order, content);
    const Time sent = port_.link().sendUp(train, now) - port_.config().latency;
    // The last packet follows the last byte from the drive's memory.
    port_.endTransfer(order.handle, std::max(sent, inMemory + port_.link().lineTime(last)));
    return isReachable;
}

void DataMover::requestFromHost(const PrpPages& pages, const TransferOrder& order, Time now)
{
    check(order.sectors > 0, "a transfer of no sectors");
    TlpTrain requests;
    TlpTrain completions;
    eachPiece(pages, order, [&](std::uint64_t address, std::uint64_t, std::uint32_t part) {
        requests.add(requestTrain(port_.config(), address, part));
        completions.add(completionTrain(port_.config(), address, part));
    });
    port_.readData(order, requests, completions, now);
}

// The drive's memory is taken from the first byte on.
bool DataMover::fromHost(const PrpPages& pages, const PciePort::Read& read, Time now)
{
    const Content content = staged(read.order.sectors);
    const bool isReachable = readHost(memory_, pages, read.order, content);
    if (!isReachable)
        clearSectors(content, read.order.sectors);
    const Time inMemory = drive_->accessBuffer(read.order.handle, 0, read.order.sectors, content, now);
    port_.endTransfer(read.order.handle, std::max(read.last, inMemory));
    return isReachable;
}

DataMover::Comparison DataMover::compare(const PrpPages& pages, const PciePort::Read& read, bool isDropped, Time now)
{
    const std::uint32_t sectors = read.order.sectors;
    const Content both = staged(2 * sectors);
    const Content host = both.empty() ? Content{} : both.at(sectors);
    const Time inMemory = drive_->accessBuffer(read.order.handle, 0, sectors, both, now);
    port_.endTransfer(read.order.handle, std::max(read.last, inMemory));
    if (isDropped || both.empty())
        return Comparison::Equal;
    if (!readHost(memory_, pages, read.order, host))
        return Comparison::Unreachable;
    return std::memcmp(both.data, host.data, sectors * stride(mode_)) == 0 ? Comparison::Equal : Comparison::Different;
}

void DataMover::zeroes(const TransferOrder& order, Time now)
{
    const Content content = staged(order.sectors);
    clearSectors(content, order.sectors);
    inside(order, content, now);
}

void DataMover::inside(const TransferOrder& order, Content content, Time now)
{
    check(order.sectors > 0, "a transfer of no sectors");
    port_.endTransfer(order.handle, drive_->accessBuffer(order.handle, 0, order.sectors, content, now));
}

} // namespace strobe::host::nvme
