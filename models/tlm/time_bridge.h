#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The only place where domain time meets sc_time. The kernel's resolution is 1 ps (its default; elaborate() checks it),
// so both sides are the same integer. These three run a hundred times per page operation: they look at the kernel's
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
inline Time now()
{
    return fromSc(sc_core::sc_get_curr_simcontext()->time_stamp());
}

} // namespace strobe
