#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A GDB server on the loopback interface. Harts run in slices and poll it in between; when one stops, halted() answers
// the debugger's packets and returns only when the debugger continues: simulated time stops for the whole drive,
// because nothing else can run. One debugger at a time; when it disconnects, breakpoints are removed, and the next may
// connect. Only this machine can connect.

#include "models/cpu/debug/gdb_packets.h"
#include "models/cpu/debug/gdb_session.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace strobe::cpu {

// Reverse execution: another copy of this process, at an earlier point of the run, takes over from this one.
class GdbHistory {
public:
    GdbHistory() = default;
    GdbHistory(const GdbHistory&) = delete;
    GdbHistory& operator=(const GdbHistory&) = delete;
    virtual ~GdbHistory() = default;

    enum class Way : std::uint8_t { Step, Continue, Begin };
    // To the instruction before, of this hart, to the breakpoint or watchpoint before, of any, or to the first point of
    // the run. Returns only if there is nothing before.
    virtual void goBack(Way way, std::size_t hart) = 0;
    virtual void forget() = 0; // what came before the present state
    virtual void end() = 0;    // forgets everything: the debugger has gone

    // Names the present state; returns the answer to the user, also in a copy that is restored, and nothing in one that
    // is to run on from here. restore() goes back to the state of this name; it returns if there is none.
    virtual std::optional<std::string> snapshot(std::string_view name) = 0;
    virtual std::string restore(std::string_view name) = 0;
};

class GdbServer {
public:
    // Port 0 takes a free one. `givenUp` is polled about ten times a second while the server waits for a debugger: true
    // ends the wait. Throws ConfigError if the port cannot be opened.
    GdbServer(DebugTarget& target, std::uint16_t port, std::function<bool()> givenUp);
    GdbServer(const GdbServer&) = delete;
    GdbServer& operator=(const GdbServer&) = delete;
    ~GdbServer();

    std::uint16_t port() const { return port_; }
    bool waitForDebugger(); // until one has connected; it expects the harts to halt. False: given up

    // Whether the debugger asks for the harts to halt, and why: it has just attached, or interrupts them. Called
    // between two slices; costs a system call.
    std::optional<Halt::Reason> poll();
    bool isConnected() const { return connection_ >= 0; }
    bool isStepping(std::size_t hart) const { return isStepping_ && session_.hart() == hart; }
    void halted(const Halt& halt); // returns when the harts may run again
    bool isKilled() const { return isKilled_; }
    void ended(int exitCode); // informs the connected debugger

    void setHistory(GdbHistory* history) { history_ = history; } // null: none
    GdbSession& session() { return session_; }

private:
    bool accept();                  // a debugger has connected
    bool receive(int milliseconds); // false: disconnected, or nothing was received
    void send(std::string_view payload);
    void serve(); // until the debugger lets the harts run
    void goBack(GdbHistory::Way way);
    void disconnect();

    std::function<bool()> givenUp_;
    GdbSession session_;
    GdbFrameReader reader_;
    GdbHistory* history_ = nullptr;
    std::uint16_t port_ = 0;
    int listener_ = -1;
    int connection_ = -1;
    bool isStepping_ = false;
    bool isKilled_ = false;
};

} // namespace strobe::cpu
