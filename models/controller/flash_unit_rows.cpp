// SPDX-License-Identifier: Apache-2.0
//
// Row runs: from a part of a descriptor to low-level operations and back.
#include "models/base/check.h"
#include "models/controller/flash_unit.h"

#include <algorithm>

namespace strobe::controller {

namespace {

nand::Opcode lowLevel(SuperchipOpcode opcode)
{
    switch (opcode) {
    case SuperchipOpcode::Read: return nand::Opcode::Read;
    case SuperchipOpcode::Program: return nand::Opcode::Program;
    case SuperchipOpcode::Erase: return nand::Opcode::Erase;
    case SuperchipOpcode::CopyBack: break;
    }
    return nand::Opcode::CopyBack;
}

std::uint32_t countBits(std::uint64_t bits)
{
    return static_cast<std::uint32_t>(__builtin_popcountll(bits));
}

constexpr std::uint32_t bytesOf(std::uint32_t sectors)
{
    return static_cast<std::uint32_t>(sectors * sectorBytes);
}

} // namespace

void FlashUnit::startSlot(std::uint32_t index, std::uint32_t jobNumber, Time now)
{
    Job& job = jobs_[jobNumber];
    Slot& slot = slots_[index];
    slot.isFree = false;
    slot.job = static_cast<std::uint16_t>(jobNumber);
    slot.pending = 0;
    slot.hasFailed = false;
    slot.decoded = now;
    slot.map = job.map;
    if (job.descriptor.opcode == SuperchipOpcode::Erase) {
        slot.run = {0, job.cursor, 0, 0};
        slot.pages = slot.buses();
        ++job.cursor;
    } else {
        slot.run = slot.map->rowRun(job.cursor, job.end);
        slot.offset = job.cursor - job.descriptor.startSector;
        setMode(slot, job);
        slot.pages = std::min(slot.run.sectors, slot.buses());
        job.cursor += slot.run.sectors;
    }
    slot.firstPage = job.pagesStarted;
    job.pagesStarted += slot.pages;
    ++job.rowsOpen;

    Time dataAt = now;
    if (job.descriptor.hasSectorTable)
        dataAt = fetchBuffered(slot, job, now);
    else if (job.descriptor.opcode == SuperchipOpcode::Program)
        dataAt = fetchRow(slot, job, now);
    if (slot.hasFailed) {
        finishRow(slot);
        return;
    }
    sendRow(index, dataAt);
}

// Sectors and spare records into the speed-matching buffers; returns when they are there.
Time FlashUnit::fetchRow(Slot& slot, Job& job, Time now)
{
    Moved moved = moveRow(slot, job, Direction::FromMemory, now);
    MalformedReason reason = MalformedReason::BufferOutsideMemory;
    if (moved.ok) {
        dealSectors(slot, Direction::FromMemory);
        moved = moveSpares(slot, job, Direction::FromMemory, moved.end);
        reason = MalformedReason::SpareOutsideMemory;
    }
    if (!moved.ok) {
        refuse(job, reason, now);
        slot.hasFailed = true;
        return now;
    }
    spend(Stage::FetchingData, moved.end - now);
    return moved.end;
}

// The row's sectors between memory and the speed-matching buffer: one burst, or one per sector if they stand apart.
Moved FlashUnit::moveRow(Slot& slot, const Job& job, Direction direction, Time at)
{
    const Content row = wholeRow(slot);
    const std::uint32_t step = job.descriptor.step;
    const std::uint32_t together = step == 1 ? slot.run.sectors : 1;
    Moved moved{at, true};
    for (std::uint32_t first = 0; first < slot.run.sectors && moved.ok; first += together)
        moved = memory_.move(bufferOf(slot, job) + bytesOf(first * step), bytesOf(together), row.at(first), direction,
                             moved.end);
    return moved;
}

void FlashUnit::sendRow(std::uint32_t index, Time dataAt)
{
    Slot& slot = slots_[index];
    const Job& job = jobs_[slot.job];
    const bool isErase = job.descriptor.opcode == SuperchipOpcode::Erase;
    slot.stage = Stage::InFlash;
    slot.since = dataAt;
    for (std::uint32_t bus = 0; bus < slot.buses(); ++bus) {
        PageRun share{slot.run.row * slot.buses() + bus, 0, 0, 0};
        if (!isErase) {
            share = slot.map->pageRun(slot.run, bus);
            if (share.sectors == 0 || (job.descriptor.hasSectorTable && !needsFlash(slot, job, share, bus)))
                continue;
        }
        const nand::Operation op = operation(slot, job, bus, share);
        Time at = dataAt;
        const std::uint32_t encoded = op.opcode == nand::Opcode::Program ? op.sectors : countBits(op.replaced);
        if (encoded != 0) {
            at = ecc_[map_.array().channelOf(op.die)].encode(bytesOf(encoded), dataAt);
            programsSent_ = std::max(programsSent_, at);
        } else if (op.opcode == nand::Opcode::CopyBack) {
            at = std::max(at, programsSent_);
        }
        slot.since = std::max(slot.since, at);
        ++slot.pending;
        port_.sendOperation({id_, static_cast<std::uint16_t>(index * buses() + bus)}, op, at);
    }
    spend(Stage::Encoding, slot.since - dataAt);
    if (slot.pending != 0)
        return;
    if (job.descriptor.opcode == SuperchipOpcode::Read) { // all of it was buffered
        slot.stage = Stage::Decoding;
        port_.wakeUnit(id_, index, std::max(dataAt, slot.decoded));
    } else {
        finishRow(slot);
    }
}

nand::Operation FlashUnit::operation(Slot& slot, const Job& job, std::uint32_t bus, const PageRun& share) const
{
    const FlashDescriptor& descriptor = job.descriptor;
    nand::Operation op;
    op.opcode = lowLevel(descriptor.opcode);
    op.priority = config_.priority;
    op.purpose = descriptor.purpose;
    op.die = slot.map->die(descriptor.superchip, share.chip);
    op.target = {targetBlocks(job)[share.chip], slot.run.page};
    if (op.opcode == nand::Opcode::CopyBack) {
        const std::uint32_t pageDistance =
            slot.run.page -
            descriptor.startSector / slot.map->sectorsPerSuperpage(); // rows may start within a superpage
        op.source = {sourceBlocks(job)[share.chip],
                     descriptor.sourceSector / slot.map->sectorsPerSuperpage() + pageDistance};
        if (descriptor.hasSectorTable || descriptor.commonSpare)
            shapeOperation(op, slot, job, bus, share);
        return op;
    }
    op.firstSector = share.firstSector;
    op.sectors = share.sectors;
    op.data = lane(slot, bus);
    if (op.opcode == nand::Opcode::Program) {
        if (descriptor.inlineSpare || descriptor.commonSpare)
            op.spare = descriptor.spare;
        else if (raw(descriptor.spareAddress) != 0 && !descriptor.hasSectorTable)
            op.spare = slot.spares()[placeInRow(slot, bus)];
    }
    return op;
}

void FlashUnit::operationDone(std::uint16_t laneNumber, const nand::Operation& op, Time now)
{
    const std::uint32_t index = laneNumber / buses();
    const std::uint32_t bus = laneNumber % buses();
    Slot& slot = slots_[index];
    Job& job = jobs_[slot.job];
    check(slot.pending > 0, "an operation finished that its flash unit did not wait for");
    if (op.form == nand::Form::CopyOut && programsInstead(slot, job, op, laneNumber, now))
        return;
    --slot.pending;
    nand::Status status = op.status;
    if (op.opcode == nand::Opcode::Read && op.status == nand::Status::Ok) {
        const EccEngines::Decoded decoded =
            ecc_[map_.array().channelOf(op.die)].decode(op.data, op.sectors, op.bitErrors, now);
        slot.decoded = std::max(slot.decoded, decoded.at);
        if (op.torn || decoded.correction == Correction::Uncorrectable)
            status = nand::Status::Uncorrectable;
        slot.spares()[placeInRow(slot, bus)] = op.spare;
        job.outcome.blank = job.outcome.blank || op.blank;
        if (op.blank && (job.descriptor.hasSectorTable || job.descriptor.isToHost()))
            clearSectors(op.data, op.sectors); // never written is zeros to the host, whatever erased cells hold
    }
    if (status != nand::Status::Ok) {
        slot.hasFailed = true;
        fail(job, op, status, slot.run.row * slot.buses() + bus, now);
    }
    if (slot.pending != 0)
        return;

    spend(Stage::InFlash, now - slot.since);
    if (job.descriptor.opcode != SuperchipOpcode::Read || (slot.hasFailed && slot.decoded <= now)) {
        finishRow(slot);
        if (job.isStopped && job.descriptor.isToHost())
            sendToHost(slot.job, now);
    } else if (slot.decoded > now) {
        slot.stage = Stage::Decoding;
        spend(Stage::Decoding, slot.decoded - now);
        port_.wakeUnit(id_, index, slot.decoded);
    } else {
        storeRow(index, now);
    }
    advance(now);
}

void FlashUnit::storeRow(std::uint32_t index, Time now)
{
    Slot& slot = slots_[index];
    Job& job = jobs_[slot.job];
    if (slot.hasFailed) { // what was decoded is of no use; the spare record has a code of its own
        job.spare = slot.spares()[0];
        finishRow(slot);
        if (job.descriptor.isToHost())
            sendToHost(slot.job, now);
        return;
    }
    dealSectors(slot, Direction::ToMemory);
    const Content source = wholeRow(slot);
    if (job.descriptor.hasSectorTable)
        replaceFed(slot, job, source);
    if (job.descriptor.isToHost()) {
        job.spare = slot.spares()[0];
        slot.stage = Stage::StoringData;
        slot.since = now;
        slot.isWaiting = true;
        sendToHost(slot.job, now);
        return;
    }
    Moved moved = moveRow(slot, job, Direction::ToMemory, now);
    MalformedReason reason = MalformedReason::BufferOutsideMemory;
    if (moved.ok) {
        job.spare = slot.spares()[0];
        moved = moveSpares(slot, job, Direction::ToMemory, moved.end);
        reason = MalformedReason::SpareOutsideMemory;
    }
    if (!moved.ok) {
        refuse(job, reason, now);
        finishRow(slot);
        return;
    }
    slot.stage = Stage::StoringData;
    spend(Stage::StoringData, moved.end - now);
    port_.wakeUnit(id_, index, moved.end);
}

void FlashUnit::finishRow(Slot& slot)
{
    slot.isFree = true;
    --jobs_[slot.job].rowsOpen;
}

// The records of the row's pages, if they are kept in memory.
Moved FlashUnit::moveSpares(Slot& slot, const Job& job, Direction direction, Time at)
{
    if (job.descriptor.inlineSpare || job.descriptor.hasSectorTable || raw(job.descriptor.spareAddress) == 0)
        return {at, true};
    return moveControl(job.descriptor.spareAddress + slot.firstPage * spareRecordBytes, slot.spares(),
                       slot.pages * spareRecordBytes, direction, at);
}

// Between the order of memory and the speed-matching buffers of the buses: the multiplexer's work. With one bus both
// are the same.
void FlashUnit::dealSectors(Slot& slot, Direction direction)
{
    if (slot.buses() == 1)
        return;
    const Content whole = sequence(slot);
    for (std::uint32_t bus = 0; bus < slot.buses(); ++bus) {
        const PageRun share = slot.map->pageRun(slot.run, bus);
        const Content page = lane(slot, bus);
        for (std::uint32_t i = 0; i < share.sectors; ++i) {
            const Content inMemory = whole.at(share.offset + i * slot.buses());
            if (direction == Direction::FromMemory)
                copySectors(page.at(i), inMemory, 1);
            else
                copySectors(inMemory, page.at(i), 1);
        }
    }
}

void FlashUnit::fail(Job& job, const nand::Operation& op, nand::Status status, std::uint32_t chip, Time now)
{
    job.isStopped = true;
    if (job.outcome.code == StatusCode::Pending) {
        job.outcome.code = statusCode(status);
        job.outcome.chip = static_cast<std::uint8_t>(chip);
        job.outcome.page = static_cast<std::uint16_t>(op.target.page);
    }
    Failure failure;
    failure.kind = status == nand::Status::Illegal ? FailureKind::OperationIllegal : FailureKind::OperationFailed;
    failure.at = now;
    failure.unit = id_;
    failure.descriptor = job.address;
    failure.opcode = op.opcode;
    failure.die = op.die;
    failure.target = op.target;
    failure.status = status;
    failure.illegal = op.reason;
    port_.noteFailure(failure);
}

// Number of the page among the pages of its row run, in order of the buses.
std::uint32_t FlashUnit::placeInRow(const Slot& slot, std::uint32_t bus) const
{
    if (slot.run.sectors >= slot.buses())
        return bus;
    std::uint32_t place = 0;
    for (std::uint32_t before = 0; before < bus; ++before)
        place += slot.map->pageRun(slot.run, before).sectors != 0 ? 1u : 0u;
    return place;
}

// The data buffer holds sectors in the platform's data mode, the rest of the memory bytes.
void FlashUnit::setMode(Slot& slot, const Job& job) const
{
    const bool isTable = !config_.dataBuffer.contains(bufferOf(slot, job)) && !job.descriptor.isToHost() &&
                         !job.descriptor.hasSectorTable;
    slot.mode = isTable ? DataMode::Bytes : config_.dataMode;
    const std::size_t rowBytes = map_.sectorsPerRow() * stride(slot.mode);
    if (slot.lanes.size() >= linesOf(rowBytes))
        return;
    slot.lanes.resize(linesOf(rowBytes)); // once: the first table that this slot carries
    slot.sequence.resize(buses() > 1 ? rowBytes : 0);
}

Content FlashUnit::lane(Slot& slot, std::uint32_t bus) const
{
    if (slot.lanes.empty())
        return {};
    return Content{slot.lanes.data()->bytes.data(), slot.mode}.at(bus * map_.dieGeometry().sectorsPerPage());
}

Content FlashUnit::sequence(Slot& slot) const
{
    if (slot.sequence.empty())
        return {};
    return {slot.sequence.data(), slot.mode};
}

} // namespace strobe::controller
