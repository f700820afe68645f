// SPDX-License-Identifier: Apache-2.0
//
// The table of trace formats, and the detection of a file's format.
#include "models/base/check.h"
#include "models/base/config_error.h"
#include "models/host/workload/trace_alibaba.h"
#include "models/host/workload/trace_arc.h"
#include "models/host/workload/trace_blkparse.h"
#include "models/host/workload/trace_blktrace.h"
#include "models/host/workload/trace_fields.h"
#include "models/host/workload/trace_fio_iolog.h"
#include "models/host/workload/trace_five_columns.h"
#include "models/host/workload/trace_msr_cambridge.h"
#include "models/host/workload/trace_reader.h"
#include "models/host/workload/trace_spc.h"
#include "models/host/workload/trace_systor17.h"
#include "models/host/workload/trace_tencent.h"
#include "models/host/workload/trace_vscsi1.h"

#include <fmt/format.h>

#include <array>

namespace strobe::host {

namespace {

struct FormatRow {
    TraceFormat format;
    bool (*probe)(const TraceHead& head);
    std::unique_ptr<TraceReader> (*open)(TraceText text, const TraceHead& head, const TraceConfig& config);
};

template <class Reader>
std::unique_ptr<TraceReader> openPlain(TraceText text, const TraceHead&, const TraceConfig&)
{
    return std::make_unique<Reader>(std::move(text));
}

std::unique_ptr<TraceReader> openFioV2(TraceText text, const TraceHead&, const TraceConfig& config)
{
    return std::make_unique<FioIologV2Reader>(std::move(text), config.waitMeaning);
}

std::unique_ptr<TraceReader> openBlkparse(TraceText text, const TraceHead& head, const TraceConfig&)
{
    return std::make_unique<BlkparseReader>(std::move(text), head);
}

std::unique_ptr<TraceReader> openBlktrace(TraceText text, const TraceHead& head, const TraceConfig& config)
{
    return std::make_unique<BlktraceReader>(std::move(text), head, BlktraceReader::openOthers(config.file));
}

constexpr std::array<FormatRow, traceFormatTable.size() - 1> formats{
    {{TraceFormat::FioIologV2, FioIologV2Reader::probe, openFioV2},
     {TraceFormat::FioIologV3, FioIologV3Reader::probe, openPlain<FioIologV3Reader>},
     {TraceFormat::Blktrace, BlktraceReader::probe, openBlktrace},
     {TraceFormat::Blkparse, BlkparseReader::probe, openBlkparse},
     {TraceFormat::MsrCambridge, MsrCambridgeReader::probe, openPlain<MsrCambridgeReader>},
     {TraceFormat::Systor17, Systor17Reader::probe, openPlain<Systor17Reader>},
     {TraceFormat::Spc, SpcReader::probe, openPlain<SpcReader>},
     {TraceFormat::Alibaba, AlibabaReader::probe, openPlain<AlibabaReader>},
     {TraceFormat::Tencent, TencentReader::probe, openPlain<TencentReader>},
     {TraceFormat::MqsimSsdsim, MqsimSsdsimReader::probe, openPlain<MqsimSsdsimReader>},
     {TraceFormat::Disksim, DisksimReader::probe, openPlain<DisksimReader>},
     {TraceFormat::Vscsi1, Vscsi1Reader::probe, openPlain<Vscsi1Reader>},
     {TraceFormat::Arc, ArcReader::probe, openPlain<ArcReader>}}};

constexpr std::size_t probedLines = 256;

std::string names(const std::vector<const FormatRow*>& rows, std::string_view last)
{
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == rows.size() ? last : ", ", enumName(rows[i]->format));
    return text;
}

// The one format that the content shows. A broken line at the beginning does not prevent detection by the others.
const FormatRow& formatOf(const TraceHead& head, const std::string& file)
{
    std::vector<const FormatRow*> all;
    std::vector<const FormatRow*> possible;
    for (const FormatRow& row : formats) {
        all.push_back(&row);
        if (row.probe(head))
            possible.push_back(&row);
    }
    if (possible.empty() && head.bytes.substr(0, 512).find("ustar") == 257)
        throw ConfigError(file + ": this is a tar archive: unpack it and name one of its files");
    if (possible.empty())
        throw ConfigError(fmt::format("{}: expected a trace in one of the formats {}; found {} at its beginning", file,
                                      names(all, ", "), quoted(head.lines.front())));
    if (possible.size() > 1)
        throw AmbiguousTrace(
            fmt::format("{}: this trace can be read as {}, which mean different things: give its format", file,
                        names(possible, " or ")));
    return *possible.front();
}

const FormatRow& rowOf(TraceFormat format)
{
    for (const FormatRow& row : formats) {
        if (row.format == format)
            return row;
    }
    check(false, "a trace format without a reader");
    return formats.front();
}

} // namespace

std::unique_ptr<TraceReader> openTrace(const TraceConfig& config)
{
    return openTrace(TraceText(config.file), config);
}

std::unique_ptr<TraceReader> openTrace(TraceText text, const TraceConfig& config)
{
    const TraceHead head{text.peekBytes(), text.peek(probedLines)};
    if (head.bytes.empty())
        throw ConfigError(fmt::format("{}: expected a trace, found an empty file", text.name()));
    const FormatRow& row = config.format == TraceFormat::Auto ? formatOf(head, text.name()) : rowOf(config.format);
    return row.open(std::move(text), head, config);
}

} // namespace strobe::host
