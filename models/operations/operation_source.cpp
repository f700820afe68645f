// SPDX-License-Identifier: Apache-2.0
#include "models/operations/operation_source.h"

#include "models/base/check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace strobe::operations {

using nand::Opcode;
using nand::Status;

OperationSource::OperationSource(const Config& config, OperationPlan plan)
    : config_(config), plan_(std::move(plan)), queues_(config.array.channels)
{
    kept_.reserve(std::min(config.kept, plan_.measured.size()));
    splitByChannel();
}

void OperationSource::splitByChannel()
{
    for (Queue& queue : queues_)
        queue = {};
    for (std::size_t i = 0; i < phase().size(); ++i)
        queues_[raw(config_.array.channelOf(phase()[i].die))].operations.push_back(i);
    finishedOfPhase_ = 0;
}

void OperationSource::beginMeasuring(Time now)
{
    check(isPhaseOver() && !isMeasuring_, "the preparation of an operation plan is not over");
    isMeasuring_ = true;
    begin_ = end_ = now;
    splitByChannel();
}

std::uint32_t OperationSource::takeSlot()
{
    if (freeSlots_.empty()) {
        freeSlots_.push_back(static_cast<std::uint32_t>(slots_.size()));
        slots_.emplace_back().data.resize(config_.die.sectorsPerPage() * stride(config_.dataMode));
    }
    const std::uint32_t slot = freeSlots_.back();
    freeSlots_.pop_back();
    slots_[slot].isFree = false;
    return slot;
}

std::uint64_t OperationSource::pageNumber(DieId die, nand::PageAddress address) const
{
    return (std::uint64_t{raw(die)} * config_.die.blocks() + address.block) * config_.die.pagesPerBlock + address.page;
}

std::optional<OperationSource::Issue> OperationSource::next(ChannelId channel)
{
    Queue& queue = queues_[raw(channel)];
    const bool isFull = config_.queueDepth && queue.outstanding >= *config_.queueDepth;
    if (queue.next == queue.operations.size() || isFull)
        return std::nullopt;
    const PlannedOperation& planned = phase()[queue.operations[queue.next++]];
    ++queue.outstanding;
    Issue issue{takeSlot(), {}};
    Slot& slot = slots_[issue.slot];
    nand::Operation& op = issue.op;
    op.opcode = planned.opcode;
    op.die = planned.die;
    op.target = planned.target;
    op.source = planned.source;
    if (op.opcode == Opcode::Read || op.opcode == Opcode::Program) {
        op.sectors = config_.die.sectorsPerPage();
        op.data = {slot.data.data(), config_.dataMode};
    }
    if (op.opcode == Opcode::Program) {
        slot.version = ++versions_ & tagVersionMask;
        fill(slot, static_cast<std::uint32_t>(pageNumber(op.die, op.target) * op.sectors));
    }
    return issue;
}

void OperationSource::fill(Slot& slot, std::uint32_t lba)
{
    const std::uint32_t sectors = config_.die.sectorsPerPage();
    if (config_.dataMode == DataMode::Tags) {
        makeTagRun(lba, slot.version, sectors, slot.data.data());
        return;
    }
    for (std::uint32_t i = 0; i < sectors && config_.dataMode == DataMode::Bytes; ++i)
        expandSector(lba + i, slot.version, slot.data.data() + i * sectorBytes);
}

// `written` null: the page is blank.
bool OperationSource::holds(const Slot& slot, const Written* written) const
{
    const std::uint32_t sectors = config_.die.sectorsPerPage();
    if (config_.dataMode == DataMode::None || written == nullptr)
        return true;
    if (config_.dataMode == DataMode::Tags)
        return isTagRunOf(slot.data.data(), written->lba, written->version, sectors);
    std::array<std::byte, sectorBytes> expected{};
    for (std::uint32_t i = 0; i < sectors; ++i) {
        expandSector(written->lba + i, written->version, expected.data());
        const auto start = slot.data.begin() + static_cast<std::ptrdiff_t>(i * sectorBytes);
        if (!std::equal(expected.begin(), expected.end(), start))
            return false;
    }
    return true;
}

