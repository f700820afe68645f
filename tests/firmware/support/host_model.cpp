// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/host_model.h"

#include <algorithm>
#include <string>

namespace strobe::test {

namespace {

constexpr std::uint32_t anything = 0xFFFFFFFF; // a candidate that any data agrees with

[[noreturn]] void fail(const std::string& what)
{
    throw std::runtime_error("host: " + what);
}

} // namespace

HostModel::HostModel(std::uint32_t slots, std::uint32_t sectorsPerPage, std::uint64_t seed)
    : sectorsPerPage_(sectorsPerPage), rng_(seed, "host model"), active_(slots), isActive_(slots, false)
{
}

void HostModel::driveReady(std::uint64_t capacity)
{
    if (capacity_ != 0) {
        if (capacity != capacity_)
            fail("the drive has come back with another capacity");
        readsBack_ = true;
        readBack_ = 0;
        return;
    }
    capacity_ = capacity;
    past_.assign(capacity, {Past{0, 0, 1, true}});
    sectors_.assign(capacity, {Candidate{0, 0, 1, 0}});
    clock_ = 1;
}

// --- commands -------------------------------------------------------------------------------------------------------

HostCommand HostModel::randomCommand()
{
    HostCommand command;
    const std::uint64_t dice = rng_.below(100);
    if (dice < mix_.flushes)
        return {HostCommand::Flush, false, 0, 0};
    command.kind = dice < mix_.flushes + mix_.trims                ? HostCommand::Trim
                   : dice < mix_.flushes + mix_.trims + mix_.reads ? HostCommand::Read
                                                                   : HostCommand::Write;
    const bool hot = rng_.below(100) < mix_.hot;
    const std::uint64_t range = hot ? std::max<std::uint64_t>(capacity_ / 8, sectorsPerPage_) : capacity_;
    command.lba = rng_.below(range);
    command.sectors =
        1 + static_cast<std::uint32_t>(rng_.below(rng_.chance(0.2) ? 6 * sectorsPerPage_ : sectorsPerPage_));
    if (rng_.below(100) < mix_.aligned) {
        command.lba -= command.lba % sectorsPerPage_;
        command.sectors = (command.sectors + sectorsPerPage_ - 1) / sectorsPerPage_ * sectorsPerPage_;
    }
    command.sectors = static_cast<std::uint32_t>(std::min<std::uint64_t>(command.sectors, capacity_ - command.lba));
    command.fua = command.kind == HostCommand::Write && rng_.below(100) < mix_.fua;
    if (mix_.handles != 0)
        command.placement = static_cast<std::uint32_t>(rng_.below(mix_.handles));
    return command;
}

bool HostModel::verifyNext(HostCommand& command)
{
    if (!verifiesAtEnd || commands_ == 0 || outstanding_ != 0)
        return false;
    if (!flushedAtEnd_) {
        flushedAtEnd_ = true;
        command = {HostCommand::Flush, false, 0, 0};
        return true;
    }
    if (verified_ == capacity_)
        return false;
    command = {HostCommand::Read, false, verified_,
               static_cast<std::uint32_t>(std::min<std::uint64_t>(64, capacity_ - verified_))};
    verified_ += command.sectors;
    return true;
}

bool HostModel::next(HostCommand& command)
{
    if (readsBack_) {
        if (outstanding_ != 0)
            return false;
        command = {HostCommand::Read, false, readBack_,
                   static_cast<std::uint32_t>(std::min<std::uint64_t>(64, capacity_ - readBack_))};
        return true;
    }
    if (issued_ < script_.size()) {
        if (oneByOne_ && outstanding_ != 0)
            return false;
        command = script_[issued_];
    } else if (issued_ < script_.size() + commands_) {
        command = randomCommand();
    } else {
        return verifyNext(command);
    }
    ++issued_;
    return true;
}

bool HostModel::finished() const
{
    const bool verified = !verifiesAtEnd || commands_ == 0 || (flushedAtEnd_ && verified_ == capacity_);
    return !readsBack_ && issued_ == script_.size() + commands_ && outstanding_ == 0 && verified;
}

bool HostModel::issue(std::uint32_t slot, HostCommand& command)
{
    if (!next(command))
        return false;
    Active& active = active_[slot];
    isActive_[slot] = true;
    ++outstanding_;
    active.command = command;
    active.issued = ++clock_;
    active.version = command.kind == HostCommand::Write ? nextVersion_++ : 0;
    active.seen.assign(command.sectors, false);
    active.versions.assign(command.sectors, anything);
    if (command.lba + command.sectors > capacity_)
        return true; // the drive has to refuse it
    if (command.kind == HostCommand::Write) {
        for (std::uint32_t i = 0; i < command.sectors; ++i)
            add(command.lba + i, active.version, active.issued);
        for (std::uint32_t i = 0; i < command.sectors; ++i)
            past_[command.lba + i].push_back({active.version, active.issued, 0, false});
    } else if (command.kind == HostCommand::Trim) {
        expectZeroOf(active);
    }
    return true;
}

void HostModel::expectZeroOf(Active& active)
{
    const HostCommand& command = active.command;
    for (std::uint32_t i = 0; i < command.sectors; ++i) {
        const std::uint64_t page = (command.lba + i) / sectorsPerPage_;
        const bool whole =
            page * sectorsPerPage_ >= command.lba && (page + 1) * sectorsPerPage_ <= command.lba + command.sectors;
        active.seen[i] = whole;
        if (whole) {
            add(command.lba + i, 0, active.issued);
            past_[command.lba + i].push_back({0, active.issued, 0, false});
        }
    }
}

// --- data -----------------------------------------------------------------------------------------------------------

SectorTag HostModel::written(std::uint32_t slot, std::uint32_t sector)
{
    Active& active = active_[slot];
    if (!isActive_[slot] || active.command.kind != HostCommand::Write || sector >= active.command.sectors)
        fail("write data asked for what is no write");
    if (active.seen[sector])
        fail("a sector was asked for twice");
    active.seen[sector] = true;
    return makeTag(static_cast<std::uint32_t>(active.command.lba + sector), active.version);
}

void HostModel::read(std::uint32_t slot, std::uint32_t sector, SectorTag tag)
{
    Active& active = active_[slot];
    if (!isActive_[slot] || active.command.kind != HostCommand::Read || sector >= active.command.sectors)
        fail("read data sent for what is no read");
    if (active.seen[sector])
        fail("a sector was sent twice");
    active.seen[sector] = true;
    const std::uint64_t lba = active.command.lba + sector;
    if (!isTagIntact(tag) || (tag != 0 && tagLba(tag) != lba))
        fail("sector " + std::to_string(lba) + " returned the data of sector " + std::to_string(tagLba(tag)));
    active.versions[sector] = tagVersion(tag);
}

// --- power loss -----------------------------------------------------------------------------------------------------

void HostModel::remember(std::uint64_t lba, const Active& active)
{
    const bool isWrite = active.command.kind == HostCommand::Write;
    const bool durable = isProtected || (isWrite && (writesAreDurable || active.command.fua));
    for (Past& past : past_[lba]) {
        if (past.version == active.version && past.issued == active.issued) {
            past.completed = clock_;
            past.durable = durable;
        }
    }
    if (durable)
        forgetOlder(past_[lba]);
}

void HostModel::makeDurable(std::uint64_t before)
{
    for (auto& all : past_) {
        for (Past& past : all)
            past.durable = past.durable || (past.completed != 0 && past.completed < before);
        forgetOlder(all);
    }
}

void HostModel::forgetOlder(std::vector<Past>& all)
{
    std::uint64_t newest = 0;
    for (const Past& past : all)
        newest = past.durable ? std::max(newest, past.issued) : newest;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const Past& past) { return past.completed != 0 && past.completed < newest; }),
              all.end());
}

