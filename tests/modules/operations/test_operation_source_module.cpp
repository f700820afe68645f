// SPDX-License-Identifier: Apache-2.0
#include "models/channel/channel_module.h"
#include "models/nand/die_module.h"
#include "models/operations/operation_source_module.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <memory>

using namespace strobe;
using namespace strobe::operations;
using namespace strobe::channel::test;
using nand::Opcode;
using strobe::test::KernelFixture;

namespace {

// `ways` dies on one bus, without a status read: the chip and the clock of the CPS-SIM paper, by number.
struct Rig {
    Rig(const nand::Part& chip, const channel::InterfaceTiming& interface, std::uint16_t ways,
        const OperationsConfig& config)
        : part(chip),
          source({{1, ways, 1}, part.geometry, DataMode::Tags, config.queueDepth, 1000},
                 makePlan(config, {1, ways, 1}, part.geometry, 1, [](DieId, std::uint32_t) { return true; })),
          bus("bus", ChannelId{0}, channel::BusSchedule(interface, part), ways, channel::SegmentOrder::CommandsFirst),
          module("source", source, 1)
    {
        for (std::uint16_t i = 0; i < ways; ++i) {
            dies.push_back(std::make_unique<nand::Die>(DieId{i}, part, 0, Rng(1, "die")));
            wired.push_back(std::make_unique<nand::DieModule>(("die" + std::to_string(i)).c_str(), *dies.back()));
            bus.dies[i].bind(wired.back()->socket);
        }
        module.channels[0].bind(bus.host);
        module.onFinished([this] { ++finished; });
        module.onMeasuring([this] { ++measured; });
    }

    const nand::Operation& kept(std::size_t number) const { return source.kept().at(number); }

    nand::Part part;
    std::vector<std::unique_ptr<nand::Die>> dies;
    std::vector<std::unique_ptr<nand::DieModule>> wired;
    OperationSource source;
    channel::ChannelModule bus;
    OperationSourceModule module;
    int finished = 0;
    int measured = 0;
};

nand::Part paperChip()
{
    nand::Part part = makePart("CPS-SIM", 4096, 0, 3, 20us, 200us, 1500us);
    part.geometry.blocksPerPlane = 64;
    return part;
}

channel::InterfaceTiming clocked(Time clock)
{
    channel::InterfaceTiming timing;
    timing.name = "clocked";
    timing.cycle = clock;
    timing.tCS = 35 * clock;
    timing.statusAfterArray = false;
    return timing;
}

} // namespace

TEST_CASE("single operations take what equations 1 to 4 of the CPS-SIM paper say, at each clock")
{
    for (const Time clock : {50ns, 25ns, 5ns}) {
        KernelFixture kernel;
        OperationsConfig config;
        config.reads = config.programs = config.erases = config.copyBacks = 3;
        config.queueDepth = 1;
        Rig rig(paperChip(), clocked(clock), 1, config);
        kernel.run();
        REQUIRE(rig.module.isFinished());
        const nand::ArrayTimes& t = rig.part.times;
        const Time tBUS = 4096 * clock;
        const auto latency = [&](Opcode opcode) {
            const OpcodeResult& result = rig.source.result(opcode);
            CHECK(result.count == 3);
            CHECK(result.shortest == result.longest);
            return result.longest;
        };
        CHECK(latency(Opcode::Read) == (35 + 7 + 35) * clock + t.tR + tBUS);
        CHECK(latency(Opcode::Program) == (35 + 7) * clock + tBUS + t.tPROG);
        CHECK(latency(Opcode::Erase) == (35 + 5) * clock + t.tBERS);
        CHECK(latency(Opcode::CopyBack) == (35 + 14) * clock + t.tR + t.tPROG);
        CHECK(rig.source.problems() == 0);
        CHECK(rig.finished == 1);
        CHECK(rig.measured == 1);
    }
}

TEST_CASE("endless reads run at the rate of the slower of bus and chips")
{
    const std::uint16_t ways = GENERATE(std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{4});
    const Time clock = GENERATE(Time(25ns), picoseconds(1250));
    KernelFixture kernel;
    OperationsConfig config;
    config.reads = 400;
    Rig rig(paperChip(), clocked(clock), ways, config);
    kernel.run();
    const Time onBus = 77 * clock + 4096 * clock;
    const Time alone = onBus + 20us;
    const Time perPage = std::max(onBus, alone / ways);
    const Time elapsed = rig.source.end() - rig.source.begin();
    CHECK(elapsed >= 400 * perPage);
    CHECK(elapsed <= 400 * perPage + 2 * alone);
}

TEST_CASE("one after the other, or interleaved: the bus says which")
{
    KernelFixture kernel;
    OperationsConfig config;
    config.reads = 4;
    const bool isSerial = GENERATE(true, false);
    if (isSerial)
        config.queueDepth = 1;
    Rig rig(paperChip(), clocked(25ns), 4, config);
    kernel.run();
    const Time request = 42 * 25ns;
    const Time out = (35 + 4096) * 25ns;
    const Time alone = request + 20us + out;
    const Time begin = rig.source.begin();
    for (std::int64_t i = 0; i < 4; ++i) {
        const nand::Operation& op = rig.kept(static_cast<std::size_t>(i));
        CHECK(raw(op.die) == i);
        CHECK(op.requestStart - begin == (isSerial ? i * alone : i * request));
        CHECK(op.done - begin == (isSerial ? (i + 1) * alone : request + 20us + (i + 1) * out));
    }
}

TEST_CASE("an empty plan is finished at once")
{
    KernelFixture kernel;
    OperationsConfig config;
    config.preparedBlocks = 0;
    Rig rig(paperChip(), clocked(25ns), 1, config);
    kernel.run();
    CHECK(rig.module.isFinished());
    CHECK(rig.source.end() == Time{});
}

TEST_CASE("a mix is carried out whole, and every page read is what was written there")
{
    KernelFixture kernel;
    OperationsConfig config;
    config.reads = 617;
    config.programs = 263;
    config.erases = 82;
    config.copyBacks = 38;
    config.dies = DieChoice::Random;
    config.preparedBlocks = 8;
    Rig rig(paperChip(), clocked(5ns), 4, config);
    kernel.run();
    CHECK(rig.source.problems() == 0);
    CHECK(rig.source.kept().size() == 1000);
    std::uint64_t erases = 0;
    for (const auto& die : rig.dies)
        erases += die->counters().array.erases;
    CHECK(erases == 82);
    CHECK(rig.bus.interface().isIdle());
}
