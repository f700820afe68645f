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
#include <string>

namespace strobe::cpu {

class GdbServer {
public:
    // Port 0 takes a free one. `givenUp` is polled about ten times a second while the server waits for a debugger: true
    // ends the wait. Throws ConfigError if the port cannot be opened.
    GdbServer(DebugTarget& target, std::uint16_t port, std::function<bool()> givenUp);
    GdbServer(const GdbServer&) = delete;
    GdbServer& operator=(const GdbServer&) = delete;
    ~GdbServer();

    std::uint16_t port() const { return port_; }
    void waitForDebugger(); // before the first instruction; returns when it lets the harts run

    // Called by a hart between two slices; costs a system call. Halts and answers if the debugger requests it.
    void poll(std::size_t hart);
    bool isStepping(std::size_t hart) const { return isStepping_ && session_.hart() == hart; }
    void halted(const Halt& halt); // returns when the harts may run again
    bool isKilled() const { return isKilled_; }
    void ended(int exitCode); // informs the connected debugger

private:
    bool accept();                  // a debugger has connected
    bool receive(int milliseconds); // false: disconnected, or nothing was received
    void send(std::string_view payload);
    void serve(); // until the debugger lets the harts run
    void disconnect();

    std::function<bool()> givenUp_;
    GdbSession session_;
    GdbFrameReader reader_;
    std::uint16_t port_ = 0;
    int listener_ = -1;
    int connection_ = -1;
    bool isStepping_ = false;
    bool isKilled_ = false;
};

} // namespace strobe::cpu
