// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_hba.h"

#include "models/base/check.h"
#include "models/host/ahci/ahci_identify.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strobe::host::ahci {

namespace {

constexpr std::uint32_t slotBit(std::uint32_t slot)
{
    return 1U << slot;
}

// Error register in bits 15:8, status in bits 7:0.
std::uint32_t taskFile(CommandStatus status)
{
    constexpr std::uint32_t uncorrectable = 0x40;
    constexpr std::uint32_t notFound = 0x10;
    constexpr std::uint32_t aborted = 0x04;
    constexpr std::uint32_t deviceFault = 0x20; // of the status
    switch (status) {
    case CommandStatus::Ok: return taskReady;
    case CommandStatus::Uncorrectable: return uncorrectable << 8U | taskReady | taskError;
    case CommandStatus::OutOfRange: return notFound << 8U | taskReady | taskError;
    case CommandStatus::NotSupported: return aborted << 8U | taskReady | taskError;
    case CommandStatus::DeviceFault: return aborted << 8U | taskReady | deviceFault | taskError;
    default: checkFailed("a command status that ATA does not have", __FILE__, __LINE__);
    }
}

std::uint32_t linkStatus(SataGeneration generation) // device present, its speed, link active
{
    return 0x103U | (static_cast<std::uint32_t>(generation) + 1) << 4U;
}

constexpr std::uint32_t detection(std::uint32_t control) // PxSCTL.DET; 1: COMRESET is sent
{
    return control & 0xFU;
}

constexpr std::uint32_t portWritable = 0x11;       // of PxCMD: ST, FRE
constexpr std::uint32_t portPowered = 0x06;        // SUD, POD: always set without staggered spin-up and cold presence
constexpr std::uint32_t portEnables = 0xFDC0'00FF; // of PxIE: interrupts that exist

} // namespace

Hba::Hba(Time memoryLatency, SataLink& link, HostMemory& memory, bool hasVolatileCache)
    : memoryLatency_(memoryLatency), hasVolatileCache_(hasVolatileCache), link_(link), memory_(memory)
{
    link_.onNotice([this](SataLink::Notice notice, std::uint16_t slot, Time now) { noticed(notice, slot, now); });
}

// --- registers -------------------------------------------------------------------------------------------------------

std::uint32_t Hba::readRegister(std::uint32_t offset)
{
    ++counters_.registerReads;
    constexpr std::uint32_t queued = 1U << 30U;
    constexpr std::uint32_t wideAddresses = 1U << 31U;
    constexpr std::uint32_t ahciOnly = 1U << 18U;
    switch (offset) {
    case reg::CAP:
        return queued | wideAddresses | ahciOnly | (static_cast<std::uint32_t>(link_.config().generation) + 1) << 20U |
               (slots - 1) << 8U; // one port
    case reg::GHC: return ghc_;
    case reg::IS: return is_;
    case reg::PI: return 1;
    case reg::VS: return version;
    case reg::port0 + port::CLB: return static_cast<std::uint32_t>(listBase_);
    case reg::port0 + port::CLBU: return static_cast<std::uint32_t>(listBase_ >> 32);
    case reg::port0 + port::FB: return static_cast<std::uint32_t>(receivedBase_);
    case reg::port0 + port::FBU: return static_cast<std::uint32_t>(receivedBase_ >> 32);
    case reg::port0 + port::IS: return portIs_;
    case reg::port0 + port::IE: return portIe_;
    case reg::port0 + port::CMD:
        return portCmd_ | portPowered | ((portCmd_ & cmdReceive) != 0 ? cmdReceiveRunning : 0U) |
               ((portCmd_ & cmdStart) != 0 || dropped_ != 0 ? cmdListRunning : 0U);
    case reg::port0 + port::TFD: return tfd_;
    case reg::port0 + port::SIG: return sig_;
    case reg::port0 + port::SSTS: return linkStatus(link_.config().generation);
    case reg::port0 + port::SCTL: return sctl_;
    case reg::port0 + port::SERR: return serr_;
    case reg::port0 + port::SACT: return sact_;
    case reg::port0 + port::CI: return ci_;
    default: return 0;
    }
}

