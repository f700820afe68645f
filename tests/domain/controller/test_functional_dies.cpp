// SPDX-License-Identifier: Apache-2.0
#include "models/controller/functional_dies.h"
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

struct Untimed {
    Bench bench;
    FunctionalDies dies{bench.controller.config(), diesOf(bench), 7us};
    std::uint32_t sectors = bench.controller.config().die.sectorsPerPage();

    static FunctionalDies::Dies diesOf(const Bench& bench)
    {
        FunctionalDies::Dies found;
        for (const auto& die : bench.dies)
            found.push_back(die.get());
        return found;
    }
    nand::Operation page(nand::Opcode opcode, nand::PageAddress at, Content data) const
    {
        nand::Operation op;
        op.opcode = opcode;
        op.target = at;
        op.sectors = sectors;
        op.data = data;
        return op;
    }
};

} // namespace

TEST_CASE("an operation of a die has its outcome at once")
{
    Untimed u;
    nand::Spare record{1, 2, 3, 4};
    CHECK(u.dies.programRun({DieId{0}, {1, 0}, &record}, makeTag(500, 2)));
    std::vector<std::byte> read(u.sectors * stride(DataMode::Tags));
    nand::Operation op = u.page(nand::Opcode::Read, {1, 0}, {read.data(), DataMode::Tags});
    CHECK(u.dies.execute(op).code == StatusCode::Ok);
    SectorTag second = 0;
    std::memcpy(&second, read.data() + sizeof second, sizeof second);
    CHECK(second == makeTag(501, 2));
    CHECK(op.spare == record);
    nand::Operation blank = u.page(nand::Opcode::Read, {1, 1}, {read.data(), DataMode::Tags});
    CHECK(u.dies.execute(blank).blank);
}

TEST_CASE("pages outside of the flash are not pages, and blocks that are worn out are known")
{
    Untimed u;
    nand::Spare record{};
    CHECK(u.dies.isPage({DieId{0}, {1, 0}, &record}));
    CHECK_FALSE(u.dies.isPage({DieId{99}, {1, 0}, &record}));
    CHECK_FALSE(u.dies.isPage({DieId{0}, {1, 4}, &record}));
    CHECK_FALSE(u.dies.isPage({DieId{0}, {8, 0}, &record}));
    CHECK_FALSE(u.dies.isWornOut(DieId{0}, 1));
    u.dies[DieId{0}].wearOut(1);
    CHECK(u.dies.isWornOut(DieId{0}, 1));
    CHECK_FALSE(u.dies.isWornOut(DieId{99}, 1));
}

TEST_CASE("a program that fails is an outcome and a failure in the log")
{
    Untimed u;
    u.dies[DieId{0}].wearOut(2);
    nand::Spare record{};
    CHECK_FALSE(u.dies.programRun({DieId{0}, {2, 0}, &record}, makeTag(500, 2)));
    CHECK(u.dies.failures().total() == 0);
    CHECK(u.dies.program({DieId{0}, {2, 0}, &record}, {}) == StatusCode::ProgramFailed);
    CHECK(u.dies.failures().total() == 1);
}
