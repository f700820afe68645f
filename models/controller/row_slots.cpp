// SPDX-License-Identifier: Apache-2.0
#include "models/controller/row_slots.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::controller {

namespace {

std::uint32_t countBits(std::uint64_t bits)
{
    return static_cast<std::uint32_t>(__builtin_popcountll(bits));
}

constexpr std::uint32_t bytesOf(std::uint32_t sectors)
{
    return static_cast<std::uint32_t>(sectors * sectorBytes);
}

// The data buffer holds sectors in the platform's data mode, the rest of the memory bytes.
DataMode modeOf(const UnitContext& unit, const RowSlot& slot)
{
    const FlashDescriptor& descriptor = slot.job->descriptor;
    const bool isTable = !unit.config.dataBuffer.contains(slot.memoryAddress()) && !descriptor.isToHost() &&
                         !descriptor.hasSectorTable && !descriptor.hasUnitTable;
    return isTable ? DataMode::Bytes : unit.config.dataMode;
}

EccEngines& eccOf(const UnitContext& unit, const nand::Operation& op)
{
    return unit.ecc[unit.map.array().channelOf(op.die)];
}

} // namespace

RowSlots::RowSlots(const UnitContext& unit) : slots_(unit.config.operations, RowSlot(unit.map, unit.config.dataMode)) {}

bool RowSlots::isRowTaken(const UnitJob& job) const
{
    const std::uint32_t row = job.map->rowRun(job.cursor, job.end).row;
    return std::any_of(slots_.begin(), slots_.end(),
                       [&](const RowSlot& s) { return !s.isFree && s.job == &job && s.run.row == row; });
}

void RowSlots::start(UnitContext& unit, std::uint32_t index, UnitJob& job, Time now)
{
    RowSlot& slot = slots_[index];
    slot.isFree = false;
    slot.job = &job;
    slot.pending = 0;
    slot.hasFailed = false;
    slot.isHeld = false;
    slot.isSuspended = false;
    slot.isBlankMerge = false;
    slot.decoded = now;
    slot.map = job.map;
    if (job.descriptor.opcode == SuperchipOpcode::Erase) {
        slot.run = {0, job.cursor, 0, 0};
        slot.pages = slot.buses();
        ++job.cursor;
    } else {
        slot.run = slot.map->rowRun(job.cursor, job.end);
        slot.offset = job.cursor - job.descriptor.startSector;
        slot.buffer.setMode(modeOf(unit, slot));
        slot.pages = std::min(slot.run.sectors, slot.buses());
        job.cursor += slot.run.sectors;
    }
    slot.firstPage = job.pagesStarted;
    job.pagesStarted += slot.pages;
    ++job.rowsOpen;

    Time dataAt = now;
    if (job.descriptor.hasSectorTable)
        dataAt = fetchBuffered(unit, slot, now);
    else if (job.descriptor.hasUnitTable)
        dataAt = fetchUnits(unit, slot, now);
    else if (job.descriptor.opcode == SuperchipOpcode::Program)
        dataAt = fetchRow(unit, slot, now);
    if (slot.hasFailed) {
        dropHeld(unit, job, now);
        finish(unit, slot, now);
        return;
    }
    if (job.descriptor.hasParity && job.descriptor.opcode == SuperchipOpcode::Program)
        passXorEngine(unit, slot);
    if (job.writesWordLines())
        hold(unit, index, dataAt, now);
    else
        send(unit, index, dataAt);
}

// Moves sectors and spare records into the speed-matching buffers; returns the time at which they are complete.
Time RowSlots::fetchRow(UnitContext& unit, RowSlot& slot, Time now)
{
    Moved moved = moveRow(unit, slot, Direction::FromMemory, now);
    MalformedReason reason = MalformedReason::BufferOutsideMemory;
    if (moved.ok) {
        slot.buffer.deal(*slot.map, slot.run, Direction::FromMemory);
        moved = moveSpares(unit, slot, Direction::FromMemory, moved.end);
        reason = MalformedReason::SpareOutsideMemory;
    }
    if (!moved.ok) {
        refuseJob(*slot.job, unit, reason, now);
        slot.hasFailed = true;
        return now;
    }
    unit.spend(Stage::FetchingData, moved.end - now);
    return moved.end;
}

