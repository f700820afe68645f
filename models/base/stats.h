#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Statistics are declared once, beside the counter, by reference: stats.add("reads", Unit::Count, "host reads",
// reads_). The owner counts in plain integers; reading, ratios and formatting happen when a report is made. The Stats
// object must not outlive the counters it refers to.

#include "models/base/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace strobe {

enum class Unit : std::uint8_t { Count, Bytes, Sectors, Picoseconds };

const char* toText(Unit unit);

class Stats {
public:
    struct Entry {
        std::string name;
        Unit unit;
        std::string description;
        const std::uint64_t* counter; // exactly one of counter and time is set
        const Time* time;

        std::int64_t value() const { return counter != nullptr ? static_cast<std::int64_t>(*counter) : time->count(); }
    };

    void add(std::string name, Unit unit, std::string description, const std::uint64_t& counter);
    void add(std::string name, std::string description, const Time& time);

    const std::vector<Entry>& entries() const { return entries_; }

private:
    std::vector<Entry> entries_;
};

} // namespace strobe
