// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/config/compose.h"
#include "test_files.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using nlohmann::json;
using strobe::test::ScenarioDirectory;

namespace {

std::string errorOf(const std::string& file, const std::vector<Override>& sets = {})
{
    try {
        const Composition composition(file, sets, "");
        return "no error";
    } catch (const ConfigError& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("a file extends others: they come first, in order, null removes")
{
    const ScenarioDirectory dir;
    dir.write("base/a.json", R"({"x": {"a": 1, "b": 1, "c": 1}, "list": [1, 2]})");
    dir.write("b.json", R"({"x": {"b": 2}})");
    const auto file =
        dir.write("main.json", R"({"extends": ["base/a.json", "b.json"], "x": {"c": null}, "list": [3]})");
    CHECK(Composition(file, {}, "").merged() == json::parse(R"({"x": {"a": 1, "b": 2}, "list": [3]})"));
}

TEST_CASE("extends is relative to the file that contains it, and .json may be omitted")
{
    const ScenarioDirectory dir;
    dir.write("devices/part.json", R"({"a": 1})");
    dir.write("devices/drive.json", R"({"extends": "part"})");
    const auto file = dir.write("main.json", R"({"extends": "devices/drive"})");
    CHECK(Composition(file, {}, "").merged() == json::parse(R"({"a": 1})"));
}

TEST_CASE("a file that is not beside the scenario is looked for in the scenarios directory")
{
    const ScenarioDirectory dir;
    const ScenarioDirectory installed;
    installed.write("devices/drive.json", R"({"a": 1})");
    const auto file = dir.write("main.json", R"({"extends": "devices/drive.json"})");
    CHECK(Composition(file, {}, installed.path()).merged() == json::parse(R"({"a": 1})"));
}

TEST_CASE("the same base twice is not circular, a circular chain is an error that shows it")
{
    const ScenarioDirectory dir;
    dir.write("base.json", R"({"a": 1})");
    dir.write("left.json", R"({"extends": "base.json"})");
    dir.write("right.json", R"({"extends": "base.json"})");
    CHECK(errorOf(dir.write("diamond.json", R"({"extends": ["left.json", "right.json"]})")) == "no error");

    dir.write("one.json", R"({"extends": "two.json"})");
    const auto two = dir.write("two.json", R"({"extends": "one.json"})");
    const std::string message = errorOf(two);
    CHECK(message.find("extends itself: ") != std::string::npos);
    CHECK(message.find("two.json -> ") < message.find("one.json -> "));
}

TEST_CASE("the error of a missing base names the file that extends it")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", R"({"extends": "nowhere.json"})");
    CHECK(errorOf(file) == file + ": /extends: there is no file \"nowhere.json\" in its directory");
    const auto wrong = dir.write("wrong.json", R"({"extends": 7})");
    CHECK(errorOf(wrong) == wrong + ": /extends: must be a file name or a list of file names, not 7");
}

TEST_CASE("syntax errors carry file, line and column")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("broken.json", "{\n    \"a\": 1,\n    \"b\": ,\n}\n");
    const std::string message = errorOf(file);
    CHECK(message.find(file + ":3:10: syntax error") == 0);

    const auto cut = dir.write("cut.json", "{\"a\": 1");
    CHECK(errorOf(cut).find(cut + ":1:") == 0);
}

TEST_CASE("comments are allowed")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", "// what it is\n{\"a\": 1 /* one */}\n");
    CHECK(Composition(file, {}, "").merged() == json::parse(R"({"a": 1})"));
}

TEST_CASE("a number that no variable can hold is an error of the file")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", R"({"nand": {"ways": 21e30856}})");
    CHECK(errorOf(file) == file + ": the number 21e30856 is too large");
}

TEST_CASE("a key that appears twice is an error, not a silent choice")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", R"({"nand": {"ways": 1, "luns": 1, "ways": 2}})");
    CHECK(errorOf(file) == file + ":1:33: /nand: the key \"ways\" appears twice");
    const auto inList = dir.write("list.json", "{\"a\": [{\"x\": 1},\n {\"y\": [1, 2], \"y\": 2}]}");
    CHECK(errorOf(inList) == inList + ":2:16: /a/1: the key \"y\" appears twice");
    const auto top = dir.write("top.json", R"({"x": 1, "x": 2})");
    CHECK(errorOf(top) == top + ":1:10: /: the key \"x\" appears twice");
    CHECK(errorOf(dir.write("ok.json", R"({"a": {"x": 1}, "b": {"x": 1}})")) == "no error");
}

TEST_CASE("the error of an unreadable file gives the reason")
{
    const ScenarioDirectory dir;
    CHECK(errorOf(dir.at("none.json")) == dir.at("none.json") + ": cannot be read: no such file");
    CHECK(errorOf(dir.path()) == dir.path() + ": is a directory, not a file");
    const auto list = dir.write("list.json", "[1]");
    CHECK(errorOf(list) == list + ": a scenario is an object, like {\"name\": ...}");
}

TEST_CASE("an override with --set changes one value: JSON where it is JSON, text otherwise")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", R"({"nand": {"ways": 1}, "phases": [{"n": 1}, {"n": 2}]})");
    const auto merged = [&](const std::string& set) { return Composition(file, {set}, "").merged(); };
    CHECK(merged("nand.ways=8")["nand"]["ways"] == 8);
    CHECK(merged("nand.flag=true")["nand"]["flag"] == true);
    CHECK(merged("nand.text=50MHz")["nand"]["text"] == "50MHz");
    CHECK(merged("nand.text=\"7\"")["nand"]["text"] == "7");
    CHECK(merged("nand.list=[1,2]")["nand"]["list"] == json::parse("[1, 2]"));
    CHECK(merged("phases.1.n=5")["phases"] == json::parse(R"([{"n": 1}, {"n": 5}])"));
    CHECK(merged("new.deep.key=1")["new"]["deep"]["key"] == 1);
    CHECK(merged("text=a=b")["text"] == "a=b");
}