// Fetches the sector table of the row and its sectors; returns the time from which the operations may be sent.
Time RowSlots::fetchBuffered(UnitContext& unit, RowSlot& slot, Time now)
{
    const FlashDescriptor& descriptor = slot.job->descriptor;
    const SectorTable::Fetched fetched =
        slot.table.fetch(unit, *slot.map, descriptor.spareAddress + slot.offset * 4, slot.run, now);
    if (!fetched.moved.ok) {
        refuseJob(*slot.job, unit, fetched.reason, now);
        slot.hasFailed = true;
        return now;
    }
    unit.spend(Stage::FetchingData, fetched.moved.end - now);
    if (descriptor.opcode != SuperchipOpcode::Read) {
        if (unit.observer != nullptr)
            slot.table.forEachRun(slot.run.sectors, [&](BusAddress first, std::uint32_t sectors) {
                unit.observer->unitsPlaced(unit.id, static_cast<std::uint32_t>(&slot - slots_.data()), first, sectors);
            });
        slot.table.fill(slot.buffer, *slot.map, slot.run);
        return fetched.moved.end;
    }
    slot.decoded = fetched.moved.end; // the row is incomplete before
    return fetched.tableAt;
}

// Fetches the unit table of the row, for a program with units and records; returns the time at which they are here.
Time RowSlots::fetchUnits(UnitContext& unit, RowSlot& slot, Time now)
{
    const UnitTable::Step fetched =
        slot.units.fetch(unit, slot.job->descriptor, slot.offset, slot.run.sectors, slot.buffer.lane(0), now);
    if (!fetched.moved.ok) {
        refuseJob(*slot.job, unit, fetched.reason, now);
        slot.hasFailed = true;
        return now;
    }
    if (unit.observer != nullptr)
        slot.units.forEachRun([&](BusAddress first, std::uint32_t sectors) {
            unit.observer->unitsPlaced(unit.id, static_cast<std::uint32_t>(&slot - slots_.data()), first, sectors);
        });
    unit.spend(Stage::FetchingData, fetched.moved.end - now);
    return fetched.moved.end;
}

// The data and the records of a program on one chip: added to the parity, or replaced by it.
void RowSlots::passXorEngine(const UnitContext& unit, RowSlot& slot)
{
    FlashDescriptor& descriptor = slot.job->descriptor;
    XorEngine::Part part{slot.buffer.lane(0), slot.offset, slot.run.sectors, &descriptor.spare, slot.firstPage, 1};
    if (descriptor.hasUnitTable) {
        part.records = slot.units.records();
        part.firstRecord = slot.offset / sectorsPerUnit;
        part.recordCount = slot.run.sectors / sectorsPerUnit;
    }
    unit.config.xorEngine->program(XorEngine::order(descriptor.sourceSector), part);
}

// The row's sectors between memory and the speed-matching buffer: one burst, or one per sector if they are apart.
Moved RowSlots::moveRow(const UnitContext& unit, RowSlot& slot, Direction direction, Time at)
{
    const Content row = slot.wholeRow();
    const std::uint32_t step = slot.job->descriptor.step;
    const std::uint32_t together = step == 1 ? slot.run.sectors : 1;
    Moved moved{at, true};
    for (std::uint32_t first = 0; first < slot.run.sectors && moved.ok; first += together)
        moved = unit.memory.move(slot.memoryAddress() + bytesOf(first * step), bytesOf(together), row.at(first),
                                 direction, moved.end);
    return moved;
}

// The records of the row's pages, if they are kept in memory.
Moved RowSlots::moveSpares(const UnitContext& unit, RowSlot& slot, Direction direction, Time at)
{
    const FlashDescriptor& descriptor = slot.job->descriptor;
    if (descriptor.inlineSpare || descriptor.hasSectorTable || raw(descriptor.spareAddress) == 0)
        return {at, true};
    return unit.moveControl(descriptor.spareAddress + slot.firstPage * spareRecordBytes, slot.buffer.spares(),
                            slot.pages * spareRecordBytes, direction, at);
}

