#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One kernel process that wakes all modules of a simulation, each through its Wake, instead of one process and one
// event for each: the kernel's heap stays small and one activation serves everything that is due.
//
// Wake-ups due at one instant run in the order in which the modules were made; wake-ups armed for the same instant run
// after that, in the same way. The kernel's other processes (modules from elsewhere) run in
// separate delta cycles, between those of the agenda.
//
// Running ahead: between two instants at which the kernel has anything else to do, nothing but the agenda can change
// anything, so it may process them without returning to the kernel. now() (time_bridge.h) is then ahead of
// the kernel's own clock by kernelLead(). Off unless runAheadUntil() says otherwise, because a module from elsewhere
// would read the kernel's clock; simulation results are the same.
//
// Not thread-safe (one kernel thread). One per simulation context, made by the first Wake.

#include "models/base/time.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

namespace strobe {

class Agenda : public sc_core::sc_module {
public:
    using Call = void (*)(void* owner);

    explicit Agenda(const sc_core::sc_module_name& name);
    ~Agenda() override;
    static std::shared_ptr<Agenda> ofContext(); // of the simulation that is being built

    // Instants before `horizon` may be worked off ahead of the kernel's clock; an instant in the past: none.
    void runAheadUntil(Time horizon) { horizon_.store(horizon.count(), std::memory_order_relaxed); }
    // Ends sc_start() at this instant, with the kernel's clock there too.
    void pause();
    // The same at the next instant at which anything is due, of the agenda that was made last. A signal handler may
    // call it.
    static void pauseSoon();

    std::uint64_t activations() const { return activations_; } // of the kernel process
    std::uint64_t instants() const { return instants_; }       // at which something was due
    Time lastInstant() const { return lastInstant_; }          // the last of these

private:
    friend class Wake;
    SC_HAS_PROCESS(Agenda);

    std::size_t add(void* owner, Call call, bool isDecoupled);
    void remove(std::size_t slot) { slots_[slot].call = nullptr; }
    Time timeOf(std::size_t slot) const { return times_[leaves_ + slot]; }
    void arm(std::size_t slot, Time at); // REQUIRES: at < timeOf(slot)
    void armNextDelta(std::size_t slot);
    Time nextOfOthers(std::size_t slot);
    Time nextOfCoupled();

    struct Slot {
        void* owner;
        Call call; // null: its owner is gone
        bool isDecoupled;
    };

    struct Running;
    void run();
    void servePause(Time kernelTime);
    void runDue(Time present);
    void runAllDue(std::size_t first, Time present);
    void serve(std::size_t slot) const;
    Time earliestBelow(std::size_t node) const;
    Time earliestCoupled(std::size_t node) const; // at or below it
    void markDecoupled(std::size_t slot);
    void grow();
    void putEarlier(std::size_t slot, Time at);
    std::size_t takeFirst();
    Time earliest() const { return times_[0]; }
    Time earliestBut(std::size_t slot) const;
    bool mayGoTo(Time at);
    Time nextOfKernel();
    void askKernel();
    void sleep();

    std::vector<Slot> slots_;
    // When each slot is armed for (never: it is not), and above that the earliest of each four, of each four of those,
    // and so on: of the nodes 4n + 1 to 4n + 4 at node n, of all at node 0. Slot s is node leaves_ + s.
    std::vector<Time> times_{never};
    std::size_t leaves_ = 0;
    std::vector<bool> hasDecoupled_{false}; // by node: a decoupled slot is at or below it
    std::vector<std::size_t> due_;
    std::size_t served_ = 0; // of due_, the current one included
    std::vector<std::size_t> nextDelta_;
    Time asleepUntil_ = never;           // the kernel will wake the agenda then
    std::atomic<Time::rep> horizon_{-1}; // a signal handler may change it
    std::atomic<bool> isPauseWanted_{false};
    Time kernelNext_{}; // result of askKernel()
    bool isRunning_ = false;
    Time pauseAt_ = never;
    bool isPauseReported_ = true;
    sc_core::sc_event wakeUp_{"wake_up"};
    std::uint64_t activations_ = 0;
    std::uint64_t instants_ = 0;
    Time lastInstant_{};
};

// A module's place in the agenda. The earliest time that it was armed for counts; when it is woken it is no longer
// armed.
class Wake {
public:
    // Wake wake_ = Wake::calls<&ChannelModule::step>(*this);
    template <auto Step, class Owner>
    static Wake calls(Owner& owner)
    {
        return Wake(&owner, [](void* who) { (static_cast<Owner*>(who)->*Step)(); });
    }
    // For a module that runs ahead of simulated time by itself.
    template <auto Step, class Owner>
    static Wake decoupledCalls(Owner& owner)
    {
        return Wake(
            &owner, [](void* who) { (static_cast<Owner*>(who)->*Step)(); }, true);
    }
    Wake(const Wake&) = delete;
    Wake& operator=(const Wake&) = delete;
    ~Wake() { agenda_->remove(slot_); }

    // Now or earlier: once more at this instant; never: nothing.
    void at(Time time)
    {
        if (time < agenda_->timeOf(slot_))
            agenda_->arm(slot_, time);
    }
    // When anything but this module may do something: the present instant, a later one, or never.
    Time nextOfOthers() { return agenda_->nextOfOthers(slot_); }
    // The same without modules that may wait for us in the same way: those with decoupledCalls.
    Time nextOfCoupled() { return agenda_->nextOfCoupled(); }
    // In the next delta cycle: processes of the kernel that run in this one go first.
    void atNextDelta() { agenda_->armNextDelta(slot_); }

private:
    Wake(void* owner, Agenda::Call call, bool isDecoupled = false)
        : agenda_(Agenda::ofContext()), slot_(agenda_->add(owner, call, isDecoupled))
    {
    }

    std::shared_ptr<Agenda> agenda_;
    std::size_t slot_;
};

} // namespace strobe
