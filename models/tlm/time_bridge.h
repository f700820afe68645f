#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The only place where domain time meets sc_time. The kernel's resolution is 1 ps (its default; elaborate() checks it),
// so both sides are the same integer.

#include "models/base/time.h"

#include <systemc>

namespace strobe {

inline sc_core::sc_time toSc(Time t)
{
    return sc_core::sc_time::from_value(static_cast<sc_core::sc_time::value_type>(t.count()));
}
inline Time fromSc(const sc_core::sc_time& t)
{
    return Time{static_cast<std::int64_t>(t.value())};
}
inline Time now()
{
    return fromSc(sc_core::sc_time_stamp());
}

} // namespace strobe
