// SPDX-License-Identifier: Apache-2.0
#include "models/nand/array_state.h"

namespace strobe::nand {

bool ArrayState::touchesSuspended(std::uint32_t block) const
{
    const auto isIn = [block](PageAddress page) { return page.block == block; };
    return isIn(suspendedOp_.target) || std::any_of(suspendedOthers_.begin(), suspendedOthers_.end(), isIn);
}

Time ArrayState::suspend(PageAddress target, Time now, Time rest)
{
    const Time left = running_.ready - now;
    suspended_ = true;
    suspendedOp_ = {running_.opcode, running_.pslc, running_.target, left};
    suspendedOthers_.swap(others_);
    others_.clear();
    ++suspends_;
    running_ = {Opcode::ReadStatus, false, target, now + rest};
    free_ = running_.ready;
    return left;
}

Time ArrayState::resume(Time now, Time again)
{
    const Time left = suspendedOp_.ready;
    suspended_ = false;
    others_.swap(suspendedOthers_);
    suspendedOthers_.clear();
    running_ = {suspendedOp_.opcode, suspendedOp_.pslc, suspendedOp_.target, now + again + left};
    free_ = running_.ready;
    return left;
}

std::vector<PageAddress> ArrayState::stop(Time now)
{
    const bool isBeforeAtWork = changesCells(before_.opcode) && now < before_.ready;
    free_ = now;
    groupOpen_ = false;
    before_.opcode = Opcode::Reset;
    if (running_.opcode == Opcode::Reset || running_.opcode == Opcode::ReadStatus) // a reset, or time to suspend
        return {};
    std::vector<PageAddress> targets = pagesRunning();
    if (isBeforeAtWork) {
        targets.insert(targets.end(), othersBefore_.begin(), othersBefore_.end());
        targets.push_back(before_.target);
    }
    others_.clear();
    return targets;
}

std::vector<PageAddress> ArrayState::dropSuspended()
{
    suspended_ = false;
    std::vector<PageAddress> targets = suspendedOthers_;
    targets.push_back(suspendedOp_.target);
    suspendedOthers_.clear();
    return targets;
}

std::vector<ArrayState::Cut> ArrayState::powerOff(Time at, const Part& part, bool ages)
{
    std::vector<Cut> cuts;
    // When the array begins to change cells: a copy-back reads first.
    const auto arrayStart = [&](const Running& running) {
        if (running.opcode == Opcode::Program || running.opcode == Opcode::CopyBack)
            return running.ready - (ages ? running.cells : part.tPROG(running.target.page, running.pslc));
        return running.ready - part.tBERS(running.pslc);
    };
    const auto end = [&](const Running& running, PageAddress target) {
        cuts.push_back({running.opcode, target, at >= arrayStart(running) || suspends_ != 0});
    };
    if (suspended_) {
        for (PageAddress target : suspendedOthers_)
            cuts.push_back({suspendedOp_.opcode, target, true});
        cuts.push_back({suspendedOp_.opcode, suspendedOp_.target, true});
    } else if (groupOpen_) { // latched, not started; reads change nothing
        for (PageAddress target : others_) {
            if (changesCells(running_.opcode))
                cuts.push_back({running_.opcode, target, false});
        }
    } else if (changesCells(running_.opcode) && at < free_) {
        // Several planes run together; those before in a cache sequence have their own time, see below.
        const Running last{running_.opcode, running_.pslc, running_.target, free_, running_.cells};
        const bool hasNotBegun = at < startedAt_;
        const auto cut = [&](PageAddress target) {
            if (hasNotBegun)
                cuts.push_back({last.opcode, target, false});
            else
                end(last, target);
        };
        for (PageAddress target : others_)
            cut(target);
        cut(last.target);
    }
    if (changesCells(before_.opcode) && before_.opcode != Opcode::Erase && at < before_.ready && !suspended_) {
        for (PageAddress target : othersBefore_)
            end(before_, target);
        end(before_, before_.target);
    }

    running_ = before_ = suspendedOp_ = {Opcode::Reset, false, {}, Time{}};
    startedAt_ = free_ = Time{};
    others_.clear();
    othersBefore_.clear();
    suspendedOthers_.clear();
    groupOpen_ = suspended_ = follows_ = failed_ = failedBefore_ = false;
    suspends_ = 0;
    return cuts;
}

} // namespace strobe::nand
