// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/debug/race_check.h"

#include "models/cpu/rv32/instruction.h"

#include <algorithm>
#include <utility>

namespace strobe::cpu {

namespace {

constexpr std::size_t mostCandidates = 10000;
constexpr unsigned spNumber = 2;

// Bits of a fence (Unprivileged ISA, 2.7), and of an atomic (8.1).
constexpr std::uint32_t afterLoads = 1U << 25;
constexpr std::uint32_t afterStores = 1U << 24;
constexpr std::uint32_t beforeLoads = 1U << 21;
constexpr std::uint32_t beforeStores = 1U << 20;
constexpr std::uint32_t acquires = 1U << 26;
constexpr std::uint32_t releases = 1U << 25;

template <class Clock>
void join(Clock& clock, const Clock& other)
{
    for (std::size_t i = 0; i < clock.size(); ++i)
        clock[i] = std::max(clock[i], other[i]);
}

} // namespace

RaceCheck::RaceCheck(std::vector<Block> blocks) : blocks_(std::move(blocks))
{
    powerOn();
}

void RaceCheck::powerOn()
{
    pages_.clear();
    released_.assign(blocks_.size(), {});
    harts_ = {};
    for (std::size_t i = 0; i < harts; ++i)
        harts_[i].now[i] = 1;
}

RaceCheck::Word& RaceCheck::wordAt(std::uint32_t address)
{
    std::unique_ptr<Page>& page = pages_[address / pageBytes];
    if (page == nullptr)
        page = std::make_unique<Page>();
    return (*page)[address % pageBytes / 4];
}

const RaceCheck::Block* RaceCheck::blockAt(std::uint32_t address) const
{
    const auto block =
        std::find_if(blocks_.begin(), blocks_.end(), [address](const Block& b) { return address - b.first < b.bytes; });
    return block == blocks_.end() ? nullptr : &*block;
}

// --- what the core reports ------------------------------------------------------------------------------------------

// An access that the bus postpones is reported again.
void RaceCheck::accessed(const rv32::Core& core, std::uint32_t address, unsigned bytes, bool isStore)
{
    Hart& hart = harts_[core.hart()];
    const bool isSecond = hart.pendingCount == 1 && hart.pendingPc == core.pc() && isStore && !hart.pending[0].isStore;
    hart.pendingCount = isSecond ? 2 : 1;
    hart.pendingPc = core.pc();
    hart.pending[hart.pendingCount - 1] = {address, static_cast<std::uint8_t>(((1U << bytes) - 1) << (address & 3U)),
                                           isStore};
}

void RaceCheck::retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned /*cycles*/)
{
    const std::uint32_t number = core.hart();
    Hart& hart = harts_[number];
    if (std::exchange(hart.hasWaited, false))
        interrupted(number);
    const unsigned count = std::exchange(hart.pendingCount, 0);
    if (count == 0) {
        const rv32::Operation operation = rv32::decode(bits).operation;
        if (operation == rv32::Operation::Fence) {
            fence(number, bits);
        } else if (operation == rv32::Operation::Wfi) {
            hart.hasWaited = true;
        } else if (operation == rv32::Operation::Mret && !hart.interrupted.empty()) {
            hart.sequence = hart.interrupted.back();
            hart.interrupted.pop_back();
        }
        return;
    }
    const rv32::Instruction instruction = rv32::decode(bits);
    const bool isAtomic = rv32::classOf(instruction.operation) == rv32::InstructionClass::Atomic;
    for (unsigned i = 0; i < count; ++i) {
        const Pending access = hart.pending[i];
        if (const Block* block = blockAt(access.address))
            accessBlock(number, *block, access.isStore);
        else
            reach({number, pc, access, isAtomic, instruction.rs1 == spNumber, isAtomic && (bits & acquires) != 0,
                   isAtomic && (bits & releases) != 0});
    }
}

void RaceCheck::trapped(const rv32::Core& core)
{
    Hart& hart = harts_[core.hart()];
    hart.pendingCount = 0;
    hart.hasWaited = false;
    hart.interrupted.push_back(std::exchange(hart.sequence, {}));
    if ((core.csr(rv32::csr::mcause).value_or(0) & rv32::interruptFlag) != 0)
        interrupted(core.hart());
}

// --- order ----------------------------------------------------------------------------------------------------------

