#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Short ways to build sources and to catch messages.

#include "models/base/config_error.h"
#include "models/host/workload/source_trace.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace strobe::host::test {

inline const std::string sampleDirectory = strobe::test::sourceDirectory() + "/tests/data/traces/";

inline std::string contentsOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE(file.good());
    return text.str();
}

// "phase 0, pacing.mode"
inline std::string placeText(const WorkloadPlace& place)
{
    return place.phase ? "phase " + std::to_string(*place.phase) + ", " + place.field : "phases";
}

// A trace source over text in memory, called "trace".
inline TraceSource traceOf(const std::string& text, TraceFold fold = {}, const TraceConfig& config = {},
                           SourceLimits limits = {})
{
    return TraceSource(openTrace(TraceText::fromMemory("trace", text), config), config, fold, limits);
}

inline std::vector<Request> all(RequestSource& source)
{
    std::vector<Request> requests;
    while (const auto request = source.next())
        requests.push_back(*request);
    return requests;
}

// The message of the ConfigError that `action` throws; fails the test if it throws none.
template <class Action>
std::string messageOf(Action action)
{
    try {
        action();
    } catch (const ConfigError& error) {
        return error.what();
    }
    FAIL("expected a ConfigError");
    return {};
}

// The records of a reader, before the source folds, sorts and counts.

inline constexpr auto read = RequestKind::Read;
inline constexpr auto write = RequestKind::Write;
inline constexpr auto flush = RequestKind::Flush;
inline constexpr auto trim = RequestKind::Trim;

inline std::vector<TraceRecord> recordsOf(TraceText text, const TraceConfig& config = {})
{
    auto reader = openTrace(std::move(text), config);
    std::vector<TraceRecord> records;
    for (TraceRecord record; reader->next(record);)
        records.push_back(record);
    return records;
}

inline std::vector<TraceRecord> recordsOf(const std::string& sample, TraceConfig config = {})
{
    config.file = sampleDirectory + sample;
    return recordsOf(TraceText(config.file), config);
}

inline std::vector<TraceRecord> requestsOf(const std::string& sample, const TraceConfig& config = {})
{
    std::vector<TraceRecord> requests;
    for (const TraceRecord& record : recordsOf(sample, config)) {
        if (!record.skipped)
            requests.push_back(record);
    }
    return requests;
}

inline std::ptrdiff_t countSkipped(const std::vector<TraceRecord>& records, SkipReason reason)
{
    return std::count_if(records.begin(), records.end(),
                         [reason](const TraceRecord& record) { return record.skipped == reason; });
}

inline std::string messageFor(const std::string& contents, const TraceConfig& config = {})
{
    return messageOf([&] { recordsOf(TraceText::fromMemory("trace", contents), config); });
}

inline TraceConfig formatted(TraceFormat format)
{
    TraceConfig config;
    config.format = format;
    return config;
}

inline void checkRequest(const TraceRecord& r, RequestKind kind, std::uint32_t file, std::uint64_t offset,
                         std::uint64_t length, Time at, Time response = {})
{
    CHECK(r.kind == kind);
    CHECK(r.file == file);
    CHECK(r.offset == offset);
    CHECK(r.length == length);
    CHECK(r.at == at);
    CHECK(r.response == response);
}

} // namespace strobe::host::test
