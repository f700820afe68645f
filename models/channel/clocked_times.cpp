// SPDX-License-Identifier: Apache-2.0
#include "models/channel/clocked_times.h"

#include <initializer_list>

namespace strobe::channel {

nand::Part inWholeClocks(nand::Part part, Time clock)
{
    nand::ArrayTimes& t = part.times;
    for (Time* time : {&t.tR, &t.tPROG, &t.tBERS, &t.tRstIdle, &t.tRstRead, &t.tRstProgram, &t.tRstErase, &t.tDBSY,
                       &t.tPBSY, &t.tRCBSY, &t.tCBSY, &t.tPSUSP, &t.tESUSP, &t.tPRSM, &t.tERSM, &part.pslc.tR,
                       &part.snapRead.tR, &part.pslc.tPROG, &part.pslc.tBERS})
        *time = inWholeClocks(*time, clock);
    for (nand::PageType& type : part.pageTypes) {
        type.tR = inWholeClocks(type.tR, clock);
        type.tPROG = inWholeClocks(type.tPROG, clock);
    }
    return part;
}

InterfaceTiming inWholeClocks(InterfaceTiming timing, Time clock)
{
    InterfaceTiming& t = timing;
    for (Time* time : {&t.tCS, &t.tADL, &t.tWB, &t.tRR, &t.tWHR, &t.tCCS, &t.dataInPreamble, &t.dataInPostamble,
                       &t.dataOutPreamble, &t.dataOutPostamble, &t.statusPollDelay})
        *time = inWholeClocks(*time, clock);
    return timing;
}

} // namespace strobe::channel
