// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/mock_superchips.h"

#include "models/base/strobe_registers.h"
#include "tests/firmware/support/mock_drive.h"

#include <cstring>
#include <string>

namespace strobe::test {

namespace {

using controller::SuperchipOpcode;

constexpr std::uint32_t toHost = 0xFFFFFFFF;

[[noreturn]] void refuse(const std::string& what)
{
    throw std::runtime_error("superchips: " + what);
}

nand::ArrayGeometry arrayOf(const cpu::BootBlock& boot)
{
    nand::ArrayGeometry array;
    array.channels = static_cast<std::uint16_t>(boot.channels);
    array.ways = static_cast<std::uint16_t>(boot.ways);
    array.luns = static_cast<std::uint16_t>(boot.luns);
    return array;
}

} // namespace

MockSuperchips::MockSuperchips(MockFlash& flash, MockDrive& drive)
    : flash_(flash), drive_(drive), map_(arrayOf(drive.options_.boot), flash.part().geometry,
                                         {static_cast<std::uint16_t>(drive.options_.boot.superchipBus),
                                          static_cast<std::uint16_t>(drive.options_.boot.superchipChip)}),
      oneChip_(arrayOf(drive.options_.boot), flash.part().geometry, {}), dies_(flash.dies())
{
}

// --- descriptors ----------------------------------------------------------------------------------------------------

void MockSuperchips::execute(std::uint32_t unit, std::uint32_t address)
{
    controller::DescriptorWords words;
    std::memcpy(words.data(), drive_.words(address), sizeof words);
    auto job = std::make_shared<Job>();
    job->unit = unit;
    job->address = address;
    job->descriptor = controller::parseDescriptor(words);
    const controller::FlashDescriptor& d = job->descriptor;
    job->map = d.isOneChip ? &oneChip_ : &map_;
    if (d.inlineBlocks != (d.isOneChip && d.blocks != 0) && d.blocks != 0)
        refuse("block numbers where a list is expected, or a list where a number is");
    if (d.inlineSpare || d.hasUnitTable || d.superchip >= job->map->superchips() || (d.step != 1 && !d.isOneChip))
        refuse("a descriptor that is not expected here");
    if (d.isStepped && !d.isOneChip)
        refuse("several chips in steps");
    const std::uint64_t end = std::uint64_t{d.startSector} + d.sectors;
    if (d.opcode != SuperchipOpcode::Erase && (d.sectors == 0 || end > job->map->sectorsPerSuperblock()))
        refuse("sectors beyond the superblock");
    job->cursor = d.startSector;
    job->end = d.opcode == SuperchipOpcode::Erase ? job->map->degrees().chip : static_cast<std::uint32_t>(end);
    const bool isTable = raw(d.buffer) != toHost && drive_.memory(raw(d.buffer), 512) != nullptr;
    job->mode = isTable && !hasTable(*job) ? DataMode::Bytes : DataMode::Tags;
    if (job->mode == DataMode::Bytes && raw(d.buffer) % 512 != 0)
        refuse("a table is not aligned to 512 bytes");
    job->outcome.code = controller::StatusCode::Ok;
    if (d.opcode == SuperchipOpcode::Read)
        job->data.resize(d.sectors * stride(job->mode));
    nextRow(job);
}

bool MockSuperchips::hasTable(const Job& job) const
{
    return job.descriptor.hasSectorTable;
}

std::uint32_t MockSuperchips::block(const Job& job, std::uint32_t list, std::uint32_t chip) const
{
    if (job.descriptor.inlineBlocks)
        return list;
    const auto* words = static_cast<const std::uint32_t*>(drive_.memory(list, job.map->chips() * 4));
    if (words == nullptr)
        refuse("a block list is not in memory");
    return words[chip];
}

std::uint32_t MockSuperchips::tableWord(const Job& job, std::uint32_t sector) const
{
    if (!job.descriptor.hasSectorTable)
        return 0;
    const std::uint32_t at = raw(job.descriptor.spareAddress) + (sector - job.descriptor.startSector) * 4;
    const auto* word = static_cast<const std::uint32_t*>(drive_.memory(at, 4));
    if (word == nullptr)
        refuse("a sector table is not in memory");
    return *word;
}

std::uint32_t MockSuperchips::sectorOf(const Job& job, const controller::RowRun& run, const controller::PageRun& share,
                                       std::uint32_t i) const
{
    return (run.page * job.map->degrees().chip + run.row) * job.map->sectorsPerRow() + run.first + share.offset +
           i * job.map->degrees().bus;
}

// In the order in which they follow each other.
static std::deque<controller::Primitive> primitivesOf(const controller::FlashDescriptor& descriptor)
{
    using controller::Primitive;
    if (!descriptor.isStepped)
        return {};
    switch (descriptor.opcode) {
    case SuperchipOpcode::Read: return {Primitive::DataOut};
    case SuperchipOpcode::CopyBack:
        if (!descriptor.hasSectorTable && !descriptor.commonSpare)
            return {Primitive::StatusRead};
        return {Primitive::RecordOut, Primitive::Transfer, Primitive::StatusRead};
    default: return {Primitive::StatusRead};
    }
}

void MockSuperchips::issuePrimitive(std::uint32_t unit, std::uint32_t primitive)
{
    const auto suspended = suspended_.find(unit);
    if (suspended == suspended_.end())
        refuse("a primitive for unit " + std::to_string(unit) + ", which has no suspended operation");
    const auto [die, chain] = suspended->second;
    suspended_.erase(suspended);
    if (primitive != static_cast<std::uint32_t>(chain->primitives.front()))
        refuse("primitive " + std::to_string(primitive) + " does not follow");
    chain->primitives.pop_front();
    drive_.at(drive_.someTime(50), [this, die = die, chain = chain] { endOrSuspend(die, chain); });
}

// --- rows -----------------------------------------------------------------------------------------------------------

void MockSuperchips::nextRow(const JobPointer& job)
{
    while (job->open == 0) {
        const bool isOver = job->cursor == job->end || job->outcome.code != controller::StatusCode::Ok;
        if (isOver) {
            drive_.at(drive_.someTime(20), [this, job] { end(job); });
            return;
        }
        ++job->open; // until all pages of the row are queued
        if (job->descriptor.opcode == SuperchipOpcode::Erase) {
            for (std::uint32_t bus = 0; bus < job->map->degrees().bus; ++bus)
                eraseChip(job, job->cursor * job->map->degrees().bus + bus);
            ++job->cursor;
        } else {
            const controller::RowRun run = job->map->rowRun(job->cursor, job->end);
            job->cursor += run.sectors;
            for (std::uint32_t bus = 0; bus < job->map->degrees().bus; ++bus)
                pageOf(job, run, bus);
        }
        --job->open;
    }
}

bool MockSuperchips::pageOf(const JobPointer& job, const controller::RowRun& run, std::uint32_t bus)
{
    const controller::PageRun share = job->map->pageRun(run, bus);
    if (share.sectors == 0)
        return false;
    switch (job->descriptor.opcode) {
    case SuperchipOpcode::Read: readPage(job, run, share); return true;
    case SuperchipOpcode::Program: return programPage(job, run, share);
    default: return mergePage(job, run, share);
    }
}

nand::Operation MockSuperchips::operation(const Job& job, nand::Opcode opcode, std::uint32_t chip,
                                          std::uint32_t page) const
{
    nand::Operation op;
    op.opcode = opcode;
    op.die = job.map->die(job.descriptor.superchip, chip);
    op.target = {block(job, job.descriptor.blocks, chip), page};
    if (job.descriptor.commonSpare)
        op.spare = job.descriptor.spare;
    return op;
}

void MockSuperchips::eraseChip(const JobPointer& job, std::uint32_t chip)
{
    auto chain = std::make_shared<Chain>();
    chain->operations.push_back(operation(*job, nand::Opcode::Erase, chip, 0));
    queue(job, chip, chain);
}

void MockSuperchips::readPage(const JobPointer& job, const controller::RowRun& run, const controller::PageRun& share)
{
    bool isWanted = !job->descriptor.hasSectorTable;
    for (std::uint32_t i = 0; i < share.sectors; ++i)
        isWanted = isWanted || tableWord(*job, sectorOf(*job, run, share, i)) == 0;
    if (!isWanted || (hasTable(*job) && job->descriptor.blocks == 0))
        return;
    auto chain = std::make_shared<Chain>();
    nand::Operation op = operation(*job, nand::Opcode::Read, share.chip, run.page);
    chain->data.resize(share.sectors * stride(job->mode));
    op.firstSector = share.firstSector;
    op.sectors = share.sectors;
    op.data = {chain->data.data(), job->mode};
    chain->operations.push_back(op);
    const std::uint32_t place = job->pages++;
    job->spares.resize(job->pages);
    chain->done = [this, job, run, share, place](const nand::Operation& read) {
        job->spares[place] = read.spare;
        for (std::uint32_t i = 0; i < share.sectors; ++i) {
            std::byte* to =
                job->data.data() + (sectorOf(*job, run, share, i) - job->descriptor.startSector) * stride(job->mode);
            std::memcpy(to, read.data.data + i * stride(job->mode), stride(job->mode));
        }
    };
    queue(job, share.chip, chain);
}

// Buffered sectors of a page over what it holds.
void MockSuperchips::overlay(const JobPointer& job, const controller::RowRun& run, const controller::PageRun& share,
                             std::byte* page)
{
    for (std::uint32_t i = 0; i < share.sectors; ++i) {
        const std::uint32_t word = tableWord(*job, sectorOf(*job, run, share, i));
        if (word != 0)
            std::memcpy(page + (share.firstSector + i) * sizeof(SectorTag), drive_.tags(word, 1), sizeof(SectorTag));
    }
}

bool MockSuperchips::programPage(const JobPointer& job, const controller::RowRun& run, const controller::PageRun& share)
{
    auto chain = std::make_shared<Chain>();
    nand::Operation op = operation(*job, nand::Opcode::Program, share.chip, run.page);
    const std::uint32_t perPage = flash_.part().geometry.sectorsPerPage();
    chain->data.resize(perPage * stride(job->mode));
    op.sectors = perPage;
    op.data = {chain->data.data(), job->mode};
    bool isWritten = !hasTable(*job);
    for (std::uint32_t i = 0; i < share.sectors; ++i) {
        const std::uint32_t sector = sectorOf(*job, run, share, i);
        isWritten = isWritten || tableWord(*job, sector) != 0;
        if (hasTable(*job))
            continue;
        const std::uint32_t from =
            raw(job->descriptor.buffer) + (sector - job->descriptor.startSector) * job->descriptor.step * 512;
        const void* source = job->mode == DataMode::Bytes ? drive_.memory(from, 512) : drive_.tags(from, 1);
        std::memcpy(chain->data.data() + (share.firstSector + i) * stride(job->mode), source, stride(job->mode));
    }
    if (!isWritten)
        return false;
    if (hasTable(*job))
        overlay(job, run, share, chain->data.data());
    chain->operations.push_back(op);
    queue(job, share.chip, chain);
    return true;
}

bool MockSuperchips::mergePage(const JobPointer& job, const controller::RowRun& run, const controller::PageRun& share)
{
    const std::uint32_t perPage = flash_.part().geometry.sectorsPerPage();
    const nand::PageAddress source{block(*job, job->descriptor.sourceBlocks, share.chip), run.page};
    const nand::Die& die = flash_.die(raw(job->map->die(job->descriptor.superchip, share.chip)));
    std::uint32_t buffered = 0;
    for (std::uint32_t i = 0; i < share.sectors; ++i)
        buffered += tableWord(*job, sectorOf(*job, run, share, i)) != 0 ? 1u : 0u;
    auto chain = std::make_shared<Chain>();
    if (buffered == 0) {
        if (!die.cells().isProgrammed(source))
            return false;
        nand::Operation op = operation(*job, nand::Opcode::CopyBack, share.chip, run.page);
        op.source = source;
        chain->operations.push_back(op);
        queue(job, share.chip, chain);
        return true;
    }
    chain->data.resize(perPage * sizeof(SectorTag));
    if (buffered != perPage) {
        nand::Operation op = operation(*job, nand::Opcode::Read, share.chip, run.page);
        op.target = source;
        op.sectors = perPage;
        op.data = {chain->data.data(), DataMode::Tags};
        chain->operations.push_back(op);
    }
    nand::Operation op = operation(*job, nand::Opcode::Program, share.chip, run.page);
    op.sectors = perPage;
    op.data = {chain->data.data(), DataMode::Tags};
    chain->operations.push_back(op);
    chain->between = [this, job, run, share, data = chain->data.data()] { overlay(job, run, share, data); };
    if (buffered == perPage)
        chain->between();
    queue(job, share.chip, chain);
    return true;
}

// --- dies -----------------------------------------------------------------------------------------------------------

void MockSuperchips::queue(const JobPointer& job, std::uint32_t chip, const ChainPointer& chain)
{
    const std::uint32_t die = raw(job->map->die(job->descriptor.superchip, chip));
    ++job->open;
    chain->job = job;
    chain->primitives = primitivesOf(job->descriptor);
    const auto last = std::move(chain->done);
    chain->done = [this, job, chip, last](const nand::Operation& op) {
        if (last && op.status == nand::Status::Ok)
            last(op);
        pageDone(job, chip, op);
    };
    dies_[die].waiting.push_back(chain);
    begin(die);
}

void MockSuperchips::begin(std::uint32_t number)
{
    DieQueue& queue = dies_[number];
    if (queue.busy || queue.waiting.empty())
        return;
    queue.busy = true;
    const ChainPointer chain = queue.waiting.front();
    nand::Operation& op = chain->operations[chain->next];
    nand::Die& die = flash_.die(number);
    if (chain->next != 0 && chain->between)
        chain->between();
    if (op.opcode != nand::Opcode::Read)
        flash_.wears(die, op.target.block);
    die.issue(op, drive_.now_);
    if (op.status == nand::Status::Illegal)
        refuse("illegal " + std::string(enumName(op.opcode)) + " of die " + std::to_string(number) + " block " +
               std::to_string(op.target.block) + " page " + std::to_string(op.target.page) + ": " +
               std::string(enumName(op.reason)));
    drive_.at(op.ready - drive_.now_ + drive_.someTime(50), [this, number, chain] {
        nand::Operation& ended = chain->operations[chain->next];
        if (ended.opcode == nand::Opcode::Read) {
            flash_.die(number).fetch(ended);
            if (ended.torn || (!ended.blank && flash_.happens(flash_.faults().uncorrectable)))
                ended.status = nand::Status::Uncorrectable;
        }
        if (ended.status == nand::Status::Ok && chain->next + 1 < chain->operations.size()) {
            ++chain->next;
            dies_[number].busy = false;
            begin(number);
            return;
        }
        endOrSuspend(number, chain);
    });
}

// The last operation of the chain has ended.
void MockSuperchips::endOrSuspend(std::uint32_t number, const ChainPointer& chain)
{
    if (!chain->primitives.empty()) {
        const Job& job = *chain->job;
        suspended_[job.unit] = {number, chain};
        drive_.put(drive_.flashRing_, controller::statusWord({controller::StatusCode::Suspended}), job.address,
                   job.descriptor.cookie, job.unit);
        return;
    }
    DieQueue& here = dies_[number];
    here.busy = false;
    here.waiting.pop_front();
    begin(number);
    chain->done(chain->operations[chain->next]);
}

void MockSuperchips::pageDone(const JobPointer& job, std::uint32_t chip, const nand::Operation& op)
{
    if (op.status != nand::Status::Ok && job->outcome.code == controller::StatusCode::Ok) {
        job->outcome.code = controller::statusCode(op.status);
        job->outcome.chip = static_cast<std::uint8_t>(chip);
        job->outcome.page = static_cast<std::uint16_t>(op.target.page);
    }
    --job->open;
    nextRow(job);
}

// --- the end --------------------------------------------------------------------------------------------------------

void MockSuperchips::deliver(Job& job)
{
    const controller::FlashDescriptor& d = job.descriptor;
    for (std::uint32_t i = 0; i < d.sectors; ++i) {
        const std::uint32_t word = tableWord(job, d.startSector + i);
        if (word != 0)
            std::memcpy(job.data.data() + i * sizeof(SectorTag), drive_.tags(word, 1), sizeof(SectorTag));
        SectorTag tag = 0;
        if (raw(d.buffer) == toHost) {
            std::memcpy(&tag, job.data.data() + i * sizeof tag, sizeof tag);
            drive_.host_->read(d.sourceSector & 0xFFFF, (d.sourceSector >> 16) + i, tag);
        }
    }
    if (raw(d.buffer) == toHost) {
        if (d.completes)
            drive_.complete(d.sourceSector & 0xFFFF, HostStatus::Ok);
        return;
    }
    for (std::uint32_t i = 0; i < d.sectors; ++i) {
        const std::uint32_t at = raw(d.buffer) + i * d.step * 512;
        void* to = job.mode == DataMode::Bytes ? drive_.memory(at, 512) : drive_.tags(at, 1);
        std::memcpy(to, job.data.data() + i * stride(job.mode), stride(job.mode));
    }
    if (!hasTable(job) && raw(d.spareAddress) != 0) {
        const auto bytes = static_cast<std::uint32_t>(job.spares.size() * sizeof(nand::Spare));
        std::memcpy(drive_.memory(raw(d.spareAddress), bytes), job.spares.data(), bytes);
    }
}

void MockSuperchips::end(const JobPointer& job)
{
    if (job->descriptor.opcode == SuperchipOpcode::Read && job->outcome.code == controller::StatusCode::Ok)
        deliver(*job);
    flash_.endDescriptor(job->unit, job->address, controller::statusWord(job->outcome));
}

} // namespace strobe::test
