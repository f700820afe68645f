// SPDX-License-Identifier: Apache-2.0
//
// The timelines of the Hydra paper, on real channels: pages of 2,048 bytes over buses of 40 MB/s take 51,200 ns, the
// command of a read 7 cycles of 25 ns, of an erase 5, of a program 7; a status read 2; tR 20 us, tPROG 200 us, tBERS 2
// ms.
#include "tests/modules/controller/rig.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;
using strobe::test::KernelFixture;

namespace {

constexpr Time data = 51'200ns;
constexpr Time readCommand = 175ns;

RigConfig hydra(SuperchipGeometry degrees)
{
    RigConfig config;
    config.array = {degrees.bus, degrees.chip, 1};
    config.superchip = degrees;
    config.unitOperations = 2 * degrees.chip;
    config.ecc = {};
    config.part = slcPart();
    config.part.geometry.spareBytes = 0;
    config.part.times.tR = 20us;
    config.part.columnCycles = 2;
    config.part.rowCycles = 3;
    config.timing.name = "40 MB/s";
    config.timing.cycle = 25ns;
    config.timing.bytesPerCycle = 1;
    return config;
}

// Reads the first superpages of a superblock into the buffer; returns when its operations went to the channels.
Time readSuperpages(Rig& rig, std::uint32_t superpages)
{
    const std::uint32_t chips = rig.controller.controller().superchips().chips();
    const BusAddress lists{0x80020000};
    for (std::uint32_t i = 0; i < chips; ++i) {
        const std::uint32_t block = 1;
        std::memcpy(rig.sdram.memory().bytes(lists + 4 * i, 4), &block, 4);
    }
    FlashDescriptor d = rig.page(SuperchipOpcode::Read, 0, {0, 0}, 0);
    d.inlineBlocks = d.inlineSpare = false;
    d.blocks = raw(lists);
    d.sectors = superpages * rig.controller.controller().superchips().sectorsPerSuperpage();
    rig.put(0, d);
    rig.head(0, 0);
    sc_core::sc_start(10, sc_core::SC_MS);
    REQUIRE(rig.outcome(0).code == StatusCode::Ok);
    return rig.burst(64) + rig.burst(4 * chips);
}

} // namespace

TEST_CASE("four buses of 40 MB/s bring 160 MB/s within a superpage, and idle for tR after it")
{
    KernelFixture kernel;
    Rig rig(hydra({4, 1}));
    const Time start = readSuperpages(rig, 3);
    for (const auto& channel : rig.channels) {
        const auto& bus = channel->interface().bus().usage();
        CHECK(bus.busy == 3 * (readCommand + data));
        CHECK(channel->interface().busFreeAt() == start + 3 * (readCommand + 20us + data)); // figure 5a
    }
    const std::int64_t bytesPerSecond = 4 * 2048 * std::int64_t{1'000'000'000'000} / data.count();
    CHECK(bytesPerSecond == 160'000'000);
}

TEST_CASE("two-way chip interleaving leaves no idle time between superpages")
{
    KernelFixture kernel;
    Rig rig(hydra({4, 2}));
    const Time start = readSuperpages(rig, 4);
    for (const auto& channel : rig.channels) {
        // The command of a chip's next page goes out when its data has: a command and a page of data, without a gap.
        CHECK(channel->interface().bus().usage().busy == 8 * (readCommand + data));
        const Time firstData = start + readCommand + 20us;
        CHECK(channel->interface().busFreeAt() == firstData + 8 * data + 6 * readCommand); // figure 5b
    }
}

TEST_CASE("longer array times need more chips in a row")
{
    KernelFixture kernel;
    RigConfig config = hydra({4, 2});
    config.part.times.tR = 80us; // more than one page of data
    Rig rig(config);
    const Time start = readSuperpages(rig, 2);
    // Both chips get a request, one's data goes out, it gets the next, the other's goes out; then the bus waits for tR
    // less what that took, and the last data waits for its own command after the other's data.
    CHECK(rig.channels[0]->interface().busFreeAt() == start + 2 * 80us + 3 * readCommand + 3 * data);
}

TEST_CASE("units share a bus as in figure 7: whole operations, or commands and data only")
{
    const auto interleaving = GENERATE(Interleaving::Coarse, Interleaving::Fine);
    const Time eraseTime = 125ns + 2ms + 50ns;
    const Time programTime = readCommand + data + 200us + 50ns;
    const Time readTime = readCommand + 20us + data;
    KernelFixture kernel;
    RigConfig config = hydra({1, 1});
    config.array = {1, 3, 1};
    config.units = 3;
    config.interleaving = interleaving;
    Rig rig(config);
    rig.put(0, rig.page(SuperchipOpcode::Erase, 0, {1, 0}, 0));
    rig.put(1, rig.page(SuperchipOpcode::Program, 1, {1, 0}, 0));
    rig.put(2, rig.page(SuperchipOpcode::Read, 2, {1, 0}, 8));
    for (std::uint32_t unit = 0; unit < 3; ++unit)
        rig.head(unit, unit);
    sc_core::sc_start(10, sc_core::SC_MS);
    const Time erased = rig.burst(64) + eraseTime;
    const auto& bus = rig.channels[0]->interface();
    CHECK(bus.die(0).usage().busy == eraseTime);
    CHECK(bus.die(1).usage().busy == programTime);
    if (interleaving == Interleaving::Coarse) { // figure 7a: read before program, whose data came later
        CHECK(bus.die(2).usage().busy == readTime);
        CHECK(bus.busFreeAt() == erased + readTime + programTime);
        return;
    }
    // Figure 7b. Descriptors at 164, 328 and 492 ns, the program's data at 2,640 ns: then its data goes in, and that of
    // the read, which is ready by 20,667 ns, comes out after it.
    const Time dataIn = 3 * rig.burst(64) + rig.burst(2048);
    CHECK(bus.die(2).usage().busy == dataIn + readCommand + data + data - 3 * rig.burst(64));
    CHECK(bus.busFreeAt() == erased);
}
