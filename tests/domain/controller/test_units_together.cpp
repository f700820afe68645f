// SPDX-License-Identifier: Apache-2.0
//
// Interactions of units: coarse interleaving, priority and what it counts.
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

FlashControllerConfig twoDies(std::uint32_t units)
{
    FlashControllerConfig config;
    config.array = {1, 2, 1};
    config.units = units;
    return config;
}

} // namespace

TEST_CASE("with coarse interleaving an erase keeps the bus from its command to its status")
{
    FlashControllerConfig config = twoDies(2);
    const auto secondErase = [&](Interleaving interleaving) {
        config.interleaving = interleaving;
        Bench bench(config);
        for (std::uint32_t unit = 0; unit < 2; ++unit) {
            bench.put(unit, descriptor(SuperchipOpcode::Erase, unit, 2));
            bench.head(unit, descriptorAt(unit));
        }
        bench.run();
        return bench.sent.at(1).at;
    };
    const Time start = 2 * Bench::burst(64); // both descriptors go through one memory
    CHECK(secondErase(Interleaving::Fine) == start);
    CHECK(secondErase(Interleaving::Coarse) == Bench::burst(64) + Bench::request + 2ms + Bench::statusRead);
}

TEST_CASE("with coarse interleaving foreground operations have the bus next, then the others in order")
{
    FlashControllerConfig config = twoDies(2);
    config.hasForeground = true;
    config.interleaving = Interleaving::Coarse;
    Bench bench(config);
    bench.put(0, descriptor(SuperchipOpcode::Erase, 0, 2));
    bench.put(1, descriptor(SuperchipOpcode::Erase, 1, 2));
    bench.put(2, pages(SuperchipOpcode::Read, 1, {3, 0}, 1, 0));
    for (std::uint32_t unit = 0; unit < 3; ++unit)
        bench.head(unit, descriptorAt(unit));
    bench.run();
    REQUIRE(bench.sent.size() == 3);
    CHECK(bench.sent[1].op.opcode == nand::Opcode::Read);
    CHECK(bench.sent[2].at == bench.sent[1].at + Bench::request + 25us + Bench::response);
}

TEST_CASE("the forwarder counts foreground operations that meet background work, on their chip and on their bus")
{
    FlashControllerConfig config = twoDies(2);
    config.hasForeground = true;
    for (const bool hasPriority : {true, false}) {
        config.hasPriority = hasPriority;
        Bench bench(config);
        bench.put(0, descriptor(SuperchipOpcode::Erase, 0, 2));
        bench.head(0, descriptorAt(0));
        bench.run(10us);
        bench.put(1, pages(SuperchipOpcode::Read, 0, {3, 0}, 1, 0)); // the erase's chip
        bench.put(2, pages(SuperchipOpcode::Read, 1, {3, 0}, 1, 0)); // the other one
        bench.head(2, descriptorAt(1));
        bench.run();
        bench.put(0, descriptor(SuperchipOpcode::Erase, 0, 2));
        bench.head(0, descriptorAt(0));
        bench.run(bench.now + 10us);
        bench.head(2, descriptorAt(2));
        bench.run();
        bench.head(2, descriptorAt(2)); // nothing to meet
        bench.run();
        const ForwarderCounters& counters = bench.controller.forwarder().counters();
        CHECK(counters.operations == (hasPriority ? 3 : 0));
        CHECK(counters.atOperation == (hasPriority ? 1 : 0));
        CHECK(counters.atPrimitive == (hasPriority ? 1 : 0));
        CHECK(bench.sent.back().op.priority == (hasPriority ? nand::Priority::Foreground : nand::Priority::Background));
    }
}