void RaceCheck::fence(std::uint32_t number, std::uint32_t bits)
{
    Hart& hart = harts_[number];
    if ((bits & afterLoads) != 0 && (bits & beforeLoads) != 0)
        join(hart.now, std::exchange(hart.seen, {}));
    hart.sequence.afterFence = {};
    if ((bits & afterStores) == 0)
        return;
    if ((bits & beforeLoads) != 0)
        hart.sequence.afterFence.flag = hart.sequence.lastStored;
    if ((bits & beforeStores) != 0) {
        hart.sequence.afterFence.storeSynchronises = hart.sequence.hasStored;
        hart.fenced = hart.now;
        ++hart.now[number];
    }
}

void RaceCheck::accessBlock(std::uint32_t number, const Block& block, bool isStore)
{
    Hart& hart = harts_[number];
    Clock& released = released_[static_cast<std::size_t>(&block - blocks_.data())];
    hart.sequence.lastStored.reset();
    if (isStore) {
        hart.sequence.afterFence = {};
        join(released, hart.now);
        ++hart.now[number];
    } else {
        join(hart.now, released);
    }
}

void RaceCheck::interrupted(std::uint32_t number)
{
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if ((blocks_[i].interrupts >> number & 1U) != 0)
            join(harts_[number].now, released_[i]);
    }
}

// --- memory ---------------------------------------------------------------------------------------------------------

void RaceCheck::reach(const Reach& reach)
{
    Word& word = wordAt(reach.access.address);
    if (reach.isAtomic)
        synchronises(reach.access.address & ~3U);
    compare(reach, word.stores, true);
    if (reach.access.isStore) {
        compare(reach, word.loads, false);
        store(reach, word);
    } else {
        load(reach, word);
    }
    Hart& hart = harts_[reach.hart];
    Access& own = (reach.access.isStore ? word.stores : word.loads)[reach.hart];
    const std::uint8_t before = own.when == hart.now[reach.hart] ? own.bytes : std::uint8_t{0};
    own = {hart.now[reach.hart], reach.pc, static_cast<std::uint8_t>(before | reach.access.bytes)};
    if (reach.releases)
        ++hart.now[reach.hart];
}

void RaceCheck::load(const Reach& reach, Word& word)
{
    Hart& hart = harts_[reach.hart];
    if (!reach.isSpill)
        hart.sequence.lastStored.reset();
    if (hart.sequence.afterFence.flag) {
        for (std::uint32_t other = 0; other < harts; ++other) {
            if (other == reach.hart || word.stores[other].when == 0)
                continue;
            synchronises(*hart.sequence.afterFence.flag);
            synchronises(reach.access.address & ~3U);
        }
    }
    for (std::size_t i = 0; i < harts; ++i)
        hart.sequence.hasStored = hart.sequence.hasStored && word.released[i] <= std::max(hart.now[i], hart.seen[i]);
    join(reach.acquires ? hart.now : hart.seen, word.released);
}

void RaceCheck::store(const Reach& reach, Word& word)
{
    Hart& hart = harts_[reach.hart];
    const std::uint32_t address = reach.access.address & ~3U;
    if (!reach.isSpill) {
        if (std::exchange(hart.sequence.afterFence, {}).storeSynchronises)
            synchronises(address);
        hart.sequence.lastStored = address;
        hart.sequence.hasStored = true;
    }
    const Clock& released = reach.releases ? hart.now : hart.fenced;
    if (reach.isAtomic)
        join(word.released, released); // who reads it reads what it has replaced, too
    else
        word.released = released;
}

void RaceCheck::synchronises(std::uint32_t word)
{
    if (synchronising_.insert(word).second)
        candidates_.erase(candidates_.lower_bound({word, 0, 0}), candidates_.lower_bound({word + 1, 0, 0}));
}

void RaceCheck::compare(const Reach& reach, const std::array<Access, harts>& others, bool areStores)
{
    const std::uint32_t address = reach.access.address & ~3U;
    for (std::uint32_t other = 0; other < harts; ++other) {
        const Access& before = others[other];
        if (other == reach.hart || before.when <= harts_[reach.hart].now[other] ||
            (before.bytes & reach.access.bytes) == 0 || synchronising_.count(address) != 0)
            continue;
        if (candidates_.size() >= mostCandidates && candidates_.count({address, before.pc, reach.pc}) == 0) {
            hasDropped_ = true;
            continue;
        }
        candidates_.try_emplace(
            Key{address, before.pc, reach.pc},
            Finding{address, {other, before.pc, areStores}, {reach.hart, reach.pc, reach.access.isStore}});
    }
}

std::vector<RaceCheck::Finding> RaceCheck::findings() const
{
    std::vector<Finding> found;
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (const auto& [key, finding] : candidates_) {
        if (places.insert(std::minmax(finding.first.pc, finding.second.pc)).second)
            found.push_back(finding);
    }
    return found;
}

} // namespace strobe::cpu
