#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The only place where domain time meets sc_time. The kernel's resolution is 1 ps (its default; elaborate() checks it),
// so both sides are the same integer. These three run a hundred times per page operation: they read the kernel's
// integers directly, where its own functions would be calls into its library.

#include "models/base/time.h"

#include <cstring>
#include <systemc>

namespace strobe {

inline sc_core::sc_time toSc(Time t)
{
    const auto value = static_cast<sc_core::sc_time::value_type>(t.count());
    static_assert(sizeof(sc_core::sc_time) == sizeof value, "sc_time is its integer");
    sc_core::sc_time time;
    std::memcpy(static_cast<void*>(&time), &value, sizeof value);
    return time;
}
inline Time fromSc(const sc_core::sc_time& t)
{
    return Time{static_cast<std::int64_t>(t.value())};
}

// The agenda (agenda.h) may be ahead of the kernel's clock, but never while the kernel runs another process.
namespace detail {
inline bool isAgendaRunning = false;
inline Time agendaTime{};
inline bool isKernelTouched = false; // an event was about to be notified
inline Time kernelOrigin{};          // domain time of the kernel's time zero
} // namespace detail
inline void setKernelTime(Time time)
{
    detail::isAgendaRunning = true;
    detail::agendaTime = time;
}
inline void followKernel()
{
    detail::isAgendaRunning = false;
}

// A kernel whose clock restarts (a further simulation context) continues at this time. To be called before its modules
// are made.
inline void startKernelAt(Time origin)
{
    followKernel();
    detail::kernelOrigin = origin;
}

// Not inline: it may make the kernel's context, which would be repeated at each use of now().
[[gnu::noinline, gnu::cold]] inline Time kernelTime()
{
    return detail::kernelOrigin + fromSc(sc_core::sc_get_curr_simcontext()->time_stamp());
}

// The present instant.
__attribute__((always_inline)) inline Time now()
{
    return detail::isAgendaRunning ? detail::agendaTime : kernelTime();
}
inline Time kernelLead()
{
    return now() - kernelTime();
}

// The kernel's next activity, as far as known: its present instant, a later one, or never.
inline Time nextKernelActivity()
{
    const sc_core::sc_time wait = sc_core::sc_time_to_pending_activity();
    const sc_core::sc_time::value_type most = static_cast<sc_core::sc_time::value_type>(never.count());
    const Time present = kernelTime();
    return wait.value() >= most - static_cast<sc_core::sc_time::value_type>(present.count()) ? never
                                                                                             : present + fromSc(wait);
}

// For sc_event::notify(): from the kernel's time to `at`, zero if that is past. A module that the agenda wakes calls
// it each time that it notifies an event: otherwise the agenda does not check the kernel while it runs ahead.
inline sc_core::sc_time kernelDelay(Time at)
{
    detail::isKernelTouched = true;
    const Time delay = at - kernelTime();
    return toSc(delay < Time{} ? Time{} : delay);
}

} // namespace strobe
