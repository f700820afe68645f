// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/mock_drive.h"

#include "models/base/strobe_registers.h"

#include <algorithm>
#include <cstring>

namespace strobe::test {

namespace {

constexpr std::uint32_t controlBase = 0x10000000;
constexpr std::uint32_t bufferBase = 0x40000000;
constexpr std::uint32_t tableBase = 0x20000000;

nand::Part partOf(const MockOptions& options)
{
    const cpu::BootBlock& boot = options.boot;
    nand::Part part;
    part.name = "mock";
    part.cell = options.overwritable ? nand::CellTechnology::Pcm : nand::CellTechnology::Slc;
    part.geometry = {boot.planes, boot.blocksPerPlane, boot.pagesPerBlock, boot.pageBytes, 64, boot.programPages};
    if (boot.pslcPages != 0) {
        part.cell = nand::CellTechnology::Tlc;
        part.geometry.pslcPages = boot.pslcPages;
        part.pslc.tPROG = std::chrono::microseconds(80);
    }
    part.times.tR = std::chrono::microseconds(25);
    part.times.tPROG = std::chrono::microseconds(200);
    part.times.tBERS = std::chrono::milliseconds(1);
    return part;
}

} // namespace

void MockDrive::refuse(const std::string& what)
{
    throw std::runtime_error("drive: " + what);
}

// --- the table ------------------------------------------------------------------------------------------------------

struct MockDrive::Hal {
    static MockDrive& of(void* context) { return *static_cast<MockDrive*>(context); }
    static std::uint32_t read32(void* context, std::uint32_t address) { return of(context).read(address); }
    static void write32(void* context, std::uint32_t address, std::uint32_t value)
    {
        of(context).write(address, value);
    }
    static void* memory(void* context, std::uint32_t address, std::uint32_t bytes)
    {
        return of(context).memory(address, bytes);
    }
    static void cost(void*, std::uint32_t, std::uint32_t) {}
    static std::uint32_t pending(void* context) { return of(context).pending(); }
    static std::uint32_t wait(void* context) { return of(context).wait(); }
    static std::uint64_t timeNs(void* context) { return static_cast<std::uint64_t>(of(context).now_.count() / 1000); }
    static void log(void* context, const char* text) { of(context).console_.emplace_back(text); }
    static std::uint32_t store(void* context, const hal_strip* strip) { return of(context).store(*strip); }
    static std::uint32_t arrive(void* context) { return of(context).arriveNow() ? 1 : 0; }
    static void panic(void*, const char* text) { throw FirmwarePanic(text); }
};

MockDrive::MockDrive(const MockOptions& options) : options_(options), rng_(options.seed, "mock drive")
{
    cpu::BootBlock& boot = options_.boot;
    if (boot.mappingUnit == 0)
        boot.mappingUnit = boot.pageBytes;
    const std::uint32_t dies = boot.channels * boot.ways * boot.luns;
    const std::uint32_t units = boot.foregroundUnit != 0 ? boot.foregroundUnit + 1 : boot.units;
    flash_ = std::make_unique<MockFlash>(*this, dies, partOf(options_), options.badBlocks, units, boot.unitDepth,
                                         options.faults, options.seed);
    boot.memoryBase = controlBase;
    boot.memorySize = options.memoryBytes;
    boot.bufferBase = bufferBase;
    boot.bufferSize = options.bufferPages * boot.pageBytes;
    const std::uint32_t blocks = boot.planes * boot.blocksPerPlane;
    badTable_.resize(dies * blocks / 32 + 1);
    for (std::uint32_t i = 0; i < dies * blocks; ++i) {
        if (flash_->die(i / blocks).block(i % blocks).factoryBad)
            badTable_[i / 32] |= 1u << i % 32;
    }
    boot.badBlockTable = options.badBlockTable ? tableBase : 0;
    boot_.resize(sizeof boot / 4);
    std::memcpy(boot_.data(), &boot, sizeof boot);
    control_.assign(options.memoryBytes / 4, 0xA5A5A5A5); // memory is not zero at power-on
    buffer_.assign(boot.bufferSize / sectorBytes, 0);
    slotBusy_.assign(boot.hostSlots, false);
}

MockDrive::~MockDrive() = default;

bool MockDrive::run(strobe_native_entry firmware, MockHost& host)
{
    host_ = &host;
    alarmsLeft_ = options_.alarmsAfterHost;
    const strobe_native_hal table{STROBE_NATIVE_ABI,
                                  this,
                                  Hal::read32,
                                  Hal::write32,
                                  Hal::memory,
                                  Hal::cost,
                                  Hal::pending,
                                  Hal::wait,
                                  Hal::timeNs,
                                  Hal::log,
                                  Hal::panic,
                                  0,
                                  options_.stores ? Hal::store : nullptr,
                                  options_.stores ? Hal::arrive : nullptr};
    try {
        firmware(&table);
    } catch (const Finished&) {
        return true;
    } catch (const PowerLost&) {
        powerOff();
        return false;
    }
    refuse("the firmware returned");
}

// Everything but the dies is as after power-on.
void MockDrive::powerOff()
{
    flash_->powerOff(now_);
    events_ = {};
    transfers_.clear();
    control_.assign(control_.size(), 0x5A5A5A5A);
    std::fill(buffer_.begin(), buffer_.end(), 0); // the hardware clears it at power-on
    slotBusy_.assign(slotBusy_.size(), false);
    outstanding_ = 0;
    asking_ = false;
    capacity_ = 0;
    enabledLines_ = 0;
    alarmEnabled_ = false;
    hostRing_ = flashRing_ = {};
    feeder_ = {};
    eventsLeft_ = UINT64_MAX;
    options_.boot.recover = 1;
    std::memcpy(boot_.data(), &options_.boot, sizeof options_.boot);
    if (supply_ == Supply::Good)
        host_->powerLost();
    supply_ = Supply::Good;
}

// With a protected buffer the host is gone, and firmware gets the time to save what was acknowledged.
void MockDrive::losePower()
{
    if (options_.boot.writeCache == 0 || !isReady())
        throw PowerLost{};
    supply_ = Supply::Fails;
    host_->powerLost();
    put(hostRing_, 4, 0, 0, 0);
}

void MockDrive::switchOff()
{
    powerOff();
    options_.boot.recover = 2;
    std::memcpy(boot_.data(), &options_.boot, sizeof options_.boot);
}

Content MockDrive::content(std::uint32_t address, std::uint32_t sectors)
{
    const auto bytes = static_cast<std::uint32_t>(sectors * sectorBytes);
    if (void* table = memory(address, bytes); table != nullptr && address >= controlBase) {
        if (address % sectorBytes != 0)
            refuse("a table is not aligned to 512 bytes");
        return {static_cast<std::byte*>(table), DataMode::Bytes};
    }
    return {reinterpret_cast<std::byte*>(tags(address, sectors)), DataMode::Tags};
}

// --- memory ---------------------------------------------------------------------------------------------------------

void* MockDrive::memory(std::uint32_t address, std::uint32_t bytes)
{
    const auto inside = [&](std::uint32_t base, std::vector<std::uint32_t>& store) -> void* {
        const std::uint64_t offset = std::uint64_t{address} - base;
        if (address < base || offset + bytes > store.size() * 4)
            return nullptr;
        return reinterpret_cast<std::byte*>(store.data()) + offset;
    };
    if (void* found = inside(controlBase, control_))
        return found;
    if (void* found = inside(tableBase, badTable_))
        return found;
    return inside(regs::bootBlock::base, boot_);
}

std::uint32_t* MockDrive::words(std::uint32_t address)
{
    if (address % 4 != 0 || memory(address, 64) == nullptr)
        refuse("no control memory there");
    return static_cast<std::uint32_t*>(memory(address, 64));
}

SectorTag* MockDrive::tags(std::uint32_t address, std::uint32_t sectors)
{
    const std::uint64_t offset = std::uint64_t{address} - bufferBase;
    if (address < bufferBase || offset % sectorBytes != 0 || offset / sectorBytes + sectors > buffer_.size())
        refuse("not in the data buffer");
    return &buffer_[offset / sectorBytes];
}

// --- interrupts and time --------------------------------------------------------------------------------------------

Time MockDrive::alarm() const
{
    return alarmEnabled_ ? std::chrono::nanoseconds(static_cast<std::int64_t>(alarmNs_)) : never;
}

std::uint32_t MockDrive::pending() const
{
    std::uint32_t lines = now_ >= alarm() ? 4 : 0;
    lines |= hostRing_.producer != hostRing_.consumer ? 1 : 0;
    lines |= flashRing_.producer != flashRing_.consumer ? 2 : 0;
    return lines & enabledLines_;
}

std::uint32_t MockDrive::wait()
{
    ++sleeps_;
    if (onSleep)
        onSleep();
    askHost();
    while (pending() == 0 || (!events_.empty() && rng_.chance(0.3))) {
        if (supply_ == Supply::Saved)
            throw PowerLost{};
        if (events_.empty() && alarm() == never) {
            if (supply_ == Supply::Fails)
                refuse("the firmware sleeps, and its buffer is not saved");
            if (outstanding_ == 0 && host_->finished())
                throw Finished{};
            refuse("the firmware sleeps with " + std::to_string(outstanding_) + " commands outstanding");
        }
        if (events_.empty() && outstanding_ == 0 && host_->finished() && alarmsLeft_-- == 0)
            throw Finished{};
        now_ = std::max(now_, std::min(events_.nextTime(), alarm()));
        if (eventsLeft_-- == 0)
            losePower();
        if (events_.isDue(now_))
            events_.pop()();
        askHost();
    }
    return pending();
}

Time MockDrive::someTime(std::int64_t mostMicroseconds)
{
    return Time{static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(mostMicroseconds) * 1'000'000))};
}

