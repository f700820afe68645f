// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/agenda.h"

#include "models/tlm/sanitizer_stack.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <atomic>

namespace strobe {

namespace {
std::atomic<Agenda*> madeLast{nullptr};
static_assert(std::atomic<Agenda*>::is_always_lock_free && std::atomic<Time::rep>::is_always_lock_free,
              "used by a signal handler");
} // namespace

Agenda::Agenda(const sc_core::sc_module_name& name) : sc_module(name)
{
    SC_METHOD(run);
    sensitive << wakeUp_;
    dont_initialize();
    madeLast = this;
}

Agenda::~Agenda()
{
    Agenda* self = this;
    madeLast.compare_exchange_strong(self, nullptr);
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
    const std::size_t slot = slots_.size();
    slots_.push_back({owner, call, isDecoupled});
    if (leaves_ + slot >= times_.size())
        grow();
    if (isDecoupled)
        markDecoupled(slot);
    return slot;
}

// --- the tree of times
// -------------------------------------------------------------------------------------------------

__attribute__((always_inline)) inline Time Agenda::earliestBelow(std::size_t node) const // for each instant
{
    const Time* below = &times_[4 * node + 1];
    const Time a = below[0];
    const Time b = below[1];
    const Time c = below[2];
    const Time d = below[3];
    return std::min(std::min(a, b), std::min(c, d));
}

void Agenda::grow()
{
    const std::vector<Time> before(times_.begin() + static_cast<std::ptrdiff_t>(leaves_), times_.end());
    leaves_ = 4 * leaves_ + 1;
    times_.assign(4 * leaves_ + 1, never);
    std::copy(before.begin(), before.end(), times_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    for (std::size_t node = leaves_; node-- > 0;)
        times_[node] = earliestBelow(node);
    hasDecoupled_.assign(times_.size(), false);
    for (std::size_t slot = 0; slot < before.size(); ++slot) {
        if (slots_[slot].isDecoupled)
            markDecoupled(slot);
    }
}

void Agenda::markDecoupled(std::size_t slot)
{
    std::size_t node = leaves_ + slot;
    hasDecoupled_[node] = true;
    while (node > 0) {
        node = (node - 1) / 4;
        hasDecoupled_[node] = true;
    }
}

// REQUIRES: not later than the time that is stored there.
void Agenda::putEarlier(std::size_t slot, Time at)
{
    std::size_t node = leaves_ + slot;
    times_[node] = at;
    while (node > 0) {
        node = (node - 1) / 4;
        if (times_[node] <= at)
            return;
        times_[node] = at;
    }
}

// Of several that are due, the one that was made first. REQUIRES: one is armed.
std::size_t Agenda::takeFirst()
{
    const Time first = times_[0];
    std::size_t node = 0;
    while (node < leaves_) {
        node = 4 * node + 1;
        while (times_[node] != first)
            ++node;
    }
    const std::size_t slot = node - leaves_;
    times_[node] = never;
    while (node > 0) {
        node = (node - 1) / 4;
        times_[node] = earliestBelow(node);
    }
    return slot;
}

Time Agenda::earliestBut(std::size_t slot) const
{
    Time first = never;
    for (std::size_t node = leaves_ + slot; node > 0;) {
        const std::size_t parent = (node - 1) / 4;
        for (std::size_t other = 4 * parent + 1; other <= 4 * parent + 4; ++other) {
            if (other != node)
                first = std::min(first, times_[other]);
        }
        node = parent;
    }
    return first;
}

void Agenda::arm(std::size_t slot, Time at)
{
    putEarlier(slot, std::max(at, now())); // late wake-ups are due now, like others, in order of creation
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
    isPauseReported_ = kernelLead() == Time{};
    if (isPauseReported_)
        sc_core::sc_pause();
}

void Agenda::pauseSoon()
{
    if (Agenda* agenda = madeLast; agenda != nullptr) {
        agenda->isPauseWanted_.store(true, std::memory_order_relaxed);
        agenda->horizon_.store(-1, std::memory_order_relaxed); // back to the kernel, which pauses
    }
}

// The kernel pauses when it reaches that instant; from the next one on it continues as before.
void Agenda::servePause(Time kernelTime)
{
    if (pauseAt_ < kernelTime)
        pauseAt_ = never;
    if (pauseAt_ == kernelTime && !isPauseReported_) {
        isPauseReported_ = true;
        sc_core::sc_pause();
    }
    if (isPauseWanted_.load(std::memory_order_relaxed)) {
        isPauseWanted_.store(false, std::memory_order_relaxed);
        pause();
    }
}

// --- one activation of the kernel process
// ------------------------------------------------------------------------------

// Ends also if a module throws.
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

// While it runs ahead, kernelDelay() reports changes; without that, modules may exist that do not report any.
__attribute__((always_inline)) inline Time Agenda::nextOfKernel() // for each instant
{
    if (detail::isKernelTouched || horizon_.load(std::memory_order_relaxed) <= now().count())
        askKernel();
    return kernelNext_;
}

void Agenda::askKernel()
{
    detail::isKernelTouched = false;
    kernelNext_ = nextKernelActivity();
}

// Into the future only if the kernel has nothing to do before or then.
__attribute__((always_inline)) inline bool Agenda::mayGoTo(Time at) // for each instant
{
    if (at <= now())
        return true;
    return at.count() < horizon_.load(std::memory_order_relaxed) && pauseAt_ == never && nextOfKernel() > at;
}

void Agenda::serve(std::size_t slot) const
{
    const Slot& called = slots_[slot];
    if (called.call != nullptr)
        called.call(called.owner);
}

__attribute__((always_inline)) inline void Agenda::runDue(Time present) // for each instant
{
    setKernelTime(present);
    ++instants_;
    lastInstant_ = present;
    const std::size_t first = takeFirst();
    if (earliest() != present) // the usual case: one module is due alone
        serve(first);
    else
        runAllDue(first, present);
}

void Agenda::run()
{
    restoreSanitizerStack();
    ++activations_;
    asleepUntil_ = never;
    const Time kernelTime = now();
    servePause(kernelTime);
    {
        const Running running(*this);
        setKernelTime(kernelTime);
        detail::isKernelTouched = true;
        for (const std::size_t slot : nextDelta_) {
            if (kernelTime < timeOf(slot))
                arm(slot, kernelTime);
        }
        nextDelta_.clear();
        while (nextDelta_.empty() && earliest() != never && mayGoTo(earliest()))
            runDue(earliest());
    }
    sleep();
}

void Agenda::runAllDue(std::size_t first, Time present)
{
    due_.assign(1, first);
    do {
        due_.push_back(takeFirst());
    } while (earliest() == present);
    for (served_ = 0; served_ < due_.size();)
        serve(due_[served_++]);
}

Time Agenda::nextOfOthers(std::size_t slot)
{
    if (served_ < due_.size() || !nextDelta_.empty())
        return now();
    return std::min(earliestBut(slot), nextOfKernel());
}

Time Agenda::nextOfCoupled()
{
    const auto isCoupled = [this](std::size_t slot) { return !slots_[slot].isDecoupled; };
    using Step = std::vector<std::size_t>::difference_type;
    if (std::any_of(due_.begin() + static_cast<Step>(served_), due_.end(), isCoupled) ||
        std::any_of(nextDelta_.begin(), nextDelta_.end(), isCoupled))
        return now();
    return std::min(earliestCoupled(0), nextOfKernel());
}

// Few are decoupled, so the search is short.
Time Agenda::earliestCoupled(std::size_t node) const
{
    if (!hasDecoupled_[node])
        return times_[node];
    Time first = never;
    for (std::size_t below = 4 * node + 1; node < leaves_ && below <= 4 * node + 4; ++below)
        first = std::min(first, earliestCoupled(below));
    return first;
}

void Agenda::sleep()
{
    const Time until = std::min(nextDelta_.empty() ? earliest() : now(), isPauseReported_ ? never : pauseAt_);
    if (until >= asleepUntil_)
        return;
    asleepUntil_ = until;
    wakeUp_.notify(kernelDelay(until));
}

} // namespace strobe
