// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_registers.h"

#include <algorithm>

namespace strobe::host::nvme {

namespace {

constexpr std::uint32_t field(std::uint32_t value, std::uint32_t shift, std::uint32_t bits)
{
    return value >> shift & ((1U << bits) - 1);
}

constexpr std::uint32_t largestPage = 4; // MPSMAX: 64 KiB
constexpr std::uint32_t weightedSupported = 1U << 17U;
constexpr std::uint32_t contiguousRequired = 1U << 16U;
constexpr std::uint32_t timeout = 20; // CAP.TO, in units of 500 ms
constexpr std::uint32_t writableControl = 0x00FF'FFF1;

} // namespace

std::uint32_t ControllerRegisters::read(std::uint32_t offset) const
{
    switch (offset) {
    case reg::CAP: return (entries_ - 1) | contiguousRequired | weightedSupported | timeout << 24U;
    case reg::CAP + 4: // NVM command set, MPSMAX
        return doorbellStride_ | 1U << 5U | (hasZones_ ? capCommandSets : 0U) | largestPage << 20U;
    case reg::VS: return version;
    case reg::CC: return cc_;
    case reg::CSTS: return csts_;
    case reg::AQA: return aqa_;
    case reg::ASQ: return static_cast<std::uint32_t>(asq_);
    case reg::ASQ + 4: return static_cast<std::uint32_t>(asq_ >> 32);
    case reg::ACQ: return static_cast<std::uint32_t>(acq_);
    case reg::ACQ + 4: return static_cast<std::uint32_t>(acq_ >> 32);
    default: return 0;
    }
}

ControllerRegisters::Written ControllerRegisters::write(std::uint32_t offset, std::uint32_t value)
{
    constexpr std::uint64_t low = 0xFFFF'FFFF;
    constexpr std::uint32_t pageMask = 0xFFF;
    const auto setLow = [&](std::uint64_t& target) { target = (target & ~low) | (value & ~pageMask); };
    const auto setHigh = [&](std::uint64_t& target) { target = (target & low) | std::uint64_t{value} << 32; };
    switch (offset) {
    case reg::CC: return {true, configure(value & writableControl)};
    case reg::AQA: aqa_ = value & 0x0FFF'0FFF; break;
    case reg::ASQ: setLow(asq_); break;
    case reg::ASQ + 4: setHigh(asq_); break;
    case reg::ACQ: setLow(acq_); break;
    case reg::ACQ + 4: setHigh(acq_); break;
    default: break; // read-only or reserved
    }
    return {};
}

ControllerRegisters::Request ControllerRegisters::configure(std::uint32_t value)
{
    const bool wasEnabled = (cc_ & ccEnable) != 0;
    const bool isEnabled = (value & ccEnable) != 0;
    const bool isShutdownRequested = field(cc_, 14, 2) == 0 && field(value, 14, 2) != 0;
    cc_ = value;
    if (wasEnabled != isEnabled)
        return isEnabled ? Request::Enable : Request::Reset;
    return isEnabled && isShutdownRequested ? Request::ShutDown : Request::None;
}

std::optional<ControllerRegisters::AdminQueues> ControllerRegisters::enable()
{
    const std::uint32_t page = field(cc_, 7, 4);
    const std::uint32_t arbitration = field(cc_, 11, 3);
    const AdminQueues queues{arbitration == 1 ? Arbitration::Weighted : Arbitration::RoundRobin, asq_,
                             field(aqa_, 0, 12) + 1, acq_, field(aqa_, 16, 12) + 1};
    pageBytes_ = 4096U << std::min(page, largestPage);
    const std::uint32_t commandSets = field(cc_, 4, 3);
    const bool areSupported = commandSets == 0 || (hasZones_ && commandSets == field(ccAllCommandSets, 4, 3));
    if (!areSupported || page > largestPage || arbitration > 1 || queues.sqEntries < 2 || queues.cqEntries < 2 ||
        asq_ % pageBytes_ != 0 || acq_ % pageBytes_ != 0)
        return std::nullopt;
    isConfigured_ = true;
    return queues;
}

void ControllerRegisters::reset()
{
    isConfigured_ = isFlushPending_ = false;
    csts_ &= ~(cstsFatal | cstsShutdownMask);
}

void ControllerRegisters::updateReady(bool isDriveIdle)
{
    if (!isDriveIdle)
        return;
    if ((cc_ & ccEnable) == 0)
        csts_ &= ~cstsReady;
    else if (isDriveReady_ && isConfigured_)
        csts_ |= cstsReady;
}

void ControllerRegisters::shutDown()
{
    isFlushPending_ = true;
    csts_ = (csts_ & ~cstsShutdownMask) | cstsShutdownBusy;
}

} // namespace strobe::host::nvme
