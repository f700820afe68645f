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

std::size_t Agenda::add(void* owner, Call call, bool isDecoupled)
{
    slots_.push_back({owner, call, isDecoupled});
    times_.push_back(never);
    places_.push_back(nowhere);
    return slots_.size() - 1;
}

// --- the heap of armed slots
// -------------------------------------------------------------------------------------------

bool Agenda::goesFirst(std::size_t slot, std::size_t other) const
{
    return times_[slot] != times_[other] ? times_[slot] < times_[other] : slot < other;
}

void Agenda::siftUp(std::size_t place)
{
    const std::size_t slot = heap_[place];
    const std::size_t last = isTopHeld_ ? 2 : 0; // nothing passes what stands on top while its owner is called
    while (place > last && goesFirst(slot, heap_[(place - 1) / 2])) {
        heap_[place] = heap_[(place - 1) / 2];
        places_[heap_[place]] = place;
        place = (place - 1) / 2;
    }
    heap_[place] = slot;
    places_[slot] = place;
}

void Agenda::siftDown(std::size_t place)
{
    const std::size_t slot = heap_[place];
    for (std::size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
        if (child + 1 < heap_.size() && goesFirst(heap_[child + 1], heap_[child]))
            ++child;
        if (!goesFirst(heap_[child], slot))
            break;
        heap_[place] = heap_[child];
        places_[heap_[place]] = place;
        place = child;
    }
    heap_[place] = slot;
    places_[slot] = place;
}

std::size_t Agenda::takeFirst()
{
    const std::size_t first = heap_.front();
    const std::size_t last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
        heap_.front() = last;
        siftDown(0);
    }
    places_[first] = nowhere;
    times_[first] = never;
    return first;
}

void Agenda::arm(std::size_t slot, Time at)
{
    times_[slot] = std::max(at, now()); // what is late is due now, like others, in the order of making
    if (isTopHeld_ && slot == heap_.front())
        return;
    if (places_[slot] == nowhere) {
        places_[slot] = heap_.size();
        heap_.push_back(slot);
    }
    siftUp(places_[slot]);
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

// --- one activation of the kernel process
// ------------------------------------------------------------------------------

// Both end also if a module throws.
struct Agenda::Holding {
    explicit Holding(Agenda& who) : agenda(who) { agenda.isTopHeld_ = true; }
    Holding(const Holding&) = delete;
    Holding& operator=(const Holding&) = delete;
    ~Holding() { agenda.isTopHeld_ = false; }
    Agenda& agenda;
};
struct Agenda::Running {
    explicit Running(Agenda& who) : agenda(who) { agenda.isRunning_ = true; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running()
    {
        followKernel();
        agenda.isRunning_ = false;
        agenda.served_ = agenda.due_.size();
    }
    Agenda& agenda;
};

void Agenda::run()
{
    ++activations_;
    asleepUntil_ = never;
    const Time kernelTime = now();
    servePause(kernelTime);
    {
        const Running running(*this);
        standAt(kernelTime);
        detail::isKernelTouched = true;
        for (const std::size_t slot : nextDelta_) {
            if (kernelTime < times_[slot])
                arm(slot, kernelTime);
        }
        nextDelta_.clear();
        while (nextDelta_.empty() && !heap_.empty() && mayGoTo(earliest()))
            runDue(earliest());
    }
    sleep();
}

// While it runs ahead, kernelDelay() tells of changes; without that, modules may be about that know nothing of it.
Time Agenda::nextOfKernel()
{
    if (detail::isKernelTouched || horizon_ <= now()) {
        detail::isKernelTouched = false;
        kernelNext_ = nextKernelActivity();
    }
    return kernelNext_;
}

// Into the future only if the kernel has nothing to do before or then.
bool Agenda::mayGoTo(Time at)
{
    if (at <= now())
        return true;
    return at < horizon_ && pauseAt_ == never && nextOfKernel() > at;
}

// The usual case: one module is due alone. It keeps its place in the heap while it is called, and finds its next one
// from there.
void Agenda::runTop()
{
    const std::size_t slot = heap_.front();
    {
        const Holding holding(*this);
        times_[slot] = never;
        if (slots_[slot].call != nullptr)
            slots_[slot].call(slots_[slot].owner);
    }
    if (times_[slot] == never)
        takeFirst();
    else
        siftDown(0);
}

Time Agenda::secondEarliest() const
{
    const Time left = heap_.size() > 1 ? times_[heap_[1]] : never;
    return heap_.size() > 2 ? std::min(left, times_[heap_[2]]) : left;
}

void Agenda::runDue(Time present)
{
    standAt(present);
    ++instants_;
    if (secondEarliest() != present) {
        runTop();
        return;
    }
    due_.clear();
    do {
        due_.push_back(takeFirst());
    } while (earliest() == present);
    for (served_ = 0; served_ < due_.size();) {
        const Slot slot = slots_[due_[served_++]];
        if (slot.call != nullptr)
            slot.call(slot.owner);
    }
}

Time Agenda::nextOfOthers()
{
    if (served_ < due_.size() || !nextDelta_.empty())
        return now();
    return std::min(isTopHeld_ ? secondEarliest() : earliest(), nextOfKernel());
}

Time Agenda::nextOfCoupled()
{
    const auto isCoupled = [this](std::size_t slot) { return !slots_[slot].isDecoupled; };
    using Step = std::vector<std::size_t>::difference_type;
    if (std::any_of(due_.begin() + static_cast<Step>(served_), due_.end(), isCoupled) ||
        std::any_of(nextDelta_.begin(), nextDelta_.end(), isCoupled))
        return now();
    const Time inHeap = isTopHeld_ ? std::min(earliestCoupled(1), earliestCoupled(2)) : earliestCoupled(0);
    return std::min(inHeap, nextOfKernel());
}

// Few are decoupled, so it does not go deep.
Time Agenda::earliestCoupled(std::size_t place) const
{
    if (place >= heap_.size())
        return never;
    const std::size_t slot = heap_[place];
    if (!slots_[slot].isDecoupled)
        return times_[slot];
    return std::min(earliestCoupled(2 * place + 1), earliestCoupled(2 * place + 2));
}

void Agenda::sleep()
{
    const Time until = std::min(nextDelta_.empty() ? earliest() : now(), isPauseTold_ ? never : pauseAt_);
    if (until >= asleepUntil_)
        return;
    asleepUntil_ = until;
    wakeUp_.notify(kernelDelay(until));
}

} // namespace strobe
