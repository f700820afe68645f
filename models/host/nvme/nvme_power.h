#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Power states of an NVMe controller (NVM Express 1.4, sections 5.21.1.2, 5.21.1.12 and 8.4). State 0 and those after
// it that are marked so are operational; in all others no I/O command is executed.
//
//   entry        by the host (feature Power Management), or after the idle time that the table of Autonomous Power
//   State
//                Transition has for the present state. The drive is idle while no I/O command is in progress; idle time
//                begins anew in each state, when it has been entered, and when the host sets or enables the table
//   selection    commands that the drive has when the host selects a state are finished in it
//   exit         the first I/O command brings the drive back to the last operational state: after what is left of the
//                entry, and the exit latency, commands are fetched
//   admin        commands are executed in every state and do not change it
//   residency    a state counts from the begin of its entry to the begin of its exit; the exit counts for the state
//                after it
//
// Owns no clock: every call passes the present instant, which never decreases. The most power of an operational state
// is kept by firmware (DriveHeat::limitPower). Not modelled: power while a state changes, permission for background
// work (NOPPME): firmware works in every state. Units: W, picoseconds.

#include "models/base/time.h"

#include <array>
#include <cstdint>
#include <vector>

namespace strobe::host::nvme {

struct PowerState {
    double watt = 0;            // most that the drive takes; in a non-operational state what it takes
    Time entryTime{};           // ENLAT
    Time exitTime{};            // EXLAT
    bool isOperational = false; // state 0 always is
};

inline constexpr PowerState usualPowerState{9.0, {}, {}}; // of a controller with one

struct PowerStateUse {
    Time time{};
    std::uint64_t entries = 0;
};

class PowerStates {
public:
    static constexpr std::uint32_t most = 32;
    static constexpr std::uint32_t tableBytes = most * 8; // of Autonomous Power State Transition
    struct Transition {                                   // of the state with its index
        std::uint8_t to = 0;
        Time after{}; // idle time; 0: none
    };
    using Table = std::array<Transition, most>;

    // At most 32; none: the usual one.
    explicit PowerStates(std::vector<PowerState> states);
    void reset(Time now); // of the controller: state 0, no transitions

    const std::vector<PowerState>& states() const { return states_; }
    bool hasSeveral() const { return states_.size() > 1; }
    bool isOperational(std::uint32_t state) const { return state == 0 || states_[state].isOperational; }
    std::uint32_t lastOperational() const { return course_.active; } // selected by the host

    // False: there is no such state.
    bool select(std::uint32_t state, Time now);
    std::uint32_t current(Time now);
    // False: an entry names a state that does not exist or is operational.
    bool setTable(const Table& table, Time now);
    const Table& table() const { return table_; }
    void enableTransitions(bool isOn, Time now);
    bool areTransitionsEnabled() const { return isAutonomous_; }

    // An I/O command is there: when it may be fetched.
    Time wake(Time now);
    void rest(Time now); // no I/O command is in progress any more

    // By state, from simulated time 0 on. Also at an instant since the last change.
    std::vector<PowerStateUse> use(Time now) const;

private:
    struct Course { // what changes with time
        std::uint32_t state = 0;
        std::uint32_t active = 0; // the last operational one
        Time from{};              // the entry began, or the exit of the state before did
        Time readyAt{};           // it ends
        Time idleFrom{};          // REQUIRES: not busy
        bool isBusy = false;
        std::array<PowerStateUse, most> use{};
    };
    void follow(Course& course, Time now) const; // transitions until now
    void enter(Course& course, std::uint32_t state, Time at) const;

    std::vector<PowerState> states_;
    Table table_{};
    bool isAutonomous_ = false;
    Course course_;
};

// Each state leads to the next deeper one whose entry and exit latency together are at most `tolerance`, after 50 times
// these latencies: the older rule of Linux (its newer one has fixed timeouts).
PowerStates::Table transitionsForTolerance(const std::vector<PowerState>& states, Time tolerance);
// The structure in host memory: of each state bits 7:3 the next state, bits 31:8 the idle time in ms.
std::array<std::uint64_t, PowerStates::most> encode(const PowerStates::Table& table);
PowerStates::Table decodeTransitions(const std::array<std::uint64_t, PowerStates::most>& structure);

} // namespace strobe::host::nvme