void Hba::writeRegister(std::uint32_t offset, std::uint32_t value, Time now)
{
    ++counters_.registerWrites;
    switch (offset) {
    case reg::GHC:
        if ((value & ghcReset) != 0) {
            ghc_ |= ghcReset;
            proceed(now);
            return;
        }
        ghc_ = ghcEnable | (value & ghcInterrupts);
        updateInterrupt(now);
        return;
    case reg::IS:
        is_ &= ~value;
        updateInterrupt(now);
        return;
    default:
        if (offset >= reg::port0 && offset < reg::bytes)
            writePort(offset - reg::port0, value, now);
        return;
    }
}

void Hba::writePort(std::uint32_t offset, std::uint32_t value, Time now)
{
    constexpr std::uint64_t low = 0xFFFF'FFFF;
    const auto setLow = [value](std::uint64_t& base, std::uint32_t unit) {
        base = (base & ~low) | (value & ~(unit - 1));
    };
    const auto setHigh = [value](std::uint64_t& base) { base = (base & low) | std::uint64_t{value} << 32; };
    switch (offset) {
    case port::CLB: setLow(listBase_, 1024); break;
    case port::CLBU: setHigh(listBase_); break;
    case port::FB: setLow(receivedBase_, receivedBytes); break;
    case port::FBU: setHigh(receivedBase_); break;
    case port::IS: portIs_ &= ~value; break;
    case port::IE:
        portIe_ = value & portEnables;
        updateInterrupt(now);
        break;
    case port::CMD:
        if ((portCmd_ & ~value & cmdStart) != 0)
            dropCommands();
        portCmd_ = value & portWritable;
        break;
    case port::SCTL: {
        const bool isEnd = detection(sctl_) == 1 && detection(value) == 0;
        sctl_ = value;
        if (isEnd)
            requestDriveReset(now);
        break;
    }
    case port::SERR: serr_ &= ~value; break;
    case port::SACT:
        if ((portCmd_ & cmdStart) != 0)
            sact_ |= value;
        break;
    case port::CI: issueCommands(value, now); break;
    default: break; // read-only or reserved
    }
}

// The drive finishes what it has; the driver learns nothing of it any more.
void Hba::dropCommands()
{
    ci_ = sact_ = 0;
    dropped_ |= outstanding_;
}

// Of a command that has ended; true: nobody waits for it.
bool Hba::endDropped(std::uint32_t slot)
{
    const bool wasDropped = (dropped_ & slotBit(slot)) != 0;
    outstanding_ &= ~slotBit(slot);
    dropped_ &= ~slotBit(slot);
    return wasDropped;
}

// The driver sees a busy drive from now on.
void Hba::requestDriveReset(Time now)
{
    dropCommands();
    tfd_ = taskBusy;
    sig_ = 0xFFFF'FFFF;
    isDriveResetWanted_ = true;
    proceed(now);
}

// After the end of a command: what waited for it. An outstanding command cannot be withdrawn from the drive, so a reset
// waits, and so do commands after a reset or a stop.
void Hba::proceed(Time now)
{
    if (outstanding_ == 0)
        reset(now);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if ((waiting() & slotBit(slot)) == 0)
            continue;
        outstanding_ |= slotBit(slot);
        if (memoryLatency_ == Time{} && fetches_.empty())
            fetched(slot, now);
        else
            fetches_.push({now + 2 * memoryLatency_, slot});
    }
}

// Of PxCI: commands that may go to the drive.
std::uint32_t Hba::waiting() const
{
    const bool isHeld = !hasDrive_ || isDriveResetWanted_ || (ghc_ & ghcReset) != 0 || dropped_ != 0;
    return isHeld ? 0 : ci_ & ~outstanding_;
}

void Hba::reset(Time now)
{
    if (std::exchange(isDriveResetWanted_, false) && (ghc_ & ghcReset) == 0)
        resetDrive(now);
    if ((ghc_ & ghcReset) == 0)
        return;
    ghc_ = ghcEnable;
    wasInterrupting_ = false;
    is_ = portIs_ = portIe_ = portCmd_ = sctl_ = serr_ = 0;
    sact_ = ci_ = 0;
    resetDrive(now);
}

