// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/wear.h"

#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

#include <memory>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

struct TwoDies {
    TwoDies()
    {
        part.geometry = {1, 8, 4, 2048, 64};
        for (std::uint16_t id = 0; id < 2; ++id)
            dies.push_back(std::make_unique<nand::Die>(DieId{id}, part, id, Rng(1, "bad blocks")));
    }
    Dies view() const { return {dies[0].get(), dies[1].get()}; }
    void erase(std::size_t die, std::uint32_t block, nand::Purpose purpose = nand::Purpose::Host)
    {
        nand::Operation op = nand::test::make(nand::Opcode::Erase, {block, 0});
        op.purpose = purpose;
        now = dies[die]->issue(op, now);
        REQUIRE(op.status != nand::Status::Illegal);
    }
    std::uint32_t badBlock() const
    {
        for (std::uint32_t block = 0; block < 8; ++block) {
            if (dies[1]->block(block).factoryBad)
                return block;
        }
        FAIL("a bad block was asked for");
        return 0;
    }
    std::uint32_t goodBlock() const { return badBlock() == 1 ? 2 : 1; }

    nand::Part part = nand::test::smallPart();
    std::vector<std::unique_ptr<nand::Die>> dies;
    Time now{};
};

} // namespace

TEST_CASE("a wear map has every block of every die, bad ones named")
{
    TwoDies two;
    two.erase(0, 3);
    two.erase(0, 3);
    two.erase(1, two.goodBlock());
    const std::vector<DieWear> map = wearMapOf(two.view(), 1);
    REQUIRE(map.size() == 2);
    CHECK(map[0].channel == 0);
    CHECK(map[0].position == 0);
    CHECK(map[0].erases == std::vector<std::uint32_t>{0, 0, 0, 2, 0, 0, 0, 0});
    CHECK(map[0].factoryBad.empty());
    CHECK(map[1].channel == 1);
    CHECK(map[1].erases[two.goodBlock()] == 1);
    CHECK(map[1].factoryBad == std::vector<std::uint32_t>{two.badBlock()});
    CHECK(wearMapOf(two.view(), 2)[1].position == 1);
}

TEST_CASE("a sample of wear omits unused and bad blocks")
{
    TwoDies two;
    const WearSample none = wearSample(two.view(), 1ms, 5);
    CHECK(none.blocks == 0);
    CHECK(none.minimum == 0);
    CHECK(none.maximum == 0);
    for (int i = 0; i < 5; ++i)
        two.erase(0, 3);
    two.erase(1, two.goodBlock());
    const WearSample some = wearSample(two.view(), 2ms, 4096);
    CHECK(some.at == 2ms);
    CHECK(some.writtenBytes == 4096);
    CHECK(some.blocks == 2);
    CHECK(some.minimum == 1);
    CHECK(some.maximum == 5);
    CHECK(some.erases == 6);
}

TEST_CASE("a sample of wear omits blocks while they hold metadata")
{
    TwoDies two;
    two.erase(0, 3);
    for (int i = 0; i < 9; ++i)
        two.erase(0, 4, nand::Purpose::Metadata);
    CHECK(wearSample(two.view(), 1ms, 0).maximum == 1);
    two.erase(0, 4);
    CHECK(wearSample(two.view(), 2ms, 0).maximum == 10);
}

TEST_CASE("the summary of wear also counts unused blocks")
{
    TwoDies two;
    two.erase(0, 3);
    two.erase(0, 3);
    const WearReport wear = wearOf(two.view());
    CHECK(wear.blocks == 16);
    CHECK(wear.factoryBad == 1);
    CHECK(wear.minimum == 0);
    CHECK(wear.maximum == 2);
    CHECK(wear.erases == 2);
    CHECK(wear.histogram == std::vector<std::uint64_t>{14, 0, 1});
}