void HostModel::powerLost()
{
    ++clock_;
    std::fill(isActive_.begin(), isActive_.end(), false);
    outstanding_ = 0;
    readsBack_ = true; // from when the drive is ready
    flushedAtEnd_ = false;
    verified_ = 0;
    acknowledged_.assign(capacity_, 0);
    for (std::uint64_t lba = 0; lba < capacity_; ++lba) {
        std::uint64_t last = 0;
        sectors_[lba].clear();
        for (Past& past : past_[lba]) {
            if (past.completed >= last && past.completed != 0) {
                last = past.completed;
                acknowledged_[lba] = past.version;
            }
            past.completed = clock_;
            past.durable = false;
            sectors_[lba].push_back({past.version, clock_, clock_, 0});
        }
    }
    ++clock_;
}

// --- what is possible -----------------------------------------------------------------------------------------------

void HostModel::add(std::uint64_t lba, std::uint32_t version, std::uint64_t issued)
{
    sectors_[lba].push_back({version, issued, 0, 0});
}

// A write or trim has ended: versions that were acknowledged before it was issued are no longer possible. One that
// failed may or may not have happened.
void HostModel::settle(std::uint64_t lba, std::uint32_t version, std::uint64_t issued, bool failed)
{
    std::uint64_t oldest = clock_;
    for (std::size_t slot = 0; slot < active_.size(); ++slot) {
        if (isActive_[slot])
            oldest = std::min(oldest, active_[slot].issued);
    }
    for (Candidate& candidate : sectors_[lba]) {
        if (candidate.version == version && candidate.issued == issued)
            candidate.completed = clock_;
        else if (!failed && candidate.completed != 0 && candidate.completed < issued && candidate.removed == 0)
            candidate.removed = clock_;
    }
    auto& all = sectors_[lba];
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const Candidate& c) { return c.removed != 0 && c.removed < oldest; }),
              all.end());
}

