// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_transfers.h"

#include "models/base/check.h"

namespace strobe::host {

std::string HostTransfers::bufferFault(std::uint32_t address, std::uint32_t sectors) const
{
    const std::uint64_t bytes = std::uint64_t{sectors} * sectorBytes;
    if (address % sectorBytes != 0)
        return "the buffer address " + std::to_string(address) + " is not a multiple of 512";
    if (bytes > dataBuffer_.size || !dataBuffer_.contains(BusAddress{address}, static_cast<std::uint32_t>(bytes)))
        return std::to_string(sectors) + " sectors at address " + std::to_string(address) + " leave the data buffer";
    return {};
}

std::uint64_t HostTransfers::add(const HostTransfer& transfer)
{
    if (free_.empty()) {
        free_.push_back(transfers_.size());
        transfers_.emplace_back();
    }
    const std::uint64_t handle = free_.back();
    free_.pop_back();
    transfers_[handle] = transfer;
    return handle;
}

Time HostTransfers::access(std::uint64_t handle, std::uint32_t firstSector, std::uint32_t sectors, Content content,
                           Time at)
{
    const HostTransfer& transfer = transfers_[handle];
    if (transfer.isDirect) {
        copySectors(content, transfer.direct.at(firstSector), sectors);
        return at;
    }
    const BusAddress address{transfer.buffer + firstSector * std::uint32_t{sectorBytes}};
    const Time end = memory_.move(address, sectors * std::uint32_t{sectorBytes}, content, !transfer.toHost, at);
    check(end != never, "the data buffer of the host interface is not the memory's");
    return end;
}

HostTransfer HostTransfers::remove(std::uint64_t handle)
{
    free_.push_back(handle);
    return transfers_[handle];
}

} // namespace strobe::host
