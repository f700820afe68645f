// SPDX-License-Identifier: Apache-2.0
#include "models/host/direct_link.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::host {

void DirectLink::connect(HostPort& drive, HostSide& host)
{
    check(drive.slots() <= maxSlots, "a direct port has no more than 4096 command slots");
    drive_ = &drive;
    host_ = &host;
}

void DirectLink::driveReady(Time now)
{
    readyAt_ = now + config_.latency;
}

void DirectLink::issue(const Command& command, Time now)
{
    if (config_.latency == Time{})
        drive_->submit(command, now); // nothing to wait for
    else
        commands_.push({now + config_.latency, command, CommandStatus::Ok});
}

void DirectLink::complete(std::uint16_t slot, CommandStatus status, Time now)
{
    if (config_.latency == Time{}) {
        host_->completed(slot, status, now);
        return;
    }
    Command command;
    command.slot = slot;
    completions_.push({now + config_.latency, command, status});
}

void DirectLink::transfer(const TransferOrder& order, Time now)
{
    check(order.sectors > 0, "a transfer of zero sectors");
    if (const std::size_t bytes = order.sectors * stride(dataMode_); staging_.size() < bytes)
        staging_.resize(bytes);
    const Content content = staging_.empty() ? Content{} : Content{staging_.data(), dataMode_};
    if (!order.toHost)
        host_->fillWriteData(order.slot, order.first, order.sectors, content);
    const Time inMemory = drive_->accessBuffer(order.handle, 0, order.sectors, content, now);
    if (order.toHost)
        host_->takeReadData(order.slot, order.first, order.sectors, content);

    const std::size_t line = order.toHost ? 0 : 1;
    const Time across = lines_[line].reserve(now, transferTime(order.sectors * sectorBytes, config_.bytesPerSecond));
    data_[line].push({std::max(across, inMemory), order.handle});
}

void DirectLink::advance(Time now)
{
    if (readyAt_ <= now) {
        readyAt_ = never;
        host_->driveReady(drive_->capacitySectors(), drive_->slots(), now);
    }
    while (nextTime() <= now) { // this work may cause further due work
        for (RingQueue<Data>& data : data_) {
            while (!data.empty() && data.front().at <= now)
                drive_->transferDone(data.pop().handle, now);
        }
        while (!completions_.empty() && completions_.front().at <= now) {
            const Travelling completion = completions_.pop();
            host_->completed(completion.command.slot, completion.status, now);
        }
        while (!commands_.empty() && commands_.front().at <= now)
            drive_->submit(commands_.pop().command, now);
    }
}

Time DirectLink::nextTime() const
{
    Time next = readyAt_;
    if (!commands_.empty())
        next = std::min(next, commands_.front().at);
    if (!completions_.empty())
        next = std::min(next, completions_.front().at);
    for (const RingQueue<Data>& data : data_) {
        if (!data.empty())
            next = std::min(next, data.front().at);
    }
    return next;
}

void DirectLink::resetUsage()
{
    for (Resource& line : lines_)
        line.resetUsage();
}

} // namespace strobe::host
