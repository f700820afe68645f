// SPDX-License-Identifier: Apache-2.0
#include "small_drive.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;
using namespace strobe::test;

TEST_CASE("a clock faster than the interface allows is refused with the minimum")
{
    const std::string message = problem("channel.clock=100MHz");
    CHECK(contains(message, "/channel/clock: a period of 10 ns is below the minimum period of CONV"));
    CHECK(contains(message, "19.814 ns (eq. 6)"));
}

TEST_CASE("half of the buffer is for writes, of the part that firmware uses")
{
    const std::vector<Override> small{"nand.part.pageSize=512B", "nand.part.spareSize=16B", "memory.size=2GiB"};
    const auto pagesWith = [&](const char* bufferSize) {
        std::vector<Override> sets = small;
        sets.emplace_back(std::string("memory.bufferSize=") + bufferSize);
        return load(sets).firmware.writeBufferPages;
    };
    CHECK(pagesWith("64MiB") == 65'536);
    CHECK(pagesWith("256MiB") == 262'144);
    CHECK(pagesWith("1GiB") == 262'144); // firmware uses 524,288 units
}

TEST_CASE("a drive of many dies can have units for reads apart")
{
    const Scenario s = load({"nand.channels=32", "nand.ways=32", "nand.part.blocksPerPlane=64", "memory.size=1GiB",
                             "channel.suspend=both"});
    CHECK(s.controller.units == 2048);
    CHECK(s.controller.readUnits == 1024);
    CHECK(s.controller.readUnits <= regs::bounds::readUnits.maximum);
}

TEST_CASE("an impossible geometry is refused")
{
    CHECK(contains(problem("nand.part.pageSize=2000B"),
                   "/nand/part/pageSize: 2kB is not a whole number of 512-byte sectors"));
    CHECK(
        contains(problem("nand.factoryBadBlocks=600"), "must be less than half of the 1024 blocks of a die, not 600"));
    CHECK(load({"controller.units=3"}).controller.units == 3); // firmware shares units among dies
    const auto many =
        problems({"nand.channels=64", "nand.ways=32", "nand.luns=4", "controller.units=4096", "memory.size=2GiB"});
    REQUIRE(many.size() >= 1);
    CHECK(contains(many[0], "64 channels x 32 ways x 4 luns are 8192 dies; up to 4096 are allowed"));
    const auto crowded =
        problems({"nand.channels=1", "nand.ways=64", "nand.luns=2", "controller.units=4096", "memory.size=2GiB"});
    REQUIRE(crowded.size() >= 1);
    CHECK(contains(crowded[0], "/nand: 64 ways x 2 luns are 128 dies on a channel; up to 64 are allowed"));
}

TEST_CASE("a die has operations in progress for the commands that join them, as far as its unit holds them")
{
    const auto depth = [](std::vector<Override> sets) {
        sets.insert(sets.begin(), {"nand.part=mlc-8k-2plane", "memory.size=256MiB"});
        return load(sets).controller.dieDepth;
    };
    CHECK(depth({}) == 2);
    CHECK(depth({"controller.cacheOperations=true"}) == 4);
    CHECK(depth({"controller.multiPlane=true"}) == 4);
    CHECK(depth({"controller.multiPlane=true", "controller.cacheOperations=true", "controller.unitDepth=8"}) == 6);
    CHECK(depth({"controller.multiPlane=true", "controller.cacheOperations=true", "controller.unitDepth=4"}) == 5);
    CHECK(contains(problems({"controller.cacheOperations=true", "controller.unitDepth=2"}).at(0), "must be 3 or more"));
}

TEST_CASE("a die holds three commands of planes that are chained by cache programs")
{
    const auto controller = [](std::vector<Override> sets) {
        sets.insert(sets.begin(), {"nand.part=mlc-8k-2plane", "memory.size=256MiB", "nand.part.planes=4",
                                   "nand.part.multiPlaneCache=true", "controller.multiPlane=true"});
        return load(sets).controller;
    };
    CHECK(controller({}).dieDepth == 8);
    CHECK(controller({"controller.cacheOperations=true"}).dieDepth == 12);
    CHECK(controller({"controller.cacheOperations=true"}).unitDepth == 11); // auto
    CHECK(controller({"controller.cacheOperations=true", "controller.unitDepth=8"}).dieDepth == 9);
    CHECK(controller({"controller.cacheOperations=true", "nand.part.multiPlaneCache=false"}).dieDepth == 8);
    CHECK(controller({"controller.cacheOperations=true", "nand.part.multiPlane=none"}).dieDepth == 8);
}

TEST_CASE("a unit holds the word lines of the planes that work at once")
{
    const auto controller = [](std::vector<Override> sets) {
        sets.insert(sets.begin(), {"nand.part=tlc-128l-4plane", "memory.size=512MiB"});
        return load(sets).controller;
    };
    CHECK(controller({}).dieDepth == 2);
    CHECK(controller({"controller.multiPlane=true"}).dieDepth == 8);
    CHECK(controller({"controller.multiPlane=true"}).unitDepth == 7); // auto
    CHECK(controller({"controller.multiPlane=true", "controller.planesAtOnce=2"}).unitDepth == 4);
    CHECK(contains(problems({"nand.part=tlc-128l-4plane", "memory.size=512MiB", "controller.multiPlane=true",
                             "controller.unitDepth=6"})
                       .at(0),
                   "/controller/unitDepth: must be 7 or more: joined operations keep 8 of a die in its unit"));
}

TEST_CASE("plane-independent reads have units and a depth of their own, and are checked")
{
    const auto controller = [](std::vector<Override> sets) {
        sets.insert(sets.begin(), {"nand.part=tlc-128l-4plane", "memory.size=512MiB"});
        return load(sets).controller;
    };
    CHECK(controller({}).readDepth == 0);
    CHECK(controller({}).readUnits == 0);
    const ControllerConfig independent = controller({"nand.part.planeIndependentReads=true"});
    CHECK(independent.readDepth == 16);
    CHECK(independent.dieDepth == 2); // programs as before
    CHECK(independent.unitDepth == 15);
    CHECK(independent.readUnits != 0);
    CHECK(independent.units == 2 * independent.readUnits);
    const auto one = [](std::vector<Override> sets, const char* part) {
        sets.insert(sets.begin(), {part, "memory.size=512MiB", "nand.part.planeIndependentReads=true"});
        const auto all = problems(sets);
        CAPTURE(all);
        REQUIRE(all.size() == 1);
        return all[0];
    };
    CHECK(contains(one({}, "nand.part=k9f1g08u0a"),
                   "/nand/part/planeIndependentReads: a part with one plane has none to be independent of"));
    CHECK(
        contains(one({"nand.channels=1", "nand.ways=16", "nand.part.blocksPerPlane=64", "nand.part.maxBadBlocks=1"},
                     "nand.part=tlc-128l-4plane"),
                 "/nand/part/planeIndependentReads: 16 dies of 4 planes on a channel are 80 dies and planes; up to 64 "
                 "are allowed"));
    CHECK(contains(one({"controller.units=1"}, "nand.part=tlc-128l-4plane"),
                   "/controller/units: reads that are independent by plane need separate units"));
}

TEST_CASE("a section of a page that is read faster is checked")
{
    const auto one = [](std::vector<Override> sets) {
        sets.insert(sets.begin(), {"nand.part=tlc-128l-4plane", "memory.size=512MiB", "nand.part.snapRead.tR=40us"});
        const auto all = problems(sets);
        return all.empty() ? std::string() : all[0];
    };
    CHECK(one({"nand.part.snapRead.size=4KiB"}).empty());
    CHECK(contains(
        one({"nand.part.snapRead.size=6KiB"}),
        "/nand/part/snapRead/size: 6KiB is not a section of whole 512-byte sectors that divides a page of 16KiB"));
    CHECK(contains(one({"nand.part.snapRead.size=16KiB"}), "/nand/part/snapRead/size"));
    CHECK(contains(one({"nand.part.snapRead.size=4KiB", "nand.part.snapRead.tR=90us"}),
                   "/nand/part/snapRead/tR: must be above zero and at most the 56 us of a page"));
}

TEST_CASE("a time of the part that its page types replace must be their mean, unless they were changed after it")
{
    const auto one = [](std::vector<Override> sets) {
        sets.insert(sets.begin(), {"nand.part=tlc-16k-2plane", "memory.size=512MiB"});
        const auto all = problems(sets);
        return all.empty() ? std::string() : all[0];
    };
    CHECK(contains(one({"nand.part.tR=5us"}),
                   "--set nand.part.tR=5us: /nand/part/tR: each page type has its own tR (nand.part.pageTypes), which "
                   "this one does not change: must be their mean, 80 us, not 5 us"));
    CHECK(contains(one({"nand.part.tPROG=1ms"}), "/nand/part/tPROG: each page type has its own tPROG"));
    CHECK(one({"nand.part.tR=80us"}).empty());
    const Override types = R"(nand.part.pageTypes=[{"name": "a", "tR": "20us"}, {"name": "b", "tR": "40us"}])";
    CHECK(one({types}).empty());
    CHECK(one({"nand.part.tR=5us", types}).empty());
    CHECK(contains(one({types, "nand.part.tR=5us"}), "must be their mean, 30 us"));
    CHECK(one({R"(nand.part.pageTypes=[{"name": "a", "tR": "20us"}, {"name": "b"}])", "nand.part.tR=5us"}).empty());
}

TEST_CASE("a part whose programs write word lines is checked, and what does not work with it is refused")
{
    const auto one = [](std::vector<Override> sets, const char* part = "nand.part=tlc-128l-4plane") {
        sets.insert(sets.begin(), {part, "memory.size=512MiB"});
        const auto all = problems(sets);
        CAPTURE(all);
        REQUIRE(all.size() == 1);
        return all.front();
    };
    CHECK(load({"nand.part=tlc-128l-4plane", "memory.size=512MiB"}).nand.part.geometry.pagesPerProgram == 3);
    CHECK(contains(one({"nand.part.pagesPerProgram=2"}),
                   "/nand/part/pagesPerProgram: a word line of TLC cells has 3 pages: must be 1 or 3, not 2"));
    CHECK(contains(one({"nand.part.pagesPerBlock=1000"}),
                   "/nand/part/pagesPerProgram: 3 does not divide the 1000 pages of a block"));
    CHECK(contains(one({"nand.part.pagesPerProgram=3"}, "nand.part=tlc-16k-2plane"), "page types have no tPROG"));
    CHECK(contains(
        one({"firmware.ftl=superblock_map"}),
        "/firmware/ftl: a mapping other than page_map or zoned: not with a part whose programs write word lines of 3 "
        "pages (nand.part.pagesPerProgram)"));
    CHECK(contains(one({"controller.interleaving=coarse"}), "/controller/interleaving: a bus that is reserved"));
    CHECK(contains(one({"firmware.pageMap.gc.copyBack=true"}), "/firmware/pageMap/gc/copyBack: copy-backs of single"));
    CHECK(contains(one({"operations.programs=1"}), "/operations: these operations are on single pages"));
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
    CHECK(contains(one({"memory.size=8MiB"}),
                   "/memory/bufferSize: 8MiB leaves no memory for firmware: the memory has 8MiB"));
    CHECK(contains(one({"memory.size=9MiB"}),
                   "/memory/size: 9MiB less the buffer of 8MiB is too small for firmware's tables"));
    CHECK(contains(one({"memory.size=9MiB"}), "; 25MiB suffices"));
    CHECK_NOTHROW(load({"nand.part=k9gag08u0m", "memory.size=25MiB"}));
    CHECK(contains(one({"memory.size=24MiB"}), "; 25MiB suffices"));
    CHECK(contains(one({"firmware.pageMap.writeBufferPages=2048"}),
                   "2048 pages leave nothing for reads: the buffer of 8MiB has 2048"));
}

TEST_CASE("a capacity that leaves firmware no space is refused")
{
    CHECK(contains(problem("firmware.overProvisioning=0%"),
                   "/firmware/overProvisioning: 0% is too little for spare blocks, journal, checkpoints and the "
                   "blocks that garbage collection needs: must be 0.3% to 90% here"));
    CHECK(contains(problem("firmware.capacity=600MiB"), "/firmware/capacity: 600MiB is too large beside spare blocks"));
    CHECK(contains(problem("firmware.capacity=600MiB"), ": must be 519928KiB or less here"));
    CHECK(contains(problem("firmware.spareBlocks=1022"),
                   "/firmware/spareBlocks: 1022 are too many: each die has 1024 blocks, 0 of them bad"));
    CHECK(contains(problem("firmware.spareBlocks=1022"), "must be 68 or less here"));
    CHECK_NOTHROW(load({"firmware.spareBlocks=68"}));
    CHECK(contains(problem("firmware.capacity=1048577B"),
                   "/firmware/capacity: must be a whole number of 512-byte sectors"));
    CHECK(contains(problem("firmware.overProvisioning=0.2%"), "must be 0.3% to 90% here"));
    CHECK(load({"firmware.overProvisioning=0.3%"}).firmware.overProvisioningPermille == 3);
}

TEST_CASE("parity of superblocks needs two dies, and no more accumulators than the XOR engine has")
{
    const std::string parity = "firmware.pageMap.superblock.parity=true";
    const std::string key = "/firmware/pageMap/superblock/parity: ";
    const auto alone = problems({parity});
    REQUIRE(alone.size() == 1);
    CHECK(contains(alone[0], key + "needs a superblock of at least 2 dies"));
    std::vector<Override> large{parity, "nand.channels=16", "nand.ways=16", "memory.size=2GiB",
                                "firmware.pageMap.superblock.dies=2"};
    const auto many = problems(large);
    REQUIRE(many.size() == 1);
    CHECK(contains(many[0], key + "needs 4352 accumulators of the XOR engine, which has 4096"));
    large.back() = Override("firmware.pageMap.superblock.dies=4");
    CHECK(problems(large).empty());
}

TEST_CASE("what a drive with zones does not do is refused with its place")
{
    const std::string text = R"({
        "name": "zones", "extends": "workloads/zones.json", "nand": {"factoryBadBlocks": 0}
    })";
    const auto one = [&text](const std::string& set) {
        const auto all = problems({set}, text);
        CAPTURE(set, all);
        REQUIRE(all.size() == 1);
        return all.front();
    };
    CHECK(problems({}, text).empty());
    CHECK(contains(one("workload.phases.0.trimRatio=10%"),
                   "/workload/phases/0/trimRatio: a drive with zones has no trims"));
    CHECK(contains(one("workload.phases.0.concurrentJobs.0.trimRatio=10%"),
                   "/concurrentJobs/0/trimRatio: a drive with zones"));
    CHECK(contains(one("firmware.capacity=10MiB"), "/firmware/capacity: 10MiB is less than a zone, which has 16MiB"));
    CHECK(contains(one("firmware.zoned.writeBufferPages=4000000"),
                   "/firmware/zoned/writeBufferPages: 4000000 pages leave"));
    CHECK(contains(one("power.holdUp=1ms"), "or the buffer smaller (firmware.zoned.writeBufferPages)"));
    CHECK(problems({"power.holdUp=100ms"}, text).empty());
    const auto small = problems({"firmware.zoned.diesPerZone=8"}, text);
    REQUIRE(small.size() == 2);
    CHECK(
        contains(small[0], "/zones/command: phase 'finish': a zone of 48 MiB does not fit into the region of 24 MiB"));
    CHECK(contains(problem(R"(workload.phases.0.zones={"command": "reset"})"),
                   "/workload/phases/0/zones/command: applies only to drives with zones"));
}

TEST_CASE("a worn block must exist")
{
    CHECK(contains(problem("nand.wornBlocks=[{\"die\":4}]"), "/nand/wornBlocks/0/die: must be 0 to 3, not 4"));
    CHECK(contains(problem("nand.wornBlocks=[{\"block\":1024}]"),
                   "/nand/wornBlocks/0/block: must be 0 to 1023, not 1024"));
}

TEST_CASE("a fault of the flash has a place, a time and an effect")
{
    const auto told = [](const char* fault, const char* text) {
        return contains(problem(std::string("faults.flash=[{") + fault + "}]"), std::string("/faults/flash/0/") + text);
    };
    CHECK(told("\"die\":4", "die: must be 0 to 3, not 4"));
    CHECK(told("\"plane\":2", "plane: must be 0 to "));
    CHECK(told("\"block\":1024", "block: must be 0 to 1023, not 1024"));
    CHECK(told("\"page\":64", "page: must be 0 to 63, not 64"));
    CHECK(told("\"at\":\"2ms\",\"until\":\"2ms\"", "until: must be later than at"));
    CHECK(told("\"rate\":1.5", "rate: must be a number from 0 to 1"));
    CHECK(told("\"kind\":\"dead\",\"rate\":0.5", "rate: applies only to faults of single operations"));
    CHECK(told("\"bits\":3", "bits: applies only to kind bit-errors"));
    CHECK(told("\"kind\":\"erase-fail\",\"page\":3", "page: applies only to operations on pages"));
    CHECK(contains(problems({"controller.ecc.correctableBits=0", "faults.flash=[{\"kind\":\"bit-errors\"}]"}).at(0),
                   "/faults/flash/0/kind: bit errors pass unnoticed without a code"));
    CHECK(contains(problems({"power.cuts=[\"1ms\"]", "faults.flash=[{\"kind\":\"dead\"}]"}).at(0),
                   "/faults/flash/0/kind: recovery cannot tell dead flash"));
    CHECK(contains(
        problems({"power.cuts=[\"1ms\"]", "controller.ecc.correctableBits=40",
                  "faults.flash=[{\"kind\":\"bit-errors\",\"bits\":30},{\"kind\":\"bit-errors\",\"bits\":11}]"})
            .at(0),
        "all rows together may add 40 bits, which the code corrects, not 41"));
    CHECK(load({"power.cuts=[\"1ms\"]", "controller.ecc.correctableBits=40",
                "faults.flash=[{\"kind\":\"bit-errors\",\"bits\":40}]"})
              .faults.flash.size() == 1);
    const Scenario s = load({"faults.flash=[{\"kind\":\"dead\",\"die\":1,\"at\":\"3ms\"}]"});
    REQUIRE(s.faults.flash.size() == 1);
    CHECK(s.faults.flash[0].die == 1U);
    CHECK_FALSE(s.faults.flash[0].block);
    CHECK(s.faults.flash[0].at == 3ms);
    CHECK_FALSE(s.faults.flash[0].until);
}

TEST_CASE("energy belongs to a group of resources")
{
    CHECK(contains(problem("energy.components=[{\"name\":\"x\",\"group\":\"dram\"}]"),
                   "/energy/components/0/group: \"dram\" is not a group of resources"));
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

TEST_CASE("a phase that does not fit on the drive is found, whatever the translation layer")
{
    const std::string offset = "workload.phases.0.region.offset=1TiB";
    CHECK(contains(problem(offset),
                   "/workload/phases/0/region/offset: phase 'main': the region begins at 1 TiB, beyond "
                   "the drive's capacity of 476"));
    CHECK(contains(problem("workload.phases.0.region.size=477MiB"),
                   "/workload/phases/0/region/size: phase 'main': the region of 477 MiB at 0 B ends beyond"));
    CHECK_NOTHROW(load({"workload.phases.0.region.size=476MiB"}));
    CHECK(
        contains(problem("workload.phases.0.region.size=2KiB"),
                 "/workload/phases/0/blockSize: phase 'main': a block of 4 KiB does not fit into the region of 2 KiB"));
    CHECK(
        contains(problem("workload.phases.0={\"name\":\"d\",\"kind\":\"desktop\",\"requests\":1,\"desktop\":{"
                         "\"writes\":{\"sizes\":[{\"size\":\"64KiB\"}],\"span\":\"4KiB\"}}}"),
                 "/workload/phases/0/desktop/writes/span: phase 'd': a request of 64 KiB does not fit into the span"));
    const auto of = [&](const std::vector<Override>& sets, const std::string& size) {
        std::vector<Override> with = sets;
        with.emplace_back("workload.phases.0.region.size=" + size);
        return problems(with);
    };
    const std::vector<Override> given{"firmware.capacity=64MiB"};
    CHECK(of(given, "64MiB").empty());
    CHECK(of(given, "65537KiB").size() == 1);
    const std::vector<Override> superblocks{"firmware.ftl=superblock_map", "controller.superchip.bus=2"};
    CHECK(of(superblocks, "400MiB").empty());
    CHECK(of(superblocks, "1GiB").size() == 1);
    const std::vector<Override> pcm{"nand.part={\"extends\":\"aging-pcm2\",\"blocksPerPlane\":4,\"pagesPerBlock\":16}",
                                    "nand.channels=1", "nand.ways=1"};
    CHECK(of(pcm, "248KiB").empty()); // 64 pages of 4 KiB less two
    CHECK(of(pcm, "249KiB").size() == 1);
    CHECK(problems({"firmware.image=mine", offset}).empty()); // what that image announces is known when it runs
    CHECK(problems({"firmware.image=page_map_lossy", offset}).size() == 1);
    CHECK(problems({"firmware.image=mine", "workload.phases.0.region.size=2KiB"}).size() == 1); // fits on no drive
}

TEST_CASE("sectors of a drive above 2 TiB cannot be told apart")
{
    const std::vector<Override> large{"nand.part=tlc-16k-2plane", "nand.channels=16", "nand.ways=8", "memory.size=2GiB",
                                      "firmware.pageMap.mappingUnit=16KiB"};
    const auto found = problems(large);
    REQUIRE(found.size() == 1);
    CHECK(contains(found[0], "/data: sectors can be distinguished on drives of up to 2 TiB; this one has "));
    std::vector<Override> none = large;
    none.emplace_back("data=none");
    CHECK(problems(none).empty());
}

TEST_CASE("a key without effect is an error that says where it applies")
{
    const std::string phase = "/workload/phases/0/";
    struct Row {
        std::vector<Override> sets; // the last one does not apply
        std::string path;
        std::string where;
        std::string instead;
    };
    const Override trace = "workload.phases.0={\"name\":\"t\",\"kind\":\"trace\",\"trace\":{\"file\":\"traces/"
                           "debian-appload.iolog3.xz\"},\"pacing\":{\"mode\":\"open\"}}";
    const Override open = "workload.phases.0.pacing={\"mode\":\"open\",\"rate\":\"5/s\"}";
    const std::vector<Row> rows{
        {{trace, "workload.phases.0.blockSize=4KiB"}, phase + "blockSize", "generators of one size", "kind is trace"},
        {{"workload.phases.0.kind=desktop", "workload.phases.0.blockSize=8KiB"},
         phase + "blockSize",
         "generators of one size",
         "kind is desktop"},
        {{trace, "workload.phases.0.alignment=4KiB"}, phase + "alignment", "generators", "kind is trace"},
        {{trace, "workload.phases.0.readRatio=1"}, phase + "readRatio", "generators", "kind is trace"},
        {{trace, "workload.phases.0.trimRatio=1"}, phase + "trimRatio", "generators", "kind is trace"},
        {{trace, "workload.phases.0.flushEvery=1"}, phase + "flushEvery", "generators", "kind is trace"},
        {{trace, "workload.phases.0.trace.format=fio-iolog-v3", "workload.phases.0.trace.waitMeaning=us-relative"},
         phase + "trace/waitMeaning",
         "format fio-iolog-v2",
         "format is fio-iolog-v3"},
        {{trace, "workload.phases.0.pacing.rate=5/s"}, phase + "pacing/rate", "generators", "kind is trace"},
        {{trace, "workload.phases.0.pacing.arrivals=fixed"},
         phase + "pacing/arrivals",
         "generators in mode open",
         "kind is trace"},
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
                            row.instead + "; leave it out");
        // Without the key all is well.
        CHECK_NOTHROW(load({row.sets.begin(), row.sets.end() - 1}));
    }
}

TEST_CASE("whether a key applies is checked when the deciding value is valid")
{
    const auto all = problems({"workload.phases.0.kind=tracee", "workload.phases.0.flushEvery=1"});
    REQUIRE(all.size() == 1);
    CHECK(contains(all[0], "/workload/phases/0/kind: must be "));
}

TEST_CASE("a size or share of nothing is not taken for \"no limit\"")
{
    for (const char* key : {"volume", "region.size"}) {
        for (const char* zero : {"0B", "0%"}) {
            const std::string set = "workload.phases.0." + std::string(key) + "=" + zero;
            CHECK(contains(problem(set),
                           "\"" + std::string(zero) + "\" is zero: must be a size or percentage above zero"));
        }
    }
    CHECK(load({"workload.phases.0.region.offset=0%"}).workload.phases[0].source.region.offset.bytes == 0);
    CHECK(contains(problem("workload.phases.0={\"name\":\"h\",\"kind\":\"hot-cold\",\"requests\":1,\"hotCold\":{"
                           "\"space\":\"0%\"}}"),
                   "/workload/phases/0/hotCold/space: 0 is not allowed; above 0 (some block is hot) up to 1 is"));
}
