#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Every declared statistic of a report and its place in the JSON: the reference table that `strobe inspect statistics`
// prints. It is made from the declarations next to the counters (models/base/statistics.h).

#include "models/base/statistics.h"

#include <string>
#include <vector>

namespace strobe::platform {

struct StatisticsSection {
    std::string place;  // "flash.ecc"; [] are rows of a list, * is a name that depends on the run; empty: top level
    std::string remark; // when it is in the report, and what it covers; or empty
    struct Row {
        std::string key;
        Unit unit;
        std::string sentence;
    };
    std::vector<Row> rows;
};

std::vector<StatisticsSection> statisticsSections(); // in the order of the report

std::string statisticsTable();         // for a terminal
std::string statisticsTableMarkdown(); // for docs/

} // namespace strobe::platform
