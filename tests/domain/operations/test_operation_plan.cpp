// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/nand/die.h"
#include "models/operations/operation_plan.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <map>

using namespace strobe;
using namespace strobe::operations;
using namespace std::chrono_literals;
using nand::Opcode;

namespace {

constexpr nand::ArrayGeometry array{2, 2, 1};

bool all(DieId, std::uint32_t)
{
    return true;
}

nand::DieGeometry geometry(std::uint32_t planes = 1)
{
    return {planes, 40, 8, 2048, 64};
}

OperationsConfig paperMix()
{
    OperationsConfig config;
    config.reads = 617;
    config.programs = 263;
    config.erases = 82;
    config.copyBacks = 38;
    config.dies = DieChoice::Random;
    return config;
}

std::size_t countOf(const OperationPlan& plan, Opcode opcode)
{
    return static_cast<std::size_t>(std::count_if(plan.measured.begin(), plan.measured.end(),
                                                  [&](const PlannedOperation& op) { return op.opcode == opcode; }));
}

} // namespace

TEST_CASE("a mix has the given number of operations of each kind, in an order that its seed decides")
{
    const OperationPlan plan = makePlan(paperMix(), array, geometry(), 1, all);
    CHECK(plan.measured.size() == 1000);
    CHECK(countOf(plan, Opcode::Read) == 617);
    CHECK(countOf(plan, Opcode::Program) == 263);
    CHECK(countOf(plan, Opcode::Erase) == 82);
    CHECK(countOf(plan, Opcode::CopyBack) == 38);
    CHECK(plan.measured == makePlan(paperMix(), array, geometry(), 1, all).measured);
    CHECK_FALSE(plan.measured == makePlan(paperMix(), array, geometry(), 2, all).measured);
    const auto firstReads = std::find_if(plan.measured.begin(), plan.measured.end(),
                                         [](const PlannedOperation& op) { return op.opcode != Opcode::Read; });
    CHECK(firstReads - plan.measured.begin() < 50); // not one kind after the other
}

TEST_CASE("the order of kinds does not depend on the number of dies")
{
    const OperationPlan one = makePlan(paperMix(), {1, 1, 1}, {1, 400, 8, 2048, 64}, 5, all);
    const OperationPlan four = makePlan(paperMix(), {1, 4, 1}, {1, 400, 8, 2048, 64}, 5, all);
    REQUIRE(one.measured.size() == four.measured.size());
    for (std::size_t i = 0; i < one.measured.size(); ++i)
        CHECK(one.measured[i].opcode == four.measured[i].opcode);
}

TEST_CASE("dies take an operation each in turn, or are drawn")
{
    OperationsConfig config;
    config.reads = 400;
    const OperationPlan turns = makePlan(config, array, geometry(), 1, all);
    for (std::size_t i = 0; i < turns.measured.size(); ++i)
        CHECK(raw(turns.measured[i].die) == i % 4);
    config.dies = DieChoice::Random;
    std::map<std::uint16_t, int> drawn;
    for (const PlannedOperation& op : makePlan(config, array, geometry(), 1, all).measured)
        ++drawn[raw(op.die)];
    REQUIRE(drawn.size() == 4);
    for (const auto& [die, times] : drawn) {
        CHECK(times > 70);
        CHECK(times < 130);
    }
}

TEST_CASE("a die carries out a plan without refusing anything, and finds data where it is read", "[plan]")
{
    const std::uint32_t planes = GENERATE(1U, 2U);
    nand::Part part;
    part.geometry = geometry(planes);
    part.times = {25us, 200us, 2ms, 5us, 5us, 10us, 500us};
    std::vector<std::unique_ptr<nand::Die>> dies;
    for (std::uint16_t i = 0; i < 4; ++i)
        dies.push_back(std::make_unique<nand::Die>(DieId{i}, part, 5, Rng(3, "bad " + std::to_string(i))));
    const OperationPlan plan = makePlan(paperMix(), array, part.geometry, 7, [&](DieId die, std::uint32_t block) {
        return !dies[raw(die)]->block(block).factoryBad;
    });
    CHECK(plan.prepare.size() == std::size_t{4} * planes * 4 * 8); // dies, planes, blocks, pages
    for (const auto* phase : {&plan.prepare, &plan.measured}) {
        for (const PlannedOperation& planned : *phase) {
            nand::Operation op;
            op.opcode = planned.opcode;
            op.target = planned.target;
            op.source = planned.source;
            nand::Die& die = *dies[raw(planned.die)];
            die.issue(op, die.readyAt());
            REQUIRE(op.status == nand::Status::Ok);
            CHECK_FALSE((op.opcode == Opcode::Read && op.blank));
        }
    }
}

TEST_CASE("operations of a kind go from plane to plane at equal pages, so that they may be joined")
{
    OperationsConfig config;
    config.reads = 20;
    const OperationPlan reads = makePlan(config, {1, 1, 1}, geometry(2), 1, all);
    for (std::size_t i = 0; i < 20; i += 2) {
        CHECK(reads.measured[i].target.block % 2 == 0);
        CHECK(reads.measured[i + 1].target.block == reads.measured[i].target.block + 1);
        CHECK(reads.measured[i + 1].target.page == reads.measured[i].target.page);
    }
}

TEST_CASE("a list is taken as it is, after the preparation")
{
    OperationsConfig config;
    config.preparedBlocks = 1;
    config.list = {{Opcode::Erase, DieId{3}, {7, 0}, {}}, {Opcode::Read, DieId{0}, {0, 2}, {}}};
    const OperationPlan plan = makePlan(config, array, geometry(), 1, all);
    CHECK(plan.measured == config.list);
    CHECK(plan.prepare.size() == 32);
}

TEST_CASE("a die without an erased block left for the mix is a mistake of the scenario")
{
    OperationsConfig config;
    config.programs = 37 * 8;
    config.preparedBlocks = 4;
    CHECK_THROWS_AS(makePlan(config, {1, 1, 1}, geometry(), 1, all), ConfigError);
    config.programs = 36 * 8;
    CHECK(makePlan(config, {1, 1, 1}, geometry(), 1, all).measured.size() == 36 * 8);
}
