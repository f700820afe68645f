// SPDX-License-Identifier: Apache-2.0
//
// NAND interfaces in a scenario: computed ones and timing modes, their clock and their waits.
#include "platform/config/load.h"
#include "platform/config/resolve_channel.h"
#include "test_files.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

Scenario load(const std::string& channel, const std::string& part = "\"k9gag08u0m\"")
{
    const strobe::test::ScenarioDirectory dir;
    const std::string file = dir.write(
        "s.json", "{\"nand\": {\"channels\": 1, \"ways\": 1, \"part\": " + part + "}, \"channel\": {" + channel +
                      "}, \"workload\": {\"phases\": [{\"name\": \"main\", \"kind\": \"uniform\", "
                      "\"requests\": 10}]}}");
    return loadScenario(file, {{}, strobe::test::sourceDirectory() + "/scenarios", true});
}

std::string problem(const std::string& channel, const std::string& part = "\"k9gag08u0m\"")
{
    try {
        load(channel, part);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return {};
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a scenario names a timing mode and gets its cycles and waits")
{
    const Scenario s = load(R"("interface": "ONFI_SDR_1")");
    CHECK_FALSE(s.channel.kind);
    const channel::InterfaceTiming& t = s.timingOf(0);
    CHECK(t.name == "ONFI_SDR_1");
    CHECK(t.cycle == 45ns);
    CHECK(t.outCycle() == 50ns);
    CHECK(t.tCS == 35ns);
    CHECK(t.tADL == 400ns);
    CHECK(t.tCCS == 500ns);
    CHECK(contains(s.resolvedJson, "\"tADL\": \"400ns\""));
}

TEST_CASE("the waits of a computed interface are those of a data sheet, at any clock")
{
    const channel::InterfaceTiming t = load(R"("interface": "PROPOSED", "clock": "15ns")").timingOf(0);
    CHECK(t.cycle == 15ns);
    CHECK(t.outCycle() == 15ns);
    CHECK(t.tCS == 20ns);
    CHECK(t.tADL == 100ns);
    CHECK(t.tWB == 100ns);
    CHECK(t.tRR == 20ns);
    CHECK(t.tWHR == 60ns);
}

TEST_CASE("a wait that the scenario gives replaces the interface's")
{
    const Scenario s = load(R"("interface": "NV_DDR_5", "tADL": "150ns", "tWHR": "interface")");
    CHECK(s.timingOf(0).tADL == 150ns);
    CHECK(s.timingOf(0).tWHR == 80ns);
}

TEST_CASE("warm-up cycles are for strobed interfaces, in the numbers that feature 02h has")
{
    const Scenario s = load(R"("interface": "NV_DDR3_15", "warmUpIn": 1, "warmUpOut": 4)");
    CHECK(s.timingOf(0).warmUpIn == 1);
    CHECK(s.timingOf(0).warmUpOut == 4);
    CHECK(contains(problem(R"("interface": "NV_DDR_5", "warmUpOut": 2)"),
                   "/channel/warmUpOut: NV_DDR_5 has no warm-up cycles; NV-DDR2, NV-DDR3 and NV-LPDDR4 have them"));
    CHECK(contains(problem(R"("interface": "NV_DDR3_15", "warmUpIn": 3)"),
                   "/channel/warmUpIn: must be 0, 1, 2 or 4, not 3"));
}

TEST_CASE("separate command lines are for NV-DDR3 and NV-LPDDR4, with a clock of their own")
{
    const Scenario s = load(R"("interface": "NV_LPDDR4_19", "separateCommandAddress": true)");
    CHECK(s.timingOf(0).hasCommandLines);
    CHECK(s.timingOf(0).cycle == 15ns);
    CHECK(s.timingOf(0).answerPeriod() == 20ns);
    CHECK(s.timingOf(0).outCycle() == picoseconds(833));
    CHECK(load(R"("interface": "NV_DDR3_15", "separateCommandAddress": true, "commandClock": "2.5ns")")
              .timingOf(0)
              .cycle == picoseconds(7'500));
    CHECK_FALSE(load(R"("interface": "NV_DDR3_15")").timingOf(0).hasCommandLines);
    for (const char* name : {"ONFI_SDR_5", "NV_DDR_5", "NV_DDR2_10", "CONV", "PROPOSED"}) {
        CHECK(contains(problem(std::string(R"("interface": ")") + name + R"(", "separateCommandAddress": true)"),
                       "/channel/separateCommandAddress: " + std::string(name) +
                           " has no separate command and address lines; NV-DDR3 and NV-LPDDR4 have them"));
    }
    CHECK(contains(problem(R"("interface": "NV_DDR3_15", "commandClock": "2.5ns")"), "/channel/commandClock"));
    CHECK(contains(problem(R"("interface": "NV_DDR3_15", "separateCommandAddress": true, "commandClock": "1ns")"),
                   "/channel/commandClock"));
}

TEST_CASE("chips without a data strobe cannot be on a channel with separate command lines")
{
    const std::string lines = R"("interface": "NV_DDR3_15", "separateCommandAddress": true)";
    CHECK(contains(problem(lines, R"({"extends": "k9gag08u0m", "dataStrobe": false})"),
                   "/channel/separateCommandAddress: only chips with a data strobe understand packets on separate "
                   "command lines"));
}

TEST_CASE("with separate command lines whole clocks are those of the command clock")
{
    const Scenario s = load(R"("interface": "NV_DDR3_15", "separateCommandAddress": true, "commandClock": "7ns",
                                "wholeClocks": true)");
    CHECK(s.timingOf(0).tCS == 21ns);
    CHECK(s.timingOf(0).cycle == 21ns);
    CHECK(s.nand.part.times.tR.count() % 7'000 == 0);
}

TEST_CASE("the clock of a mode may be slower than the mode allows, not faster")
{
    CHECK(load(R"("interface": "NV_DDR_5", "clock": "50MHz")").timingOf(0).outCycle() == 20ns);
    CHECK(load(R"("interface": "NV_DDR_5")").timingOf(0).outCycle() == 10ns);
    CHECK(contains(problem(R"("interface": "NV_DDR_5", "clock": "9ns")"),
                   "a period of 9 ns is below the minimum period of NV_DDR_5, which is 10 ns"));
}

TEST_CASE("data out has a clock of its own on any interface, and may not be faster than that allows")
{
    const channel::InterfaceTiming slow = load(R"("interface": "NV_DDR_5", "readClock": "25MHz")").timingOf(0);
    CHECK(slow.cycle == 45ns);
    CHECK(slow.inCycle() == 10ns);
    CHECK(slow.outCycle() == 40ns);
    for (const char* name : {"CONV", "SYNC_ONLY", "PROPOSED", "ONFI_SDR_5", "NV_DDR2_8"}) {
        const std::string interface = std::string(R"("interface": ")") + name + R"(", "clock": "50ns")";
        const channel::InterfaceTiming one = load(interface).timingOf(0);
        const channel::InterfaceTiming two = load(interface + R"(, "readClock": "40ns")").timingOf(0);
        CAPTURE(name);
        CHECK(one.outCycle() == 50ns);
        CHECK(two.outCycle() == 40ns);
        CHECK(two.inCycle() == 50ns);
        CHECK(two.cycle == one.cycle);
    }
    CHECK(contains(load(R"("interface": "CONV")").resolvedJson, "\"readClock\": \"clock\""));
    CHECK(contains(load(R"("interface": "CONV", "readClock": "40ns")").resolvedJson, "\"readClock\": \"40ns\""));
    CHECK(contains(problem(R"("interface": "ONFI_SDR_5", "clock": "30ns", "readClock": "19ns")"),
                   "/channel/readClock: a period of 19 ns is below the minimum period of data out of ONFI_SDR_5, which "
                   "is 20 ns"));
    CHECK(contains(problem(R"("interface": "CONV", "readClock": "minimum")"),
                   "must be \"clock\", a period like \"20ns\" or a frequency like \"50MHz\""));
}

TEST_CASE("a die without a data strobe is reached by SDR modes, and conventionally by the others")
{
    const std::string part = R"({"extends": "k9gag08u0m", "dataStrobe": false})";
    CHECK(load(R"("interface": "ONFI_SDR_5")", part).timingOf(0).name == "ONFI_SDR_5");
    CHECK(load(R"("interface": "NV_DDR_5")", part).timingOf(0).name == "CONV");
}

TEST_CASE("an unknown interface names the nearest one")
{
    CHECK(contains(problem(R"("interface": "NVDDR2_8")"), "did you mean \"NV_DDR2_8\"?"));
    CHECK_THROWS_AS(interfaceTiming("ONFI"), ConfigError);
    CHECK(interfaceTiming("CONV").cycle == picoseconds(19'814));
    CHECK(interfaceTiming("CONV").tADL == 100ns);
    CHECK(interfaceChoices().rfind("CONV, SYNC_ONLY, PROPOSED, ONFI_SDR_0 to 5, ", 0) == 0);
}

TEST_CASE("a part's page types take the part's times where they have none of their own")
{
    const std::string part = R"({"extends": "k9gag08u0m", "pageTypes": [{"name": "lower", "tPROG": "300us"},
                                {"name": "upper", "tR": "90us"}]})";
    const nand::Part p = load(R"("interface": "CONV")", part).nand.part;
    CHECK(p.tPROG(0) == 300us);
    CHECK(p.tR(0) == 60us);
    CHECK(p.tPROG(1) == 800us);
    CHECK(p.tR(3) == 90us);
}
