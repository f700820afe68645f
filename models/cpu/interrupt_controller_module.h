#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The interrupt controller on the bus and on its lines. Sources call setLine(), also for future changes; CPUs
// read active() and sleep until they are called by onWake(). Levels are computed when they are read: a line that
// changes while no CPU is asleep costs no process activation. Registers, levels and masks are InterruptController's.

#include "models/base/ring_queue.h"
#include "models/cpu/interrupt_controller.h"
#include "models/cpu/interrupt_latency.h"
#include "models/cpu/peripheral_module.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace strobe::cpu {

// The lines that wake a sleeper.
struct WakeOn {
    bool enabled = true;     // lines that are asserted and enabled
    std::uint32_t lines = 0; // and these, whether enabled or not, by bit
};

class InterruptControllerModule : public PeripheralModule {
public:
    explicit InterruptControllerModule(const sc_core::sc_module_name& name);

    // The level of a line from `at` on. A rise must not be in the past; a fall may be reported late. REQUIRES: not
    // before the line's last change; not the software line.
    void setLine(InterruptSource line, bool asserted, Time at);
    // A source that computes its line on request: it is called to report all changes up to `until`.
    void addSource(std::function<void(Time until)> report) { sources_.push_back(std::move(report)); }

    // Asserted and enabled lines at `at`, as far as is known now. REQUIRES: not before the present or an earlier call.
    std::uint32_t activeAt(Time at);
    std::uint32_t active(); // now
    // When a level changes next, as far as is known after the last call; never if nothing is. Sources report rises as
    // soon as they are determined.
    Time nextChange() const { return nextChange_; }

    // The sleeper's callback: called with the time at which to wake up.
    void onWake(std::function<void(Time at)> wake) { sleeper_ = std::move(wake); }
    // Wakes the sleeper at the earliest time not before `earliest` at which a line that it waits for may be asserted.
    // If none is asserted then, the sleeper sleeps again. A sleeper that was armed before may still be woken for the
    // earlier reason.
    void armWake(Time earliest, WakeOn what = {});
    const InterruptController& controller() const { return controller_; }

    // The CPU takes these lines (interrupt_latency.h).
    void taken(std::uint32_t lines, Time at, std::optional<std::uint32_t> pc = std::nullopt)
    {
        latency_.taken(lines, at, pc);
    }
    const InterruptTimes& times() const { return latency_.times(); }
    void resetTimes() { latency_.reset(); }

private:
    struct LineChange {
        Time at{};
        bool asserted = false;
    };
    Access readRegister(std::uint32_t offset, std::uint32_t& value, Time at) override;
    Access writeRegister(std::uint32_t offset, std::uint32_t value) override;
    Access viewRegister(std::uint32_t offset, std::uint32_t& value) const override;
    Time step(Time now) override;
    void apply(Time until);
    void wakeAt(Time at);
    bool mustWake() const; // as the lines stand
    Time nextRise() const; // of a line that wakes, as far as is known

    InterruptController controller_;
    InterruptLatency latency_;
    std::array<RingQueue<LineChange>, interruptSourceTable.size()> changes_; // by line, in order of time
    Time nextChange_ = never;                                                // the first of them
    std::vector<std::function<void(Time)>> sources_;
    bool isLooking_ = false;

    std::function<void(Time)> sleeper_;
    bool isArmed_ = false;
    WakeOn wakeOn_;
    Time earliestWake_{};
    Time wakeTime_ = never; // passed to the sleeper
};

} // namespace strobe::cpu
