// SPDX-License-Identifier: Apache-2.0
//
// One value changes an alternative: what belongs to the others stays in the scenario without effect.
#include "small_drive.h"
#include "tests/support/catch.h"
#include "tests/support/sanitizers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;
using namespace strobe::test;

namespace {

// Every key of the schema that chooses among words, with all its words, as "--set" takes them.
void collectChoices(const nlohmann::json& schema, const std::string& path, std::vector<std::string>& sets)
{
    if (schema.contains("properties")) {
        for (const auto& [key, value] : schema["properties"].items())
            collectChoices(value, path.empty() ? key : path + "." + key, sets);
    } else if (schema.contains("enum")) {
        for (const auto& word : schema["enum"])
            sets.push_back(path + "=" + word.dump());
    } else if (schema.value("type", "") == "boolean") {
        sets.push_back(path + "=true");
        sets.push_back(path + "=false");
    }
}

std::vector<std::string> allChoices()
{
    const auto schema = nlohmann::json::parse(scenarioSchema());
    std::vector<std::string> sets;
    collectChoices(schema, "", sets);
    collectChoices(schema["properties"]["workload"]["properties"]["phases"]["items"], "workload.phases.0", sets);
    for (const auto& part : std::filesystem::directory_iterator(scenarios + "/parts"))
        sets.push_back("nand.part=" + part.path().stem().string());
    return sets;
}

// Parts of the messages about drives that cannot be built, with the reason, and about values that contradict a choice
// made before them.
const std::vector<std::string> reasons{
    "start_gap overwrites pages in place",         // flash cannot be overwritten
    "PCM has no erase, which this firmware",       // ... and PCM not erased
    "has no commands for zones",                   // which are those of NVMe
    "active zones may hold",                       // pages of the write buffer
    "are too few for spare blocks",                // zones keep blocks to save a large buffer in
    "is too small for firmware's tables",          // a part with more pages needs more memory
    "reads that suspend need separate units",      // of which the drive has a fixed number
    "independent by plane need separate units",    // the same
    "a part with one plane has none to be",        // independent of
    "not with PCM, whose reads take",              // several accesses
    "a part with an id of 4 bytes at least",       // calibration reads it as its pattern
    "must be 1 if commands are placed by channel", // a superblock spans channels
    "must be none with channel.calibration",       // a pattern read would separate a suspended operation from its read
    "the part has no pSLC mode",                   // of which a cache is made
    "nothing in the drive takes power",            // so it cannot get warm
    "does not fit the blocks of a zone",           // a part with smaller blocks
    "needs a superblock of at least 2 dies",       // of which one holds parity
    "the reserved pSLC cache",                     // the size of a dynamic cache may be most of the drive
    "too small: firmware needs",                   // a page of all planes of a die needs a larger buffer
    "joined operations keep",                      // and a deeper unit
    "a trace phase needs a file",                  // a trace replaces a generator
    "an open loop needs a rate above zero",        // a closed loop has none
    "only a trace has dependent requests",         // in place of a generator
    "applies only to ",
    "software units need superblock mapping",
    "not with a part whose programs write word lines",
    "sectors can be distinguished on drives of up to 2 TiB",
    "programs of this part write word lines", // and operations are on single pages
    "needs completion \"write-through\"",
    "comes with a strobe: CONV and ONFI_SDR_0",
    "has no effect without channel.calibration", // the corner of the dies
    "superblock mapping needs a foreground unit",
    "PCM has no multi-plane commands",
    "PCM has no cache commands",
    "programs of PCM are not suspended",
    "must be false with a part that ages (wear)",
    "must be one with a pSLC cache, which takes all new data",
    "has no separate command and address lines",
    "only chips with a data strobe understand packets on separate command lines"};

bool isKnown(const std::string& message)
{
    return std::any_of(reasons.begin(), reasons.end(),
                       [&](const std::string& reason) { return contains(message, reason); });
}

// A file `content` that extends one with `base`; both are merged over the small drive.
class Inherited {
public:
    explicit Inherited(const std::string& base)
    {
        dir_.write("drive.json", good);
        basis_ = dir_.write("base.json", R"({"extends": "drive", )" + base + "}");
    }
    Scenario load(const std::string& content, const std::vector<Override>& sets = {}) const
    {
        return loadScenario(dir_.write("s.json", R"({"extends": "base", )" + content + "}"), {sets, scenarios, true});
    }
    std::string basis() const { return basis_; }

private:
    ScenarioDirectory dir_;
    std::string basis_;
};

} // namespace