void HostModel::checkSector(std::uint64_t lba, std::uint32_t version, const Active& active)
{
    bool found = false;
    bool open = false;
    std::string expected;
    for (const Candidate& candidate : sectors_[lba]) {
        if (candidate.removed != 0 && candidate.removed < active.issued)
            continue;
        found = found || candidate.version == version || candidate.version == anything;
        open = open || candidate.completed == 0 || candidate.completed > active.issued ||
               (candidate.removed != 0 && candidate.removed > active.issued);
        expected += (expected.empty() ? "" : " or ") + std::to_string(candidate.version);
    }
    if (!found)
        fail("sector " + std::to_string(lba) + " returned version " + std::to_string(version) + ", expected " +
             expected);
    if (open)
        return;
    for (Candidate& candidate : sectors_[lba]) { // nothing else was in progress: this is the version from now on
        if (candidate.version != version && candidate.removed == 0)
            candidate.removed = clock_;
    }
}

void HostModel::checkRead(const Active& active)
{
    lastRead_ = active.versions;
    if (readsBack_) {
        for (std::uint32_t i = 0; i < active.command.sectors; ++i) {
            const std::uint64_t lba = active.command.lba + i;
            reverted_ += active.versions[i] != acknowledged_[lba] ? 1U : 0U;
            past_[lba] = {{active.versions[i], clock_, clock_, true}};
        }
        readBack_ += active.command.sectors;
        readsBack_ = readBack_ != capacity_;
    }
    for (std::uint32_t i = 0; i < active.command.sectors; ++i) {
        if (!active.seen[i])
            fail("a read was completed without all of its data");
        checkSector(active.command.lba + i, active.versions[i], active);
    }
}

void HostModel::completed(std::uint32_t slot, HostStatus status)
{
    Active& active = active_[slot];
    const HostCommand& command = active.command;
    ++clock_;
    ++completedCommands_;
    ++byStatus_[static_cast<std::size_t>(status)];
    if (!script_.empty())
        statuses_.push_back(status);
    const bool outside = command.lba + command.sectors > capacity_;
    if (outside != (status == HostStatus::OutOfRange) && command.kind <= HostCommand::Trim)
        fail("range check");
    if ((status == HostStatus::Uncorrectable && !toleratesLoss) ||
        (status == HostStatus::DeviceFault && !toleratesFaults))
        fail("unexpected status " + std::to_string(static_cast<int>(status)));
    const bool failed = status != HostStatus::Ok;
    isActive_[slot] = false;
    --outstanding_;
    if (outside)
        return;
    if (command.kind == HostCommand::Flush && !failed)
        makeDurable(active.issued);
    if (command.kind == HostCommand::Read && !failed)
        checkRead(active);
    if (command.kind == HostCommand::Write || command.kind == HostCommand::Trim) {
        for (std::uint32_t i = 0; i < command.sectors; ++i) {
            if (command.kind == HostCommand::Write && !failed && !active.seen[i])
                fail("a write was completed without all of its data");
            if (active.seen[i] || failed)
                settle(command.lba + i, active.version, active.issued, failed);
            if (active.seen[i] && !failed)
                remember(command.lba + i, active);
        }
        sectorsWritten_ += command.kind == HostCommand::Write ? command.sectors : 0;
    }
}

} // namespace strobe::test
