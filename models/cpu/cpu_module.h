#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The CPU as a drive and its measurement use it, whichever way it runs firmware (NativeCpuModule: compiled for the
// host; Rv32CpuModule: instruction by instruction), and what both have in common: the bus, a local time ahead of
// simulated time, accesses by b_transport at that local time, and sleep time, exact to the picosecond even if a CPU
// fell asleep ahead of simulated time.

#include "models/base/resource.h"
#include "models/base/response_times.h"
#include "models/cpu/cost_table.h"
#include "models/cpu/cpu_clock.h"
#include "models/cpu/interrupt_controller_module.h"
#include "models/cpu/sleep_observer.h"
#include "models/tlm/time_bridge.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string_view>
#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <vector>

namespace strobe {
class ActivityLog;
}

namespace strobe::cpu {

using LineListener = std::function<void(Time at, std::string_view line)>;

struct CpuCounters {
    std::uint64_t reads = 0; // of registers
    std::uint64_t writes = 0;
    std::uint64_t synchronisations = 0;
    Time busTime{}; // spent in bus accesses
};

struct BusAccess { // of registers, and of memory that is not direct
    Time at{};     // when it began, in local time
    std::uint32_t address = 0;
    std::uint32_t value = 0;
    bool isWrite = false;
};

class CpuModule : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<CpuModule> bus{"bus"};

    // After the simulation has stopped: throws FirmwareFault, or whatever a module threw inside a bus access.
    void rethrowFault() const;
    bool isFaulted() const { return fault_ != nullptr; }

    // Of the next instruction or access; may be ahead of simulated time.
    Time localTime() const { return now() + ahead_; }
    bool isAsleep() const; // waits for an interrupt
    // busy: time not asleep; jobs: how often the CPU was woken.
    ResourceUsage usage() const;
    const CpuCounters& counters() const { return counters_; }
    // Rounds of firmware's main loop: from the end of a sleep, or of a wait for interrupts that found one, to the next
    // sleep or wait. Time before resetUsage() and after now is not counted, also if it is part of a round.
    ResponseTimes rounds() const;
    const InterruptTimes& interruptTimes() const { return interrupts_.times(); }         // since then, too
    virtual std::optional<std::uint32_t> programCounter() const { return std::nullopt; } // nothing: no instructions
    static constexpr std::size_t accessesKept = 20;
    std::vector<BusAccess> lastAccesses() const;                     // at most so many, the oldest first
    virtual std::vector<CostMeter::Row> costs() const { return {}; } // none where instructions take the time
    virtual std::uint64_t instructions() const { return 0; }         // executed, where there are any
    virtual void resetUsage();
    // From now on `log` records when the CPU was awake, under `lane`, and under `costs` which cost point took its time
    // (none where instructions do). It must outlive the CPU.
    void watch(ActivityLog& log, std::uint32_t lane, std::uint32_t costs);
    // The same of its sleep alone, as `core`.
    void observe(SleepObserver& observer, std::uint32_t core)
    {
        sleepObserver_ = &observer;
        core_ = core;
    }
    tlm::tlm_initiator_socket<>& busSocket() { return bus; }

protected:
    CpuModule(const sc_core::sc_module_name& name, std::uint64_t clockHz, Time quantum,
              InterruptControllerModule& interrupts);

    // At local time, which it advances. False: the response was an error (in payload_).
    bool access(tlm::tlm_command command, std::uint32_t address, void* data, unsigned bytes);
    bool requestDmi(std::uint32_t address, tlm::tlm_dmi& dmi); // true: read and write
    virtual void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) = 0;

    void fallAsleep(); // at local time; simulated time then is the time
    void wakeUp();
    void passWait(Time at); // firmware waits for an interrupt at this local time, and there is one
    bool isWatched() const { return log_ != nullptr; }
    void noteCost(std::string_view point, Time spent); // from local time on. REQUIRES: isWatched()
    bool isSleeping() const { return asleep_; }        // or will sleep when simulated time has caught up
    Time fellAsleepAt() const { return fellAsleep_; }  // REQUIRES: isSleeping()

    CpuClock clock_;
    Time quantum_;
    InterruptControllerModule& interrupts_;
    tlm::tlm_generic_payload payload_;
    Time ahead_{};            // local time minus simulated time
    Time lastPosted_ = never; // local time of the last write
    CpuCounters counters_;
    std::exception_ptr fault_;

private:
    void endRound(Time at);
    void noteRound(ResponseTimes& rounds, Time until) const;

    bool asleep_ = false;
    Time fellAsleep_{};  // local time, which may be ahead of the present
    Time asleepSince_{}; // the same, or when counting began anew
    Time idle_{};
    Time usageSince_{};
    std::uint64_t wakeUps_ = 0;
    ActivityLog* log_ = nullptr;
    std::uint32_t lane_ = 0;
    std::uint32_t costLane_ = 0;
    static constexpr std::size_t accessPlaces = 32; // a power of two: the place of an access needs no division
    std::array<BusAccess, accessPlaces> accesses_{};
    std::size_t accessCount_ = 0;
    SleepObserver* sleepObserver_ = nullptr;
    std::uint32_t core_ = 0;
    Time awakeSince_{};
    Time roundSince_{};
    ResponseTimes rounds_;
};

} // namespace strobe::cpu