TEST_CASE("parameters of an alternative that is not chosen have no effect")
{
    const Scenario usual = load();
    for (const char* set :
         {"host.nvme.lanes=2", "host.pata.mode=udma4", "host.ahci.submit=1us", "host.direct.latency=1us",
          "firmware.superblockMap.flush=park", "firmware.startGap.interval=5", "workload.phases.0.zipf.theta=1",
          "workload.phases.0.hotCold.space=10%", "workload.phases.0.desktop.nearDistance=4KiB",
          "workload.phases.0.desktop.reads={\"near\":0.5,\"sizes\":[{\"size\":\"8KiB\"}]}",
          "workload.phases.0.trace.file=x"}) {
        CAPTURE(set);
        CHECK(load({set}).resolvedJson == usual.resolvedJson);
    }
    CHECK(load({"host.interface=nvme", "host.sata.generation=3Gb/s"}).resolvedJson ==
          load({"host.interface=nvme"}).resolvedJson);
    CHECK(load({"channel.interface=NV_DDR_5", "channel.parameters.tOUT=9ns"}).resolvedJson ==
          load({"channel.interface=NV_DDR_5"}).resolvedJson);
    const std::vector<Override> superblocks{"firmware.ftl=superblock_map"};
    CHECK(load({superblocks[0], "firmware.pageMap.badBlockScan=scan", "firmware.pageMap.gc.lowBlocks=9",
                "firmware.pageMap.allocation=[\"way\",\"channel\",\"plane\",\"lun\"]"})
              .resolvedJson == load(superblocks).resolvedJson);
}

TEST_CASE("parameters of an alternative that is not chosen are checked")
{
    CHECK(contains(problem("host.nvme.lane=2"), "/host/nvme/lane: unknown key; did you mean \"lanes\"?"));
    CHECK(contains(problem("host.nvme.lanes=17"),
                   "/host/nvme/lanes: must be a whole number (1 to 16, a power of two), not 17"));
    CHECK(contains(problem("host.nvme.lanes=3"), "(1 to 16, a power of two), not 3"));
    CHECK(
        contains(problem("host.nvme.coalesceTime=150us"), "must be 0s to 25.5ms, a multiple of 100us, not \"150us\""));
    CHECK(contains(problem("host.nvme=3"), "/host/nvme: must be an object"));
    CHECK(contains(problem("host.pata.mode=fast"), "/host/pata/mode: must be "));
    CHECK(contains(problem("firmware.startGap.interval=-1"), "/firmware/startGap/interval: must be "));
    CHECK(contains(problem("workload.phases.0.zipf.theta=11"), "/workload/phases/0/zipf/theta: must be a number"));
    CHECK(contains(problem("workload.phases.0.desktop.reads.sizes=[{}]"),
                   "/workload/phases/0/desktop/reads/sizes/0/size: is missing and has no default"));
    CHECK(contains(problem("host.nvme.weights.high=2"), "applies only to arbitration weighted, but arbitration is "));
}

TEST_CASE("a value written before the choice that takes its effect away is no mistake")
{
    const Inherited drive(R"("firmware": {"overProvisioning": "20%", "completion": "write-through",
                               "pageMap": {"serialWrites": true}},
        "host": {"interface": "nvme", "queueDepth": 1000},
        "channel": {"clock": "50MHz", "calibration": {"enabled": true, "margin": 3}},
        "nand": {"part": {"extends": "k9f1g08u0a", "id": [1, 2, 3, 4]}},
        "controller": {"multiPlane": true, "planesAtOnce": 2, "superchip": {"bus": 1}},
        "workload": {"phases": [{"name": "x", "requests": 1, "blockSize": "8KiB",
                                 "pacing": {"mode": "closed", "queueDepth": 8}}]})");
    const auto with = [&](const std::string& content) { return drive.load(content); };
    const auto plain = with(R"("name": "plain", "controller": {"planesAtOnce": null})");
    CHECK(plain.firmware.serialWrites);
    CHECK(plain.channel.calibration.isEnabled);
    CHECK(plain.host.queueDepth == 1000);

    const std::string one = R"("controller": {"planesAtOnce": null}, )";
    CHECK(with(one + R"("firmware": {"capacity": "64MiB"})").firmware.capacitySectors == 131'072);
    CHECK_FALSE(with(one + R"("firmware": {"completion": "write-back"})").firmware.serialWrites);
    CHECK(with(one + R"("host": {"interface": "sata"})").host.queueDepth == 32);
    CHECK(with(one + R"("host": {"interface": "pata"})").host.queueDepth == 1);
    CHECK(with(one + R"("host": {"interface": "direct"})").host.queueDepth == 1000);
    const Scenario slow = with(one + R"("channel": {"interface": "ONFI_SDR_0"})");
    CHECK(slow.channel.timing.cycle == 100ns);
    const Scenario strobed = with(one + R"("channel": {"interface": "NV_DDR_5"})");
    CHECK_FALSE(strobed.channel.calibration.isEnabled);
    CHECK_FALSE(nlohmann::json::parse(strobed.resolvedJson)["channel"]["calibration"].contains("margin"));
    CHECK(drive.load(R"("controller": {"multiPlane": false})").channel.join.multiPlane == false);
    const Scenario open = drive.load(one + R"("name": "open")",
                                     {"workload.phases.0.pacing.rate=5/s", "workload.phases.0.pacing.mode=open"});
    CHECK(open.workload.phases[0].pacing.interval == 200ms);
}

