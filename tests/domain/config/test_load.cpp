// SPDX-License-Identifier: Apache-2.0
#include "platform/config/load.h"
#include "test_files.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;
using strobe::test::ScenarioDirectory;

namespace {

const std::string scenarios = std::string(STROBE_SOURCE_DIR) + "/scenarios";

// A small drive that is fine; tests change single values of it.
const std::string good = R"({
    "name": "small",
    "nand": {"part": "k9f1g08u0a", "channels": 2, "ways": 2},
    "workload": {"phases": [{"name": "main", "kind": "uniform", "requests": 10}]}
})";

Scenario load(const std::vector<Override>& sets = {}, const std::string& text = good)
{
    const ScenarioDirectory dir;
    return loadScenario(dir.write("s.json", text), {sets, scenarios, true});
}

std::vector<std::string> problems(const std::vector<Override>& sets, const std::string& text = good)
{
    try {
        load(sets, text);
    } catch (const ScenarioErrors& errors) {
        return errors.messages();
    }
    return {};
}

// The one problem of the good scenario with one value changed.
std::string problem(const std::string& set)
{
    const auto all = problems({set});
    CAPTURE(set, all);
    REQUIRE(all.size() == 1);
    return all.front();
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a scenario that says little is filled with defaults and resolved")
{
    const Scenario s = load();
    CHECK(s.name == "small");
    CHECK(s.seed == 1);
    CHECK(s.dataMode == DataMode::Tags);
    CHECK(s.nand.part.name == "K9F1G08U0A");
    CHECK(s.nand.part.times.tR == 25us);
    CHECK(s.nand.array.dies() == 4);
    CHECK(s.nand.factoryBadBlocks == 0);
    CHECK(s.controller.units == 4);                               // one per die
    CHECK(s.channel.timing.cycle == picoseconds(19'814));         // CONV at the minimum of eq. 6
    CHECK(s.firmware.writeBufferPages == (8U << 20U) / 2048 / 2); // half of the buffer
    CHECK(s.firmware.capacitySectors == 0);
    CHECK(s.firmware.costs.size() > 10);
    CHECK(s.workload.phases.size() == 1);
    CHECK(s.host.queueDepth == 32);
}

TEST_CASE("every kind of value is taken")
{
    const Scenario s = load({"seed=7",
                             "data=bytes",
                             "nand.factoryBadBlocks=part max",
                             "channel.interface=PROPOSED",
                             "channel.clock=20ns",
                             "channel.tWB=0s",
                             "controller.ecc.rate=200MB/s",
                             "memory.bandwidth=1.6GB/s",
                             "cpu.clock=333MHz",
                             "firmware.allocation=[\"way\",\"channel\",\"plane\",\"lun\"]",
                             "firmware.gc.copyBack=true",
                             "firmware.completion=write-through",
                             "firmware.capacity=64MiB",
                             "firmware.costs.gc_page=123",
                             "host.generation=3Gb/s",
                             "workload.phases.0.readRatio=70%",
                             "workload.phases.0.volume=150%",
                             "workload.phases.0.region.size=16MiB",
                             "workload.phases.0.pacing.mode=open",
                             "workload.phases.0.pacing.rate=20000/s",
                             "workload.phases.0.maxTime=2s",
                             "workload.phases.0.precondition=true"});
    CHECK(s.seed == 7);
    CHECK(s.dataMode == DataMode::Bytes);
    CHECK(s.nand.factoryBadBlocks == s.nand.part.maxBadBlocks);
    CHECK(s.channel.timing.cycle == 20ns);
    CHECK(s.channel.timing.bytesPerCycle == 2);
    CHECK(s.channel.timing.tWB == Time{});
    CHECK(s.controller.ecc.bytesPerSecond == 200'000'000);
    CHECK(s.memory.bytesPerSecond == 1'600'000'000);
    CHECK(s.cpu.hertz == 333'000'000);
    CHECK(load({"firmware.overProvisioning=12.5%"}).firmware.overProvisioningPermille == 125);
    CHECK(s.firmware.allocation[0] == Dimension::Way);
    CHECK(s.firmware.allocation[3] == Dimension::Lun);
    CHECK(s.firmware.gcCopyBack);
    CHECK(s.firmware.completion == Completion::WriteThrough);
    CHECK(s.firmware.capacitySectors == 131'072);
    const auto point = std::find_if(s.firmware.costs.begin(), s.firmware.costs.end(),
                                    [](const CostPoint& c) { return c.name == "gc_page"; });
    REQUIRE(point != s.firmware.costs.end());
    CHECK(point->cycles == 123);
    CHECK(s.host.sata.generation == host::SataGeneration::Gen2);
    const host::PhaseConfig& phase = s.workload.phases[0];
    CHECK(phase.source.mix.readRatio == 0.7);
    CHECK(phase.source.volume.share == 1.5);
    CHECK(phase.source.region.size.bytes == 16U << 20U);
    CHECK(phase.pacing.interval == 50us);
    CHECK(phase.maxTime == 2s);
    CHECK_FALSE(phase.measured);
}

TEST_CASE("a frequency becomes a period, rounded up to a picosecond")
{
    CHECK(load({"channel.clock=50MHz"}).channel.timing.cycle == 20ns);
    CHECK(load({"channel.interface=PROPOSED", "channel.clock=83MHz"}).channel.timing.cycle == picoseconds(12'049));
}

TEST_CASE("a resolved scenario spells everything out and resolves to itself")
{
    const Scenario s = load({"firmware.capacity=64MiB", "nand.factoryBadBlocks=3",
                             "nand.wornBlocks=[{\"die\":3,\"block\":5,\"at\":\"2ms\"}]"});
    CHECK(s.nand.wornBlocks.size() == 1);
    const ScenarioDirectory dir;
    const Scenario again = loadScenario(dir.write("r.json", s.resolvedJson), {{}, "", true});
    CHECK(again.resolvedJson == s.resolvedJson);
    const auto json = nlohmann::json::parse(s.resolvedJson);
    CHECK(json["nand"]["part"]["tR"] == "25us");
    CHECK(json["controller"]["units"] == 4);
    CHECK(json["channel"]["clock"] == "19.814ns");
}

TEST_CASE("an unknown key is an error with the nearest allowed name")
{
    CHECK(problem("nand.way=3") == "--set nand.way=3: /nand/way: unknown key; did you mean \"ways\"?");
    CHECK(contains(problem("chanel.tWB=1ns"), "/chanel: unknown key; did you mean \"channel\"?"));
    CHECK(contains(problem("sram.colour=red"), "/sram/colour: unknown key; allowed here: size, latency"));
    CHECK(contains(problem("firmware.costs.gcpage=1"), "did you mean \"gc_page\"?"));
}

TEST_CASE("a wrong type says what is right")
{
    CHECK(contains(problem("nand.ways=four"), "/nand/ways: must be a whole number (1 to 64), not \"four\""));
    CHECK(contains(problem("nand.ways=1.5"), "/nand/ways: must be a whole number (1 to 64), not 1.5"));
    CHECK(contains(problem("name=7"), "/name: must be text, not 7"));
    CHECK(contains(problem("firmware.gc.copyBack=yes"), "/firmware/gc/copyBack: must be true or false, not \"yes\""));
    CHECK(contains(problem("nand=3"), "/nand: must be an object"));
    CHECK(contains(problem("workload.phases=3"), "/workload/phases: must be a list of objects"));
    CHECK(contains(problem("nand.ways=[1]"), "must be a whole number (1 to 64), not a list"));
}

TEST_CASE("a quantity without or with a wrong unit says what to write")
{
    CHECK(contains(problem("channel.statusPollDelay=100"),
                   "/channel/statusPollDelay: must be a time in quotes with a unit (ps, ns, us, ms or s), "
                   "like \"25us\", not 100"));
    CHECK(contains(problem("channel.tWB=\"100\""), "/channel/tWB: \"100\": has no unit: write a time with a unit"));
    CHECK(contains(problem("memory.size=64MHz"), "/memory/size: \"64MHz\": \"MHz\" is not a unit of size"));
    CHECK(contains(problem("channel.clock=fast"), "/channel/clock: must be \"minimum\", a period like \"20ns\" or a "
                                                  "frequency like \"50MHz\", not \"fast\""));
    CHECK(contains(problem("workload.phases.0.volume=3"), "must be a size like \"64MiB\", a percentage like \"25%\""));
    CHECK(contains(problem("workload.phases.0.readRatio=170%"), "percentage in quotes from \"0%\" to \"100%\""));
    CHECK(contains(problem("workload.phases.0.pacing={\"mode\":\"open\",\"rate\":20000}"),
                   "requests per second in quotes, like \"20000/s\""));
}

TEST_CASE("a bad word lists the choices")
{
    CHECK(contains(problem("channel.interface=ONFI"),
                   "/channel/interface: must be CONV, SYNC_ONLY, PROPOSED, ONFI_SDR_0 to 5, NV_DDR_0 to 5, "));
    CHECK(contains(problem("data=tag"), "/data: must be \"tags\", \"bytes\" or \"none\", not \"tag\""));
    CHECK(contains(problem("firmware.allocation=[\"channel\",\"way\",\"way\",\"lun\"]"),
                   "must list each of \"channel\", \"way\", \"lun\" or \"plane\" once"));
    CHECK(contains(problem("controller.units=per-chip"), "or \"per-die\", not \"per-chip\""));
}

TEST_CASE("out of range says the range")
{
    CHECK(contains(problem("nand.ways=0"), "/nand/ways: must be a whole number (1 to 64), not 0"));
    CHECK(contains(problem("nand.ways=65"), "(1 to 64), not 65"));
    CHECK(contains(problem("nand.channels=-1"), "(1 to 64), not -1"));
    CHECK(contains(problem("seed=18446744073709551615"), "must be a whole number, not 18446744073709551615"));
    CHECK(contains(problem("cpu.clock=1kHz"), "/cpu/clock: must be 1MHz to 10GHz, not \"1kHz\""));
    CHECK(contains(problem("host.queueDepth=33"), "SATA has 32 tags: must be 1 to 32, not 33"));
    CHECK(contains(problem("host.queueDepth=4097"), "(1 to 4096) or \"auto\", not 4097"));
}

TEST_CASE("a clock faster than the interface allows is refused with the minimum")
{
    const std::string message = problem("channel.clock=100MHz");
    CHECK(contains(message, "/channel/clock: a period of 10 ns is below the minimum period of CONV"));
    CHECK(contains(message, "19.814 ns (eq. 6)"));
}

TEST_CASE("an impossible geometry is refused")
{
    CHECK(contains(problem("nand.part.pageSize=2000B"),
                   "/nand/part/pageSize: 2kB is not a whole number of 512-byte sectors"));
    CHECK(
        contains(problem("nand.factoryBadBlocks=600"), "must be less than half of the 1024 blocks of a die, not 600"));
    CHECK(load({"controller.units=3"}).controller.units == 3); // firmware shares units among dies
    const auto many = problems({"nand.channels=64", "nand.ways=64", "controller.units=512", "memory.size=3GiB"});
    REQUIRE(many.size() >= 1);
    CHECK(contains(many[0], "64 channels x 64 ways x 1 luns are 4096 dies; up to 512 are allowed"));
    const auto crowded =
        problems({"nand.channels=1", "nand.ways=64", "nand.luns=2", "controller.units=512", "memory.size=3GiB"});
    REQUIRE(crowded.size() >= 1);
    CHECK(contains(crowded[0], "/nand: 64 ways x 2 luns are 128 dies on a channel; up to 64 are allowed"));
}

TEST_CASE("memories that are too small are refused")
{
    const auto one = [](std::vector<Override> sets) {
        sets.insert(sets.begin(), "nand.part=k9gag08u0m");
        const auto all = problems(sets);
        CAPTURE(all);
        REQUIRE(all.size() == 1);
        return all.front();
    };
    CHECK(contains(one({"memory.bufferSize=16KiB"}),
                   "/memory/bufferSize: 16KiB is too small: firmware needs 8 pages of 4KiB, 32KiB"));
    CHECK(contains(one({"memory.size=8MiB"}), "/memory/bufferSize: 8MiB leaves nothing of the memory of 8MiB"));
    CHECK(contains(one({"memory.size=9MiB"}),
                   "/memory/size: 9MiB less the buffer of 8MiB is too small for firmware's tables"));
    CHECK(contains(one({"memory.size=9MiB"}), "; 26MiB suffices"));
    CHECK_NOTHROW(load({"nand.part=k9gag08u0m", "memory.size=26MiB"}));
    CHECK(contains(one({"memory.size=25MiB"}), "; 26MiB suffices"));
    CHECK(contains(one({"firmware.writeBufferPages=2048"}),
                   "2048 pages leave nothing for reads: the buffer of 8MiB has 2048"));
}

TEST_CASE("a capacity that leaves firmware no room is refused")
{
    CHECK(contains(
        problem("firmware.overProvisioning=0%"),
        "/firmware/overProvisioning: 0% is too little: spare blocks and the 3 blocks per die that firmware works "
        "with need 0.3% here"));
    CHECK(contains(problem("firmware.capacity=600MiB"), "/firmware/capacity: 600MiB is more than the flash can offer"));
    CHECK(contains(problem("firmware.spareBlocks=1022"),
                   "0 bad and 1022 spare blocks and the 3 that firmware works with"));
    CHECK(contains(problem("firmware.capacity=1048577B"),
                   "/firmware/capacity: must be a whole number of 512-byte sectors"));
    CHECK(load({"firmware.overProvisioning=0.4%"}).firmware.overProvisioningPermille == 4);
}

TEST_CASE("a worn block must exist")
{
    CHECK(contains(problem("nand.wornBlocks=[{\"die\":4}]"), "/nand/wornBlocks/0/die: must be 0 to 3, not 4"));
    CHECK(contains(problem("nand.wornBlocks=[{\"block\":1024}]"),
                   "/nand/wornBlocks/0/block: must be 0 to 1023, not 1024"));
}

TEST_CASE("energy belongs to a group of resources")
{
    CHECK(contains(problem("energy.components=[{\"name\":\"x\",\"group\":\"dram\"}]"),
                   "/energy/components/0/group: \"dram\" is no group of resources"));
    CHECK(contains(problem("energy.components=[{\"name\":\"x\",\"idle\":5}]"),
                   "/energy/components/0/idle: must be a power in quotes with a unit (nW, uW, mW or W)"));
    const Scenario s =
        load({"energy.components=[{\"name\":\"x\",\"group\":\"cpu\",\"active\":\"25mW\",\"perJob\":\"3nJ\"}]"});
    REQUIRE(s.energy.components.size() == 1);
    CHECK_THAT(s.energy.components[0].activeWatt, Catch::Matchers::WithinRel(0.025, 1e-12));
    CHECK_THAT(s.energy.components[0].perJobJoule, Catch::Matchers::WithinRel(3e-9, 1e-12));
}

TEST_CASE("mistakes in the workload are found with their path")
{
    CHECK(contains(problem("workload.phases.0.requests=0"), "/workload/phases/0/requests: a generator has no end"));
    CHECK(contains(problem("workload.phases.0.pacing.mode=open"),
                   "/workload/phases/0/pacing/rate: an open loop needs a rate"));
    const auto trace = problems({"workload.phases.0.kind=trace", "workload.phases.0.trace.file=nowhere.xz"});
    REQUIRE(trace.size() == 1);
    CHECK(contains(trace[0], "/workload/phases/0/trace/file: "));
    CHECK(contains(trace[0], "nowhere.xz"));
    CHECK(contains(problem("workload.phases=[]"), "/workload/phases: a workload needs at least one phase"));
}

TEST_CASE("a key that has no effect beside the others is a mistake that says what it is for")
{
    const std::string phase = "/workload/phases/0/";
    struct Row {
        std::vector<Override> sets; // the last one does not apply
        std::string path;
        std::string where;
        std::string instead;
    };
    const Override sequential = "workload.phases.0.kind=sequential";
    const Override zipf = "workload.phases.0.kind=zipf";
    const Override trace = "workload.phases.0={\"name\":\"t\",\"kind\":\"trace\",\"trace\":{\"file\":\"traces/"
                           "debian-appload.iolog3.xz\"},\"pacing\":{\"mode\":\"open\"}}";
    const Override open = "workload.phases.0.pacing={\"mode\":\"open\",\"rate\":\"5/s\"}";
    const std::vector<Row> rows{
        {{"workload.phases.0.theta=1"}, phase + "theta", "kind zipf", "kind is uniform"},
        {{sequential, "workload.phases.0.theta=1"}, phase + "theta", "kind zipf", "kind is sequential"},
        {{"workload.phases.0.hot.space=10%"}, phase + "hot", "kind hot-cold", "kind is uniform"},
        {{zipf, "workload.phases.0.hot.space=10%"}, phase + "hot", "kind hot-cold", "kind is zipf"},
        {{"workload.phases.0.spread=false"}, phase + "spread", "kinds zipf and hot-cold", "kind is uniform"},
        {{"workload.phases.0.trace.file=x"}, phase + "trace", "kind trace", "kind is uniform"},
        {{trace, "workload.phases.0.blockSize=4KiB"}, phase + "blockSize", "generators", "kind is trace"},
        {{trace, "workload.phases.0.alignment=4KiB"}, phase + "alignment", "generators", "kind is trace"},
        {{trace, "workload.phases.0.readRatio=1"}, phase + "readRatio", "generators", "kind is trace"},
        {{trace, "workload.phases.0.trimRatio=1"}, phase + "trimRatio", "generators", "kind is trace"},
        {{trace, "workload.phases.0.flushEvery=1"}, phase + "flushEvery", "generators", "kind is trace"},
        {{trace, "workload.phases.0.theta=1"}, phase + "theta", "kind zipf", "kind is trace"},
        {{trace, "workload.phases.0.trace.format=fio-iolog-v3", "workload.phases.0.trace.waitMeaning=us-relative"},
         phase + "trace/waitMeaning",
         "format fio-iolog-v2",
         "format is fio-iolog-v3"},
        {{trace, "workload.phases.0.pacing.rate=5/s"},
         phase + "pacing/rate",
         "generators in mode open",
         "kind is trace"},
        {{trace, "workload.phases.0.pacing.arrivals=fixed"},
         phase + "pacing/arrivals",
         "generators in mode open",
         "kind is trace"},
        {{"workload.phases.0.pacing.rate=5/s"}, phase + "pacing/rate", "generators in mode open", "mode is closed"},
        {{"workload.phases.0.pacing.arrivals=fixed"},
         phase + "pacing/arrivals",
         "generators in mode open",
         "mode is closed"},
        {{"workload.phases.0.pacing.timeScale=2"},
         phase + "pacing/timeScale",
         "modes open and dependent",
         "mode is closed"},
        {{open, "workload.phases.0.pacing.queueDepth=2"}, phase + "pacing/queueDepth", "mode closed", "mode is open"},
        {{open, "workload.phases.0.pacing.thinkTime=2s"}, phase + "pacing/thinkTime", "mode closed", "mode is open"},
        {{"workload.phases.0.flush=true"}, phase + "flush", "precondition phases", "the phase is measured"},
        {{"firmware.capacity=64MiB", "firmware.overProvisioning=7%"},
         "/firmware/overProvisioning",
         "capacity auto",
         "the capacity is given"},
        {{"energy.components=[{\"name\":\"x\",\"active\":\"5mW\"}]"},
         "/energy/components/0/active",
         "a group of resources",
         "without a group it is a constant consumer, which is idle all the time"},
        {{"energy.components=[{\"name\":\"x\",\"perJob\":\"5nJ\"}]"},
         "/energy/components/0/perJob",
         "a group of resources",
         "without a group it is a constant consumer, which is idle all the time"}};
    for (const Row& row : rows) {
        const auto all = problems(row.sets);
        CAPTURE(row.path, row.instead, all);
        REQUIRE(all.size() == 1);
        CHECK(all[0] == row.sets.back().saidBy + ": " + row.path + ": applies only to " + row.where + ", but " +
                            row.instead + "; leave it out (null removes what was inherited)");
        // Without the key all is well.
        CHECK_NOTHROW(load({row.sets.begin(), row.sets.end() - 1}));
    }
}

TEST_CASE("whether a key applies is judged when the value that decides is right")
{
    const auto all = problems({"workload.phases.0.kind=zipff", "workload.phases.0.theta=1"});
    REQUIRE(all.size() == 1);
    CHECK(contains(all[0], "/workload/phases/0/kind: must be "));
}

TEST_CASE("null drops an inherited key that no longer applies")
{
    const ScenarioDirectory dir;
    dir.write("base.json", R"({"nand": {"part": "k9f1g08u0a"}, "firmware": {"overProvisioning": "20%"},
        "workload": {"phases": [{"name": "x", "kind": "zipf", "theta": 1.2, "requests": 1}]}})");
    const auto child = [&](const std::string& firmware, const std::vector<Override>& sets = {}) {
        return loadScenario(dir.write("s.json", R"({"extends": "base", "firmware": )" + firmware + "}"),
                            {sets, scenarios, true});
    };
    CHECK_THROWS_WITH(child(R"({"capacity": "64MiB"})"),
                      dir.at("base.json") +
                          ": /firmware/overProvisioning: applies only to capacity auto, but the capacity is given; "
                          "leave it out (null removes what was inherited)");
    CHECK(child(R"({"capacity": "64MiB", "overProvisioning": null})").firmware.capacitySectors == 131'072);
    const Override uniform = "workload.phases.0.kind=uniform";
    CHECK_THROWS_AS(child("{}", {uniform}), ScenarioErrors);
    CHECK_NOTHROW(child("{}", {uniform, "workload.phases.0.theta=null"}));
}

TEST_CASE("a size or share of nothing is not taken for \"no limit\"")
{
    for (const char* key : {"volume", "region.size"}) {
        for (const char* zero : {"0B", "0%"}) {
            const std::string set = "workload.phases.0." + std::string(key) + "=" + zero;
            CHECK(contains(problem(set), "\"" + std::string(zero) + "\" is nothing: a size or percentage above zero"));
        }
    }
    CHECK(load({"workload.phases.0.region.offset=0%"}).workload.phases[0].source.region.offset.bytes == 0);
    CHECK(contains(problem("workload.phases.0={\"name\":\"h\",\"kind\":\"hot-cold\",\"requests\":1,\"hot\":{"
                           "\"space\":\"0%\"}}"),
                   "/workload/phases/0/hot/space: 0 is not allowed; above 0 (some block is hot) up to 1 is"));
}

TEST_CASE("what has no default must be there")
{
    const auto all = problems({}, R"({"name": "empty"})");
    REQUIRE(all.size() == 1); // the part is in /nand, which is not there at all
    CHECK(contains(all[0], "/workload: is missing and has no default"));
    const auto part =
        problems({}, R"({"nand": {"ways": 2}, "workload": {"phases": [{"kind": "zipf", "requests": 1}]}})");
    REQUIRE(part.size() == 2);
    CHECK(contains(part[0], "/nand/part: is missing and has no default"));
    CHECK(contains(part[1], "/workload/phases/0/name: is missing and has no default"));
}

TEST_CASE("superchips divide the array, and a foreground unit stands beside the others")
{
    const Scenario s =
        load({"controller.superchip.bus=2", "controller.superchip.chip=2", "controller.foreground=true"});
    CHECK(s.controller.superchip.bus == 2);
    CHECK(s.controller.superchip.chip == 2);
    CHECK(s.controller.hasForeground);
    CHECK(contains(problem("controller.superchip.bus=4"), "4 does not divide the 2 channels"));
    CHECK(contains(problem("controller.superchip.chip=4"), "4 does not divide the 2 dies of a channel"));
    CHECK(contains(
        problems({"nand.channels=32", "nand.ways=16", "controller.superchip.bus=32", "controller.superchip.chip=16"})
            .at(0),
        "32 x 16 are 512 chips; up to 256"));
    CHECK(contains(problems({"controller.units=512", "controller.foreground=true"}).at(0), "must be 511 or less"));
}

TEST_CASE("a device without a workload is fine where none is needed")
{
    const ScenarioDirectory dir;
    const auto file = dir.write("d.json", R"({"nand": {"part": "k9f1g08u0a"}})");
    CHECK(loadScenario(file, {{}, scenarios, false}).workload.phases.empty());
    CHECK_THROWS_AS(loadScenario(file, {{}, scenarios, true}), ScenarioErrors);
}

TEST_CASE("all problems are collected, each with its file")
{
    const ScenarioDirectory dir;
    const auto base = dir.write("base.json", R"({"nand": {"part": "k9f1g08u0a", "ways": 0, "chanels": 2}})");
    const auto file = dir.write("s.json", R"({"extends": "base.json", "data": "no",
        "workload": {"phases": [{"name": "x", "kind": "zip", "requests": 1}]}})");
    try {
        loadScenario(file, {{"cpu.clock=5"}, scenarios, true});
        FAIL("no error");
    } catch (const ScenarioErrors& errors) {
        const auto& all = errors.messages();
        REQUIRE(all.size() == 5);
        const auto has = [&](const std::string& start) {
            return std::any_of(all.begin(), all.end(), [&](const std::string& m) { return m.find(start) == 0; });
        };
        CHECK(has(base + ": /nand/ways: "));
        CHECK(has(base + ": /nand/chanels: "));
        CHECK(has(file + ": /data: "));
        CHECK(has(file + ": /workload/phases/0/kind: "));
        CHECK(has("--set cpu.clock=5: /cpu/clock: "));
        for (const std::string& message : all)
            CHECK(contains(errors.what(), message));
    }
}

TEST_CASE("an unknown part says which there are")
{
    const std::string message = problem("nand.part=k9f1g08u0b");
    CHECK(
        contains(message, "/nand/part: there is no part \"k9f1g08u0b\"; did you mean \"k9f1g08u0a\"?; known parts: "));
}

TEST_CASE("a part may be a file beside the scenario, an object, or a change of another part")
{
    const ScenarioDirectory dir;
    const std::string text = R"({"nand": {"part": PART}, "workload": {"phases": [{"name": "m", "requests": 1}]}})";
    const auto with = [&](const std::string& part) {
        std::string full = text;
        full.replace(full.find("PART"), 4, part);
        return loadScenario(dir.write("s.json", full), {{}, scenarios, true}).nand.part;
    };
    const std::string own = R"({"name": "own", "source": "test", "blocksPerPlane": 64, "pagesPerBlock": 8,
        "pageSize": "2KiB", "spareSize": "64B", "tR": "1us", "tPROG": "2us", "tBERS": "3us"})";
    dir.write("mine.json", own);
    CHECK(with("\"mine.json\"").name == "own");
    CHECK(with("\"mine\"").geometry.pagesPerBlock == 8);
    CHECK(with(own).times.tBERS == 3us);
    const nand::Part changed = with(R"({"extends": "k9f1g08u0a", "blocksPerPlane": 128, "tR": "30us"})");
    CHECK(changed.name == "K9F1G08U0A");
    CHECK(changed.geometry.blocksPerPlane == 128);
    CHECK(changed.times.tR == 30us);
    CHECK(changed.times.tPROG == 200us);
}

TEST_CASE("a trace is found beside the file that names it, and is shown as it was written")
{
    const ScenarioDirectory dir;
    dir.write("traces/t.log", "fio version 3 iolog\n0 d read 0 4096\n");
    dir.write("base/work.json", R"({"workload": {"phases": [
        {"name": "replay", "kind": "trace", "trace": {"file": "../traces/t.log"}, "pacing": {"mode": "open"}}]}})");
    const auto file = dir.write("s.json", R"({"extends": "base/work.json", "nand": {"part": "k9f1g08u0a"}})");
    const Scenario s = loadScenario(file, {{}, scenarios, true});
    CHECK(s.workload.phases[0].source.trace.file == dir.at("traces/t.log"));
    CHECK(contains(s.resolvedJson, "\"../traces/t.log\""));
}
