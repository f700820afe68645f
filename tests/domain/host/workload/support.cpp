// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/workload/support.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace strobe::host::test {

std::string contentsOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE(file.good());
    return text.str();
}

std::string placeText(const WorkloadPlace& place)
{
    return place.phase ? "phase " + std::to_string(*place.phase) + ", " + place.field : "phases";
}

TraceSource traceOf(const std::string& text, TraceFold fold, const TraceConfig& config, SourceLimits limits)
{
    return TraceSource(openTrace(TraceText::fromMemory("trace", text), config), config, fold, limits);
}

std::vector<Request> all(RequestSource& source)
{
    std::vector<Request> requests;
    while (const auto request = source.next())
        requests.push_back(*request);
    return requests;
}

std::vector<TraceRecord> recordsOf(TraceText text, const TraceConfig& config)
{
    auto reader = openTrace(std::move(text), config);
    std::vector<TraceRecord> records;
    for (TraceRecord record; reader->next(record);)
        records.push_back(record);
    return records;
}

std::vector<TraceRecord> recordsOf(const std::string& sample, TraceConfig config)
{
    config.file = sampleDirectory + sample;
    return recordsOf(TraceText(config.file), config);
}

std::vector<TraceRecord> requestsOf(const std::string& sample, const TraceConfig& config)
{
    std::vector<TraceRecord> requests;
    for (const TraceRecord& record : recordsOf(sample, config)) {
        if (!record.skipped)
            requests.push_back(record);
    }
    return requests;
}

std::ptrdiff_t countSkipped(const std::vector<TraceRecord>& records, SkipReason reason)
{
    return std::count_if(records.begin(), records.end(),
                         [reason](const TraceRecord& record) { return record.skipped == reason; });
}

std::string messageFor(const std::string& contents, const TraceConfig& config)
{
    return messageOf([&] { recordsOf(TraceText::fromMemory("trace", contents), config); });
}

TraceConfig formatted(TraceFormat format)
{
    TraceConfig config;
    config.format = format;
    return config;
}

void checkRequest(const TraceRecord& r, RequestKind kind, std::uint32_t file, std::uint64_t offset,
                  std::uint64_t length, Time at, Time response)
{
    CHECK(r.kind == kind);
    CHECK(r.file == file);
    CHECK(r.offset == offset);
    CHECK(r.length == length);
    CHECK(r.at == at);
    CHECK(r.response == response);
}

} // namespace strobe::host::test
