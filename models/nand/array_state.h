#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Array state machine of one die: which operation the array executes, when R/B# rises, when the array is free, planes
// that are latched, a suspended operation, and the status byte. Owns no clock: time is an argument. Contents (DieCells)
// and registers (PageRegisters) are separate.
// R/B# may rise before the array is free: after a cache command the array continues to work.
// Busy times and status bits: ONFI 1.0 sections 5 and 6.

#include "models/nand/operation.h"
#include "models/nand/part.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace strobe::nand {

// Bits of the status byte (ONFI 1.0, table "Status field definition").
inline constexpr std::uint8_t statusFail = 0x01;
inline constexpr std::uint8_t statusFailBefore = 0x02; // cache program: of the page before the last
inline constexpr std::uint8_t statusArrayReady = 0x20;
inline constexpr std::uint8_t statusReady = 0x40;
inline constexpr std::uint8_t statusNotProtected = 0x80;

class ArrayState {
public:
    struct Running {
        Opcode opcode;
        bool pslc;
        PageAddress target;
        Time ready;      // R/B# rises
        Time cells = {}; // of it the program time, if the die ages
    };
    struct Cut { // an operation that a power loss catches
        Opcode opcode;
        PageAddress target;
        bool hasBegun; // the array was changing its cells
    };

    // `pages`: that one command may work on.
    explicit ArrayState(std::uint32_t pages)
    {
        others_.reserve(pages);
        othersBefore_.reserve(pages);
        suspendedOthers_.reserve(pages);
    }

    // The last array operation; of a multi-plane command, its last plane.
    const Running& running() const { return running_; }
    Time readyAt() const { return running_.ready; }
    Time freeAt() const { return free_; }
    bool isReady(Time now) const { return now >= running_.ready; }
    bool isFree(Time now) const { return now >= free_; }
    std::uint8_t statusByte(Time now) const
    {
        if (!isReady(now))
            return statusNotProtected;
        const std::uint8_t failed = (failed_ ? statusFail : 0) | (failedBefore_ ? statusFailBefore : 0);
        return static_cast<std::uint8_t>(statusNotProtected | statusReady | (isFree(now) ? statusArrayReady : 0) |
                                         failed);
    }

    // A new command reaches the array, which is idle or, in a cache sequence, still executing the previous program.
    void beginCommand(Time now)
    {
        follows_ = now < free_;
        before_ = {running_.opcode, running_.pslc, running_.target, free_, running_.cells};
        if (!others_.empty() || !othersBefore_.empty()) {
            othersBefore_.swap(others_);
            others_.clear();
        }
        failedBefore_ = follows_ && failed_;
    }
    // It is a program or erase: outcome and suspension counts start again, the outcome once for all planes.
    void beginChange()
    {
        failed_ = groupOpen_ && failed_;
        suspends_ = 0;
    }
    void noteFailure() { failed_ = true; } // FAIL bit
    void clearFailure() { failed_ = false; }
    // R/B# is low for `busy`, counted from when the array is free; the array then works for another `after`.
    void enter(Opcode opcode, PageAddress target, Time now, Time busy, Time after, Time cells, bool isPslc = false)
    {
        running_ = {opcode, isPslc, target, std::max(now, free_) + busy, cells};
        startedAt_ = now;
        free_ = running_.ready + after;
    }
    // A page of several is latched: R/B# is low for `busy`, whatever the array does meanwhile. Returns how much longer
    // the array is in use.
    Time enterLatch(Opcode opcode, PageAddress target, Time now, Time busy, Time cells, bool isPslc)
    {
        const Time before = std::max(now, free_);
        running_ = {opcode, isPslc, target, now + busy, cells};
        startedAt_ = now;
        free_ = std::max(free_, running_.ready);
        return std::max(free_ - before, Time{});
    }
    void dropOthers() { others_.clear(); }

    // Planes of one command, and pages of a word line: latched one by one; the array starts when the last one is
    // latched. In a cache sequence it still executes the command before.
    bool isGroupOpen() const { return groupOpen_; }
    void setGroupOpen(bool isOpen) { groupOpen_ = isOpen; }
    void latch(PageAddress target) { others_.push_back(target); }
    bool isLatched(PageAddress page) const { return std::find(others_.begin(), others_.end(), page) != others_.end(); }
    const std::vector<PageAddress>& latched() const { return others_; }
    // The command whose pages are latched, or that was the last one, was accepted while the array executed the one
    // before it.
    bool follows() const { return follows_; }
    // Pages of the command before, and of the last one.
    std::vector<PageAddress> pagesBefore() const { return with(othersBefore_, before_.target); }
    std::vector<PageAddress> pagesRunning() const { return with(others_, running_.target); }
    void unlatch(PageAddress page) { others_.erase(std::remove(others_.begin(), others_.end(), page), others_.end()); }

    bool isSuspended() const { return suspended_; }
    Opcode suspendedOpcode() const { return suspendedOp_.opcode; }
    bool touchesSuspended(std::uint32_t block) const;
    bool maySuspend(Opcode opcode, Time now, std::uint32_t maxSuspends) const
    {
        const bool changesCells = opcode == Opcode::Program || opcode == Opcode::Erase;
        return changesCells && !suspended_ && opcode == running_.opcode && !isReady(now) && !groupOpen_ &&
               suspends_ < maxSuspends;
    }
    bool mayResume(Opcode opcode, Time now) const
    {
        return suspended_ && opcode == suspendedOp_.opcode && isFree(now) && !groupOpen_;
    }
    // R/B# rises after `rest`. Returns the array time that was left. REQUIRES: maySuspend()
    Time suspend(PageAddress target, Time now, Time rest);
    // The array continues after `again`. Returns the array time that was left. REQUIRES: mayResume()
    Time resume(Time now, Time again);

    // A reset. Both return what the array was changing or reading: pages, or for an erase their blocks.
    std::vector<PageAddress> stop(Time now); // empty: a reset or a suspension was running
    std::vector<PageAddress> dropSuspended();

    // A power loss at `at`: the operations that it interrupts, in the order in which contents are corrupted. `ages`:
    // use the program times that were drawn instead of the part's. The state afterwards is that of a new die.
    std::vector<Cut> powerOff(Time at, const Part& part, bool ages);

private:
    static std::vector<PageAddress> with(std::vector<PageAddress> others, PageAddress page)
    {
        others.push_back(page);
        return others;
    }
    static bool changesCells(Opcode opcode)
    {
        return opcode == Opcode::Program || opcode == Opcode::CopyBack || opcode == Opcode::Erase;
    }

    // First what each operation needs, in two cache lines.
    bool groupOpen_ = false; // planes are latched and the last one has not arrived
    bool suspended_ = false;
    bool follows_ = false; // the last command began while the array executed the one before it
    bool failed_ = false;
    bool failedBefore_ = false;
    std::uint32_t suspends_ = 0;                        // of the operation in the array
    Time startedAt_{};                                  // running_ was issued
    Time free_{};                                       // the array is done
    Running running_{Opcode::Reset, false, {}, Time{}}; // the last array operation
    Running before_{Opcode::Reset, false, {}, Time{}};  // the command before; `ready`: the array is done with it
    std::vector<PageAddress> others_;       // in the array beside running_.target: planes, pages of a word line
    std::vector<PageAddress> othersBefore_; // the same of before_
    Running suspendedOp_{Opcode::Reset, false, {}, Time{}}; // `ready`: remaining time
    std::vector<PageAddress> suspendedOthers_;
};

} // namespace strobe::nand
