#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Statistics, declared once. A block keeps its counters in a plain struct, which lists them in `declare`, each with a
// name, a unit and a sentence:
//
//     struct LinkCounters {
//         std::uint64_t dataPhases = 0;
//         Time held{};
//         void declare(Statistics& stats)
//         {
//             stats.add("data_phases", Unit::Count, "data phases of reads and writes", dataPhases);
//             stats.add("held_for_memory", Unit::Duration, "link time lost waiting for the memory", held);
//         }
//     };
//
// Everything else follows from the declaration: the sum over parts and power cycles (accumulate), the keys and values
// of the JSON report (statisticsOf), and the table in the documentation (`strobe inspect statistics`). Assigning `{}`
// resets the struct. Counting itself costs nothing more than an increment: a declaration is made when a figure is read.
// Not covered: histograms, and lists whose rows depend on the run.

#include "models/base/enum_table.h"
#include "models/base/time.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace strobe {

enum class Unit : std::uint8_t {
    Count,
    Bytes,
    Duration,
    Ratio,
    PerSecond,
    MegabytesPerSecond,
    MebibytesPerSecond,
    Joule,
    Watt,
    JoulePerByte,
    JoulePerSector,
    Seconds,
    Celsius
};

inline constexpr std::array<EnumRow<Unit>, 13> unitTable{
    {{Unit::Count, "count", "a number of things"},
     {Unit::Bytes, "bytes", "an amount of data"},
     {Unit::Duration, "ps", "simulated time in picoseconds"},
     {Unit::Ratio, "ratio", "a quotient of two of the others"},
     {Unit::PerSecond, "1/s", "a number of things per second"},
     {Unit::MegabytesPerSecond, "MB/s", "an amount of data per second, in 10^6 bytes"},
     {Unit::MebibytesPerSecond, "MiB/s", "an amount of data per second, in 2^20 bytes"},
     {Unit::Joule, "J", "an energy"},
     {Unit::Watt, "W", "a power"},
     {Unit::JoulePerByte, "J/byte", "an energy for each byte of data"},
     {Unit::JoulePerSector, "J/sector", "an energy for each sector of data"},
     {Unit::Seconds, "s", "time of the machine that simulates, in seconds"},
     {Unit::Celsius, "degC", "a temperature, in degrees Celsius"}}};
constexpr const auto& enumTable(Unit)
{
    return unitTable;
}

// How the figures of two parts (dies, channels, power cycles) are combined.
enum class Merge : std::uint8_t { Sum, Maximum };

// monostate: there is no value (null in JSON), because the run or the part does not give one.
using StatisticValue = std::variant<std::uint64_t, Time, double, std::monostate>;

// One statistic with its value at the time of reading.
struct Statistic {
    std::string name;
    Unit unit = Unit::Count;
    std::string sentence;
    StatisticValue value;
    Merge merge = Merge::Sum;
    bool isDerived = false; // computed from others: accumulated through them
    bool isReported = true; // false: only accumulated, because a derived statistic needs it
    // In the JSON report: the name, followed by the unit of a time, an amount of data, an energy or a power unless the
    // name is that unit. Spaces become underscores.
    std::string key() const;
};

class Statistics {
public:
    // `counter` is a std::uint64_t, std::uint32_t, double or Time and must outlive this object. Unit::Duration requires
    // Time, and Time requires Unit::Duration.
    template <class Counter>
    void add(std::string_view name, Unit unit, std::string_view sentence, Counter& counter, Merge merge = Merge::Sum)
    {
        addRow({std::string(name), unit, std::string(sentence), {}, merge}, Slot{&counter});
    }
    // Accumulated, but not reported: a derived statistic is computed from it.
    template <class Counter>
    void keep(Counter& counter, Merge merge = Merge::Sum)
    {
        addRow({{}, unitOf(Slot{&counter}), {}, {}, merge, false, false}, Slot{&counter});
    }
    // A figure computed from others, or one that is never accumulated.
    void derive(std::string_view name, Unit unit, std::string_view sentence, StatisticValue value);

    std::vector<Statistic> values() const;
    // Adds the values of another object of the same declaration to the counters.
    void accumulate(const std::vector<Statistic>& part);

private:
    using Slot = std::variant<std::monostate, std::uint64_t*, std::uint32_t*, double*, Time*>; // monostate: derived
    static Unit unitOf(const Slot& slot);
    void addRow(Statistic statistic, Slot slot);

    struct Row {
        Statistic statistic;
        Slot slot;
    };
    std::vector<Row> rows_;
};

// What one or more structs of counters declare, in this order.
template <class... Counters>
std::vector<Statistic> statisticsOf(Counters... counters)
{
    Statistics stats;
    (counters.declare(stats), ...);
    return stats.values();
}

// What a struct declares, given what its ratios refer to, such as the measured time.
template <class Counters, class... Context>
std::vector<Statistic> statisticsGiven(Counters&& counters, const Context&... context)
{
    Statistics stats;
    counters.declare(stats, context...);
    return stats.values();
}

// Adds `part` to `sum`, counter by counter as declared.
template <class Counters>
void accumulate(Counters& sum, Counters part)
{
    Statistics to;
    sum.declare(to);
    to.accumulate(statisticsOf(part));
}

// The same for lists of one declaration without derived statistics; an empty sum takes the size of the part.
void accumulate(std::vector<Statistic>& sum, const std::vector<Statistic>& part);

} // namespace strobe
