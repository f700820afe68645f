// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_driver.h"

#include "models/base/check.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strobe::host::ahci {

namespace {

constexpr Time pollInterval = std::chrono::milliseconds(1);
constexpr std::uint32_t allInterrupts =
    interruptRegister | interruptPio | interruptDmaSetup | interruptDeviceBits | interruptError;
constexpr std::uint32_t powerAndSpin = 6; // POD, SUD

bool isQueued(const Command& command)
{
    return command.kind == RequestKind::Read || command.kind == RequestKind::Write;
}

} // namespace

AhciDriver::AhciDriver(const AhciConfig& config, Hba& hba, DriverMemory& memory)
    : config_(config), hba_(hba), memory_(memory), resets_(config.faults.resetInstants())
{
}

// --- registers -------------------------------------------------------------------------------------------------------

void AhciDriver::write(std::uint32_t offset, std::uint32_t value, Time now)
{
    if (config_.registerWrite == Time{}) {
        hba_.writeRegister(offset, value, now);
        return;
    }
    writesArrive_ = now + config_.registerWrite;
    push(writesArrive_, {Then::WriteArrives, offset, value, {}});
}

void AhciDriver::read(std::uint32_t offset, Then then, Time now, Time wait)
{
    push(afterWrites(now + wait + config_.registerRead), {then, offset, 0, {}});
}

void AhciDriver::push(Time at, Event event)
{
    event.start = starts_;
    events_.push(at, event);
}

// It belongs to the time before a reset. Writes that are on their way arrive.
bool AhciDriver::isOld(const Event& event) const
{
    return event.start != starts_ && event.then != Then::WriteArrives;
}

void AhciDriver::advance(Time now)
{
    while (events_.isDue(now)) {
        Event event = events_.pop();
        if (isOld(event))
            continue;
        if (event.then == Then::WriteArrives) {
            hba_.writeRegister(event.offset, event.value, now);
            continue;
        }
        if (event.then != Then::Submit && event.then != Then::Handler && event.then != Then::Outstanding &&
            event.then != Then::Reset)
            event.value = hba_.readRegister(event.offset);
        happen(event, now);
    }
}

void AhciDriver::happen(const Event& event, Time now)
{
    switch (event.then) {
    case Then::WriteArrives: break;
    case Then::ResetDone:
        if ((event.value & ghcReset) != 0)
            read(reg::GHC, Then::ResetDone, now, pollInterval);
        else
            setUp(now);
        break;
    case Then::Signature:
        if ((event.value & (taskBusy | 0x0FU)) != 0) // no drive has reported yet
            read(reg::port0 + port::TFD, Then::Signature, now, pollInterval);
        else
            identify(now);
        break;
    case Then::Submit: send(event.command, now); break;
    case Then::Reset: sent_.isStarving() ? planReset(now) : reset(now); break;
    case Then::Handler: read(reg::IS, Then::InterruptStatus, now); break;
    case Then::InterruptStatus:
        if (event.value != 0)
            read(reg::port0 + port::IS, Then::PortStatus, now);
        break;
    case Then::PortStatus:
        write(reg::port0 + port::IS, event.value, now);
        readOutstanding(now);
        break;
    case Then::Outstanding: {
        const std::uint32_t active = queued_ != 0 ? hba_.readRegister(reg::port0 + port::SACT) : 0;
        const std::uint32_t issued = others_ != 0 ? hba_.readRegister(reg::port0 + port::CI) : 0;
        complete(event.value & ~(active | issued), now);
        break;
    }
    }
}

// --- start -----------------------------------------------------------------------------------------------------------

void AhciDriver::start(Time now)
{
    list_ = memory_.allocate(slots * headerBytes);
    received_ = memory_.allocate(receivedBytes);
    page_ = memory_.allocate(sectorBytes);
    write(reg::GHC, ghcReset, now);
    read(reg::GHC, Then::ResetDone, now);
}

void AhciDriver::setUp(Time now)
{
    write(reg::GHC, ghcEnable, now);
    write(reg::port0 + port::CLB, static_cast<std::uint32_t>(list_), now);
    write(reg::port0 + port::CLBU, static_cast<std::uint32_t>(list_ >> 32), now);
    write(reg::port0 + port::FB, static_cast<std::uint32_t>(received_), now);
    write(reg::port0 + port::FBU, static_cast<std::uint32_t>(received_ >> 32), now);
    write(reg::port0 + port::CMD, powerAndSpin | cmdReceive, now);
    read(reg::port0 + port::TFD, Then::Signature, now);
}

