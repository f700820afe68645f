// SPDX-License-Identifier: Apache-2.0
//
// What a power loss leaves of the operations that are under way. Their effect was applied when they were issued; here
// it is taken back where the array had not begun, and spoilt where it was at work.
#include "models/nand/die.h"

#include <algorithm>

namespace strobe::nand {

// When the array began to change cells: a copy-back reads first.
Time Die::arrayStart(const Running& running) const
{
    switch (running.opcode) {
    case Opcode::Program:
    case Opcode::CopyBack: return running.ready - (aging_ ? running.cells : part_.tPROG(running.target.page));
    default: return running.ready - part_.times.tBERS;
    }
}

std::uint32_t Die::powerOff(Time at)
{
    const std::uint64_t before = cut_;
    const auto changesCells = [](Opcode opcode) {
        return opcode == Opcode::Program || opcode == Opcode::CopyBack || opcode == Opcode::Erase;
    };
    const auto end = [&](const Running& running, PageAddress target) {
        if (at < arrayStart(running) && suspends_ == 0)
            undo(running.opcode, target);
        else
            interrupt(running.opcode, target);
    };
    if (suspended_) {
        for (PageAddress target : suspendedOthers_)
            interrupt(suspendedOp_.opcode, target);
        interrupt(suspendedOp_.opcode, suspendedOp_.target);
    } else if (groupOpen_) {
        for (PageAddress target : others_) // latched, not started
            undo(running_.opcode, target);
    } else if (changesCells(running_.opcode) && at < arrayFree_) {
        // Of several planes all run together; the page before in a cache sequence has a time of its own, see below.
        const Running last{running_.opcode, running_.target, arrayFree_, running_.cells};
        const bool hasNotBegun = at < startedAt_;
        for (PageAddress target : others_) {
            if (!(target == before_.target && before_.ready > startedAt_))
                hasNotBegun ? undo(last.opcode, target) : end(last, target);
        }
        hasNotBegun ? undo(last.opcode, last.target) : end(last, last.target);
    }
    if (changesCells(before_.opcode) && before_.opcode != Opcode::Erase && at < before_.ready && !suspended_ &&
        !groupOpen_)
        end(before_, before_.target);

    for (const Erasing& erasing : erasing_)
        store_.drop(erasing.contents);
    erasing_.clear();
    running_ = before_ = suspendedOp_ = {Opcode::Reset, {}, Time{}};
    startedAt_ = arrayFree_ = Time{};
    others_.clear();
    suspendedOthers_.clear();
    for (PageRegister& r : registers_)
        r = {};
    cacheRegister_ = {};
    groupOpen_ = suspended_ = lastFailed_ = failedBefore_ = false;
    if (aging_)
        aging_->groupDrawn = {};
    suspends_ = 0;
    return static_cast<std::uint32_t>(cut_ - before);
}

// It never came to the array.
void Die::undo(Opcode opcode, PageAddress target)
{
    Block& block = blocks_[target.block];
    if (opcode != Opcode::Erase) {
        store_.undoProgram(target);
        block.nextPage = target.page;
        return;
    }
    --block.erases;
    const auto erasing =
        std::find_if(erasing_.begin(), erasing_.end(), [&](const Erasing& e) { return e.block == target.block; });
    if (erasing == erasing_.end())
        return; // it would have failed: the block is ruined either way
    store_.putBack(target.block, erasing->contents);
    block.nextPage = erasing->nextPage;
    block.ruined = erasing->ruined;
    erasing_.erase(erasing);
}

void Die::interrupt(Opcode opcode, PageAddress target)
{
    ++cut_;
    if (opcode == Opcode::Erase)
        interruptErase(target.block);
    else
        store_.spoil(target, draws_.chance(0.5));
}

// Early in an erase everything may still be read, late nothing; in between each page goes its own way. Whatever is
// read, the block has to be erased again before it is programmed.
void Die::interruptErase(std::uint32_t number)
{
    enum Left : std::uint64_t { Intact, Faint, Torn, EachItsOwn };
    const auto left = static_cast<Left>(draws_.below(4));
    Block& block = blocks_[number];
    const auto erasing =
        std::find_if(erasing_.begin(), erasing_.end(), [&](const Erasing& e) { return e.block == number; });
    if (erasing != erasing_.end()) {
        store_.putBack(number, erasing->contents);
        erasing_.erase(erasing);
    }
    for (std::uint32_t page = 0; page < part_.geometry.pagesPerBlock; ++page) {
        const Left fate = left == EachItsOwn ? static_cast<Left>(draws_.below(3)) : left;
        const PageAddress address{number, page};
        if (fate != Intact || !store_.isProgrammed(address))
            store_.spoil(address, fate != Torn);
    }
    block.nextPage = part_.geometry.pagesPerBlock;
    block.ruined = false;
}

} // namespace strobe::nand
