// SPDX-License-Identifier: Apache-2.0
#include "platform/report/json_curves.h"

#include "platform/report/json_number.h"

#include <algorithm>

namespace strobe::platform {

using json = nlohmann::ordered_json;

namespace {

// Samples of response times between consecutive edges; `joined` bins of the histogram are one here.
json distribution(const LatencyHistogram& histogram)
{
    constexpr int joined = 10;
    constexpr int rows = LatencyHistogram::bins / joined;
    std::vector<std::uint64_t> counts;
    std::vector<std::int64_t> edges; // the first is the lower edge of the first row with samples
    const auto addRow = [&](std::uint64_t count, Time from, Time to) {
        if (counts.empty() && count == 0)
            return;
        if (counts.empty())
            edges.push_back(from.count());
        counts.push_back(count);
        edges.push_back(to.count());
    };
    addRow(histogram.countOf(-1), Time{}, LatencyHistogram::lowerEdge(0));
    for (int row = 0; row < rows; ++row) {
        std::uint64_t count = 0;
        for (int bin = row * joined; bin < (row + 1) * joined; ++bin)
            count += histogram.countOf(bin);
        addRow(count, LatencyHistogram::lowerEdge(row * joined), LatencyHistogram::lowerEdge((row + 1) * joined));
    }
    const Time end = LatencyHistogram::lowerEdge(LatencyHistogram::bins);
    addRow(histogram.countOf(LatencyHistogram::bins), end, std::max(end, histogram.maximum()));
    while (!counts.empty() && counts.back() == 0) {
        counts.pop_back();
        edges.pop_back();
    }
    return {{"edges_ps", edges}, {"requests", counts}};
}

json times(const std::vector<std::optional<Time>>& values)
{
    json out = json::array();
    for (const std::optional<Time>& value : values)
        out.push_back(value ? json(value->count()) : json(nullptr));
    return out;
}

json ratios(const std::vector<double>& values)
{
    json out = json::array();
    for (const double value : values)
        out.push_back(rounded(value));
    return out;
}

// Flash programs for each page's worth of data that the host wrote; null where it wrote nothing.
json amplification(const SeriesReport& series, std::uint32_t pageBytes)
{
    json out = json::array();
    for (std::size_t i = 0; i < series.length.size(); ++i) {
        std::uint64_t written = 0;
        std::uint64_t programs = 0;
        for (const SeriesReport::Operation& op : series.operations)
            written += host::takesData(op.kind) ? op.bytes[i] : 0;
        for (const SeriesReport::Purpose& purpose : series.programs)
            programs += purpose.programs[i];
        out.push_back(written == 0
                          ? json(nullptr)
                          : json(rounded(static_cast<double>(programs) * pageBytes / static_cast<double>(written))));
    }
    return out;
}

} // namespace

json jsonDistributions(const std::vector<KindTotals>& kinds)
{
    json out = json::object();
    for (const KindTotals& k : kinds)
        out[std::string(enumName(k.kind))] = distribution(k.distribution);
    return out;
}

json jsonCourse(const std::vector<thermal::ThermalPoint>& course)
{
    json out{{"time_ps", json::array()},       {"controller_celsius", json::array()},
             {"flash_celsius", json::array()}, {"watt", json::array()},
             {"level", json::array()},         {"dies", json::array()}};
    for (const thermal::ThermalPoint& point : course) {
        out["time_ps"].push_back(point.at.count());
        out["controller_celsius"].push_back(rounded(point.celsius[thermal::Controller]));
        out["flash_celsius"].push_back(rounded(point.celsius[thermal::Flash]));
        out["watt"].push_back(rounded(point.watt));
        out["level"].push_back(point.throttle.level);
        out["dies"].push_back(point.throttle.dies);
    }
    return out;
}

json jsonSeries(const SeriesReport& s, std::uint32_t pageBytes)
{
    json lengths = json::array();
    for (const Time length : s.length)
        lengths.push_back(length.count());
    json operations = json::object();
    for (const SeriesReport::Operation& op : s.operations) {
        operations[std::string(enumName(op.kind))] = {
            {"requests", op.requests}, {"bytes", op.bytes},          {"p50_ps", times(op.p50)},
            {"p99_ps", times(op.p99)}, {"p99_9_ps", times(op.p999)}, {"queue_depth", ratios(op.queueDepth)}};
    }
    json programs = json::object();
    for (const SeriesReport::Purpose& purpose : s.programs)
        programs[jsonKey(purpose.purpose)] = purpose.programs;
    json groups = json::object();
    for (const SeriesReport::Group& group : s.groups)
        groups[std::string(enumName(group.group))] = {{"utilisation", ratios(group.utilisation)},
                                                      {"mean_queue", ratios(group.meanQueue)}};
    return {{"interval_ps", s.interval.count()},     {"length_ps", std::move(lengths)},
            {"operations", std::move(operations)},   {"write_amplification", amplification(s, pageBytes)},
            {"flash_programs", std::move(programs)}, {"groups", std::move(groups)}};
}

} // namespace strobe::platform