void AhciDriver::identify(Time now)
{
    write(reg::port0 + port::SERR, 0xFFFF'FFFF, now);
    write(reg::port0 + port::IS, 0xFFFF'FFFF, now);
    write(reg::IS, 1, now);
    write(reg::port0 + port::IE, allInterrupts, now);
    write(reg::port0 + port::CMD, powerAndSpin | cmdReceive | cmdStart, now);
    write(reg::GHC, ghcEnable | ghcInterrupts, now);
    const RegionEntry entry{page_, 0, sectorBytes - 1};
    if (tables_[0].bytes == 0)
        tables_[0].address = memory_.allocate(tables_[0].bytes = tableEntries + entryBytes);
    const RegisterFis fis = RegisterFis::command(AtaCommand::Identify);
    memory_.write(tables_[0].address, fis.byte.data(), static_cast<std::uint32_t>(fis.byte.size()));
    memory_.write(tables_[0].address + tableEntries, &entry, entryBytes);
    const CommandHeader header{5U | 1U << 16U, 0, tables_[0].address};
    memory_.write(list_, &header, headerBytes);
    others_ = 1;
    write(reg::port0 + port::CI, 1, now);
}

void AhciDriver::identified(Time now)
{
    std::array<std::uint16_t, sectorBytes / 2> words{};
    memory_.read(page_, words.data(), sectorBytes);
    std::uint64_t capacity = 0;
    std::memcpy(&capacity, &words[100], sizeof capacity);
    isReady_ = true;
    planReset(now);
    if (std::exchange(isAnnounced_, true))
        resume(now);
    else
        host_->driveReady(capacity, words[75] + 1U, now);
}

// --- commands --------------------------------------------------------------------------------------------------------

void AhciDriver::issue(const Command& command, Time now)
{
    check(isAnnounced_ && command.slot < slots, "a command before the drive was identified, or beyond its slots");
    if (config_.faults.isOn())
        sent_.add(command, isReady_);
    if (isReady_) // else resume() submits it
        submit(command, now);
}

void AhciDriver::submit(const Command& command, Time now)
{
    if (config_.submit == Time{})
        send(command, now);
    else
        push(now + config_.submit, {Then::Submit, 0, 0, command});
}

void AhciDriver::send(const Command& command, Time now)
{
    waiting_.push(command);
    pump(now);
}

bool AhciDriver::suits(const Command& command) const
{
    return isQueued(command) ? others_ == 0 : (others_ | queued_) == 0;
}

void AhciDriver::pump(Time now)
{
    while (!waiting_.empty() && suits(waiting_.front())) {
        const Command command = waiting_.pop();
        const std::uint32_t bit = 1U << command.slot;
        RegisterFis fis = RegisterFis::command(AtaCommand::FlushCacheExt);
        std::uint32_t bytes = 0;
        if (isQueued(command)) {
            fis = RegisterFis::command(command.kind == RequestKind::Read ? AtaCommand::ReadFpdma
                                                                         : AtaCommand::WriteFpdma);
            fis.setLba(command.lba);
            fis.setFeatures(command.sectors & 0xFFFFU);
            fis.setCount(std::uint32_t{command.slot} << 3U);
            if (command.fua)
                fis.forceUnitAccess();
            bytes = command.sectors * std::uint32_t{sectorBytes};
        } else if (command.kind == RequestKind::Trim) {
            fis = RegisterFis::command(AtaCommand::DataSetManagement);
            bytes = putRanges(command.slot, command);
            fis.setFeatures(1);
            fis.setCount(bytes / std::uint32_t{sectorBytes});
        }
        putTable(command.slot, fis, bytes, command.kind == RequestKind::Write || command.kind == RequestKind::Trim,
                 command.kind == RequestKind::Trim);
        if (isQueued(command)) {
            queued_ |= bit;
            write(reg::port0 + port::SACT, bit, now);
        } else {
            others_ |= bit;
        }
        write(reg::port0 + port::CI, bit, now);
    }
}

// A trim's ranges, in whole blocks; returns their bytes.
std::uint32_t AhciDriver::putRanges(std::uint32_t slot, const Command& command)
{
    Table& table = tables_[slot];
    const std::uint32_t entries = (command.sectors + trimEntrySectors - 1) / trimEntrySectors;
    const std::uint32_t blocks = std::max((entries + trimEntriesPerBlock - 1) / trimEntriesPerBlock, 1U);
    const std::uint32_t bytes = blocks * std::uint32_t{sectorBytes};
    if (table.rangeBytes < bytes) {
        table.ranges = memory_.allocate(bytes);
        table.rangeBytes = bytes;
    }
    scratch_.assign(bytes, std::byte{});
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::uint64_t done = std::uint64_t{i} * trimEntrySectors;
        const std::uint64_t sectors = std::min<std::uint64_t>(command.sectors - done, trimEntrySectors);
        const std::uint64_t range = (command.lba + done) | sectors << 48U;
        std::memcpy(scratch_.data() + i * sizeof range, &range, sizeof range);
    }
    memory_.write(table.ranges, scratch_.data(), bytes);
    return bytes;
}

void AhciDriver::putTable(std::uint32_t slot, const RegisterFis& fis, std::uint32_t bytes, bool writes,
                          bool isRangeList)
{
    constexpr std::uint32_t page = DriverMemory::pageBytes;
    Table& table = tables_[slot];
    const std::uint32_t entries = isRangeList ? 1 : (bytes + page - 1) / page;
    const std::uint32_t needed = tableEntries + std::max(entries, 1U) * entryBytes;
    if (table.bytes < needed) {
        table.address = memory_.allocate(needed);
        table.bytes = (needed + page - 1) / page * page;
    }
    scratch_.assign(tableEntries + entries * entryBytes, std::byte{});
    std::memcpy(scratch_.data(), fis.byte.data(), fis.byte.size());
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::uint32_t part = isRangeList ? bytes : std::min(bytes - i * page, page);
        const RegionEntry entry{isRangeList ? table.ranges : DriverMemory::dataPage(slot, i), 0, part - 1};
        std::memcpy(scratch_.data() + tableEntries + i * entryBytes, &entry, entryBytes);
    }
    memory_.write(table.address, scratch_.data(), static_cast<std::uint32_t>(scratch_.size()));
    const CommandHeader header{5U | (writes ? headerWrites : 0U) | entries << 16U, 0, table.address};
    memory_.write(list_ + slot * headerBytes, &header, headerBytes);
}