TEST_CASE("a value written with the choice that takes its effect away, or after it, is a mistake")
{
    const Inherited drive(R"("firmware": {"capacity": "64MiB"}, "host": {"interface": "pata"})");
    CHECK_THROWS_WITH(drive.load(R"("firmware": {"overProvisioning": "20%"})"),
                      Catch::Matchers::Contains("/firmware/overProvisioning: applies only to capacity auto, but the "
                                                "capacity is given; leave it out"));
    CHECK_THROWS_WITH(drive.load(R"("host": {"queueDepth": 2})"),
                      Catch::Matchers::Contains("/host/queueDepth: parallel ATA has one command at a time"));
    CHECK_THROWS_WITH(drive.load(R"("host": {"interface": "sata", "queueDepth": 33})"),
                      Catch::Matchers::Contains("/host/queueDepth: SATA has 32 tags"));
    CHECK(problems({"host.queueDepth=33", "host.interface=ahci"}).empty());
    CHECK(problems({"host.interface=ahci", "host.queueDepth=33"}).size() == 1);
}

TEST_CASE("corner and environment of the dies have an effect only where data out is calibrated")
{
    const char* const id = R"("nand": {"part": {"extends": "k9f1g08u0a", "id": [1, 2, 3, 4]}, "corner": "slow"},
        "environment": {"supply": "90%", "temperature": 70, "changes": [{"at": "5ms", "temperature": 25}]}, )";
    const Inherited drive(std::string(id) + R"("channel": {"calibration": {"enabled": true}})");
    const Scenario calibrated = drive.load(R"("name": "calibrated")");
    CHECK(calibrated.nand.corner == nand::Corner::Slow);
    CHECK(calibrated.environment.changes.size() == 1);
    const Scenario other = drive.load(R"("channel": {"calibration": {"enabled": false}})");
    CHECK(other.nand.corner == nand::Corner::Typical);
    CHECK(other.environment.supplyPermille == 1'000);
    CHECK(other.environment.celsius == 25);
    CHECK(other.environment.changes.empty());
    CHECK(contains(problem("nand.corner=slow"), "/nand/corner: has no effect without channel.calibration"));
    CHECK(contains(problem("environment.supply=90%"), "/environment/supply: has no effect"));
    CHECK(contains(problem("environment.temperature=70"), "/environment/temperature: has no effect"));
}

TEST_CASE("the image of another layer is a mistake, but for one that was chosen before the layer")
{
    const Inherited drive(R"("firmware": {"image": "page_map_marked"})");
    CHECK(drive.load(R"("firmware": {"ftl": "superblock_map"})").firmware.image == "superblock_map");
    CHECK(contains(problems({"firmware.ftl=superblock_map", "firmware.image=page_map_marked"}).at(0),
                   "/firmware/image: \"page_map_marked\" is of the layer page_map, but /firmware/ftl, for which the "
                   "drive is configured, is superblock_map"));
    CHECK(contains(
        problems({"firmware.image=./somewhere/strobe_firmware_start_gap.elf"}).at(0),
        "/firmware/image: \"./somewhere/strobe_firmware_start_gap.elf\" is of the layer start_gap, but /firmware/ftl"));
    CHECK(load({"firmware.image=./strobe_firmware_page_map_marked.so"}).firmware.ftl == Ftl::PageMap);
    CHECK(load({"firmware.image=./start_gap.elf"}).firmware.image == "./start_gap.elf"); // of somebody else
}