void RowSlots::send(UnitContext& unit, std::uint32_t index, Time dataAt)
{
    RowSlot& slot = slots_[index];
    const SuperchipOpcode opcode = slot.job->descriptor.opcode;
    slot.stage = Stage::InFlash;
    slot.since = dataAt;
    for (std::uint32_t bus = 0; bus < slot.buses(); ++bus) {
        PageRun share{slot.run.row * slot.buses() + bus, 0, 0, 0};
        if (opcode != SuperchipOpcode::Erase) {
            share = slot.map->pageRun(slot.run, bus);
            if (share.sectors == 0 || !needsFlash(slot, bus, share))
                continue;
        }
        const nand::Operation op = lowLevelOperation(slot, unit.config.priority, bus, share);
        Time at = dataAt;
        const std::uint32_t encoded = op.opcode == nand::Opcode::Program ? op.sectors : countBits(op.replaced);
        if (encoded != 0) {
            at = eccOf(unit, op).encode(bytesOf(encoded), dataAt);
            programsSent_ = std::max(programsSent_, at);
        } else if (op.opcode == nand::Opcode::CopyBack) {
            at = std::max(at, programsSent_);
        }
        slot.since = std::max(slot.since, at);
        slot.next = firstPrimitive(op);
        ++slot.pending;
        const Ticket ticket{unit.id, static_cast<std::uint16_t>(index * unit.buses() + bus)};
        if (unit.observer != nullptr)
            unit.observer->sent(ticket, index, op, dataAt, at);
        unit.port.sendOperation(ticket, op, at);
    }
    unit.spend(Stage::Encoding, slot.since - dataAt);
    if (slot.pending != 0)
        return;
    if (opcode == SuperchipOpcode::Read) { // all of it was buffered
        slot.stage = Stage::Decoding;
        unit.port.wakeUnit(unit.id, index, std::max(dataAt, slot.decoded));
    } else {
        finish(unit, slot, dataAt);
    }
}

// A page of a word line, on one chip: the last one to come sends all of them.
void RowSlots::hold(UnitContext& unit, std::uint32_t index, Time dataAt, Time now)
{
    RowSlot& slot = slots_[index];
    const DieId die = slot.map->die(slot.job->descriptor.superchip, 0);
    slot.stage = Stage::InFlash;
    slot.isHeld = true;
    slot.decoded = dataAt; // kept for the observer
    slot.since = unit.ecc[unit.map.array().channelOf(die)].encode(bytesOf(slot.run.sectors), dataAt);
    unit.spend(Stage::Encoding, slot.since - dataAt);
    if (slot.map->dieGeometry().isLastOfWordLine(slot.run.page))
        sendWordLine(unit, *slot.job, now);
}

// The held rows of the job, in the order of their pages.
void RowSlots::sendWordLine(UnitContext& unit, const UnitJob& job, Time now)
{
    const auto isOf = [&job](const RowSlot& s) { return !s.isFree && s.isHeld && s.job == &job; };
    for (;;) {
        RowSlot* next = nullptr;
        for (RowSlot& slot : slots_) {
            if (isOf(slot) && (next == nullptr || slot.run.page < next->run.page))
                next = &slot;
        }
        if (next == nullptr)
            return;
        const auto index = static_cast<std::uint32_t>(next - slots_.data());
        const nand::Operation op = lowLevelOperation(*next, unit.config.priority, 0, next->map->pageRun(next->run, 0));
        next->isHeld = false;
        next->pending = 1;
        next->since = std::max(next->since, now);
        programsSent_ = std::max(programsSent_, next->since);
        const Ticket ticket{unit.id, static_cast<std::uint16_t>(index * unit.buses())};
        if (unit.observer != nullptr)
            unit.observer->sent(ticket, index, op, next->decoded, next->since);
        unit.port.sendOperation(ticket, op, next->since);
    }
}

// The job has failed: the rest of its word line will not come.
void RowSlots::dropHeld(const UnitContext& unit, const UnitJob& job, Time now)
{
    for (RowSlot& slot : slots_) {
        if (!slot.isFree && slot.isHeld && slot.job == &job)
            finish(unit, slot, now);
    }
}

