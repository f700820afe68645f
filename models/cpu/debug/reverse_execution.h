#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Reverse execution of a hart. Runs repeat exactly, so an earlier point of the run is reached by resuming a state
// before it (process_snapshots.h) and executing up to it again; states are kept at intervals of processor time, and
// shortly before each point to which the debugger has gone back. A point is the number of cycles that the hart has
// executed, which each instruction increases; where an interrupt has been taken but nothing of its handler is executed,
// also the number of interrupts.
//   step      to the number of cycles less one
//   continue  the part of the run after the latest state is searched for breakpoints and watchpoints, then the part
//             before, and so on; the run is executed again up to the last hit. A watchpoint is reported before the
//             instruction that touches it.
// When the debugger changes registers or memory the present state becomes the first: earlier ones do not lead here.
// REQUIRES: one hart, nothing that happens depends on where it stops, and one thread in this process.

#include "models/base/time.h"
#include "models/cpu/debug/gdb_server.h"
#include "models/cpu/debug/process_snapshots.h"

#include <cstdint>
#include <optional>
#include <string>

namespace strobe::cpu {

class ReverseExecution final : public GdbHistory {
public:
    // Forks: the caller is the copy that runs, the original waits for its end (ProcessSnapshots).
    explicit ReverseExecution(DebugTarget& target) : target_(target) {}
    void connect(GdbServer& server); // before anything else
    // The hart ends with its drive's power; the next one, of core(0) then, continues the count of cycles. At the power
    // loss it can be halted: true: it has to, as arrival() says.
    bool losesPower();
    void powerOn();

    // Before each part of a slice of the hart, at its local time: the cycles that it may take; nothing: it must halt,
    // as arrival() says.
    std::optional<std::int64_t> allow(std::int64_t cycles, Time local);
    Halt arrival();
    // It executes again what has happened before: nothing is to be shown, and only breakpoints and watchpoints stop it.
    bool isReplaying() const { return goal_.kind != Goal::Kind::None; }
    void stopped(rv32::Stop why); // REQUIRES: isReplaying()

    void goBack(Way way) override;
    // To the first instruction at local time `at` or later, to halt there; the hart has executed at most so many cycles
    // since then. Returns if no state before it is kept.
    void goBackTo(Time at, std::uint64_t cycles, const Halt& halt);
    void forget() override { states_.forget(); }

private:
    struct Goal {
        enum class Kind : std::uint8_t { None, Reach, Search } kind = Kind::None;
        std::uint64_t cycles = 0;     // Reach: the point; Search: the end of the part, which does not belong to it
        std::uint64_t interrupts = 0; // Reach: at least
        Halt::Reason reason = Halt::Reason::Stepped; // of the halt there
        rv32::WatchHit watch;
        Time at{};        // Reach: a local time that is reached at `cycles` or later
        std::string text; // of an event
        int signal = 0;
    };

    std::uint64_t position() const { return before_ + target_.core(0).executed(); }
    void arrive(Halt::Reason why);
    void keep();
    void resume(std::size_t state, const Goal& goal);
    void takeOver(const std::string& message);
    void endSearch();
    std::uint64_t milestone() const;

    DebugTarget& target_;
    ProcessSnapshots states_;
    GdbServer* server_ = nullptr;
    Goal goal_;
    Goal found_; // Search: the last hit so far, to be reached
    std::uint64_t resumedAt_ = 0;
    std::uint64_t before_ = 0; // of earlier power cycles
    std::uint64_t lostAt_ = 0; // the point of the last power loss
    std::optional<Halt> arrival_;
};

} // namespace strobe::cpu
