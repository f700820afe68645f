#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Short ways to build sources and to catch messages.

#include "models/base/config_error.h"
#include "models/host/workload/source_trace.h"
#include "tests/support/catch.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace strobe::host::test {

inline const std::string sampleDirectory = std::string(STROBE_SOURCE_DIR) + "/tests/data/traces/";

inline std::string contentsOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE(file.good());
    return text.str();
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

} // namespace strobe::host::test