void Hba::resetDrive(Time now)
{
    tfd_ = taskBusy;
    sig_ = 0xFFFF'FFFF;
    isWriteCacheOn_ = true;
    isSoftReset_ = false;
    if (!hasDrive_)
        return;
    hasDrive_ = false;
    link_.driveReady(now); // its signature is sent again
}

// --- interrupts ------------------------------------------------------------------------------------------------------

void Hba::raise(std::uint32_t bits, Time now)
{
    portIs_ |= bits;
    updateInterrupt(now);
}

void Hba::updateInterrupt(Time now)
{
    wasInterrupting_ = wasInterrupting_ && isInterrupting();
    if ((portIs_ & portIe_) != 0)
        is_ |= 1U;
    if (!isInterrupting() || wasInterrupting_)
        return;
    wasInterrupting_ = true;
    ++counters_.interrupts;
    if (interrupt_)
        interrupt_(now);
}

// --- commands --------------------------------------------------------------------------------------------------------

void Hba::issueCommands(std::uint32_t bits, Time now)
{
    if ((portCmd_ & cmdStart) == 0)
        return;
    ci_ |= bits & ~(outstanding_ & ~dropped_);
    proceed(now);
}

void Hba::advance(Time now)
{
    while (nextTime() <= now)
        fetched(fetches_.pop().slot, now);
}

void Hba::fetched(std::uint32_t slot, Time now)
{
    if ((dropped_ & slotBit(slot)) != 0) {
        endDropped(slot);
        proceed(now);
        return;
    }
    Slot& command = commands_[slot];
    command.isQueued = false;
    command.moved = 0;
    CommandHeader header;
    RegisterFis fis;
    const bool isRead = memory_.read(headerAddress(slot), &header, headerBytes) && readTable(command, header, fis);
    if (isRead && fis.isControl())
        control(slot, fis, now);
    else if (!isRead || !fis.isCommand() || !parse(slot, fis, now))
        abort(slot, now);
}

// Device control: the bit SRST, set and then cleared, resets the drive. No answer.
void Hba::control(std::uint32_t slot, const RegisterFis& fis, Time now)
{
    outstanding_ &= ~slotBit(slot);
    ci_ &= ~slotBit(slot);
    const bool isEnd = isSoftReset_ && !fis.resets();
    isSoftReset_ = fis.resets();
    if (isEnd)
        requestDriveReset(now);
    else
        proceed(now);
}

bool Hba::readTable(Slot& command, const CommandHeader& header, RegisterFis& fis)
{
    command.regions.clear();
    return memory_.read(header.table, fis.byte.data(), static_cast<std::uint32_t>(fis.byte.size())) &&
           command.regions.read(memory_, header);
}

