// SPDX-License-Identifier: Apache-2.0
#include "platform/config/moved_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace strobe::platform {

namespace {

struct Moved {
    std::string_view section; // "phases.*": of any phase
    std::string_view key;
    std::string_view now; // in the same section
};

constexpr std::array<Moved, 20> moved{{{"host", "generation", "sata.generation"},
                                       {"host", "handshake", "sata.handshake"},
                                       {"host", "autoActivate", "sata.autoActivate"},
                                       {"host", "coalesceCompletions", "sata.coalesceCompletions"},
                                       {"firmware", "allocation", "pageMap.allocation"},
                                       {"firmware", "commandPlacement", "pageMap.commandPlacement"},
                                       {"firmware", "gc", "pageMap.gc"},
                                       {"firmware", "serialWrites", "pageMap.serialWrites"},
                                       {"firmware", "writeBufferPages", "pageMap.writeBufferPages"},
                                       {"firmware", "checkpointPages", "pageMap.checkpointPages"},
                                       {"firmware", "badBlockScan", "pageMap.badBlockScan"},
                                       {"firmware.pageMap", "care", "refresh"},
                                       {"firmware.pageMap", "slcCache", "pslcCache"},
                                       {"workload.phases.*", "beside", "concurrentJobs"},
                                       {"workload.phases.*", "theta", "zipf.theta"},
                                       {"workload.phases.*", "spread", "zipf.spread or hotCold.spread"},
                                       {"workload.phases.*", "hot", "hotCold"},
                                       {"workload.phases.*", "reads", "desktop.reads"},
                                       {"workload.phases.*", "writes", "desktop.writes"},
                                       {"workload.phases.*", "nearDistance", "desktop.nearDistance"}}};

// "workload.phases.3" of "workload.phases.*"
bool isSection(std::string_view said, std::string_view section)
{
    const std::size_t any = section.find('*');
    if (any == std::string_view::npos)
        return said == section;
    return said.substr(0, any) == section.substr(0, any) &&
           said.find_first_not_of("0123456789", any) == std::string_view::npos;
}

} // namespace

std::string movedKey(const std::string& pointer)
{
    std::string said = pointer.substr(std::min<std::size_t>(1, pointer.size()));
    std::replace(said.begin(), said.end(), '/', '.');
    const std::size_t last = said.rfind('.');
    if (last == std::string::npos)
        return {};
    const std::string section = said.substr(0, last);
    const auto row = std::find_if(moved.begin(), moved.end(), [&](const Moved& m) {
        return isSection(section, m.section) && said.substr(last + 1) == m.key;
    });
    return row == moved.end() ? std::string() : fmt::format("{} is now {}.{}", said, section, row->now);
}

} // namespace strobe::platform