// --- interrupts ------------------------------------------------------------------------------------------------------

void AhciDriver::interrupt(Time now)
{
    if (config_.interrupt == Time{})
        read(reg::IS, Then::InterruptStatus, now);
    else
        push(now + config_.interrupt, {Then::Handler, 0, 0, {}});
}

// The reads are valid only for commands outstanding when they were sent: commands issued since then are still on their
// way to the adapter.
void AhciDriver::readOutstanding(Time now)
{
    const int registers = (queued_ != 0 ? 1 : 0) + (others_ != 0 ? 1 : 0);
    push(afterWrites(now + config_.registerRead * registers), {Then::Outstanding, 0, queued_ | others_, {}});
}

void AhciDriver::complete(std::uint32_t done, Time now)
{
    const bool isIdentify = !isReady_ && done != 0;
    queued_ &= ~done;
    others_ &= ~done;
    write(reg::IS, 1, now);
    if (isIdentify) {
        identified(now);
        return;
    }
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if ((done >> slot & 1U) == 0)
            continue;
        sent_.remove(static_cast<std::uint16_t>(slot));
        host_->completed(static_cast<std::uint16_t>(slot), hba_.lastStatus(slot), now);
    }
    pump(now);
}

// --- planned resets --------------------------------------------------------------------------------------------------

void AhciDriver::planReset(Time now)
{
    const Time at = resets_.next(now);
    if (at != never)
        push(at, {Then::Reset, 0, 0, {}});
}

void AhciDriver::reset(Time now)
{
    ++faults_.resets;
    sent_.noteReset();
    ++starts_;
    resetSince_ = now;
    isReady_ = false;
    queued_ = others_ = 0;
    while (!waiting_.empty())
        waiting_.pop();
    write(reg::GHC, ghcReset, now);
    read(reg::GHC, Then::ResetDone, now);
}

void AhciDriver::resume(Time now)
{
    faults_.longestReset = std::max(faults_.longestReset, now - resetSince_);
    faults_.sentAgain += sent_.sendAll();
    host_->sentAgain(now);
    for (std::size_t i = 0; i < sent_.count(); ++i)
        submit(sent_[i], now);
}

} // namespace strobe::host::ahci
