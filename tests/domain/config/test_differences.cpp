// SPDX-License-Identifier: Apache-2.0
#include "platform/config/differences.h"
#include "test_files.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

using namespace strobe::platform;
using nlohmann::ordered_json;
using strobe::test::ScenarioDirectory;

namespace {

const ordered_json defaults{{"seed", 1}, {"nand", {{"ways", 4}, {"channels", 4}}}};

ordered_json differences(const std::string& file, const std::vector<Override>& sets = {})
{
    const auto part = [](const nlohmann::json& written, const std::string&) {
        nlohmann::json values{{"tR", written.contains("tR") ? written["tR"] : "20us"}, {"tPROG", "200us"}};
        return written == "none" ? nlohmann::json() : values;
    };
    return differencesOf(Composition(file, sets, ""), defaults, part);
}

} // namespace

TEST_CASE("a change is listed with the value of what the scenario extends, and with who made it")
{
    const ScenarioDirectory dir;
    dir.write("base.json", R"({"nand": {"ways": 2, "channels": 8}, "name": "base"})");
    const auto file = dir.write("main.json", R"({"extends": "base.json", "name": "main", "nand": {"ways": 16}})");
    const ordered_json found = differences(file, {"nand.channels=1"});
    CHECK(found["extends"] == ordered_json{"base.json"});
    REQUIRE(found["changes"].size() == 2);
    CHECK(found["changes"][0] ==
          ordered_json{{"key", "nand.channels"}, {"base", 8}, {"value", 1}, {"set_by", "--set nand.channels=1"}});
    CHECK(found["changes"][1] == ordered_json{{"key", "nand.ways"}, {"base", 2}, {"value", 16}, {"set_by", "main"}});
}

TEST_CASE("without a base the changes are from the defaults, and values like the default are none")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", R"({"seed": 1, "nand": {"ways": 8}})");
    const ordered_json found = differences(file);
    CHECK(found["extends"].empty());
    REQUIRE(found["changes"].size() == 1);
    CHECK(found["changes"][0]["key"] == "nand.ways");
    CHECK(found["changes"][0]["base"] == 4);
}

TEST_CASE("a value that was removed is listed with null")
{
    const ScenarioDirectory dir;
    dir.write("base.json", R"({"nand": {"ways": 2}})");
    const auto file = dir.write("main.json", R"({"extends": "base.json", "nand": {"ways": null}})");
    const ordered_json found = differences(file);
    REQUIRE(found["changes"].size() == 1);
    CHECK(found["changes"][0]["base"] == 2);
    CHECK(found["changes"][0]["value"].is_null());
}

TEST_CASE("the base of a key of the part is its value there")
{
    const ScenarioDirectory dir;
    dir.write("base.json", R"({"nand": {"part": "a"}})");
    const auto extending = dir.write("main.json", R"({"extends": "base.json"})");
    const auto naming = dir.write("own.json", R"({"nand": {"part": {"extends": "a", "tR": "30us"}}})");
    const auto baseOf = [](const std::string& file, const std::string& key) {
        const ordered_json found = differences(file, {"nand.part.tPROG=600us"});
        for (const auto& change : found["changes"]) {
            if (change["key"] == key)
                return change["base"];
        }
        return ordered_json("no change");
    };
    CHECK(baseOf(extending, "nand.part.tPROG") == "200us");
    CHECK(baseOf(naming, "nand.part.tPROG") == "200us");
    CHECK(baseOf(naming, "nand.part.tR") == "20us");
    dir.write("base.json", R"({"nand": {"part": "none"}})");
    CHECK(baseOf(extending, "nand.part.tPROG").is_null());
    dir.write("low.json", R"({"nand": {"part": "a"}})");
    dir.write("base.json", R"({"extends": "low.json", "nand": {"part": {"tR": "50us"}}})");
    CHECK(differences(extending, {"nand.part.tR=60us"})["changes"][0]["base"] == "50us");
}

TEST_CASE("items of lists are compared one by one")
{
    const ScenarioDirectory dir;
    dir.write("base.json", R"({"phases": [{"name": "a", "depth": 1}]})");
    const auto file =
        dir.write("main.json", R"({"extends": "base.json", "phases": [{"name": "a", "depth": 2}, {"name": "b"}]})");
    const ordered_json found = differences(file, {"phases.1.name=c"});
    REQUIRE(found["changes"].size() == 2);
    CHECK(found["changes"][0]["key"] == "phases.0.depth");
    CHECK(found["changes"][0]["base"] == 1);
    CHECK(
        found["changes"][1] ==
        ordered_json{{"key", "phases.1.name"}, {"base", nullptr}, {"value", "c"}, {"set_by", "--set phases.1.name=c"}});
}

TEST_CASE("the differences do not depend on where the files are")
{
    const ScenarioDirectory one;
    const ScenarioDirectory other;
    one.write("base.json", R"({"seed": 2})");
    other.write("deep/base.json", R"({"seed": 2})");
    const std::string text = R"({"extends": "base.json", "seed": 3})";
    CHECK(differences(one.write("main.json", text)) == differences(other.write("deep/main.json", text)));
}