TEST_CASE("null in an override removes, in items of lists too")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", R"({"a": {"x": 1, "y": 2}, "phases": [{"n": 1, "m": 2}]})");
    const auto merged = [&](const std::string& set) { return Composition(file, {set}, "").merged(); };
    CHECK(merged("a.x=null")["a"] == json::parse(R"({"y": 2})"));
    CHECK(merged("a.z=null")["a"] == json::parse(R"({"x": 1, "y": 2})"));
    CHECK(merged("phases.0.m=null")["phases"] == json::parse(R"([{"n": 1}])"));
    CHECK(errorOf(file, {"phases.0=null"}) ==
          "--set phases.0=null: items of a list cannot be removed one by one; give the whole list");
}

TEST_CASE("an override does not create items of lists")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", R"({"workload": {"phases": [{"n": 1}, {"n": 2}]}})");
    CHECK(errorOf(file, {"workload.phases.7.n=1"}) ==
          "--set workload.phases.7.n=1: there is no item 7 in workload.phases, which has 2; items are numbered from 0, "
          "and a list is made or grows only as a whole: workload.phases=[...]");
    for (const char* place : {"2.n", "2", "-.n", "-", "first.n", "4294967296.n", "99999999999999999999.n"}) {
        const std::string set = "workload.phases." + std::string(place) + "=1";
        CAPTURE(set);
        CHECK(errorOf(file, {set}).find("--set " + set + ": there is no item ") == 0);
    }
    CHECK(errorOf(file, {"workload.phases.1.beside.0.name=x"}) ==
          "--set workload.phases.1.beside.0.name=x: "
          "workload.phases.1.beside is now workload.phases.1.concurrentJobs");
    CHECK(errorOf(file, {"nand.wornBlocks.0.die=1"}).find("there is no item 0 in nand.wornBlocks, which has 0") !=
          std::string::npos);
}

TEST_CASE("a part used as a scenario is reported as a part")
{
    const ScenarioDirectory dir;
    const auto part = dir.write("chip.json", R"({"name": "x", "blocksPerPlane": 8, "pageSize": "2KiB"})");
    const std::string message = part + ": this is a part, not a scenario: name it as /nand/part of a scenario, or "
                                       "show it with strobe inspect part chip";
    CHECK(errorOf(part) == message);
    CHECK(errorOf(dir.write("drive.json", R"({"extends": "chip"})")) == message);
}

TEST_CASE("later --set wins")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", "{}");
    CHECK(Composition(file, {"a=1", "a=2"}, "").merged()["a"] == 2);
}

TEST_CASE("the error of an impossible --set says how to write it")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("main.json", R"({"a": 1})");
    CHECK(errorOf(file, {"ways"}) == "--set ways: write it as key.key=value, like --set nand.ways=8");
    CHECK(errorOf(file, {"=1"}) == "--set =1: write it as key.key=value, like --set nand.ways=8");
    for (const char* broken : {"{\"b\":", "[1, 2", "\"text", "{} {}"}) {
        CHECK(errorOf(file, {std::string("a=") + broken}) ==
              "--set a=" + std::string(broken) +
                  ": the value starts like JSON but is not valid: a bracket, a brace or a quote is not "
                  "closed, or other text follows it");
    }
    CHECK(errorOf(file, {"a.b=1"}) == "--set a.b=1: a is 1: nothing can be set inside it");
}

TEST_CASE("a single value of a part given by name can be changed")
{
    const ScenarioDirectory dir;
    dir.write("drive.json", R"({"nand": {"part": "slc"}})");
    const auto over = dir.write("main.json", R"({"extends": "drive.json", "nand": {"part": {"blocksPerPlane": 8}}})");
    const json expected = json::parse(R"({"extends": "slc", "blocksPerPlane": 8})");
    CHECK(Composition(over, {}, "").merged()["nand"]["part"] == expected);
    CHECK(Composition(dir.at("drive.json"), {"nand.part.blocksPerPlane=8"}, "").merged()["nand"]["part"] == expected);
    CHECK(Composition(over, {"nand.part=mlc"}, "").merged()["nand"]["part"] == "mlc");
}

TEST_CASE("a message names the file that set the value last")
{
    const ScenarioDirectory dir;
    const auto base = dir.write("base.json", R"({"nand": {"ways": 1, "luns": 1}})");
    const auto file = dir.write("main.json", R"({"extends": "base.json", "nand": {"ways": 2}})");
    const Composition composition(file, {"nand.channels=3"}, "");
    CHECK(composition.originOf("/nand/ways").name == file);
    CHECK(composition.originOf("/nand/luns").name == base);
    CHECK(composition.originOf("/nand/channels").name == "--set nand.channels=3");
    CHECK(composition.originOf("/workload").name == file);
    CHECK(Composition(file, {{"seed=-1", "--seed -1"}}, "").originOf("/seed").name == "--seed -1");
    CHECK(Composition(file, {"nand=null"}, "").originOf("/nand/ways").name == "--set nand=null");
}
