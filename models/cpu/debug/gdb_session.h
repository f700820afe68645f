#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Executes the packets of GDB's remote serial protocol on a DebugTarget and composes the answers. Harts are threads 1,
// 2, …; all of them stop together (all-stop). Registers: x0..x31, pc, and every CSR that the core has, described to GDB
// as XML. Software breakpoints are implemented as hardware ones, so they never appear in firmware's memory. Not
// supported: non-stop mode, running a new program, files. Source: GDB manual, appendix E.

#include "models/cpu/debug/debug_target.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace strobe::cpu {

// Why all harts are stopped.
struct Halt {
    enum class Reason : std::uint8_t {
        Attached,
        Interrupted,
        Stepped,
        Breakpoint,
        Watchpoint,
        Event, // an event of `monitor stop-on` has happened
        Begin, // reverse execution: there is nothing before
        Reset  // the run is at its beginning again
    } reason{};
    std::size_t hart = 0;
    std::string text;       // Event: what happened, for the user
    int signal = 0;         // Event: GDB's number of the signal that represents it
    rv32::WatchHit watch{}; // Watchpoint
};

class GdbSession {
public:
    explicit GdbSession(DebugTarget& target);

    enum class Resume : std::uint8_t {
        Stay, // go on answering packets
        Run,
        Step,     // hart() executes one instruction, the others as many as its time allows
        StepBack, // to the instruction before
        RunBack,  // to the breakpoint or watchpoint before
        Detach,   // run, and forget breakpoints
        Reset,    // to the beginning of the run, as a monitor command
        Snapshot, // monitor commands about the state of that name
        Restore,
        Kill, // end the simulation
    };
    struct Answer {
        std::optional<std::string> payload; // nothing: none now
        Resume resume = Resume::Stay;
        std::string name{}; // Snapshot, Restore
    };
    Answer handle(std::string_view packet);

    void restart(); // another debugger
    void halted(const Halt& halt);
    std::string stopReply() const;                    // of the last halt
    static std::string output(std::string_view text); // to the user, while the harts run
    static std::string exited(int code);              // the simulation is over

    std::size_t hart() const { return running_; } // to be stepped
    bool acknowledges() const { return acknowledges_; }
    void forgetBreakpoints();
    void disarm(); // the cores stop at none of them, but they are not forgotten
    void arm();    // again, or in other cores

    // Breakpoints and the state of the connection as text, and back, in another copy of this process.
    std::string saved() const;
    void restore(std::string_view text);

private:
    Answer handleQuery(std::string_view packet);
    Answer handleResume(std::string_view packet);
    std::string allRegisters() const;
    std::string setAllRegisters(std::string_view digits);
    std::string readRegister(std::string_view number) const;
    std::string writeRegister(std::string_view assignment);
    std::string readMemory(std::string_view range);
    std::string writeMemory(std::string_view write, bool isBinary);
    std::string changePoint(std::string_view packet, bool insert);
    std::string transfer(std::string_view object, std::string_view range) const;
    std::string threads() const;
    rv32::Core& core() const { return target_.core(selected_); }

    DebugTarget& target_;
    Halt halt_;
    std::size_t selected_ = 0; // of register packets
    std::size_t running_ = 0;  // of step packets
    bool acknowledges_ = true;
    std::set<std::uint32_t> breakpoints_;
    std::vector<rv32::Watchpoint> watchpoints_;
};

} // namespace strobe::cpu
