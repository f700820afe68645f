// SPDX-License-Identifier: Apache-2.0
//
// The menu of trace formats, and how a file's format is found.
#include "models/base/config_error.h"
#include "models/host/workload/trace_fields.h"
#include "models/host/workload/trace_fio_iolog.h"
#include "models/host/workload/trace_msr_cambridge.h"
#include "models/host/workload/trace_reader.h"

#include <fmt/format.h>

#include <array>

namespace strobe::host {

namespace {

struct FormatRow {
    TraceFormat format;
    bool (*probe)(const std::vector<std::string_view>& firstLines);
    std::unique_ptr<TraceReader> (*open)(TraceText text, const TraceConfig& config);
};

template <class Reader>
std::unique_ptr<TraceReader> openPlain(TraceText text, const TraceConfig&)
{
    return std::make_unique<Reader>(std::move(text));
}

std::unique_ptr<TraceReader> openFioV2(TraceText text, const TraceConfig& config)
{
    return std::make_unique<FioIologV2Reader>(std::move(text), config.waitMeaning);
}

// Probed in this order; the surest signs first.
constexpr std::array<FormatRow, 3> formats{
    {{TraceFormat::FioIologV2, FioIologV2Reader::probe, openFioV2},
     {TraceFormat::FioIologV3, FioIologV3Reader::probe, openPlain<FioIologV3Reader>},
     {TraceFormat::MsrCambridge, MsrCambridgeReader::probe, openPlain<MsrCambridgeReader>}}};

constexpr std::size_t probedLines = 16;

std::string supported()
{
    std::string text;
    for (const FormatRow& row : formats)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", enumName(row.format));
    return text;
}

} // namespace

std::unique_ptr<TraceReader> openTrace(const TraceConfig& config)
{
    return openTrace(TraceText(config.file), config);
}

std::unique_ptr<TraceReader> openTrace(TraceText text, const TraceConfig& config)
{
    const std::vector<std::string_view> lines = text.peek(probedLines);
    if (lines.empty())
        throw ConfigError(fmt::format("{}: expected a trace, found an empty file", text.name()));
    for (const FormatRow& row : formats) {
        if (config.format == TraceFormat::Auto ? row.probe(lines) : row.format == config.format)
            return row.open(std::move(text), config);
    }
    throw ConfigError(fmt::format("{}: expected a trace in one of the formats {}; found {} at its beginning",
                                  text.name(), supported(), quoted(lines.front())));
}

} // namespace strobe::host