bool RowSlots::operationDone(UnitContext& unit, std::uint16_t lane, const nand::Operation& op, Time now)
{
    const std::uint32_t index = lane / unit.buses();
    const std::uint32_t bus = lane % unit.buses();
    RowSlot& slot = slots_[index];
    UnitJob& job = *slot.job;
    const FlashDescriptor& descriptor = job.descriptor;
    check(slot.pending > 0, "an operation finished that its flash unit did not wait for");
    if (op.form == nand::Form::CopyOut && op.status == nand::Status::Ok && op.replaced != 0) { // the source is blank
        if (unit.observer != nullptr)
            unit.observer->finished({unit.id, lane}, index, op, now, now);
        if (op.isStepped && !unit.config.isUntimed) {
            slot.isBlankMerge = true;
            suspend(unit, slot, now);
        } else {
            programBlankMerge(unit, lane, op, now);
        }
        return false;
    }
    --slot.pending;
    nand::Status status = op.status;
    Time decodedAt = now;
    if (op.opcode == nand::Opcode::Read && op.status == nand::Status::Ok) {
        const EccEngines::Decoded decoded = eccOf(unit, op).decode(op, now);
        slot.decoded = std::max(slot.decoded, decoded.at);
        decodedAt = decoded.at;
        if (op.torn || decoded.correction == Correction::Uncorrectable)
            status = nand::Status::Uncorrectable;
        else
            noteCorrected(job, op);
        slot.spareOf(bus) = op.spare;
        job.outcome.blank = job.outcome.blank || op.blank;
        if (op.blank && (descriptor.hasSectorTable || descriptor.isToHost()))
            clearSectors(op.data, op.sectors); // unwritten sectors are zeros for the host, whatever erased cells hold
    }
    if (unit.observer != nullptr)
        unit.observer->finished({unit.id, lane}, index, op, now, decodedAt);
    if (status != nand::Status::Ok) {
        slot.hasFailed = true;
        failJob(job, unit, op, status, slot.run.row * slot.buses() + bus, now);
        dropHeld(unit, job, now);
    }
    if (slot.pending != 0)
        return false;

    unit.spend(Stage::InFlash, now - slot.since);
    const bool hasRecords = op.status == nand::Status::Ok; // a page was read, though perhaps beyond correction
    if (descriptor.opcode != SuperchipOpcode::Read || (slot.hasFailed && slot.decoded <= now && !hasRecords)) {
        finish(unit, slot, now);
        if (job.isStopped && descriptor.isToHost())
            sendToHost(unit, job, now);
    } else if (slot.decoded > now) {
        slot.stage = Stage::Decoding;
        unit.spend(Stage::Decoding, slot.decoded - now);
        unit.port.wakeUnit(unit.id, index, slot.decoded);
    } else {
        store(unit, index, now);
    }
    return true;
}

// The source of a merge is blank: the buffered sectors are programmed.
void RowSlots::programBlankMerge(UnitContext& unit, std::uint16_t lane, const nand::Operation& copyOut, Time now)
{
    const std::uint32_t index = lane / unit.buses();
    const nand::Operation program = programOfBlankMerge(slots_[index], copyOut);
    const Time encoded = eccOf(unit, copyOut).encode(bytesOf(program.sectors), now);
    if (unit.observer != nullptr)
        unit.observer->sent({unit.id, lane}, index, program, now, encoded);
    unit.port.sendOperation({unit.id, lane}, program, encoded);
}

void RowSlots::primitiveEnded(UnitContext& unit, std::uint16_t lane, Time now)
{
    RowSlot& slot = slots_[lane / unit.buses()];
    check(slot.pending > 0 && !slot.isSuspended, "a primitive ended that its flash unit did not wait for");
    suspend(unit, slot, now);
}

void RowSlots::suspend(const UnitContext& unit, RowSlot& slot, Time now)
{
    const UnitJob& job = *slot.job;
    slot.isSuspended = true;
    unit.port.reportEvent(
        {{StatusCode::Suspended, 0, slot.isBlankMerge, 0}, job.address, job.descriptor.cookie, unit.id}, now);
}

void RowSlots::issuePrimitive(UnitContext& unit, std::uint32_t primitive, Time now)
{
    const auto suspended = std::find_if(slots_.begin(), slots_.end(),
                                        [](const RowSlot& slot) { return !slot.isFree && slot.isSuspended; });
    if (suspended == slots_.end() || primitive != static_cast<std::uint32_t>(suspended->next)) {
        Failure failure;
        failure.kind = FailureKind::PrimitiveRefused;
        failure.at = now;
        failure.unit = unit.id;
        failure.value = primitive;
        unit.port.noteFailure(failure);
        return;
    }
    RowSlot& slot = *suspended;
    slot.isSuspended = false;
    slot.next = primitiveAfter(slot.next);
    if (!slot.isBlankMerge) {
        unit.port.continueOperation(unit.id, slot.map->die(slot.job->descriptor.superchip, 0));
        return;
    }
    slot.isBlankMerge = false;
    const nand::Operation copyOut = lowLevelOperation(slot, unit.config.priority, 0, slot.map->pageRun(slot.run, 0));
    programBlankMerge(unit, static_cast<std::uint16_t>((suspended - slots_.begin()) * unit.buses()), copyOut, now);
}

void RowSlots::wake(UnitContext& unit, std::uint32_t index, Time now)
{
    if (slots_[index].stage == Stage::Decoding) {
        store(unit, index, now);
    } else {
        check(slots_[index].stage == Stage::StoringData, "a flash unit was woken without work");
        finish(unit, slots_[index], now);
    }
}