// A die finishes its operations in the order in which it was given them, as far as they touch the same block; so the
// next operation finds the results of the finished ones.
void OperationSource::takeEffect(const Slot& slot, const nand::Operation& op)
{
    const std::uint64_t page = pageNumber(op.die, op.target);
    switch (op.opcode) {
    case Opcode::Read: {
        const auto found = pages_.find(page);
        const Written* written = found == pages_.end() ? nullptr : &found->second;
        if (op.blank != (written == nullptr) || !holds(slot, written))
            ++mismatches_;
        break;
    }
    case Opcode::Program:
        pages_[page] = {static_cast<std::uint32_t>(page * config_.die.sectorsPerPage()), slot.version};
        break;
    case Opcode::CopyBack: {
        const auto found = pages_.find(pageNumber(op.die, op.source));
        if (found != pages_.end())
            pages_[page] = Written{found->second};
        break;
    }
    case Opcode::Erase:
        for (std::uint32_t i = 0; i < config_.die.pagesPerBlock; ++i)
            pages_.erase(pageNumber(op.die, {op.target.block, i}));
        break;
    default: break;
    }
}

void OperationSource::finished(std::uint32_t number, const nand::Operation& op)
{
    check(number < slots_.size() && !slots_[number].isFree, "an operation finishes that was not issued");
    Slot& slot = slots_[number];
    Queue& queue = queues_[raw(config_.array.channelOf(op.die))];
    --queue.outstanding;
    ++finishedOfPhase_;
    if (op.status == Status::Ok)
        takeEffect(slot, op);
    slot.isFree = true;
    freeSlots_.push_back(number);
    if (!isMeasuring_) {
        preparationProblems_ += op.status == Status::Ok ? 0 : 1;
        return;
    }
    OpcodeResult& result = results_[static_cast<std::size_t>(op.opcode)];
    const Time latency = op.done - op.requestStart;
    ++result.count;
    result.failed += op.status == Status::ProgramFailed || op.status == Status::EraseFailed ? 1 : 0;
    result.illegal += op.status == Status::Illegal ? 1 : 0;
    result.latency += latency;
    result.queued += op.done - op.submitted;
    result.shortest = std::min(result.shortest, latency);
    result.longest = std::max(result.longest, latency);
    end_ = std::max(end_, op.done);
    if (kept_.size() < config_.kept) {
        kept_.push_back(op);
        kept_.back().data = {}; // goes with the slot
    }
}

void OperationSource::save(ByteWriter& file) const
{
    file.put(versions_);
    file.put(std::uint64_t{pages_.size()});
    const std::map<std::uint64_t, Written> inOrder(pages_.begin(), pages_.end()); // the same file whatever the hash
    for (const auto& [page, written] : inOrder) {
        file.put(page);
        file.put(written.lba);
        file.put(written.version);
    }
}

void OperationSource::restore(ByteReader& file)
{
    versions_ = file.take<std::uint32_t>();
    const std::uint64_t most = config_.array.dies() * config_.die.pages();
    for (auto left = file.takeBelow<std::uint64_t>(most + 1); left != 0; --left) {
        const auto page = file.takeBelow<std::uint64_t>(most);
        const auto lba = file.take<std::uint32_t>();
        pages_[page] = {lba, file.take<std::uint32_t>()};
    }
    if (!file.isAtEnd())
        throw DamagedBytes("it continues after its end");
}

std::uint64_t OperationSource::problems() const
{
    std::uint64_t sum = mismatches_ + preparationProblems_;
    for (const OpcodeResult& result : results_)
        sum += result.failed + result.illegal;
    return sum;
}

} // namespace strobe::operations
