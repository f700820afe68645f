#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The statements of a study, judged on points invented by a test.

#include "platform/reproduce/judge.h"
#include "tests/support/source_directory.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace strobe::platform {

inline nlohmann::json paperOf(const std::string& study)
{
    std::ifstream file(strobe::test::sourceDirectory() + "/scenarios/papers/" + study + "/paper.json");
    return nlohmann::json::parse(file, nullptr, true, true);
}

inline std::vector<Statement> judgedOf(const std::string& study, const Points& points)
{
    return Judge(paperOf(study), "paper.json").judge(points);
}

// Those that do not hold or are undecided.
inline std::vector<std::string> failedOf(const std::string& study, const Points& points)
{
    std::vector<std::string> claims;
    for (const Statement& s : judgedOf(study, points)) {
        if (!s.holds())
            claims.push_back(s.claim);
    }
    return claims;
}

} // namespace strobe::platform
