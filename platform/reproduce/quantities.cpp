// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/quantities.h"

#include "platform/reproduce/rate_series.h"
#include "platform/reproduce/units.h"

#include "models/base/check.h"
#include "models/base/resource_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace strobe::platform {

using nlohmann::json;

namespace {

using Reading = std::optional<double>;

double at(const json& report, const char* pointer)
{
    return report.at(json::json_pointer(pointer)).get<double>();
}

// Of one kind of request, or of all: "read", "write", "all".
Reading ofKind(const json& report, const char* kind, const char* pointer, double unit = 1)
{
    if (!report["totals"].contains(kind))
        return std::nullopt;
    return at(report["totals"][kind], pointer) / unit;
}

double ofGroup(const json& report, ResourceGroup group, const char* what)
{
    for (const json& row : report["groups"]) {
        if (row["group"] == rowOf(group).name)
            return row[what].get<double>() * percent;
    }
    throw InternalError(fmt::format("the report has no {}", rowOf(group).name));
}

// --- energy ---------------------------------------------------------------------------------------------------------

// Of these groups; none named: of all.
double microjoulePerSector(const json& report, std::initializer_list<ResourceGroup> groups)
{
    double sum = 0;
    for (const json& component : report["energy"]["components"]) {
        const bool isCounted = std::any_of(
            groups.begin(), groups.end(), [&](ResourceGroup group) { return component["group"] == rowOf(group).name; });
        if (isCounted || groups.size() == 0)
            sum += component["joule_per_sector"].get<double>() * 1e6;
    }
    return sum;
}

double controllerNanojoulePerByte(const json& report)
{
    for (const json& component : report["energy"]["components"]) {
        if (component["component"] == "controller")
            return component["joule"].get<double>() * 1e9 / at(report, "/totals/all/bytes");
    }
    throw InternalError("the controller's energy is not in the report");
}

// --- wear -----------------------------------------------------------------------------------------------------------

// When this share of the history has passed.
double wearAt(const json& report, double share, const char* what = "difference")
{
    const json& history = report["flash"]["wear"]["history"];
    return history.at(static_cast<std::size_t>(share * static_cast<double>(history.size() - 1)))[what].get<double>();
}

// Of all samples up to this share of the history.
double largestDifference(const json& report, double share)
{
    const json& history = report["flash"]["wear"]["history"];
    const auto last = static_cast<std::size_t>(share * static_cast<double>(history.size() - 1));
    double largest = 0;
    for (std::size_t i = 0; i <= last; ++i)
        largest = std::max(largest, history.at(i)["difference"].get<double>());
    return largest;
}

// --- calibration ----------------------------------------------------------------------------------------------------

template <class Value>
Reading overDies(const json& report, Value value, double (*combine)(double, double))
{
    if (!report.contains("calibration"))
        return std::nullopt;
    const json& dies = report["calibration"]["dies"];
    double all = value(dies.front());
    for (std::size_t i = 1; i < dies.size(); ++i)
        all = combine(all, value(dies[i]));
    return all;
}

double plus(double a, double b)
{
    return a + b;
}
double lesser(double a, double b)
{
    return std::min(a, b);
}
double greater(double a, double b)
{
    return std::max(a, b);
}

double megahertz(const json& die)
{
    return microsecond / die["cycle_ps"].get<double>();
}

Reading meanMegahertz(const json& report)
{
    const Reading sum = overDies(report, megahertz, plus);
    return sum ? Reading(*sum / static_cast<double>(report["calibration"]["dies"].size())) : std::nullopt;
}

template <class Read>
ReportQuantity row(std::string name, const char* unit, Read read)
{
    return {std::move(name), unit, [read](const MeasuredRun&, const json& report) -> Reading { return read(report); }};
}

// What a kind of request, or all of them, has in the totals of a run or of a job.
struct OfRequests {
    const char* name; // of all requests
    const char* unit;
    const char* pointer;
    double scale;
    const char* ofKind; // the name after "read " or "write "
};
constexpr std::array<OfRequests, 7> requestTable{{
    {"throughput", "MB/s", "/megabytes_per_second", 1, "throughput"},
    {"bandwidth", "MB/s", "/mebibytes_per_second", 1, "bandwidth"},
    {"requests", "1/s", "/iops", 1, "rate"},
    {"p50", "us", "/latency/p50_ps", microsecond, "p50"},
    {"p99", "us", "/latency/p99_ps", microsecond, "p99"},
    {"p99.9", "us", "/latency/p99_9_ps", microsecond, "p99.9"},
    {"latency", "us", "/latency/mean_ps", microsecond, "response"},
}};

ReportQuantity requestRow(const OfRequests& what, const char* kind, std::string name)
{
    ReportQuantity quantity =
        row(std::move(name), what.unit, [=](const json& r) { return ofKind(r, kind, what.pointer, what.scale); });
    quantity.isOfRequests = true;
    return quantity;
}

std::vector<ReportQuantity> ofRequests()
{
    std::vector<ReportQuantity> all;
    all.reserve(3 * requestTable.size() + 2);
    for (const OfRequests& what : requestTable)
        all.push_back(requestRow(what, "all", what.name));
    for (const char* kind : {"read", "write"}) {
        for (const OfRequests& what : requestTable)
            all.push_back(requestRow(what, kind, fmt::format("{} {}", kind, what.ofKind)));
        all.push_back(requestRow({"", "requests", "/requests", 1, ""}, kind, fmt::format("{}s", kind)));
    }
    return all;
}

std::vector<ReportQuantity> ofWorkloads()
{
    return {
        row("buses busy", "%", [](const json& r) { return ofGroup(r, ResourceGroup::Channel, "mean_utilisation"); }),
        row("busiest bus", "%", [](const json& r) { return ofGroup(r, ResourceGroup::Channel, "max_utilisation"); }),
        row("busiest die", "%", [](const json& r) { return ofGroup(r, ResourceGroup::Die, "max_utilisation"); }),
        row("link busy", "%", [](const json& r) { return ofGroup(r, ResourceGroup::Link, "max_utilisation"); }),
        row("amplification", "times", [](const json& r) { return at(r, "/flash/write_amplification"); }),
        row("iterations", "per page with errors", [](const json& r) { return at(r, "/flash/ecc/mean_iterations"); }),
        row("uncorrectable", "pages", [](const json& r) { return at(r, "/flash/ecc/uncorrectable_pages"); }),
        row("mismatches", "sectors", [](const json& r) { return at(r, "/integrity/mismatches"); }),
        row("checked", "sectors", [](const json& r) { return at(r, "/integrity/checked_sectors"); }),
        row("energy of flash", "uJ/sector",
            [](const json& r) {
                return microjoulePerSector(r,
                                           {ResourceGroup::Die, ResourceGroup::Channel, ResourceGroup::CommandLines});
            }),
        row("energy of SDRAM", "uJ/sector",
            [](const json& r) { return microjoulePerSector(r, {ResourceGroup::Sdram}); }),
        row("energy of controller", "uJ/sector",
            [](const json& r) {
                return microjoulePerSector(
                    r, {ResourceGroup::Cpu, ResourceGroup::Ecc, ResourceGroup::Unit, ResourceGroup::Fabric});
            }),
        row("energy of host link", "uJ/sector",
            [](const json& r) { return microjoulePerSector(r, {ResourceGroup::Link}); }),
        row("energy", "uJ/sector", [](const json& r) { return microjoulePerSector(r, {}); }),
        row("controller energy", "nJ/B", controllerNanojoulePerByte),
        row("difference at 1/4", "erases", [](const json& r) { return wearAt(r, 0.25); }),
        row("difference at 1/2", "erases", [](const json& r) { return wearAt(r, 0.5); }),
        row("difference at 3/4", "erases", [](const json& r) { return wearAt(r, 0.75); }),
        row("difference at the end", "erases", [](const json& r) { return wearAt(r, 1); }),
        row("largest in the first half", "erases", [](const json& r) { return largestDifference(r, 0.5); }),
        row("largest difference", "erases", [](const json& r) { return largestDifference(r, 1); }),
        row("erases", "erases", [](const json& r) { return wearAt(r, 1, "erases"); }),
    };
}

// The rates of the whole intervals of the time series, of one kind of request or of all; for reports without such a
// series, nothing.
std::optional<RateSeries> seriesOf(const json& report, const char* kind = "all")
{
    if (!report.contains("series"))
        return std::nullopt;
    const json& series = report["series"];
    const bool isOfAll = std::string_view(kind) == "all";
    if (!isOfAll && !series["operations"].contains(kind))
        return std::nullopt;
    RateSeries rates;
    for (std::size_t i = 0; i < series["length_ps"].size(); ++i) {
        double bytes = 0;
        for (const auto& [name, operation] : series["operations"].items())
            bytes += isOfAll || name == kind ? operation["bytes"][i].get<double>() : 0;
        rates.push_back({bytes, series["length_ps"][i].get<double>() / second});
    }
    return rates;
}

Reading ratePercentile(const json& report, double share, const char* kind = "all")
{
    const std::optional<RateSeries> series = seriesOf(report, kind);
    return series ? Reading(percentileOfRates(*series, share) / megabyte) : std::nullopt;
}

// The rate over the written data as `count` plateaus: that of the plateau `index`, or where it ends.
ReportQuantity plateau(std::size_t index, std::size_t count)
{
    return row(fmt::format("plateau {} of {}", index + 1, count), "MB/s", [=](const json& r) -> Reading {
        const std::optional<RateSeries> series = seriesOf(r);
        return series ? Reading(plateausOf(*series, count).at(index).rate / megabyte) : std::nullopt;
    });
}
ReportQuantity cliff(std::size_t index, std::size_t count)
{
    return row(fmt::format("cliff {} of {}", index + 1, count - 1), "% of capacity", [=](const json& r) -> Reading {
        const std::optional<RateSeries> series = seriesOf(r);
        return series ? Reading(plateausOf(*series, count).at(index).end / at(r, "/capacity_bytes") * percent)
                      : std::nullopt;
    });
}

// Of runs whose scenario sets report.seriesEvery.
std::vector<ReportQuantity> ofSeries()
{
    return {row("rate p5", "MB/s", [](const json& r) { return ratePercentile(r, 0.05); }),
            row("rate p50", "MB/s", [](const json& r) { return ratePercentile(r, 0.5); }),
            row("rate p95", "MB/s", [](const json& r) { return ratePercentile(r, 0.95); }),
            row("write throughput p5", "MB/s", [](const json& r) { return ratePercentile(r, 0.05, "write"); }),
            row("write throughput p50", "MB/s", [](const json& r) { return ratePercentile(r, 0.5, "write"); }),
            row("write throughput p95", "MB/s", [](const json& r) { return ratePercentile(r, 0.95, "write"); }),
            plateau(0, 2),
            plateau(1, 2),
            cliff(0, 2),
            plateau(0, 3),
            plateau(1, 3),
            plateau(2, 3),
            cliff(0, 3),
            cliff(1, 3)};
}

// Of the dies that firmware has calibrated.
std::vector<ReportQuantity> ofCalibration()
{
    return {
        row("frequency", "MHz", meanMegahertz),
        row("least frequency", "MHz", [](const json& r) { return overDies(r, megahertz, lesser); }),
        row("margin", "ns",
            [](const json& r) {
                return overDies(
                    r, [](const json& die) { return die["margin_ps"].get<double>() / nanosecond; }, lesser);
            }),
        row("sampled after", "periods",
            [](const json& r) {
                return overDies(
                    r, [](const json& die) { return die["sample_ps"].get<double>() / die["cycle_ps"].get<double>(); },
                    lesser);
            }),
        row("calibrations", "each",
            [](const json& r) {
                return overDies(
                    r, [](const json& die) { return die["calibrations"].get<double>(); }, lesser);
            }),
        row("calibrated for", "ms",
            [](const json& r) -> Reading {
                const Reading took = overDies(
                    r, [](const json& die) { return die["took_ps"].get<double>(); }, plus);
                return took ? Reading(*took / millisecond) : std::nullopt;
            }),
        row("longest calibration", "us",
            [](const json& r) {
                return overDies(
                    r, [](const json& die) { return die["longest_ps"].get<double>() / microsecond; }, greater);
            }),
        row("pages with errors", "pages",
            [](const json& r) {
                return r.contains("calibration") ? Reading(at(r, "/calibration/pages_with_errors")) : std::nullopt;
            }),
    };
}

std::vector<ReportQuantity> ofOperations()
{
    return {
        row("elapsed", "ms", [](const json& r) { return at(r, "/elapsed_ps") / millisecond; }),
        row("operations", "MB/s",
            [](const json& r) { return at(r, "/read_megabytes_per_second") + at(r, "/program_megabytes_per_second"); }),
        row("bus share", "%", [](const json& r) { return at(r, "/bus_share") * percent; }),
        row("array share", "%", [](const json& r) { return at(r, "/array_share") * percent; }),
    };
}

} // namespace

std::vector<ReportQuantity> commonQuantities()
{
    std::vector<ReportQuantity> all = ofRequests();
    for (const auto& some : {ofWorkloads(), ofSeries(), ofCalibration(), ofOperations()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

ReportQuantity ofJob(const ReportQuantity& quantity, const std::string& job)
{
    check(quantity.isOfRequests, "a job has only quantities of requests");
    ReportQuantity one = quantity;
    one.of = [of = quantity.of, job](const MeasuredRun& run, const json& report) -> Reading {
        const json* found = nullptr;
        for (const json& phase : report["phases"]) {
            if (!phase["measured"].get<bool>() || !phase.contains("jobs"))
                continue;
            for (const json& candidate : phase["jobs"]) {
                if (candidate["name"] != job)
                    continue;
                if (found != nullptr)
                    return std::nullopt;
                found = &candidate;
            }
        }
        return found == nullptr ? std::nullopt : of(run, *found);
    };
    return one;
}

} // namespace strobe::platform
