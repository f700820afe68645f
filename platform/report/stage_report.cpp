// SPDX-License-Identifier: Apache-2.0
#include "platform/report/stage_report.h"

#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace strobe::platform {

using json = nlohmann::ordered_json;

namespace {

constexpr std::array<double, 4> shares{1, 0.1, 0.01, 0.001};
constexpr std::size_t textWidth = 96;
constexpr std::uint64_t fewest = 10; // requests of which a place can be said

Time toTime(double picoseconds)
{
    return Time{std::llround(picoseconds)};
}

std::string className(double share)
{
    return share >= 1 ? "all" : fmt::format("slowest {:g} %", share * 100);
}

std::string classKey(double share)
{
    return share >= 1 ? "all" : fmt::format("slowest_{:g}_percent", share * 100);
}

// As --activity-from takes it; requests that begin close to each other differ.
std::string instant(Time time)
{
    return fmt::format("{:.6f}s", static_cast<double>(time.count()) / 1e12);
}

std::string plural(host::RequestKind kind)
{
    return kind == host::RequestKind::Flush ? "flushes" : std::string(enumName(kind)) + "s";
}

std::string dieName(std::uint32_t die, std::uint32_t diesPerChannel)
{
    return fmt::format("die {}.{}", die / diesPerChannel, die % diesPerChannel);
}

std::string wordsOf(const StageFinding& finding)
{
    if (isDieWait(finding.stage)) {
        if (finding.causeShare > 0.5)
            return fmt::format("{} {}", shortPercent(finding.share), stageSentence(finding.stage)) +
                   (finding.causeShare > 0.995 ? "" : fmt::format(" ({} of it)", shortPercent(finding.causeShare)));
        return fmt::format("{} waiting for a die with several causes", shortPercent(finding.share));
    }
    std::string text = fmt::format("{} {}", shortPercent(finding.share), stageName(finding.stage));
    if (finding.behind != noStage)
        text += fmt::format(" (cause: {} {})", shortPercent(finding.causeShare),
                            isDieWait(finding.behind) ? stageSentence(finding.behind) : stageName(finding.behind));
    return text;
}

StageMeans meansOf(const TracedRequest& request)
{
    StageMeans means;
    means.requests = 1;
    means.latency = static_cast<double>(request.latency().count());
    Time from = request.path.start();
    for (const StageSegment& segment : request.path.segments()) {
        const auto time = static_cast<double>((segment.end - from).count());
        means.stages[segment.stage] += time;
        if (segment.detail < stageIds)
            means.bufferWaitCauses[segment.detail] += time;
        from = segment.end;
    }
    return means;
}

std::string waitedFor(const TracedRequest& request, std::uint32_t diesPerChannel)
{
    std::string text;
    std::size_t said = 0;
    for (const StageFinding& finding : stageFindings(meansOf(request))) {
        if (said == 3 || (said != 0 && finding.share < 0.05))
            break;
        text += (said++ == 0 ? "" : ", ") + wordsOf(finding);
    }
    return request.die == UINT32_MAX ? text : text + "; " + dieName(request.die, diesPerChannel);
}

} // namespace

StageReport stageReport(const StageTally& tally, const SlowestRequests& slowest, std::uint32_t channels,
                        std::uint32_t diesPerChannel)
{
    StageReport report;
    report.channels = channels;
    report.diesPerChannel = diesPerChannel;
    for (const auto& row : host::requestKindTable) {
        if (tally.requests(row.value) == 0)
            continue;
        StageReport::Kind& kind = report.kinds.emplace_back();
        kind.kind = row.value;
        for (const double share : shares) {
            if (share * static_cast<double>(tally.requests(row.value)) >= 1)
                kind.classes.push_back({share, tally.slowest(row.value, share)});
        }
    }
    report.slowest = slowest.sorted();
    return report;
}

std::vector<StageFinding> stageFindings(const StageMeans& means)
{
    std::vector<StageFinding> findings;
    if (means.latency <= 0)
        return findings;
    StageFinding dies;
    double largest = 0;
    for (std::size_t i = 0; i < stageIds; ++i) {
        const auto stage = static_cast<StageId>(i);
        const double share = means.stages[i] / means.latency;
        if (isDieWait(stage)) {
            dies.share += share;
            if (share > largest) {
                largest = share;
                dies.stage = stage;
            }
        } else if (share > 0) {
            findings.push_back({stage, share, 0, noStage});
        }
    }
    if (dies.share > 0) {
        dies.causeShare = largest / dies.share;
        findings.push_back(dies);
    }
    for (StageFinding& finding : findings) {
        if (finding.stage != idOf(RequestStage::BufferWait))
            continue;
        const auto most = std::max_element(means.bufferWaitCauses.begin(), means.bufferWaitCauses.end());
        if (*most > 0) {
            finding.behind = static_cast<StageId>(most - means.bufferWaitCauses.begin());
            finding.causeShare = *most / means.stages[finding.stage];
        }
    }
    std::stable_sort(findings.begin(), findings.end(),
                     [](const StageFinding& a, const StageFinding& b) { return a.share > b.share; });
    return findings;
}

