// SPDX-License-Identifier: Apache-2.0
#include "small_drive.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;
using namespace strobe::test;

TEST_CASE("a short scenario is filled with defaults and resolved")
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
                             "firmware.pageMap.allocation=[\"way\",\"channel\",\"plane\",\"lun\"]",
                             "firmware.pageMap.gc.copyBack=true",
                             "firmware.completion=write-through",
                             "firmware.capacity=64MiB",
                             "firmware.costs.gc_page=123",
                             "host.sata.generation=3Gb/s",
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
                                    [](const CostSetting& c) { return c.name == "gc_page"; });
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

TEST_CASE("the error of a wrong type names the right one")
{
    CHECK(contains(problem("nand.ways=four"), "/nand/ways: must be a whole number (1 to 64), not \"four\""));
    CHECK(contains(problem("nand.ways=1.5"), "/nand/ways: must be a whole number (1 to 64), not 1.5"));
    CHECK(contains(problem("name=7"), "/name: must be text, not 7"));
    CHECK(contains(problem("firmware.pageMap.gc.copyBack=yes"),
                   "/firmware/pageMap/gc/copyBack: must be true or false, not \"yes\""));
    CHECK(contains(problem("nand=3"), "/nand: must be an object"));
    CHECK(contains(problem("workload.phases=3"), "/workload/phases: must be a list of objects"));
    CHECK(contains(problem("nand.ways=[1]"), "must be a whole number (1 to 64), not a list"));
}

TEST_CASE("the error of a missing or wrong unit says what to write")
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
    CHECK(contains(problem("firmware.pageMap.allocation=[\"channel\",\"way\",\"way\",\"lun\"]"),
                   "must list each of \"channel\", \"way\", \"lun\" or \"plane\" once"));
    CHECK(contains(problem("controller.units=per-chip"), "or \"per-die\", not \"per-chip\""));
}

TEST_CASE("the error of an out-of-range value gives the range")
{
    CHECK(contains(problem("nand.ways=0"), "/nand/ways: must be a whole number (1 to 64), not 0"));
    CHECK(contains(problem("nand.ways=65"), "(1 to 64), not 65"));
    CHECK(contains(problem("nand.channels=-1"), "(1 to 64), not -1"));
    CHECK(contains(problem("seed=18446744073709551615"),
                   "must be a whole number (0 to 9223372036854775807), not 18446744073709551615"));
    CHECK(contains(problem("seed=-1"), "/seed: must be a whole number (0 to 9223372036854775807), not -1"));
    CHECK(contains(problem("cpu.clock=1kHz"), "/cpu/clock: must be 1MHz to 10GHz, not \"1kHz\""));
    CHECK(contains(problem("host.queueDepth=33"), "SATA has 32 tags: must be 1 to 32, not 33"));
    CHECK(contains(problem("host.queueDepth=4097"), "(1 to 4096) or \"auto\", not 4097"));
    CHECK(contains(problem("report.wearEvery=1ps"), "must be 0s to 1000s, a multiple of 1us, not \"1ps\""));
    CHECK(contains(problem("report.seriesEvery=999ns"), "a multiple of 1us"));
}

TEST_CASE("a parameter without a default must be given")
{
    const auto all = problems({}, R"({"name": "empty"})");
    REQUIRE(all.size() == 2);
    CHECK(contains(all[0], "/nand: is missing and has no default"));
    CHECK(contains(all[1], "/workload: is missing and has no default"));
    const auto part =
        problems({}, R"({"nand": {"ways": 2}, "workload": {"phases": [{"kind": "zipf", "requests": 1}]}})");
    REQUIRE(part.size() == 2);
    CHECK(contains(part[0], "/nand/part: is missing and has no default"));
    CHECK(contains(part[1], "/workload/phases/0/name: is missing and has no default"));
}

