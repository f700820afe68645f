// SPDX-License-Identifier: Apache-2.0
#include "models/base/statistics.h"

#include "models/base/check.h"

#include <algorithm>
#include <type_traits>

namespace strobe {

namespace {

StatisticValue merged(Merge merge, const StatisticValue& a, const StatisticValue& b)
{
    check(a.index() == b.index(), "two values of one statistic have different types");
    return std::visit(
        [&](auto left) -> StatisticValue {
            if constexpr (std::is_same_v<decltype(left), std::monostate>) {
                return left;
            } else {
                const auto right = std::get<decltype(left)>(b);
                return merge == Merge::Sum ? left + right : std::max(left, right);
            }
        },
        a);
}

std::string_view suffixOf(Unit unit)
{
    switch (unit) {
    case Unit::Duration: return "ps";
    case Unit::Bytes: return "bytes";
    case Unit::Joule: return "joule";
    case Unit::Watt: return "watt";
    case Unit::Seconds: return "seconds";
    case Unit::Celsius: return "celsius";
    case Unit::Count:
    case Unit::Ratio:
    case Unit::PerSecond: // the names of quotients give their units
    case Unit::MegabytesPerSecond:
    case Unit::MebibytesPerSecond:
    case Unit::JoulePerByte:
    case Unit::JoulePerSector: break;
    }
    return {};
}

} // namespace

std::string Statistic::key() const
{
    const std::string_view suffix = suffixOf(unit);
    std::string key = suffix.empty() || name == suffix ? name : name + "_" + std::string(suffix);
    std::replace(key.begin(), key.end(), ' ', '_');
    return key;
}

Unit Statistics::unitOf(const Slot& slot)
{
    return std::holds_alternative<Time*>(slot) ? Unit::Duration : Unit::Count;
}

void Statistics::addRow(Statistic statistic, Slot slot)
{
    check((statistic.unit == Unit::Duration) == std::holds_alternative<Time*>(slot),
          "a duration is declared with a counter of another type, or the reverse");
    rows_.push_back({std::move(statistic), slot});
}

void Statistics::derive(std::string_view name, Unit unit, std::string_view sentence, StatisticValue value)
{
    rows_.push_back({{std::string(name), unit, std::string(sentence), value, Merge::Sum, true}, std::monostate{}});
}

std::vector<Statistic> Statistics::values() const
{
    struct Read {
        StatisticValue operator()(std::monostate) const { return derived; }
        StatisticValue operator()(const std::uint64_t* counter) const { return *counter; }
        StatisticValue operator()(const std::uint32_t* counter) const { return std::uint64_t{*counter}; }
        StatisticValue operator()(const double* counter) const { return *counter; }
        StatisticValue operator()(const Time* counter) const { return *counter; }
        const StatisticValue& derived;
    };
    std::vector<Statistic> values;
    values.reserve(rows_.size());
    for (const Row& row : rows_) {
        values.push_back(row.statistic);
        values.back().value = std::visit(Read{row.statistic.value}, row.slot);
    }
    return values;
}

void Statistics::accumulate(const std::vector<Statistic>& part)
{
    struct Write {
        void operator()(std::monostate) const {}
        void operator()(std::uint64_t* counter) const { *counter = std::get<std::uint64_t>(value); }
        void operator()(std::uint32_t* counter) const
        {
            *counter = static_cast<std::uint32_t>(std::get<std::uint64_t>(value));
        }
        void operator()(double* counter) const { *counter = std::get<double>(value); }
        void operator()(Time* counter) const { *counter = std::get<Time>(value); }
        const StatisticValue& value;
    };
    const std::vector<Statistic> mine = values();
    check(mine.size() == part.size(), "statistics of different declarations are accumulated");
    for (std::size_t i = 0; i < mine.size(); ++i) {
        if (!mine[i].isDerived)
            std::visit(Write{merged(mine[i].merge, mine[i].value, part[i].value)}, rows_[i].slot);
    }
}

void accumulate(std::vector<Statistic>& sum, const std::vector<Statistic>& part)
{
    if (sum.empty()) {
        sum = part;
        return;
    }
    check(sum.size() == part.size(), "statistics of different declarations are accumulated");
    for (std::size_t i = 0; i < sum.size(); ++i) {
        check(!sum[i].isDerived, "a derived statistic cannot be accumulated by itself");
        sum[i].value = merged(sum[i].merge, sum[i].value, part[i].value);
    }
}

} // namespace strobe