void RowSlots::store(UnitContext& unit, std::uint32_t index, Time now)
{
    RowSlot& slot = slots_[index];
    UnitJob& job = *slot.job;
    if (job.descriptor.hasUnitTable) {
        storeUnits(unit, index, now);
        return;
    }
    if (slot.hasFailed) { // the decoded data is useless; the spare record has its own code
        job.spare = slot.buffer.spares()[0];
        finish(unit, slot, now);
        if (job.descriptor.isToHost())
            sendToHost(unit, job, now);
        return;
    }
    slot.buffer.deal(*slot.map, slot.run, Direction::ToMemory);
    if (job.descriptor.hasSectorTable)
        slot.table.replaceIn(slot.wholeRow(), slot.run.sectors, job.descriptor.isUnmapped());
    if (job.descriptor.isToHost()) {
        job.spare = slot.buffer.spares()[0];
        slot.stage = Stage::StoringData;
        slot.since = now;
        slot.isWaiting = true;
        sendToHost(unit, job, now);
        return;
    }
    if (job.descriptor.hasParity &&
        !unit.config.xorEngine->read(XorEngine::order(job.descriptor.sourceSector), slot.buffer.lane(0),
                                     slot.run.sectors, job.outcome.blank)) {
        job.spare = slot.buffer.spares()[0]; // the last read of the set stores the sum
        finish(unit, slot, now);
        return;
    }
    Moved moved = moveRow(unit, slot, Direction::ToMemory, now);
    MalformedReason reason = MalformedReason::BufferOutsideMemory;
    if (moved.ok) {
        job.spare = slot.buffer.spares()[0];
        moved = moveSpares(unit, slot, Direction::ToMemory, moved.end);
        reason = MalformedReason::SpareOutsideMemory;
    }
    storing(unit, index, moved, reason, now);
}

// Units, unless the row has failed, then their records.
void RowSlots::storeUnits(UnitContext& unit, std::uint32_t index, Time now)
{
    RowSlot& slot = slots_[index];
    UnitTable::Step stored{{now, true}, MalformedReason::None};
    if (!slot.hasFailed)
        stored = slot.units.storeUnits(unit, slot.buffer.lane(0), now);
    if (stored.moved.ok)
        stored = slot.units.storeRecords(unit, stored.moved.end);
    storing(unit, index, stored.moved, stored.reason, now);
}

// The row is in memory at the end of `moved`.
void RowSlots::storing(UnitContext& unit, std::uint32_t index, const Moved& moved, MalformedReason reason, Time now)
{
    RowSlot& slot = slots_[index];
    if (!moved.ok) {
        refuseJob(*slot.job, unit, reason, now);
        finish(unit, slot, now);
        return;
    }
    slot.stage = Stage::StoringData;
    unit.spend(Stage::StoringData, moved.end - now);
    unit.port.wakeUnit(unit.id, index, moved.end);
}

// Sends the waiting rows of the job whose turn has come. After a failed row nothing more is sent.
void RowSlots::sendToHost(UnitContext& unit, UnitJob& job, Time now)
{
    const FlashDescriptor& descriptor = job.descriptor;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        RowSlot& slot = slots_[i];
        if (slot.isFree || !slot.isWaiting || slot.job != &job || (slot.offset != job.sent && !job.isStopped))
            continue;
        slot.isWaiting = false;
        if (job.isStopped) {
            finish(unit, slot, now);
            continue;
        }
        job.sent += slot.run.sectors;
        HostRun run;
        run.slot = descriptor.hostSlot();
        run.first = descriptor.hostFirst() + slot.offset;
        run.sectors = slot.run.sectors;
        run.completes = descriptor.completes && job.sent == descriptor.sectors;
        run.content = slot.wholeRow();
        run.ticket = {unit.id, static_cast<std::uint16_t>(i * unit.buses())};
        if (!unit.port.sendToHost(run, now)) {
            refuseJob(job, unit, MalformedReason::HostRefused, now);
            finish(unit, slot, now);
        }
        i = SIZE_MAX; // from the first one on: it may now be the turn of a slot that was passed over
    }
}

void RowSlots::hostTook(UnitContext& unit, std::uint16_t lane, Time now)
{
    RowSlot& slot = slots_[lane / unit.buses()];
    unit.spend(Stage::StoringData, now - slot.since);
    finish(unit, slot, now);
}

} // namespace strobe::controller
