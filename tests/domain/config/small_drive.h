#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A small drive as a valid scenario; tests change single values and check the messages.

#include "platform/config/load.h"
#include "test_files.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

#include <string>
#include <vector>

namespace strobe::test {

using platform::LoadOptions;
using platform::Override;
using platform::Scenario;
using platform::ScenarioErrors;

inline const std::string scenarios = sourceDirectory() + "/scenarios";

inline const std::string good = R"({
    "name": "small",
    "nand": {"part": "k9f1g08u0a", "channels": 2, "ways": 2},
    "workload": {"phases": [{"name": "main", "kind": "uniform", "requests": 10}]}
})";

inline Scenario load(const std::vector<Override>& sets = {}, const std::string& text = good)
{
    const ScenarioDirectory dir;
    return platform::loadScenario(dir.write("s.json", text), {sets, scenarios, true});
}

inline std::vector<std::string> problems(const std::vector<Override>& sets, const std::string& text = good)
{
    try {
        load(sets, text);
    } catch (const ScenarioErrors& errors) {
        return errors.messages();
    }
    return {};
}

// The one problem of the good scenario with one value changed.
inline std::string problem(const std::string& set)
{
    const auto all = problems({set});
    CAPTURE(set, all);
    REQUIRE(all.size() == 1);
    return all.front();
}

inline bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace strobe::test