TEST_CASE("the translation layer follows the part, and leaves what only others have without effect")
{
    CHECK(load().firmware.ftl == Ftl::PageMap);
    const std::vector<Override> pcm{"nand.part=aging-pcm2", "memory.size=256MiB"};
    CHECK(load(pcm).firmware.ftl == Ftl::StartGap);
    const Scenario changed = load({"nand.part.cell=PCM", "memory.size=256MiB"});
    CHECK(changed.nand.part.maxBadBlocks > 0);
    CHECK(changed.nand.factoryBadBlocks == 0); // start_gap does not handle bad blocks
    CHECK(contains(problems({"firmware.ftl=page_map", "nand.part=aging-pcm2"}).at(0),
                   "/nand/part/cell: PCM has no erase, which this firmware needs"));
    CHECK(contains(problem("firmware.ftl=start_gap"), "/firmware/ftl: start_gap overwrites pages in place"));

    const Inherited flash(R"("nand": {"factoryBadBlocks": 2}, "channel": {"suspend": "program"},
        "controller": {"multiPlane": true, "cacheOperations": true, "unitDepth": 8, "backgroundUnits": "software",
                       "superchip": {"bus": 2}, "foreground": true},
        "firmware": {"ftl": "superblock_map", "overProvisioning": "20%", "spareBlocks": 8, "completion": "write-back"},
        "memory": {"size": "256MiB"})");
    const Scenario same = flash.load(R"("name": "same")");
    CHECK(same.controller.backgroundUnits == BackgroundUnits::Software);
    const Scenario paged = flash.load(R"("firmware": {"ftl": "page_map"})");
    CHECK(paged.controller.backgroundUnits == BackgroundUnits::Hardware);
    CHECK(paged.controller.superchip.chips() == 1);
    CHECK(paged.channel.join.multiPlane);
    const Scenario gap = flash.load(R"("firmware": {"ftl": "auto"}, "nand": {"part": "aging-pcm2"})");
    CHECK(gap.firmware.ftl == Ftl::StartGap);
    CHECK_FALSE(gap.channel.join.multiPlane);
    CHECK_FALSE(gap.channel.join.cache);
    CHECK(gap.channel.join.suspend == channel::Suspend::None);
    CHECK(gap.nand.factoryBadBlocks == 0);
    CHECK(gap.controller.superchip.chips() == 1);

    const Inherited aged(R"("nand": {"part": "aging-slc", "preAged": 0.5})");
    CHECK(aged.load(R"("name": "aged")").nand.preAged == 0.5);
    CHECK(aged.load(R"("nand": {"part": "k9f1g08u0a"})").nand.preAged == 0);
    CHECK(contains(problem("nand.preAged=0.5"), "/nand/preAged: needs a part that ages (wear, errors)"));
    const Inherited clocked(R"("channel": {"wholeClocks": true})");
    CHECK(clocked.load(R"("nand": {"part": "aging-slc"})").nand.preAged == 0);
}

TEST_CASE("a key of an earlier version is named with its new place")
{
    CHECK(problem("host.generation=3Gb/s") ==
          "--set host.generation=3Gb/s: /host/generation: host.generation is now host.sata.generation");
    CHECK(contains(problem("firmware.gc.policy=greedy"), "firmware.gc is now firmware.pageMap.gc"));
    CHECK(contains(problem("workload.phases.0.theta=1"),
                   "/workload/phases/0/theta: workload.phases.0.theta is now workload.phases.0.zipf.theta"));
    CHECK(contains(problem("workload.phases.0.spread=false"),
                   "workload.phases.0.spread is now workload.phases.0.zipf.spread or hotCold.spread"));
    CHECK(contains(problem("workload.theta=1"), "unknown key"));
    CHECK(contains(problem("workload.phases.0.trace.theta=1"), "unknown key"));
}

TEST_CASE("one value changes any choice of a shipped drive, unless the drive cannot be built")
{
    std::vector<std::string> drives{scenarios + "/quickstart.json",
                                    scenarios + "/papers/ddr-nand/device.json",
                                    scenarios + "/papers/di-ssd/chip.json",
                                    scenarios + "/papers/di-ssd/device.json",
                                    scenarios + "/papers/hydra/wear.json",
                                    scenarios + "/papers/hydra/prototype.json",
                                    scenarios + "/papers/cps-sim/device.json",
                                    scenarios + "/papers/cps-sim/ftl.json",
                                    scenarios + "/papers/aging/drive.json",
                                    scenarios + "/papers/aging/pcm.json"};
    for (const auto& device : std::filesystem::directory_iterator(scenarios + "/devices"))
        drives.push_back(device.path().string());
    const std::vector<std::string> choices = allChoices();
    CHECK(choices.size() > 100);
    const std::size_t stride = test::isSanitized ? 29 : 1;
    std::size_t first = 0; // another one for each drive
    for (const std::string& drive : drives) {
        CAPTURE(drive);
        const bool works = loadScenario(drive, {{}, scenarios, false}).workload.phases.empty();
        for (std::size_t i = first++ % stride; i < choices.size(); i += stride) {
            const std::string& choice = choices[i];
            if (works && choice.rfind("workload", 0) == 0)
                continue; // a device alone
            CAPTURE(choice);
            try {
                loadScenario(drive, {{choice}, scenarios, false});
            } catch (const ScenarioErrors& errors) {
                for (const std::string& message : errors.messages()) {
                    if (!isKnown(message))
                        FAIL_CHECK(message);
                }
            }
        }
    }
}