void MockDrive::put(Ring& ring, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
{
    if (ring.producer - ring.consumer >= ring.entries)
        refuse("an event ring is full");
    const std::uint32_t phase = ring.producer / ring.entries % 2 == 0 ? 0x80000000u : 0;
    auto* entry = static_cast<std::uint32_t*>(memory(ring.base + ring.producer % ring.entries * 16, 16));
    entry[1] = b;
    entry[2] = c;
    entry[3] = d;
    entry[0] = a | phase;
    ++ring.producer;
}

// --- registers ------------------------------------------------------------------------------------------------------

std::uint32_t MockDrive::read(std::uint32_t address) const
{
    const std::uint32_t unit = address - regs::flash::base - regs::flash::UNIT_STATUS;
    if (unit % regs::flash::UNIT_STATUS_step == 0 && unit / regs::flash::UNIT_STATUS_step < options_.boot.units)
        return 0;
    refuse("read of register " + std::to_string(address) + ": firmware is not expected to need it");
}

void MockDrive::write(std::uint32_t address, std::uint32_t value)
{
    if (address == regs::intc::base + regs::intc::ENABLE)
        enabledLines_ = value;
    else if (address >= regs::timer::base && address < regs::timer::base + regs::timer::size)
        writeTimer(address - regs::timer::base, value);
    else if (address >= regs::host::base && address < regs::host::base + regs::host::size)
        writeHost(address - regs::host::base, value);
    else if (address >= regs::flash::base && address < regs::flash::base + regs::flash::size)
        writeFlash(address - regs::flash::base, value);
    else
        refuse("write to " + std::to_string(address));
}

void MockDrive::writeHost(std::uint32_t offset, std::uint32_t value)
{
    namespace host = regs::host;
    switch (offset) {
    case host::CONTROL:
        if ((value & host::CONTROL_saved_mask) != 0) {
            if (supply_ != Supply::Fails)
                refuse("CONTROL.saved, but the supply does not fail");
            supply_ = Supply::Saved;
            ++saves_;
        } else if (value != 0) {
            host_->driveReady(capacity_);
        }
        break;
    case host::CAPACITY_LO: capacity_ = value; break;
    case host::CAPACITY_HI: capacity_ |= std::uint64_t{value} << 32; break;
    case host::COMMANDS: commands_ = value; break;
    case host::RING_BASE: hostRing_.base = value; break;
    case host::RING_ENTRIES: hostRing_.entries = value; break;
    case host::RING_CONSUMER: hostRing_.consumer = value; break;
    case host::FEED_BASE: feeder_.base = value; break;
    case host::FEED_PIECE: feeder_.piece = value; break;
    case host::FEED_SECTORS: feeder_.sectors = options_.feeder ? value : 0; break;
    case host::FEED_RELEASED:
        if (feeder_.sectors != 0 && value - feeder_.released > feeder_.taken - feeder_.released)
            refuse("more sectors of the ring are freed than were taken");
        feeder_.released = value;
        feed();
        break;
    case host::XFER_RANGE:
        setup_.first = value & host::XFER_RANGE_first_mask;
        setup_.sectors = (value >> host::XFER_RANGE_more_shift) + 1;
        break;
    case host::XFER_BUFFER: setup_.buffer = value; break;
    case host::XFER_COOKIE: setup_.cookie = value; break;
    case host::XFER_START:
        setup_.slot = value & host::XFER_START_slot_mask;
        setup_.toHost = (value & host::XFER_START_to_host_mask) != 0;
        setup_.notify = (value & host::XFER_START_notify_mask) != 0;
        setup_.complete = (value & host::XFER_START_complete_mask) != 0;
        if (supply_ != Supply::Good)
            break; // firmware has not seen the event yet
        transfers_.push_back(setup_);
        if (transfers_.size() == 1)
            startTransfer();
        break;
    case host::ZONE_SECTORS: zones_.sectors = value; break;
    case host::ZONE_CAPACITY: zones_.capacity = value; break;
    case host::ZONE_LIMITS:
        zones_.open = value & host::ZONE_LIMITS_open_mask;
        zones_.active = (value & host::ZONE_LIMITS_active_mask) >> host::ZONE_LIMITS_active_shift;
        break;
    case host::ZONE_TABLE: zoneTable_ = value; break;
    case host::PLACEMENT:
    case host::PLACEMENT_UNIT:
    case host::PLACEMENT_TABLE: break; // the host of this drive does not read the table
    case host::PLACE_SECTOR: placeSector_ = value; break;
    case host::PLACE:
        if (!slotBusy_.at(value))
            refuse("PLACE of a slot without a command");
        host_->placed(value, placeSector_);
        break;
    case host::COMPLETE:
        complete(value & host::COMPLETE_slot_mask,
                 static_cast<HostStatus>((value & host::COMPLETE_status_mask) >> host::COMPLETE_status_shift));
        break;
    default: refuse("write to an unknown host register");
    }
}

MockDrive::ZoneEntry MockDrive::zone(std::uint32_t number)
{
    const auto* entry =
        static_cast<const std::uint32_t*>(memory(zoneTable_ + number * regs::zoneEntry::size, regs::zoneEntry::size));
    if (entry == nullptr)
        refuse("there is no zone table");
    return {entry[0], entry[1]};
}

void MockDrive::writeTimer(std::uint32_t offset, std::uint32_t value)
{
    namespace timer = regs::timer;
    switch (offset) {
    case timer::COMPARE_LO: alarmNs_ = (alarmNs_ & ~0xFFFFFFFFull) | value; break;
    case timer::COMPARE_HI: alarmNs_ = (alarmNs_ & 0xFFFFFFFFull) | std::uint64_t{value} << 32; break;
    case timer::CONTROL: alarmEnabled_ = value != 0; break;
    default: refuse("write to an unknown timer register");
    }
}

void MockDrive::writeFlash(std::uint32_t offset, std::uint32_t value)
{
    namespace flash = regs::flash;
    if (offset >= flash::PRIMITIVE) {
        flash_->issuePrimitive((offset - flash::PRIMITIVE) / flash::PRIMITIVE_step, value);
        return;
    }
    if (offset >= flash::UNIT_HEAD) {
        flash_->submit((offset - flash::UNIT_HEAD) / flash::UNIT_HEAD_step, value);
        return;
    }
    switch (offset) {
    case flash::RING_BASE: flashRing_.base = value; break;
    case flash::RING_ENTRIES: flashRing_.entries = value; break;
    case flash::RING_CONSUMER: flashRing_.consumer = value; break;
    default: refuse("write to an unknown flash register");
    }
}

} // namespace strobe::test
