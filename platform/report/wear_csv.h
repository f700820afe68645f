#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The wear of a report as CSV, for spreadsheets and plots: one line per block, and one per point of the history.

#include "platform/report/wear_report.h"

#include <string>

namespace strobe::platform {

// channel,position,block,erases,state
std::string wearMapCsv(const WearReport& wear);
// time_us,written_bytes,blocks,min_erases,max_erases,difference,erases
std::string wearHistoryCsv(const WearReport& wear);

} // namespace strobe::platform
