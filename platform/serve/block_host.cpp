// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/block_host.h"

#include "models/base/check.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strobe::platform::serve {

BlockHost::BlockHost(std::uint32_t unitSectors) : unitSectors_(unitSectors)
{
    check(unitSectors_ != 0, "mapping units have sectors");
}

// --- requests --------------------------------------------------------------------------------------------------------

std::uint64_t BlockHost::submit(BlockRequest request, Time now)
{
    check(isReady(), "a request before the drive is ready");
    check(request.lba <= capacitySectors_ && request.sectors <= capacitySectors_ - request.lba &&
              (request.sectors == 0) == (request.kind == BlockKind::Flush),
          "a request outside the drive");
    const std::uint64_t ticket = tickets_++;
    Active& active = active_[ticket];
    active.request = std::move(request);
    active.arrived = now;
    if (active.request.kind == BlockKind::Read)
        active.request.data.resize(active.request.sectors * sectorBytes);
    plan(ticket, active);
    pump(now);
    return ticket;
}

void BlockHost::plan(std::uint64_t ticket, Active& active)
{
    const BlockRequest& request = active.request;
    const std::uint64_t end = request.lba + request.sectors;
    switch (request.kind) {
    case BlockKind::Read: add(ticket, host::RequestKind::Read, request.lba, request.sectors); break;
    case BlockKind::Write: add(ticket, host::RequestKind::Write, request.lba, request.sectors); break;
    case BlockKind::Flush: addFlush(ticket); break;
    case BlockKind::Trim:
        active.flushFollows = request.fua;
        add(ticket, host::RequestKind::Trim, request.lba, request.sectors);
        break;
    case BlockKind::Zero: {
        const std::uint64_t first = (request.lba + unitSectors_ - 1) / unitSectors_ * unitSectors_;
        const std::uint64_t last = end / unitSectors_ * unitSectors_;
        if (!request.mayTrim || first >= last) {
            add(ticket, host::RequestKind::Write, request.lba, request.sectors);
            break;
        }
        active.flushFollows = request.fua;
        add(ticket, host::RequestKind::Write, request.lba, first - request.lba);
        add(ticket, host::RequestKind::Trim, first, last - first);
        add(ticket, host::RequestKind::Write, last, end - last);
        break;
    }
    }
}

void BlockHost::add(std::uint64_t ticket, host::RequestKind kind, std::uint64_t lba, std::uint64_t sectors)
{
    Active& active = active_.at(ticket);
    while (sectors != 0) {
        host::Request command;
        command.kind = kind;
        command.fua = kind == host::RequestKind::Write && active.request.fua && !active.flushFollows;
        command.lba = lba;
        command.sectors = static_cast<std::uint32_t>(std::min<std::uint64_t>(sectors, mostCommandSectors));
        waiting_.push_back({ticket, command});
        ++active.open;
        lba += command.sectors;
        sectors -= command.sectors;
    }
}

void BlockHost::addFlush(std::uint64_t ticket)
{
    host::Request command;
    command.kind = host::RequestKind::Flush;
    waiting_.push_back({ticket, command});
    ++active_.at(ticket).open;
}

void BlockHost::pump(Time now)
{
    while (!waiting_.empty() && !commands_.isFull()) {
        const Waiting next = waiting_.front();
        waiting_.pop_front();
        host::OutstandingCommand command;
        command.request = next.command;
        command.arrived = active_.at(next.ticket).arrived;
        command.issued = now;
        command.number = next.ticket;
        if (commands_.count() == 0)
            lastEnd_ = now;
        const std::uint16_t slot = commands_.add(command);
        if (!phases_.empty())
            ++phases_.back().issued;
        link_->issue({slot, next.command.kind, next.command.fua, next.command.lba, next.command.sectors}, now);
    }
}

void BlockHost::dropWaiting()
{
    const std::deque<Waiting> dropped = std::exchange(waiting_, {});
    for (const Waiting& one : dropped) {
        Active& active = active_.at(one.ticket);
        active.flushFollows = false;
        active.status = host::CommandStatus::DeviceFault;
        if (--active.open == 0)
            end(one.ticket);
    }
}

void BlockHost::end(std::uint64_t ticket)
{
    auto node = active_.extract(ticket);
    ended_(ticket, node.mapped().status, node.mapped().request);
    if (changed_)
        changed_();
}

Time BlockHost::waitingSince() const
{
    return commands_.slots() == 0 || commands_.count() == 0 ? never : lastEnd_;
}

// --- the measured phase ----------------------------------------------------------------------------------------------

void BlockHost::beginPhase(Time now)
{
    host::PhaseResult& phase = phases_.emplace_back();
    phase.name = "served";
    phase.workload = "clients of a block device";
    phase.pacing = host::PacingMode::Open;
    phase.queueDepth = commands_.slots();
    phase.start = now;
    phase.end = now;
}

void BlockHost::endPhase(Time now)
{
    if (phases_.empty())
        return;
    phases_.back().end = now;
    phases_.back().isOver = true;
}

// --- the port --------------------------------------------------------------------------------------------------------

void BlockHost::driveReady(std::uint64_t capacitySectors, std::uint32_t slots, Time now)
{
    check(!isReady(), "the drive became ready twice");
    commands_.resize(slots);
    capacitySectors_ = capacitySectors;
    readyAt_ = now;
    if (changed_)
        changed_();
}

std::byte* BlockHost::dataAt(std::uint16_t slot, std::uint32_t first)
{
    const host::OutstandingCommand& command = commands_.at(slot);
    BlockRequest& request = active_.at(command.number).request;
    if (request.data.empty())
        return nullptr;
    return request.data.data() + (command.request.lba - request.lba + first) * sectorBytes;
}

void BlockHost::fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination)
{
    const std::byte* const source = dataAt(slot, first);
    if (source == nullptr)
        clearSectors(destination, sectors);
    else
        std::memcpy(destination.data, source, sectors * sectorBytes);
}

void BlockHost::takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source)
{
    std::memcpy(dataAt(slot, first), source.data, sectors * sectorBytes);
}

void BlockHost::completed(std::uint16_t slot, host::CommandStatus status, Time now)
{
    const host::OutstandingCommand command = commands_.at(slot);
    commands_.remove(slot);
    lastEnd_ = now;
    const bool isOk = status == host::CommandStatus::Ok;
    if (!phases_.empty())
        phases_.back().add(command.request, isOk, command.arrived, command.issued, now);
    Active& active = active_.at(command.number);
    if (!isOk && active.status == host::CommandStatus::Ok)
        active.status = status;
    if (--active.open == 0) {
        if (std::exchange(active.flushFollows, false) && active.status == host::CommandStatus::Ok)
            addFlush(command.number);
        else
            end(command.number);
    }
    pump(now);
}

} // namespace strobe::platform::serve
