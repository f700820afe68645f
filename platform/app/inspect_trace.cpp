// SPDX-License-Identifier: Apache-2.0
//
// strobe inspect trace: the contents of a trace, as a table or as JSON.
#include "models/base/config_error.h"
#include "models/base/content.h"
#include "models/host/workload/byte_text.h"
#include "models/host/workload/trace_reader.h"
#include "models/host/workload/trace_summary.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/json_output.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace strobe::platform {

using host::RequestKind;
using host::TraceSummary;
using nlohmann::ordered_json;

namespace {

host::TraceFormat formatNamed(const std::string& name)
{
    const auto format = enumValue<host::TraceFormat>(name);
    if (!format)
        throw ConfigError(fmt::format("--format: must be {}, not \"{}\"", enumChoices<host::TraceFormat>(), name));
    return *format;
}

TraceSummary summaryOf(const host::TraceConfig& config)
{
    try {
        return host::summariseTrace(config);
    } catch (const host::AmbiguousTrace& error) {
        throw ConfigError(std::string("--format: ") + error.what());
    }
}

std::string requestTable(const TraceSummary& s)
{
    TextTable table({"", "requests", "data", "smallest", "median", "mean", "99 %", "largest"});
    for (std::size_t kind = 0; kind < host::commonRequestKinds; ++kind) { // traces have no others
        const auto& row = host::requestKindTable[kind];
        const std::uint64_t bytes = s.bytesOf(row.value);
        std::vector<std::string> cells{std::string(row.name), grouped(s.requestsOf(row.value))};
        if (bytes != 0) {
            const auto percentile = [&](double percent) {
                return host::byteText(s.bytesPercentile(row.value, percent));
            };
            const auto mean = static_cast<std::uint64_t>(std::llround(s.meanBytesOf(row.value)));
            cells.insert(cells.end(), {shortBytes(bytes), percentile(0), percentile(50), host::byteText(mean),
                                       percentile(99), percentile(100)});
        }
        cells.resize(8);
        table.row(std::move(cells));
    }
    return table.text();
}

std::string times(const TraceSummary& s)
{
    if (!s.hasTimes)
        return "none: only a closed loop can replay it";
    return fmt::format("{} from the first arrival to the last; {} requests per second, {} in the busiest second",
                       shortTime(s.duration), shortNumber(s.arrivalsPerSecond()), grouped(s.peakPerSecond));
}

std::string responses(const TraceSummary& s)
{
    if (s.responses == 0)
        return "not recorded";
    return fmt::format("recorded for {} requests, {} on average", grouped(s.responses), shortTime(s.meanResponse));
}

std::string skipped(const host::SourceCounts& counts)
{
    std::string reasons;
    for (const auto& row : host::skipReasonTable) {
        const std::uint64_t count = counts.skippedBecause[static_cast<std::size_t>(row.value)];
        if (count != 0)
            reasons += fmt::format("{}{} {} ({})", reasons.empty() ? ": " : "; ", grouped(count), row.name, row.help);
    }
    return fmt::format("{} of {} records{}", grouped(counts.skipped), grouped(counts.records), reasons);
}

std::string order(const host::SourceCounts& counts)
{
    if (counts.reordered == 0)
        return "by time";
    std::string text = fmt::format("{} records are later in the file than their times", grouped(counts.reordered));
    if (counts.clamped != 0)
        text += fmt::format(", {} of them too late to be sorted", grouped(counts.clamped));
    return text;
}

std::string textOf(const std::string& file, const TraceSummary& s)
{
    std::string text = fmt::format("{} ({})\n{}\n", file, enumName(s.format), requestTable(s));
    const auto line = [&](const char* what, const std::string& value) {
        constexpr std::size_t width = 96;
        const char* head = what;
        for (const std::string& part : wrapped(value, width)) {
            text += fmt::format("  {:<14} {}\n", head, part);
            head = "";
        }
    };
    line("mix", fmt::format("{} of reads and writes are reads, {} are sequential", shortPercent(s.readRatio()),
                            shortPercent(s.sequentialShare())));
    line("footprint",
         fmt::format("{} read or written, in {} ({} sectors)", shortBytes(s.footprintSectors * sectorBytes),
                     s.streams == 1 ? "one file or disk" : fmt::format("{} files or disks", grouped(s.streams)),
                     grouped(s.footprintSectors)));
    line("highest", fmt::format("ends at {} of its file or disk", shortBytes(s.highestSector * sectorBytes)));
    line("alignment", fmt::format("{} requests are not 4 KiB aligned; {} are not whole sectors",
                                  grouped(s.counts.unaligned4k), grouped(s.counts.roundedToSector)));
    line("time", times(s));
    line("response", responses(s));
    line("order", order(s.counts));
    line("skipped", skipped(s.counts));
    return text;
}

ordered_json kindJson(const TraceSummary& s, RequestKind kind)
{
    ordered_json out{{"requests", s.requestsOf(kind)}, {"bytes", s.bytesOf(kind)}};
    if (s.bytesOf(kind) != 0)
        out["size_bytes"] = {{"minimum", s.bytesPercentile(kind, 0)},
                             {"median", s.bytesPercentile(kind, 50)},
                             {"mean", s.meanBytesOf(kind)},
                             {"p99", s.bytesPercentile(kind, 99)},
                             {"maximum", s.bytesPercentile(kind, 100)}};
    return out;
}

std::string jsonOf(const std::string& file, const TraceSummary& s)
{
    ordered_json kinds;
    for (std::size_t kind = 0; kind < host::commonRequestKinds; ++kind)
        kinds[std::string(host::requestKindTable[kind].name)] = kindJson(s, host::requestKindTable[kind].value);
    ordered_json reasons = ordered_json::object();
    for (const auto& row : host::skipReasonTable) {
        if (const auto count = s.counts.skippedBecause[static_cast<std::size_t>(row.value)]; count != 0)
            reasons[std::string(row.name)] = count;
    }
    ordered_json out{{"trace", file},
                     {"format", enumName(s.format)},
                     {"records", s.counts.records},
                     {"requests", s.counts.requests},
                     {"skipped", s.counts.skipped},
                     {"skipped_because", reasons},
                     {"kinds", kinds},
                     {"read_ratio", s.readRatio()},
                     {"sequential_share", s.sequentialShare()},
                     {"files", s.streams},
                     {"footprint_bytes", s.footprintSectors * sectorBytes},
                     {"footprint_pages_4k", s.footprintPages},
                     {"highest_address_bytes", s.highestSector * sectorBytes},
                     {"unaligned_4k", s.counts.unaligned4k},
                     {"rounded_to_sector", s.counts.roundedToSector},
                     {"reordered", s.counts.reordered},
                     {"clamped", s.counts.clamped},
                     {"duration_ps", nullptr},
                     {"mean_per_second", nullptr},
                     {"peak_per_second", nullptr},
                     {"recorded_responses", s.responses},
                     {"mean_response_ps", nullptr}};
    if (s.hasTimes) {
        out["duration_ps"] = s.duration.count();
        out["mean_per_second"] = s.arrivalsPerSecond();
        out["peak_per_second"] = s.peakPerSecond;
    }
    if (s.responses != 0)
        out["mean_response_ps"] = s.meanResponse.count();
    return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace

int inspectTrace(const InspectTraceCommand& command)
{
    host::TraceConfig config;
    config.file = command.file;
    config.format = formatNamed(command.format);
    JsonOutput json(command.json);
    const TraceSummary summary = summaryOf(config);
    json.commit(jsonOf(command.file, summary), textOf(command.file, summary));
    return exitOk;
}

} // namespace strobe::platform