std::string stagePlace(const StageMeans& means, std::uint32_t channels, std::uint32_t diesPerChannel)
{
    if (means.dies.size() < 2 || means.requests < fewest)
        return {};
    for (std::uint32_t channel = 0; channel < channels; ++channel) {
        const auto first = means.dies.begin() + std::ptrdiff_t{channel} * diesPerChannel;
        const double share = std::accumulate(first, first + diesPerChannel, 0.0);
        const auto die = std::max_element(first, first + diesPerChannel);
        if (*die >= 0.5 && *die >= 0.75 * share)
            return fmt::format("{} on {}", shortPercent(*die),
                               dieName(static_cast<std::uint32_t>(die - means.dies.begin()), diesPerChannel));
        if (share >= 0.5 && share * channels >= 1.5)
            return fmt::format("{} on channel {}", shortPercent(share), channel);
    }
    return {};
}

std::string stageSentence(const StageReport& report, host::RequestKind kind, const StageReport::Class& of)
{
    std::string text = fmt::format("{}{}: ", of.share >= 1 ? "all " : className(of.share) + " of ", plural(kind));
    std::size_t said = 0;
    for (const StageFinding& finding : stageFindings(of.means)) {
        if (said == 3 || (said != 0 && finding.share < 0.05))
            break;
        text += (said++ == 0 ? "" : ", ") + wordsOf(finding);
    }
    const std::string place = stagePlace(of.means, report.channels, report.diesPerChannel);
    return place.empty() ? text : text + "; " + place;
}

json stageJson(const StageReport& report)
{
    json kinds = json::object();
    for (const StageReport::Kind& kind : report.kinds) {
        json& row = kinds[std::string(enumName(kind.kind))] = json::object();
        for (const StageReport::Class& of : kind.classes) {
            json means = json::object();
            for (const Statistic& s : statisticsOf(of.means)) {
                const auto* time = std::get_if<Time>(&s.value);
                if (time == nullptr)
                    means[s.key()] = std::get<std::uint64_t>(s.value);
                else if (*time != Time{})
                    means[s.key()] = time->count();
            }
            json behind = json::object();
            for (std::size_t i = 0; i < stageIds; ++i) {
                if (const Time time = toTime(of.means.bufferWaitCauses[i]); time > Time{})
                    behind[stageKey(static_cast<StageId>(i)) + "_ps"] = time.count();
            }
            if (!behind.empty())
                means["buffer_wait_causes"] = std::move(behind);
            means["sentence"] = stageSentence(report, kind.kind, of);
            row[classKey(of.share)] = std::move(means);
        }
    }
    json slowest = json::array();
    for (const TracedRequest& request : report.slowest) {
        json path = json::array();
        Time from = request.path.start();
        for (const StageSegment& segment : request.path.segments()) {
            json row{{"stage", stageKey(segment.stage)}, {"ps", (segment.end - from).count()}};
            if (segment.detail != noStage)
                row["cause"] = stageKey(segment.detail);
            path.push_back(std::move(row));
            from = segment.end;
        }
        json row{{"id", request.id},
                 {"kind", enumName(request.kind)},
                 {"lba", request.lba},
                 {"sectors", request.sectors},
                 {"start_ps", request.path.start().count()},
                 {"latency_ps", request.latency().count()}};
        row["die"] = request.die == UINT32_MAX ? json(nullptr) : json(dieName(request.die, report.diesPerChannel));
        row["path"] = std::move(path);
        slowest.push_back(std::move(row));
    }
    json out{{"kinds", std::move(kinds)}};
    if (!report.slowest.empty())
        out["slowest"] = std::move(slowest);
    return out;
}

std::string stageText(const StageReport& report)
{
    std::string text;
    for (const StageReport::Kind& kind : report.kinds) {
        std::vector<std::string> headings{plural(kind.kind)};
        std::vector<std::string> totals{"latency"};
        for (const StageReport::Class& of : kind.classes) {
            headings.insert(headings.end(), {className(of.share), ""});
            totals.insert(totals.end(), {shortTime(toTime(of.means.latency)), ""});
        }
        TextTable table(std::move(headings));
        table.row(std::move(totals));
        for (std::size_t i = 0; i < stageIds; ++i) {
            std::vector<std::string> row{stageName(static_cast<StageId>(i))};
            double most = 0;
            for (const StageReport::Class& of : kind.classes) {
                const double share = of.means.latency <= 0 ? 0 : of.means.stages[i] / of.means.latency;
                most = std::max(most, share);
                row.push_back(of.means.stages[i] < 0.5 ? "" : shortTime(toTime(of.means.stages[i])));
                row.push_back(of.means.stages[i] < 0.5 ? "" : shortPercent(share));
            }
            if (most > 0)
                table.row(std::move(row));
        }
        text += table.text();
        for (const StageReport::Class& of : kind.classes) {
            bool isFirst = true;
            for (const std::string& line : wrapped(stageSentence(report, kind.kind, of), textWidth)) {
                text += (isFirst ? "  " : "    ") + line + "\n";
                isFirst = false;
            }
        }
    }
    return text;
}

std::string slowestText(const StageReport& report)
{
    TextTable table({"", "request", "kind", "address", "sectors", "at", "latency", "where its time went"}, {2, 7});
    std::size_t rank = 0;
    for (const TracedRequest& request : report.slowest) {
        table.row({std::to_string(++rank), grouped(request.id), std::string(enumName(request.kind)),
                   grouped(request.lba), grouped(request.sectors), instant(request.path.start()),
                   shortTime(request.latency()), waitedFor(request, report.diesPerChannel)});
    }
    return table.text();
}

} // namespace strobe::platform
