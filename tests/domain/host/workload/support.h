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

std::string contentsOf(const std::string& path);

// "phase 0, pacing.mode"
std::string placeText(const WorkloadPlace& place);

// A trace source over text in memory, called "trace".
TraceSource traceOf(const std::string& text, TraceFold fold = {}, const TraceConfig& config = {},
                    SourceLimits limits = {});

std::vector<Request> all(RequestSource& source);

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

std::vector<TraceRecord> recordsOf(TraceText text, const TraceConfig& config = {});

std::vector<TraceRecord> recordsOf(const std::string& sample, TraceConfig config = {});

std::vector<TraceRecord> requestsOf(const std::string& sample, const TraceConfig& config = {});

std::ptrdiff_t countSkipped(const std::vector<TraceRecord>& records, SkipReason reason);

std::string messageFor(const std::string& contents, const TraceConfig& config = {});

TraceConfig formatted(TraceFormat format);

void checkRequest(const TraceRecord& r, RequestKind kind, std::uint32_t file, std::uint64_t offset,
                  std::uint64_t length, Time at, Time response = {});

} // namespace strobe::host::test
