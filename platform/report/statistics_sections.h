#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Every declared statistic of a report and its place in the JSON: the reference table that `strobe inspect statistics`
// prints. It is made from the declarations next to the counters (models/base/statistics.h): those of the report itself,
// and those of the parts of the drive, which the caller gives (platform/assembly/counter_blocks.h).

#include "models/base/statistics.h"
#include "platform/report/counter_block.h"

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

// In the order of the report.
std::vector<StatisticsSection> statisticsSections(const std::vector<CounterBlock>& counters);

std::string statisticsTable(const std::vector<CounterBlock>& counters);         // for a terminal
std::string statisticsTableMarkdown(const std::vector<CounterBlock>& counters); // for docs/

} // namespace strobe::platform
