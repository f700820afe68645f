// SPDX-License-Identifier: Apache-2.0
#include "models/base/stats.h"

namespace strobe {

const char* toText(Unit unit)
{
    switch (unit) {
    case Unit::Count: return "count";
    case Unit::Bytes: return "bytes";
    case Unit::Sectors: return "sectors";
    case Unit::Picoseconds: return "ps";
    }
    return "";
}

void Stats::add(std::string name, Unit unit, std::string description, const std::uint64_t& counter)
{
    entries_.push_back({std::move(name), unit, std::move(description), &counter, nullptr});
}

void Stats::add(std::string name, std::string description, const Time& time)
{
    entries_.push_back({std::move(name), Unit::Picoseconds, std::move(description), nullptr, &time});
}

} // namespace strobe
