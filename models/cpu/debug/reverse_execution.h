#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Reverse execution of all harts. Runs repeat exactly, so an earlier point of the run is reached by resuming a state
// before it (process_snapshots.h) and executing up to it again; states are kept at intervals of processor time, and
// shortly before each point to which the debugger has gone back. A point is the number of cycles that a hart has
// executed, which each instruction increases; where an interrupt has been taken but nothing of its handler is executed,
// also the number of interrupts. The harts run in turns, always in the same order, so the others are where they were.
//   step      to the number of cycles of the hart less one; the others go back as far as that
//   continue  the part of the run after the latest state is searched for breakpoints and watchpoints, then the part
//             before, and so on; the run is executed again up to the last hit. A watchpoint is reported before the
//             instruction that touches it.
// When the debugger changes registers or memory the present state becomes the first: earlier ones do not lead here.
// A snapshot is a state that is kept under a name, whatever the debugger does then. To restore it is to resume it: it
// is the same state, wherever the harts were halted, and with what was before it. REQUIRES: nothing that happens
// depends on where a hart stops, and one thread in this process.

#include "firmware/hal/cores.h"
#include "models/base/time.h"
#include "models/cpu/debug/gdb_server.h"
#include "models/cpu/debug/process_snapshots.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strobe::cpu {

class ReverseExecution final : public GdbHistory {
public:
    // Forks: the caller is the copy that runs, the original waits for its end (ProcessSnapshots).
    explicit ReverseExecution(DebugTarget& target) : target_(target) {}
    void connect(GdbServer& server); // before anything else
    // The harts end with their drive's power; the next ones continue their counts of cycles. At the power loss they can
    // be halted: true: they have to, as arrival() says.
    bool losesPower();
    // Nothing is executed before the run goes on, and perhaps nothing after that: an event has happened, or a slice of
    // the simulation has ended. A search of this part of the run ends here, if it began here.
    void endsPart();
    void powerOn();

    // Before each part of a slice of a hart, at its local time: the cycles that it may take; nothing: it must halt,
    // as arrival() says.
    std::optional<std::int64_t> allow(std::size_t hart, std::int64_t cycles, Time local);
    Halt arrival();
    // It executes again what has happened before: nothing is to be shown, and only breakpoints and watchpoints stop it.
    bool isReplaying() const { return goal_.kind != Goal::Kind::None; }
    void stopped(std::size_t hart, rv32::Stop why); // REQUIRES: isReplaying()

    void goBack(Way way, std::size_t hart) override;
    // To the first instruction at local time `at` or later, to halt there; the hart of `halt` has executed at most so
    // many cycles since then. Returns if no state before it is kept. REQUIRES: one hart
    void goBackTo(Time at, std::uint64_t cycles, const Halt& halt);
    void forget() override { states_.forget(); } // but for the beginning of the run
    void end() override;
    std::optional<std::string> snapshot(std::string_view name) override;
    std::string restore(std::string_view name) override;
    unsigned takeovers() const { return takeovers_; } // of this copy from another, so far

private:
    static constexpr std::size_t anyHart = HAL_CORES;
    struct Goal {
        enum class Kind : std::uint8_t { None, Reach, Search } kind = Kind::None;
        std::size_t hart = anyHart; // Reach: whose point it is; any: wherever one continues first
        // Reach: the point, in cycles of the hart. Search: the end of the part, which does not belong to it, in cycles
        // of all harts.
        std::uint64_t cycles = 0;
        std::uint64_t position = 0;                  // Reach: the same point in cycles of all harts
        std::uint64_t interrupts = 0;                // Reach: of the hart, at least
        Halt::Reason reason = Halt::Reason::Stepped; // of the halt there
        rv32::WatchHit watch;
        Time at{};        // Reach: a local time that is reached at `cycles` or later
        std::string text; // of an event
        int signal = 0;
    };

    using Cycles = std::array<std::uint64_t, HAL_CORES>; // by hart

    std::uint64_t progress(std::size_t hart) const { return before_[hart] + target_.core(hart).executed(); }
    std::uint64_t position() const; // of all harts
    std::optional<std::int64_t> allowSearch(std::int64_t cycles);
    std::int64_t enterInterrupt();
    void arrive(std::size_t hart, Halt::Reason why);
    void keep();
    void resume(std::size_t state, const Goal& goal);
    std::string orders(const Goal& goal) const;
    std::string namesText() const;
    void takeOver(const std::string& message);
    void leaveForEarlier();
    void endSearch();
    std::uint64_t milestone() const;

    DebugTarget& target_;
    ProcessSnapshots states_;
    GdbServer* server_ = nullptr;
    Goal goal_;
    Goal found_;                  // Search: the last hit so far, to be reached
    std::uint64_t resumedAt_ = 0; // position
    std::uint64_t keptAt_ = 0;    // Reach: progress of the goal's hart at the last state
    Cycles before_{};             // of earlier power cycles
    Cycles lostAt_{};             // the point of the last power loss
    std::optional<Halt> arrival_;
    bool isInterruptTried_ = false; // Reach: see enterInterrupt()
    bool hasBeginning_ = false;     // the first state is kept, whatever the debugger does
    unsigned takeovers_ = 0;
};

} // namespace strobe::cpu
