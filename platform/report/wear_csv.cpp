// SPDX-License-Identifier: Apache-2.0
#include "platform/report/wear_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace strobe::platform {

std::string wearMapCsv(const WearReport& wear)
{
    std::string text = "channel,position,block,erases,state\n";
    const auto has = [](const std::vector<std::uint32_t>& blocks, std::uint32_t block) {
        return std::binary_search(blocks.begin(), blocks.end(), block);
    };
    for (const DieWear& die : wear.map) {
        for (std::uint32_t block = 0; block < die.erases.size(); ++block) {
            const char* state = has(die.factoryBad, block) ? "factory bad" : has(die.failed, block) ? "failed" : "good";
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n", die.channel, die.position, block,
                           die.erases[block], state);
        }
    }
    return text;
}

std::string wearHistoryCsv(const WearReport& wear)
{
    std::string text = "time_us,written_bytes,blocks,min_erases,max_erases,difference,erases\n";
    for (const WearSample& s : wear.history) {
        fmt::format_to(std::back_inserter(text), "{:.6f},{},{},{},{},{},{}\n", toMicroseconds(s.at), s.writtenBytes,
                       s.blocks, s.minimum, s.maximum, s.maximum - s.minimum, s.erases);
    }
    return text;
}

} // namespace strobe::platform
