// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/ftl/superblock_map/durable_host.h"

#include <algorithm>
#include <string>

namespace strobe::test {

namespace {

[[noreturn]] void fail(const std::string& what)
{
    throw std::runtime_error("host: " + what);
}

} // namespace

DurableHost::DurableHost(std::uint32_t slots, std::uint32_t sectorsPerPage, std::uint64_t seed)
    : sectorsPerPage_(sectorsPerPage), rng_(seed, "durable host"), active_(slots)
{
}

void DurableHost::next(std::uint64_t commands)
{
    for (Active& active : active_)
        active = {};
    outstanding_ = 0;
    cursor_ = 0;
    left_ = commands;
    isReadOnly_ = false;
    phase_ = Phase::Reading;
}

void DurableHost::driveReady(std::uint64_t capacity)
{
    if (capacity_ != 0 && capacity_ != capacity)
        fail("the capacity has changed");
    capacity_ = capacity;
    if (sectors_.empty())
        sectors_.assign(capacity, {Write{0, 1}});
}

bool DurableHost::finished() const
{
    return phase_ == Phase::Over && outstanding_ == 0;
}

// --- next command ---------------------------------------------------------------------------------------------------

bool DurableHost::overlaps(const HostCommand& command) const
{
    return std::any_of(active_.begin(), active_.end(), [&](const Active& a) {
        return a.busy && a.command.kind != HostCommand::Flush && a.command.lba < command.lba + command.sectors &&
               command.lba < a.command.lba + a.command.sectors;
    });
}

bool DurableHost::random(HostCommand& command)
{
    const std::uint64_t dice = rng_.below(100);
    if (dice < 8) {
        command = {HostCommand::Flush, false, 0, 0};
        return true;
    }
    command.kind = dice < 13 && trims ? HostCommand::Trim : dice < 25 ? HostCommand::Read : HostCommand::Write;
    command.fua = command.kind == HostCommand::Write && rng_.chance(0.03);
    command.lba = rng_.below(rng_.chance(0.6) ? capacity_ / 8 : capacity_);
    const std::uint64_t most = rng_.chance(0.05) ? 300 : rng_.chance(0.3) ? 48 : 6;
    command.sectors = static_cast<std::uint32_t>(std::min(1 + rng_.below(most), capacity_ - command.lba));
    return !overlaps(command);
}

bool DurableHost::issue(std::uint32_t slot, HostCommand& command)
{
    const bool reads = phase_ == Phase::Reading || phase_ == Phase::Checking;
    if (reads && cursor_ < capacity_) {
        command = {HostCommand::Read, false, cursor_,
                   static_cast<std::uint32_t>(std::min<std::uint64_t>(64, capacity_ - cursor_))};
        cursor_ += command.sectors;
    } else if (phase_ == Phase::Working && left_ != 0) {
        if (!random(command))
            return false;
        --left_;
    } else if (phase_ == Phase::Flushing && cursor_ == 0) {
        command = {HostCommand::Flush, false, 0, 0};
        cursor_ = 1;
    } else {
        return false;
    }
    Active& active = active_[slot];
    active = {command, 0, ++clock_, std::vector<SectorTag>(command.sectors, ~SectorTag{0}), true};
    ++outstanding_;
    if (command.kind == HostCommand::Write)
        active.version = nextVersion_++;
    forEach(command, &DurableHost::begin, active);
    return true;
}

// --- data -----------------------------------------------------------------------------------------------------------

// The sectors that a write or a trim changes.
void DurableHost::forEach(const HostCommand& command, void (DurableHost::*what)(std::uint64_t, const Active&),
                          const Active& active)
{
    if (command.kind != HostCommand::Write && command.kind != HostCommand::Trim)
        return;
    const std::uint64_t unit = command.kind == HostCommand::Trim ? sectorsPerPage_ : 1;
    const std::uint64_t first = (command.lba + unit - 1) / unit * unit;
    const std::uint64_t end = (command.lba + command.sectors) / unit * unit;
    for (std::uint64_t lba = first; lba < end; ++lba)
        (this->*what)(lba, active);
}

void DurableHost::begin(std::uint64_t lba, const Active& active)
{
    sectors_[lba].push_back({active.version, 0});
}

void DurableHost::end(std::uint64_t lba, const Active& active)
{
    sectors_[lba].back().completed = clock_;
    if (active.command.fua)
        makeDurable(lba, clock_ + 1);
}

// Versions that were complete before are durable.
void DurableHost::makeDurable(std::uint64_t lba, std::uint64_t before)
{
    auto& all = sectors_[lba];
    auto last = all.end();
    for (auto write = all.begin(); write != all.end(); ++write) {
        if (write->completed != 0 && write->completed < before)
            last = write;
    }
    if (last != all.end())
        all.erase(all.begin(), last);
}

SectorTag DurableHost::written(std::uint32_t slot, std::uint32_t sector)
{
    const Active& active = active_[slot];
    if (!active.busy || active.command.kind != HostCommand::Write)
        fail("write data requested for a command that is not a write");
    return makeTag(static_cast<std::uint32_t>(active.command.lba + sector), active.version);
}

void DurableHost::read(std::uint32_t slot, std::uint32_t sector, SectorTag tag)
{
    Active& active = active_[slot];
    const std::uint64_t lba = active.command.lba + sector;
    if (!active.busy || active.command.kind != HostCommand::Read)
        fail("read data sent for a command that is not a read");
    if (!isTagIntact(tag) || (tag != 0 && tagLba(tag) != lba))
        fail("sector " + std::to_string(lba) + " returned data that was never written to it");
    active.data[sector] = tag;
}

// A read without other commands in progress returns one of the versions that are left; it is durable from now on,
// unless the drive has refused the flush before it.
void DurableHost::check(const Active& active)
{
    for (std::uint32_t i = 0; i < active.command.sectors; ++i) {
        const std::uint64_t lba = active.command.lba + i;
        const std::uint32_t version = tagVersion(active.data[i]);
        auto& all = sectors_[lba];
        const auto found =
            std::find_if(all.rbegin(), all.rend(), [&](const Write& write) { return write.version == version; });
        if (found == all.rend())
            fail("sector " + std::to_string(lba) + " returned version " + std::to_string(version) + ", durable is " +
                 std::to_string(all.front().version) + ", the last one is " + std::to_string(all.back().version));
        if (phase_ == Phase::Checking &&
            std::any_of(all.rbegin(), found, [](const Write& write) { return write.completed != 0; }))
            fail("sector " + std::to_string(lba) + " lost a version without a loss of power");
        if (isReadOnly_)
            continue;
        lost_ += found != all.rbegin() ? 1u : 0u;
        all = {Write{version, clock_}};
    }
}

void DurableHost::end(const Active& active, HostStatus status)
{
    const HostCommand& command = active.command;
    if (status == HostStatus::DeviceFault && command.kind != HostCommand::Read) {
        ++refused_;
        isReadOnly_ = true;
        return;
    }
    if (status != HostStatus::Ok)
        fail("unexpected status " + std::to_string(static_cast<int>(status)));
    forEach(command, &DurableHost::end, active);
    if (command.kind == HostCommand::Flush) {
        ++flushes_;
        for (std::uint64_t lba = 0; lba < capacity_; ++lba)
            makeDurable(lba, active.issued);
    }
    if (command.kind == HostCommand::Read && (phase_ == Phase::Reading || phase_ == Phase::Checking))
        check(active);
}

void DurableHost::completed(std::uint32_t slot, HostStatus status)
{
    Active& active = active_[slot];
    ++clock_;
    ++completedCommands_;
    active.busy = false;
    --outstanding_;
    end(active, status);
    if (outstanding_ != 0)
        return;
    if (phase_ == Phase::Reading && cursor_ == capacity_) {
        phase_ = Phase::Working;
    } else if (phase_ == Phase::Working && left_ == 0) {
        phase_ = Phase::Flushing;
        cursor_ = 0;
    } else if (phase_ == Phase::Flushing && cursor_ == 1) {
        phase_ = Phase::Checking;
        cursor_ = 0;
    } else if (phase_ == Phase::Checking && cursor_ == capacity_) {
        phase_ = Phase::Over;
    }
}

} // namespace strobe::test
