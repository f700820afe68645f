// SPDX-License-Identifier: Apache-2.0
//
// Chips without a data valid strobe behind a controller that has one: the scenario's settings and their result.
#include "platform/config/load.h"
#include "test_files.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

Scenario load(const std::string& nand, const std::string& channel)
{
    const strobe::test::ScenarioDirectory dir;
    const std::string file = dir.write(
        "s.json",
        "{\"nand\": {\"channels\": 1, \"ways\": 2, " + nand + "}, \"channel\": {" + channel +
            "}, \"workload\": {\"phases\": [{\"name\": \"main\", \"kind\": \"uniform\", \"requests\": 10}]}}");
    return loadScenario(file, {{}, strobe::test::sourceDirectory() + "/scenarios", true});
}

const std::string withStrobe = R"("part": "k9f1g08u0a")";
const std::string without = R"("part": {"extends": "k9f1g08u0a", "dataStrobe": false})";
const std::string proposed = R"("interface": "PROPOSED")";

} // namespace

TEST_CASE("a part has a data strobe unless it says otherwise, and then nothing changes")
{
    const Scenario s = load(withStrobe, proposed);
    CHECK(s.timingOf(0).name == "PROPOSED");
    CHECK(s.timingOf(1).cycle == 12ns);
    CHECK(s.timingOf(1).bytesPerCycle == 2);
}

TEST_CASE("a part without a data strobe is reached with conventional timing by any controller")
{
    for (const char* interface : {"CONV", "SYNC_ONLY", "PROPOSED"}) {
        const Scenario s = load(without, "\"interface\": \"" + std::string(interface) + "\", \"tADL\": \"70ns\"");
        for (const std::uint32_t way : {0U, 1U}) {
            CHECK(s.timingOf(way).name == "CONV");
            CHECK(s.timingOf(way).cycle == picoseconds(19'814)); // eq. 6, whatever the controller could do
            CHECK(s.timingOf(way).bytesPerCycle == 1);
            CHECK(s.timingOf(way).tADL == 70ns); // the waits are the controller's
        }
    }
}

TEST_CASE("a clock that is too fast for conventional cycles is slowed down for them alone")
{
    CHECK(load(without, proposed + R"(, "clock": "15ns")").timingOf(0).cycle == picoseconds(19'814));
    CHECK(load(without, proposed + R"(, "clock": "30ns")").timingOf(0).cycle == 30ns);
    CHECK(load(withStrobe, proposed + R"(, "clock": "15ns")").timingOf(0).cycle == 15ns);
}

TEST_CASE("the last ways of each channel can be conventional while the others are not")
{
    const Scenario s = load(withStrobe + R"(, "conventionalWays": 1)", proposed);
    CHECK(s.timingOf(0).name == "PROPOSED");
    CHECK(s.timingOf(1).name == "CONV");
}

TEST_CASE("there cannot be more conventional ways than ways")
{
    try {
        load(withStrobe + R"(, "conventionalWays": 3)", proposed);
        FAIL("accepted");
    } catch (const ScenarioErrors& errors) {
        REQUIRE(errors.messages().size() == 1);
        CHECK(errors.messages()[0].find("/nand/conventionalWays: 3 ways cannot be conventional: a channel has 2") !=
              std::string::npos);
    }
}
