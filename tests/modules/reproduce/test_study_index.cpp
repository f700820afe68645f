// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/reproduce/study_index.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace strobe;
using namespace strobe::platform;

namespace {

namespace fs = std::filesystem;

// A directory of scenarios with the studies "mine" and "yours".
class Scenarios {
public:
    Scenarios()
    {
        for (const char* name : {"mine", "yours"}) {
            fs::create_directories(directory_ / "papers" / name);
            std::ofstream(directory_ / "papers" / name / "paper.json") << "{}";
        }
    }
    ~Scenarios() { fs::remove_all(directory_); }
    Scenarios(const Scenarios&) = delete;
    Scenarios& operator=(const Scenarios&) = delete;

    std::vector<StudyEntry> read(const std::string& index) const
    {
        std::ofstream(directory_ / "papers" / "studies.json") << index;
        return studyIndex(directory_.string());
    }
    std::string mistakeIn(const std::string& index) const
    {
        try {
            read(index);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "none";
    }
    std::string directory() const { return directory_.string(); }

private:
    fs::path directory_ = fs::temp_directory_path() / ("strobe-studies-" + std::to_string(::getpid()));
};

bool endsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

TEST_CASE("the index of studies gives their names, help and examples, in its order")
{
    const Scenarios scenarios;
    CHECK(studyIndex(scenarios.directory()).empty());
    const std::vector<StudyEntry> entries = scenarios.read(
        R"({"studies": [{"name": "yours", "summary": "Another.", "figures": "Only this one", "examples": ["a", "b"]},
                        {"name": "mine", "summary": "A study.", "examples": ["c"]}]})");
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].name == "yours");
    CHECK(entries[0].figures == "Only this one");
    CHECK(entries[0].examples == std::vector<std::string>{"a", "b"});
    CHECK(entries[1].summary == "A study.");
    CHECK(entries[1].figures == "Only this figure or table; may be repeated");
}

TEST_CASE("a mistake in the index of studies is reported with its place")
{
    const Scenarios scenarios;
    const auto mistake = [&](const std::string& rows) { return scenarios.mistakeIn("{\"studies\": [" + rows + "]}"); };
    const std::string mine = R"({"name": "mine", "summary": "A study.", "examples": ["c"]})";
    CHECK(mistake(mine) == "none");
    CHECK(endsWith(mistake(mine + ", " + mine), "studies.json: /studies/1/name: \"mine\" is taken"));
    CHECK(endsWith(mistake(""), "studies.json: /studies: must be a list with at least one item"));
    CHECK(endsWith(mistake(R"({"name": "mine"})"), "studies.json: /studies/0/summary: is missing"));
    CHECK(endsWith(mistake(R"({"name": "none", "summary": "", "examples": ["c"]})"), "papers/none/paper.json"));
    CHECK(mistake(R"({"name": "mine", "sumary": ""})").find("/studies/0/sumary: unknown key") != std::string::npos);
}

TEST_CASE("the studies that are shipped are listed")
{
    CHECK(studyIndex(test::sourceDirectory() + "/scenarios").size() >= 6);
}
