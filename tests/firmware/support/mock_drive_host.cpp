// SPDX-License-Identifier: Apache-2.0
//
// The host's side of the mock drive: commands arrive, data moves, results go back.
#include "tests/firmware/support/mock_drive.h"

#include <algorithm>

namespace strobe::test {

void MockDrive::askHost()
{
    if (options_.stores) { // commands take no time either
        while (arriveNow())
            continue;
        return;
    }
    if (capacity_ == 0 || asking_ || supply_ != Supply::Good || host_->finished())
        return;
    const auto slot = std::find(slotBusy_.begin(), slotBusy_.end(), false) - slotBusy_.begin();
    HostCommand command;
    if (slot == static_cast<std::ptrdiff_t>(slotBusy_.size()) ||
        !host_->issue(static_cast<std::uint32_t>(slot), command))
        return;
    slotBusy_[static_cast<std::size_t>(slot)] = true;
    ++outstanding_;
    asking_ = true;
    at(someTime(rng_.chance(0.02) ? 3000 : 30), [this, slot, command] {
        asking_ = false;
        if (supply_ == Supply::Good)
            arrive(static_cast<std::uint32_t>(slot), command);
    });
}

std::uint32_t MockDrive::store(const hal_strip& strip)
{
    std::vector<SectorTag> tags;
    if (flash_->fails(strip)) // the host is asked for the sectors again
        tags.resize(strip.sectors);
    for (const hal_piece* piece = strip.pieces; tags.size() < strip.sectors; ++piece) {
        if (!slotBusy_.at(piece->command))
            refuse("a strip holds sectors of a slot without a command");
        for (std::uint32_t i = 0; i < piece->sectors && tags.size() < strip.sectors; ++i)
            tags.push_back(host_->written(piece->command, piece->first + i));
    }
    return flash_->store(strip, tags);
}

bool MockDrive::arriveNow()
{
    const auto slot = std::find(slotBusy_.begin(), slotBusy_.end(), false) - slotBusy_.begin();
    HostCommand command;
    if (capacity_ == 0 || host_->finished() || slot == static_cast<std::ptrdiff_t>(slotBusy_.size()) ||
        !host_->issue(static_cast<std::uint32_t>(slot), command))
        return false;
    slotBusy_[static_cast<std::size_t>(slot)] = true;
    ++outstanding_;
    arrive(static_cast<std::uint32_t>(slot), command);
    return true;
}

void MockDrive::arrive(std::uint32_t slot, const HostCommand& command)
{
    std::uint32_t* record = words(commands_ + 32 * slot);
    record[0] = command.kind | (command.fua ? 0x100u : 0) | command.placement << 16;
    record[1] = static_cast<std::uint32_t>(command.lba);
    record[2] = static_cast<std::uint32_t>(command.lba >> 32);
    record[3] = command.sectors;
    if (feeder_.sectors != 0 && command.kind == HostCommand::Write && command.sectors != 0) {
        feeder_.slots.push_back(slot);
        feed();
    } else {
        put(hostRing_, 1, slot, 0, 0);
    }
}

// The next piece of the oldest write, as soon as there is space for it; at most one piece is in progress at a time.
void MockDrive::feed()
{
    if (feeder_.busy || feeder_.slots.empty())
        return;
    const std::uint32_t slot = feeder_.slots.front();
    const std::uint32_t all = words(commands_ + 32 * slot)[3];
    const std::uint32_t place = feeder_.taken % feeder_.sectors;
    const std::uint32_t sectors = std::min({all - feeder_.done, feeder_.piece, feeder_.sectors - place});
    if (feeder_.taken + sectors - feeder_.released > feeder_.sectors)
        return;
    const std::uint32_t number = feeder_.taken;
    const std::uint32_t first = feeder_.done;
    feeder_.busy = true;
    feeder_.taken += sectors;
    feeder_.done += sectors;
    if (feeder_.done == all) {
        feeder_.slots.pop_front();
        feeder_.done = 0;
    }
    at(someTime(8), [this, slot, number, first, sectors, place] {
        SectorTag* to = tags(feeder_.base + place * 512, sectors);
        for (std::uint32_t i = 0; i < sectors; ++i)
            to[i] = host_->written(slot, first + i);
        put(hostRing_, 3, slot, number, first | (sectors - 1) << 16);
        feeder_.busy = false;
        feed();
    });
}

void MockDrive::complete(std::uint32_t slot, HostStatus status)
{
    if (!slotBusy_.at(slot))
        refuse("completion of a slot without a command");
    const auto end = [this, slot, status] {
        if (supply_ != Supply::Good)
            return;
        slotBusy_[slot] = false;
        --outstanding_;
        host_->completed(slot, status);
    };
    if (options_.stores)
        end();
    else
        at(someTime(5), end);
}

void MockDrive::startTransfer()
{
    const Transfer& transfer = transfers_.front();
    if (!slotBusy_.at(transfer.slot))
        refuse("transfer for a slot without a command");
    at(someTime(8), [this] { endTransfer(); });
}

// Data moves at the end: a firmware access to the buffer before its event is an error that becomes visible.
void MockDrive::endTransfer()
{
    if (supply_ != Supply::Good)
        return;
    const Transfer transfer = transfers_.front();
    transfers_.pop_front();
    ++transferCount_;
    SectorTag* buffer = tags(transfer.buffer, transfer.sectors);
    for (std::uint32_t i = 0; i < transfer.sectors; ++i) {
        if (transfer.toHost)
            host_->read(transfer.slot, transfer.first + i, buffer[i]);
        else
            buffer[i] = host_->written(transfer.slot, transfer.first + i);
    }
    if (transfer.notify)
        put(hostRing_, 2, transfer.slot, transfer.cookie, 0);
    if (transfer.complete)
        complete(transfer.slot, HostStatus::Ok);
    if (!transfers_.empty())
        startTransfer();
}

} // namespace strobe::test
