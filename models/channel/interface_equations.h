#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The clock-period equations of "A High-Performance Solid-State Disk with Double-Data-Rate NAND Flash Memory", one
// function each, named by number so that a reader can compare them with the paper. Pure, in picoseconds; results that
// are not whole are rounded up, because a clock period may not be shorter than what the signals need.

#include "models/base/time.h"

#include <algorithm>
#include <cstdint>

namespace strobe::channel::equation {

// eq. 1: delay of the clock that latches read data (D_CON), tD = alpha tP.
inline Time clockDelay1(std::int64_t alphaPermille, Time tP)
{
    return scaled(tP, alphaPermille, 1000);
}

// eq. 2: by how much the die's DLL delays RWEB to place DVS on stable data.
constexpr Time dllDelay2(Time tIODmax, Time tRWEBDmin, Time tIOS)
{
    return tIODmax - tRWEBDmin + tIOS;
}

// eq. 3: the conventional clock serves a read cycle and the page register.
constexpr Time conventionalPeriod3(Time tRC, Time tBYTE)
{
    return std::max(tRC, tBYTE);
}

// eq. 4 solved for tRC: REB travels out, then data travels back, and D_CON lends tD to the cycle.
constexpr Time readCycle4(Time tOUT, Time tREA, Time tIN, Time tS, Time tD)
{
    return tOUT + (tREA + tIN + tS) - tD;
}

// eq. 5: eq. 4 in eq. 3.
constexpr Time conventionalPeriod5(Time tOUT, Time tREA, Time tIN, Time tS, Time tD, Time tBYTE)
{
    return conventionalPeriod3(readCycle4(tOUT, tREA, tIN, tS, tD), tBYTE);
}

// First term of eq. 6: the read cycle at the period at which tD = alpha tP holds.
inline Time readCycle6(Time tOUT, Time tREA, Time tIN, Time tS, std::int64_t alphaPermille)
{
    return scaled(tOUT + (tREA + tIN + tS), 1000, 1000 + alphaPermille);
}

// eq. 6: eq. 1 in eq. 5.
inline Time conventionalPeriod6(Time tOUT, Time tREA, Time tIN, Time tS, std::int64_t alphaPermille, Time tBYTE)
{
    return conventionalPeriod3(readCycle6(tOUT, tREA, tIN, tS, alphaPermille), tBYTE);
}

// eq. 7: with a data valid strobe, tRWC takes the place of tRC.
constexpr Time strobedPeriod7(Time tRWC, Time tBYTE)
{
    return std::max(tRWC, tBYTE);
}

// eq. 8: one period of DVS holds two transfers, each with set-up and hold time at the controller's pad.
constexpr Time strobedPeriod8(Time tIOS, Time tIOH, Time tBYTE)
{
    return strobedPeriod7((tIOS + tIOH) * 2, tBYTE);
}

// First term of eq. 9: the same at the controller's FIFO, tDIFF being the skew of DVS and data on the board.
constexpr Time strobeCycle9(Time tS, Time tH, Time tDIFF)
{
    return (tS + tH + tDIFF) * 2;
}

// eq. 9
constexpr Time strobedPeriod9(Time tS, Time tH, Time tDIFF, Time tBYTE)
{
    return strobedPeriod7(strobeCycle9(tS, tH, tDIFF), tBYTE);
}

} // namespace strobe::channel::equation
