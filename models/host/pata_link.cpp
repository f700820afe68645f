// SPDX-License-Identifier: Apache-2.0
#include "models/host/pata_link.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::host {

PataLink::PataLink(const PataConfig& config, DataMode dataMode) : config_(config), dataMode_(dataMode), timing_(config)
{
    for (Burst& burst : bursts_)
        burst.staging.resize(config.burstBytes / sectorBytes * stride(dataMode));
}

void PataLink::connect(HostPort& drive, HostSide& host)
{
    check(drive.slots() <= maxSlots, "a parallel ATA port has one command slot");
    drive_ = &drive;
    host_ = &host;
}

void PataLink::resetUsage()
{
    line_.resetUsage();
    counters_ = {};
}

void PataLink::occupy(Time arrived, Time start, Time duration)
{
    line_.account(arrived, start, duration);
    wakeAt_ = start + duration;
    line_.holdUntil(wakeAt_);
}

// --- requests of the two sides --------------------------------------------------------------------------------------

void PataLink::driveReady(Time now)
{
    step_ = Step::StartUp;
    const Time software = 2 * (config_.submit + config_.interrupt);
    occupy(now, now, timing_.startUp());
    wakeAt_ += software;
}

void PataLink::issue(const Command& command, Time now)
{
    check(step_ == Step::Idle, "a second command on a parallel ATA port, or one before the drive was identified");
    const bool movesData = command.kind == RequestKind::Read || command.kind == RequestKind::Write;
    check(!movesData || (command.sectors > 0 && command.sectors <= pataMaxCommandSectors),
          "a parallel ATA command moves 1 to 65,536 sectors");
    step_ = Step::Command;
    command_ = command;
    const Time start = now + config_.submit;
    occupy(start, start, timing_.command());
}

void PataLink::transfer(const TransferOrder& order, Time now)
{
    check(order.sectors > 0, "a transfer of no sectors");
    orders_.push({order, 0});
    if (step_ == Step::Working && !isOnLine_ && !isPrepared_)
        pump(now);
}

void PataLink::complete(std::uint16_t, CommandStatus status, Time now)
{
    check(step_ == Step::Working && orders_.empty() && !isPrepared_ && !isOnLine_,
          "a completion before its data has moved");
    step_ = Step::Status;
    status_ = status;
    const Time start = now + config_.interrupt;
    occupy(start, start, timing_.status());
}

void PataLink::advance(Time now)
{
    if (now < wakeAt_)
        return;
    wakeAt_ = never;
    switch (step_) {
    case Step::Idle: break;
    case Step::StartUp:
        step_ = Step::Idle;
        host_->driveReady(drive_->capacitySectors(), drive_->slots(), now);
        break;
    case Step::Command: commandArrived(now); break;
    case Step::Trim: trimArrived(now); break;
    case Step::Working: isOnLine_ ? finishBurst(now) : startBurst(now); break;
    case Step::Status:
        step_ = Step::Idle;
        host_->completed(command_.slot, status_, now);
        break;
    }
}

// --- commands --------------------------------------------------------------------------------------------------------

void PataLink::commandArrived(Time now)
{
    if (command_.kind == RequestKind::Trim) {
        step_ = Step::Trim;
        constexpr std::uint64_t blockSectors = std::uint64_t{pataRangesPerBlock} * 65'535;
        const std::uint64_t blocks = std::max<std::uint64_t>((command_.sectors + blockSectors - 1) / blockSectors, 1);
        const auto bytes = static_cast<std::uint32_t>(blocks * sectorBytes);
        Time duration{};
        for (std::uint32_t done = 0; done < bytes; done += config_.burstBytes, ++counters_.bursts)
            duration += timing_.burst(std::min(config_.burstBytes, bytes - done));
        occupy(now, now, duration);
        return;
    }
    step_ = Step::Working;
    drive_->submit(command_, now);
}

void PataLink::trimArrived(Time now)
{
    step_ = Step::Working;
    drive_->submit(command_, now);
}

// --- data ------------------------------------------------------------------------------------------------------------

bool PataLink::prepare(Burst& burst, Time now)
{
    if (orders_.empty())
        return false;
    Order& front = orders_.front();
    const TransferOrder& order = front.order;
    burst.handle = order.handle;
    burst.toHost = order.toHost;
    burst.first = order.first + front.taken;
    burst.inTransfer = front.taken;
    burst.sectors = std::min(config_.burstBytes / std::uint32_t{sectorBytes}, order.sectors - front.taken);
    front.taken += burst.sectors;
    burst.isLast = front.taken == order.sectors;
    burst.firstReady = now;
    burst.memoryEnd = now;
    if (burst.isLast)
        orders_.pop();
    if (burst.toHost) {
        burst.memoryEnd = drive_->accessBuffer(burst.handle, burst.inTransfer, burst.sectors, staged(burst), now);
        burst.firstReady = now + (burst.memoryEnd - now) / burst.sectors;
    }
    return true;
}

void PataLink::pump(Time now)
{
    Burst& burst = bursts_[current_];
    if (!isPrepared_)
        isPrepared_ = prepare(burst, now);
    if (!isPrepared_)
        return;
    if (burst.firstReady > now)
        wakeAt_ = burst.firstReady;
    else
        startBurst(now);
}

void PataLink::startBurst(Time now)
{
    Burst& burst = bursts_[current_];
    const std::uint32_t bytes = burst.sectors * std::uint32_t{sectorBytes};
    isOnLine_ = true;
    const std::size_t other = 1 - current_;
    Time dataEnd = burst.memoryEnd + timing_.sector();
    if (!burst.toHost) {
        host_->fillWriteData(command_.slot, burst.first, burst.sectors, staged(burst));
        dataEnd = burst.memoryEnd =
            drive_->accessBuffer(burst.handle, burst.inTransfer, burst.sectors, staged(burst), now);
    }
    const Time own = timing_.burst(bytes);
    const Time duration = std::max(own, dataEnd - now);
    ++counters_.bursts;
    counters_.hostPaused += own - timing_.overhead() - timing_.onLine(bytes);
    counters_.held += duration - own;
    occupy(burst.firstReady, now, duration);
    isPrepared_ = burst.toHost && prepare(bursts_[other], now); // the one after it
}

void PataLink::finishBurst(Time now)
{
    const std::size_t done = current_;
    current_ = 1 - current_;
    isOnLine_ = false;
    Burst& burst = bursts_[done];
    if (burst.toHost)
        host_->takeReadData(command_.slot, burst.first, burst.sectors, staged(burst));
    if (burst.isLast)
        drive_->transferDone(burst.handle, now); // may complete the command
    if (step_ == Step::Working && !isOnLine_)
        pump(now);
}

} // namespace strobe::host
