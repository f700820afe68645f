// SPDX-License-Identifier: Apache-2.0
//
// Committed files must agree with the code: schema, parameter table, and every shipped scenario.
#include "platform/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

using namespace strobe::platform;
namespace fs = std::filesystem;

namespace {

const std::string root = strobe::test::sourceDirectory();

std::string fileText(const std::string& name)
{
    std::ifstream stream(root + "/" + name);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

} // namespace

TEST_CASE(
    "the committed JSON Schema is what the program emits (strobe inspect schema > scenarios/scenario.schema.json)")
{
    CHECK((fileText("scenarios/scenario.schema.json") == scenarioSchema()));
}

TEST_CASE("the parameter table in docs/scenarios.md is what the program prints (strobe inspect parameters --markdown)")
{
    const std::string page = fileText("docs/scenarios.md");
    const std::string begin = "<!-- table of: strobe inspect parameters --markdown -->\n";
    const std::string end = "<!-- end of table -->";
    REQUIRE(page.find(begin) != std::string::npos);
    const std::size_t from = page.find(begin) + begin.size();
    CHECK((page.substr(from, page.find(end, from) - from) == parameterTableMarkdown()));
}

TEST_CASE("the schema contains every key of a resolved scenario and forbids others")
{
    const auto schema = nlohmann::json::parse(scenarioSchema());
    CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
    const auto resolved = nlohmann::json::parse(
        loadScenario(root + "/scenarios/quickstart.json", {{}, root + "/scenarios", true}).resolvedJson);
    const std::function<void(const nlohmann::json&, const nlohmann::json&, const std::string&)> compare =
        [&](const nlohmann::json& value, const nlohmann::json& rules, const std::string& path) {
            if (rules.contains("anyOf") && value.is_object()) {
                compare(value, rules["anyOf"].back(), path);
            } else if (value.is_object()) {
                INFO(path);
                CHECK(rules["additionalProperties"] == false);
                for (const auto& [key, inner] : value.items()) {
                    INFO(path + "/" + key);
                    REQUIRE(rules["properties"].contains(key));
                    compare(inner, rules["properties"][key], path + "/" + key);
                }
            } else if (value.is_array() && !value.empty() && value[0].is_object()) {
                compare(value[0], rules["items"], path + "/0");
            }
        };
    compare(resolved, schema, "");
}

TEST_CASE("every shipped scenario is without problems")
{
    std::size_t seen = 0;
    for (const char* folder : {"", "devices", "workloads"}) {
        for (const auto& entry : fs::directory_iterator(root + "/scenarios/" + folder)) {
            const std::string name = entry.path().string();
            if (entry.path().extension() != ".json" || name.find("schema") != std::string::npos)
                continue;
            INFO(name);
            CHECK_NOTHROW(loadScenario(name, {{}, root + "/scenarios", std::string(folder) != "devices"}));
            ++seen;
        }
    }
    CHECK(seen >= 7);
}

TEST_CASE("every shipped part can be read and is spelled out")
{
    for (const auto& entry : fs::directory_iterator(root + "/scenarios/parts")) {
        INFO(entry.path().string());
        const auto part = loadPart(entry.path().stem().string(), {{}, root + "/scenarios", true});
        CHECK(part.geometry.pages() > 0);
        CHECK(nlohmann::json::parse(partJson(part))["name"] == part.name);
    }
}