// False: the drive would abort it.
bool Hba::parse(std::uint32_t slot, const RegisterFis& fis, Time now)
{
    Slot& entry = commands_[slot];
    const std::uint64_t bytes = entry.regions.bytes();
    Command command;
    command.slot = static_cast<std::uint16_t>(slot);
    command.lba = fis.lba();
    switch (fis.opcode()) {
    case AtaCommand::ReadFpdma:
    case AtaCommand::WriteFpdma:
        command.kind = fis.opcode() == AtaCommand::ReadFpdma ? RequestKind::Read : RequestKind::Write;
        command.sectors = fis.features() == 0 ? maxCommandSectors : fis.features();
        command.fua = fis.forcesUnitAccess() || (hasVolatileCache_ && !isWriteCacheOn_);
        entry.isQueued = true;
        if (fis.count() >> 3U != slot || (sact_ & slotBit(slot)) == 0 || bytes < command.sectors * sectorBytes)
            return false;
        break;
    case AtaCommand::ReadDma:
    case AtaCommand::WriteDma:
    case AtaCommand::ReadDmaExt:
    case AtaCommand::WriteDmaExt: {
        const bool isWide = fis.opcode() == AtaCommand::ReadDmaExt || fis.opcode() == AtaCommand::WriteDmaExt;
        const bool isRead = fis.opcode() == AtaCommand::ReadDma || fis.opcode() == AtaCommand::ReadDmaExt;
        command.kind = isRead ? RequestKind::Read : RequestKind::Write;
        command.lba = isWide ? fis.lba() : fis.lba28();
        command.sectors = !isWide ? fis.count28() : fis.count() == 0 ? maxCommandSectors : fis.count();
        command.fua = !isRead && hasVolatileCache_ && !isWriteCacheOn_;
        entry.moved = command.sectors * std::uint32_t{sectorBytes};
        if (bytes < entry.moved)
            return false;
        break;
    }
    case AtaCommand::FlushCache:
    case AtaCommand::FlushCacheExt:
    case AtaCommand::StandbyImmediate: command.kind = RequestKind::Flush; break;
    case AtaCommand::SetFeatures:
        switch (static_cast<AtaFeature>(fis.features() & 0xFFU)) {
        case AtaFeature::EnableWriteCache:
        case AtaFeature::DisableWriteCache:
            if (!hasVolatileCache_)
                return false;
            isWriteCacheOn_ = (fis.features() & 0xFFU) == static_cast<std::uint32_t>(AtaFeature::EnableWriteCache);
            [[fallthrough]];
        case AtaFeature::TransferMode:
        case AtaFeature::EnableSataFeature: succeed(slot, now); return true;
        }
        return false;
    case AtaCommand::IdleImmediate: succeed(slot, now); return true;
    case AtaCommand::ExecuteDiagnostics:
        if (((ci_ | sact_) & ~slotBit(slot)) != 0)
            return false;
        outstanding_ &= ~slotBit(slot);
        ci_ &= ~slotBit(slot);
        commands_[slot].status = CommandStatus::Ok;
        signatureArrived(now);
        return true;
    case AtaCommand::DataSetManagement:
        if ((fis.features() & 1U) == 0 || !entry.regions.readTrim(memory_, fis.count(), command))
            return false;
        break;
    case AtaCommand::Identify:
        if (bytes < sectorBytes || ((ci_ | sact_) & ~slotBit(slot)) != 0)
            return false;
        tfd_ = taskBusy;
        link_.identify(command.slot, now);
        identifySlot_ = command.slot;
        return true;
    default: return false;
    }
    const std::uint64_t capacity = link_.capacitySectors();
    if (command.kind != RequestKind::Flush && (command.lba > capacity || command.sectors > capacity - command.lba))
        return false;
    tfd_ = taskBusy;
    if (entry.moved != 0)
        link_.issueUnqueued(command, now);
    else
        link_.issue(command, now);
    return true;
}

// A command without an effect on the drive.
void Hba::succeed(std::uint32_t slot, Time now)
{
    completed(static_cast<std::uint16_t>(slot), CommandStatus::Ok, now);
}

void Hba::abort(std::uint32_t slot, Time now)
{
    ++counters_.aborted;
    outstanding_ &= ~slotBit(slot);
    ci_ &= ~slotBit(slot);
    sact_ &= ~slotBit(slot);
    fail(slot, CommandStatus::NotSupported);
    raise(postEnd(commands_[slot].isQueued) | interruptError, now);
    proceed(now);
}

void Hba::fail(std::uint32_t slot, CommandStatus status)
{
    commands_[slot].status = status;
    tfd_ = taskFile(status);
}

// --- arrivals from the link ----------------------------------------------------------------------------------------

// Type, flags and task file of a received FIS; the rest of it is zero. True: it has been copied to memory.
bool Hba::post(std::uint32_t offset, FisType type, std::uint8_t flags)
{
    const FisInfo& info = fisInfo(type);
    std::array<std::uint8_t, 28> fis{};
    fis[0] = info.code;
    fis[1] = flags;
    fis[2] = static_cast<std::uint8_t>(tfd_);
    fis[3] = static_cast<std::uint8_t>(tfd_ >> 8U);
    if (type == FisType::PioSetup) { // of one sector
        fis[2] = static_cast<std::uint8_t>(tfd_ | taskDataRequest);
        fis[15] = static_cast<std::uint8_t>(tfd_); // at the end of its data
        fis[17] = sectorBytes >> 8U;
    }
    return store(offset, fis.data(), info.dwords * 4U);
}