TEST_CASE("superchips divide the array, and a foreground unit is added to the others")
{
    const std::string other = "firmware.image=other"; // page mapping needs single chips
    const Scenario s =
        load({"controller.superchip.bus=2", "controller.superchip.chip=2", "controller.foreground=true", other});
    CHECK(s.controller.superchip.bus == 2);
    CHECK(s.controller.superchip.chip == 2);
    CHECK(s.controller.hasForeground);
    CHECK(s.controller.hasPriority);
    CHECK(s.controller.interleaving == controller::Interleaving::Fine);
    const Scenario changed = load({"controller.priority=false", "controller.interleaving=coarse"});
    CHECK_FALSE(changed.controller.hasPriority);
    CHECK(changed.controller.interleaving == controller::Interleaving::Coarse);
    CHECK(contains(problems({"controller.foreground=false", "controller.synthesizer=true"}).at(0),
                   "needs a foreground unit"));
    CHECK_FALSE(load().controller.hasForeground);
    const Scenario synthesizing = load({"controller.synthesizer=true"});
    CHECK(synthesizing.controller.hasSynthesizer);
    CHECK(synthesizing.controller.hasForeground);
    CHECK(contains(problems({"controller.superchip.bus=4", other}).at(0), "4 does not divide the 2 channels"));
    CHECK(
        contains(problems({"controller.superchip.chip=4", other}).at(0), "4 does not divide the 2 dies of a channel"));
    CHECK(contains(problem("controller.superchip.bus=2"), "superchips of 1 x 1 only"));
    CHECK(contains(problems({"nand.channels=32", "nand.ways=16", "controller.superchip.bus=32",
                             "controller.superchip.chip=16", other})
                       .at(0),
                   "32 x 16 are 512 chips; up to 256"));
    CHECK(contains(problems({"controller.units=4096", "controller.foreground=true"}).at(0), "must be 4095 or less"));
}

TEST_CASE("the translation layer is chosen by name, with its image and its own parameters")
{
    const auto with = [](std::vector<Override> more) {
        std::vector<Override> sets{"firmware.ftl=superblock_map", "controller.superchip.bus=2"};
        sets.insert(sets.end(), more.begin(), more.end());
        return sets;
    };
    CHECK(load({}).firmware.image == "page_map");
    CHECK(load(with({})).controller.hasForeground);
    const Scenario s =
        load(with({"firmware.superblockMap.sectorBuffer=3MiB", "firmware.superblockMap.flushHighWatermark=25%",
                   "firmware.superblockMap.flush=park"}));
    CHECK(s.firmware.image == "superblock_map");
    CHECK(s.firmware.superblockMap.sectorBuffer == 6144);
    CHECK(s.firmware.superblockMap.flushHighWatermarkPermille == 250);
    CHECK(s.firmware.superblockMap.flush == FlushHandling::Park);
    CHECK(s.firmware.superblockMap.superblockLimit == 8);
    CHECK(load(with({"memory.bufferSize=8MiB"})).firmware.superblockMap.sectorBuffer == 8192); // and one of zeros
    CHECK(load(with({"firmware.image=mine"})).firmware.image == "mine");
    CHECK(load(with({"firmware.image=superblock_map_marked"})).firmware.image == "superblock_map_marked");
    CHECK(load(with({"firmware.image=/images/page_map"})).firmware.image == "/images/page_map");
    CHECK(contains(problem("controller.backgroundUnits=software"),
                   "/controller/backgroundUnits: software units need superblock mapping"));
    CHECK(contains(problems(with({"controller.foreground=false"})).at(0),
                   "/controller/foreground: superblock mapping needs"));
    CHECK(contains(problems(with({"firmware.superblockMap.sectorBuffer=8MiB"})).at(0), "16385 sectors"));
    CHECK(
        contains(problems(with({"firmware.superblockMap.parkingSuperblocks=4"})).at(0), "applies only to flush park"));
    CHECK(contains(problems(with({"memory.size=8200KiB"})).at(0), "is too small for firmware's tables"));
    CHECK(load(with({"nand.ways=64"})).controller.units == 128);
    CHECK(load(with({"nand.channels=64", "nand.ways=64", "nand.part.blocksPerPlane=96", "memory.size=1GiB"}))
              .controller.units == 4095);
}

TEST_CASE("a device without a workload is valid where none is needed")
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

TEST_CASE("the error of an unknown part lists the parts")
{
    const std::string message = problem("nand.part=k9f1g08u0b");
    CHECK(contains(message, "/nand/part: there is no part \"k9f1g08u0b\"; did you mean \"k9f1g08u0a\"? Known parts: "));
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
