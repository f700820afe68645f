// SPDX-License-Identifier: Apache-2.0
//
// The XOR engine alone, and between the buses and memory: parity of two pages, and a page from the parity.
#include "models/controller/xor_engine.h"
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

constexpr std::uint32_t orderOf(std::uint32_t accumulator, std::uint32_t set, std::uint32_t count)
{
    return accumulator | set << 12 | count << 20;
}

struct Strip {
    std::vector<SectorTag> tags;
    std::vector<nand::Spare> records;

    XorEngine::Part part()
    {
        return {{reinterpret_cast<std::byte*>(tags.data()), DataMode::Tags},
                0,
                static_cast<std::uint32_t>(tags.size()),
                records.data(),
                0,
                static_cast<std::uint32_t>(records.size())};
    }
};

// A page of four sectors in block 2 of the only die.
FlashDescriptor page(SuperchipOpcode opcode, std::uint32_t number, std::uint32_t bufferSector, std::uint32_t order)
{
    FlashDescriptor d = descriptor(opcode, 0, 2);
    d.startSector = number * 4;
    d.sectors = 4;
    d.buffer = bufferAt(bufferSector);
    d.inlineSpare = true;
    d.hasParity = true;
    d.sourceSector = order;
    return d;
}

} // namespace

TEST_CASE("an accumulator holds the sum of what was added since it got another set")
{
    XorEngine engine;
    Strip a{{1, 2}, {{1, 1, 1, 1}}};
    Strip b{{4, 8}, {{2, 4, 8, 16}}};
    Strip sum{{99, 99}, {{}}};
    engine.program(XorEngine::order(orderOf(3, 1, 0)), a.part());
    engine.program(XorEngine::order(orderOf(3, 1, 0)), b.part());
    engine.program(XorEngine::order(orderOf(4, 1, 0)), b.part());
    engine.program(XorEngine::order(orderOf(3, 1, 1)), sum.part());
    CHECK(sum.tags == std::vector<SectorTag>{5, 10});
    CHECK(sum.records[0] == nand::Spare{3, 5, 9, 17});
    engine.program(XorEngine::order(orderOf(3, 2, 0)), a.part());
    engine.program(XorEngine::order(orderOf(3, 2, 1)), sum.part());
    CHECK(sum.tags == a.tags);
}

TEST_CASE("the last read of a set has the sum; blank pages add nothing")
{
    XorEngine engine;
    Strip a{{1, 2}, {}};
    Strip b{{7, 7}, {}};
    Strip c{{4, 8}, {}};
    const XorEngine::Order order = XorEngine::order(orderOf(4095, 255, 3));
    CHECK_FALSE(engine.read(order, a.part().data, 2, false));
    CHECK_FALSE(engine.read(order, b.part().data, 2, true));
    CHECK(engine.read(order, c.part().data, 2, false));
    CHECK(c.tags == std::vector<SectorTag>{5, 10});
}

TEST_CASE("units program the parity of two pages, and read one of them from the other and the parity")
{
    Bench bench;
    bench.putTags(0, 100, 4);
    bench.putTags(4, 700, 4);
    FlashDescriptor first = page(SuperchipOpcode::Program, 0, 0, orderOf(5, 1, 0));
    first.spare = {1, 2, 3, 4};
    FlashDescriptor second = page(SuperchipOpcode::Program, 1, 4, orderOf(5, 1, 0));
    second.spare = {16, 32, 64, 128};
    bench.put(0, first);
    bench.put(1, second);
    bench.put(2, page(SuperchipOpcode::Program, 2, 8, orderOf(5, 1, 1)));
    for (std::uint32_t number = 0; number < 3; ++number) {
        bench.head(0, descriptorAt(number));
        bench.run();
    }
    CHECK(bench.dies[0]->cells().spareOf({2, 2}, 0) == nand::Spare{17, 34, 67, 132});

    // The second page is missing.
    bench.put(3, page(SuperchipOpcode::Read, 0, 16, orderOf(6, 1, 2)));
    bench.put(4, page(SuperchipOpcode::Read, 2, 16, orderOf(6, 1, 2)));
    bench.head(0, descriptorAt(3));
    bench.run();
    CHECK_FALSE(bench.hasTags(16, 700, 4));
    bench.head(0, descriptorAt(4));
    bench.run();
    CHECK(bench.outcome(4).code == StatusCode::Ok);
    CHECK(bench.hasTags(16, 700, 4));
}

TEST_CASE("the XOR engine takes no other operations")
{
    const SuperchipMap map(Bench::oneUnit().array, benchPart().geometry, {});
    const memory::Region buffer{bufferAt(0), 1u << 16};
    const auto reasonOf = [&](void (*change)(FlashDescriptor&)) {
        FlashDescriptor d = page(SuperchipOpcode::Program, 0, 0, 0);
        d.inlineBlocks = true;
        change(d);
        return validate(d, map, buffer, false);
    };
    CHECK(reasonOf([](FlashDescriptor&) {}) == MalformedReason::None);
    CHECK(reasonOf([](FlashDescriptor& d) { d.inlineSpare = false; }) == MalformedReason::Option);
    CHECK(reasonOf([](FlashDescriptor& d) { d.opcode = SuperchipOpcode::Erase; }) == MalformedReason::Option);
    CHECK(reasonOf([](FlashDescriptor& d) {
              d.opcode = SuperchipOpcode::Read;
              d.inlineSpare = false;
              d.sectors = 8;
          }) == MalformedReason::Option);
}