bool Hba::store(std::uint32_t offset, const void* fis, std::uint32_t bytes)
{
    if ((portCmd_ & cmdReceive) == 0)
        return false;
    memory_.write(receivedBase_ + offset, fis, bytes);
    return true;
}

// Of a command. The bit of PxIS that says so.
std::uint32_t Hba::postEnd(bool isQueued)
{
    if (isQueued)
        return post(received::deviceBits, FisType::SetDeviceBits, fisInterrupt) ? interruptDeviceBits : 0;
    return post(received::registers, FisType::RegisterDeviceToHost, fisInterrupt) ? interruptRegister : 0;
}

// The registers of a disk after a reset, and after its diagnostics.
void Hba::signatureArrived(Time now)
{
    tfd_ = diagnosticsPassed << 8U | taskReady;
    sig_ = diskSignature;
    raise(postSignature() ? interruptRegister : 0, now);
    proceed(now);
}

// Count, and the lowest byte of the address, are 1.
bool Hba::postSignature()
{
    std::array<std::uint8_t, 20> fis{};
    fis[0] = fisInfo(FisType::RegisterDeviceToHost).code;
    fis[1] = fisInterrupt;
    fis[2] = static_cast<std::uint8_t>(tfd_);
    fis[3] = static_cast<std::uint8_t>(tfd_ >> 8U);
    fis[4] = 1;
    fis[12] = 1;
    return store(received::registers, fis.data(), static_cast<std::uint32_t>(fis.size()));
}

void Hba::noticed(SataLink::Notice notice, std::uint16_t slot, Time now)
{
    switch (notice) {
    case SataLink::Notice::Signature:
        hasDrive_ = true;
        signatureArrived(now);
        break;
    case SataLink::Notice::Accepted: // without the interrupt bit
        if ((dropped_ & slotBit(slot)) != 0)
            break;
        ci_ &= ~slotBit(slot);
        tfd_ = taskReady;
        post(received::registers, FisType::RegisterDeviceToHost);
        break;
    case SataLink::Notice::DmaSetup:
        if ((dropped_ & slotBit(slot)) == 0)
            post(received::dmaSetup, FisType::DmaSetup);
        break;
    }
}

void Hba::driveReady(std::uint64_t capacitySectors, std::uint32_t slotCount, Time now)
{
    if (endDropped(identifySlot_)) {
        proceed(now);
        return;
    }
    const IdentifyWords words =
        identifyDevice({capacitySectors, slotCount, link_.config().autoActivate, hasVolatileCache_, isWriteCacheOn_});
    commands_[identifySlot_].regions.storeSector(memory_, words.data());
    ci_ &= ~slotBit(identifySlot_);
    tfd_ = taskReady;
    constexpr std::uint32_t moved = sectorBytes;
    memory_.write(headerAddress(identifySlot_) + headerMoved, &moved, sizeof moved);
    raise(post(received::pioSetup, FisType::PioSetup, fisInterrupt | fisToHost) ? interruptPio : 0, now);
    proceed(now);
}

void Hba::completed(std::uint16_t slot, CommandStatus status, Time now)
{
    if (endDropped(slot)) {
        proceed(now);
        return;
    }
    Slot& command = commands_[slot];
    std::uint32_t cause = 0;
    if (command.isQueued)
        sact_ &= ~slotBit(slot);
    ci_ &= ~slotBit(slot);
    command.status = status;
    if (status == CommandStatus::Ok) {
        tfd_ = command.isQueued ? tfd_ : taskReady;
    } else {
        fail(slot, status);
        cause = interruptError;
    }
    if (status == CommandStatus::Ok && command.moved != 0)
        memory_.write(headerAddress(slot) + headerMoved, &command.moved, sizeof command.moved);
    cause |= postEnd(command.isQueued);
    raise(cause, now);
    proceed(now);
}

void Hba::fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content destination)
{
    commands_[slot].regions.fetch(memory_, first, sectors, destination);
}

void Hba::takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content source)
{
    if ((dropped_ & slotBit(slot)) == 0)
        commands_[slot].regions.store(memory_, first, sectors, source);
}

} // namespace strobe::host::ahci
