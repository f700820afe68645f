// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/agenda.h"

#include "models/tlm/time_bridge.h"

#include <algorithm>

namespace strobe {

Agenda::Agenda(const sc_core::sc_module_name& name) : sc_module(name)
{
    SC_METHOD(run);
    sensitive << wakeUp_;
    dont_initialize();
}

std::shared_ptr<Agenda> Agenda::ofContext()
{
    static std::weak_ptr<Agenda> latest;
    static const sc_core::sc_simcontext* context = nullptr;
    std::shared_ptr<Agenda> agenda = latest.lock();
    if (agenda == nullptr || context != sc_core::sc_get_curr_simcontext()) {
        agenda = std::make_shared<Agenda>(sc_core::sc_gen_unique_name("agenda"));
        latest = agenda;
        context = sc_core::sc_get_curr_simcontext();
    }
    return agenda;
}

std::size_t Agenda::add(void* owner, Call call)
{
    times_.push_back(never);
    slots_.push_back({owner, call});
    return slots_.size() - 1;
}

void Agenda::arm(std::size_t slot, Time at)
{
    if (at >= times_[slot])
        return;
    times_[slot] = at;
    if (at >= earliest_)
        return;
    earliest_ = at;
    if (!isRunning_)
        sleep();
}

void Agenda::armNextDelta(std::size_t slot)
{
    nextDelta_.push_back(slot);
    if (!isRunning_)
        sleep();
}

void Agenda::pause()
{
    pauseAt_ = now();
    isPauseTold_ = kernelLead() == Time{};
    if (isPauseTold_)
        sc_core::sc_pause();
}

// The kernel is told to pause when it gets to that instant; from the next one on it goes on as before.
void Agenda::servePause(Time kernelTime)
{
    if (pauseAt_ < kernelTime)
        pauseAt_ = never;
    if (pauseAt_ == kernelTime && !isPauseTold_) {
        isPauseTold_ = true;
        sc_core::sc_pause();
    }
}

void Agenda::run()
{
    ++activations_;
    asleepUntil_ = never;
    isRunning_ = true;
    const Time kernelTime = now();
    servePause(kernelTime);
    for (const std::size_t slot : nextDelta_) {
        times_[slot] = std::min(times_[slot], kernelTime);
        earliest_ = std::min(earliest_, kernelTime);
    }
    nextDelta_.clear();
    while (nextDelta_.empty() && earliest_ != never && mayGoTo(earliest_)) {
        leadKernelBy(std::max(earliest_, now()) - kernelTime);
        runDue();
    }
    leadKernelBy(Time{});
    isRunning_ = false;
    sleep();
}

// Into the future only if the kernel has nothing to do before or then.
bool Agenda::mayGoTo(Time at) const
{
    if (at <= now())
        return true;
    return at < horizon_ && pauseAt_ == never && nextKernelActivity() > at;
}

// One pass finds what is due and the earliest of the rest; what is armed meanwhile lowers that.
void Agenda::runDue()
{
    ++instants_;
    const Time present = now();
    Time earliest = never;
    due_.clear();
    for (std::size_t slot = 0; slot < times_.size(); ++slot) {
        if (times_[slot] <= present) {
            times_[slot] = never;
            due_.push_back(slot);
        } else {
            earliest = std::min(earliest, times_[slot]);
        }
    }
    earliest_ = earliest;
    for (const std::size_t slot : due_) {
        if (slots_[slot].call != nullptr)
            slots_[slot].call(slots_[slot].owner);
    }
}

void Agenda::sleep()
{
    const Time until = std::min(nextDelta_.empty() ? earliest_ : now(), isPauseTold_ ? never : pauseAt_);
    if (until >= asleepUntil_)
        return;
    asleepUntil_ = until;
    wakeUp_.notify(kernelDelay(until));
}

} // namespace strobe
