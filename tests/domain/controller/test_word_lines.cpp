// SPDX-License-Identifier: Apache-2.0
//
// Descriptors that program word lines of two pages, with and without time.
#include "models/controller/functional_flash.h"
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

constexpr BusAddress tableAt = listsAt + 0x400;

nand::Part wordLinePart(nand::Part part = benchPart())
{
    part.geometry.pagesPerProgram = 2;
    part.times.tPBSY = 500ns;
    return part;
}

FlashControllerConfig withSlots(std::uint32_t slots)
{
    FlashControllerConfig config = Bench::oneUnit();
    config.unitOperations = slots;
    return config;
}

// The same descriptor with time, or without.
struct Drive {
    Drive(bool isTimed, const FlashControllerConfig& config, const nand::Part& part) : bench(config, part)
    {
        FunctionalFlash::Dies dies;
        for (const auto& die : bench.dies)
            dies.push_back(die.get());
        if (!isTimed) {
            buffer = std::make_unique<memory::FunctionalBuffer>(bench.memory, part.geometry.sectorsPerPage());
            flash = std::make_unique<FunctionalFlash>(bench.controller, dies, *buffer, nullptr, bench.now);
        }
    }
    void execute(const FlashDescriptor& d, std::uint32_t number = 0)
    {
        bench.put(number, d);
        if (flash == nullptr) {
            bench.head(0, descriptorAt(number));
            bench.run();
            return;
        }
        CHECK(flash->writeRegister(regs::flash::UNIT_HEAD, raw(descriptorAt(number))));
        while (flash->step()) {
        }
    }
    StatusCode code(std::uint32_t number = 0) { return bench.outcome(number).code; }

    Bench bench;
    std::unique_ptr<memory::FunctionalBuffer> buffer;
    std::unique_ptr<FunctionalFlash> flash;
};

FlashDescriptor commonSpare(FlashDescriptor d)
{
    d.commonSpare = true;
    d.spare = {1, 2, 3, 4};
    return d;
}

} // namespace

TEST_CASE("the pages of a word line are sent when the data of all of them is here, and end together")
{
    Bench bench(withSlots(2), wordLinePart());
    bench.putTags(0, 100, 8);
    bench.put(0, pages(SuperchipOpcode::Program, 0, {2, 2}, 2, 0));
    bench.head(0, descriptorAt(0));
    bench.run();
    CHECK(bench.outcome(0).code == StatusCode::Ok);
    REQUIRE(bench.sent.size() == 2);
    const Time fetched = Bench::burst(64) + 2 * Bench::burst(2048) + 2us;
    CHECK(bench.sent[0].op.target == nand::PageAddress{2, 2});
    CHECK(bench.sent[1].op.target == nand::PageAddress{2, 3});
    CHECK(bench.sent[0].at == fetched - Bench::burst(2048));
    CHECK(bench.sent[1].at == fetched);
    CHECK(bench.lines.at(0).at ==
          fetched + Bench::request + 200us + Bench::statusRead + Bench::burst(4) + Bench::burst(16));

    bench.put(1, pages(SuperchipOpcode::Read, 0, {2, 2}, 2, 16));
    bench.head(0, descriptorAt(1));
    bench.run();
    CHECK(bench.hasTags(16, 100, 8));
}

TEST_CASE("a descriptor may program several word lines, with and without slots to spare")
{
    const bool isTimed = GENERATE(true, false);
    const std::uint32_t slots = GENERATE(2U, 3U, 4U);
    Drive drive(isTimed, withSlots(slots), wordLinePart());
    drive.bench.putTags(0, 100, 16);
    drive.execute(commonSpare(pages(SuperchipOpcode::Program, 1 - 1, {2, 0}, 4, 0)));
    CHECK(drive.code() == StatusCode::Ok);
    CHECK(drive.bench.dies[0]->block(2).nextPage == 4);
    CHECK(drive.bench.dies[0]->cells().spareOf({2, 3}) == nand::Spare{1, 2, 3, 4});
    drive.execute(pages(SuperchipOpcode::Read, 0, {2, 0}, 4, 16), 1);
    CHECK(drive.bench.hasTags(16, 100, 16));
    CHECK(drive.bench.controller.isIdle());
}

TEST_CASE("a program of a part of a word line is malformed")
{
    const bool isTimed = GENERATE(true, false);
    Drive drive(isTimed, withSlots(4), wordLinePart());
    const auto refused = [&](const FlashDescriptor& d) {
        drive.execute(d);
        return drive.code() == StatusCode::Malformed;
    };
    CHECK(refused(pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0)));
    CHECK(refused(pages(SuperchipOpcode::Program, 0, {2, 1}, 2, 0)));
    CHECK(refused(pages(SuperchipOpcode::Program, 0, {2, 0}, 3, 0)));
    FlashDescriptor part = pages(SuperchipOpcode::Program, 0, {2, 0}, 2, 0);
    part.sectors -= 1;
    CHECK(refused(part));
    FlashDescriptor copy = descriptor(SuperchipOpcode::CopyBack, 0, 2);
    copy.sectors = 8;
    copy.sourceBlocks = 0;
    CHECK(refused(copy));
    CHECK(drive.bench.sent.empty());
    CHECK(drive.bench.dies[0]->block(2).nextPage == 0);
    const FailureLog& log = isTimed ? drive.bench.controller.failures() : drive.flash->failures();
    CHECK(log.total() == 5);
}

TEST_CASE("nothing of a word line is sent if the data of one of its pages is not there")
{
    const bool isTimed = GENERATE(true, false);
    Drive drive(isTimed, withSlots(2), wordLinePart(largePagePart()));
    FlashDescriptor d = descriptor(SuperchipOpcode::Program, 0, 2);
    d.sectors = 64;
    d.hasUnitTable = true;
    d.spareAddress = tableAt;
    drive.bench.putUnitTable(tableAt, {0, 1, 2, 3, 4, 5, 99, 7}, std::vector<nand::Spare>(8));
    drive.execute(d);
    CHECK(drive.code() == StatusCode::Malformed);
    CHECK(drive.bench.dies[0]->block(2).nextPage == 0);

    drive.bench.putTags(0, 500, 64);
    std::vector<nand::Spare> records;
    for (std::uint32_t i = 0; i < 8; ++i)
        records.push_back({i, 7, 8, 9});
    drive.bench.putUnitTable(tableAt, {7, 6, 5, 4, 3, 2, 1, 0}, records);
    drive.execute(d, 1);
    CHECK(drive.code(1) == StatusCode::Ok);
    CHECK(drive.bench.dies[0]->cells().spareOf({2, 0}, 1) == nand::Spare{1, 7, 8, 9});
    CHECK(drive.bench.dies[0]->cells().spareOf({2, 1}, 3) == nand::Spare{7, 7, 8, 9});
    FlashDescriptor read = descriptor(SuperchipOpcode::Read, 0, 2);
    read.sectors = 64;
    read.buffer = bufferAt(64);
    drive.execute(read, 2);
    for (std::uint32_t unit = 0; unit < 8; ++unit)
        CHECK(drive.bench.hasTags(64 + unit * 8, 500 + (7 - unit) * 8, 8));
}

TEST_CASE("a word line that fails stops its descriptor, whose next word line is not sent")
{
    const bool isTimed = GENERATE(true, false);
    const std::uint32_t slots = GENERATE(2U, 3U);
    Drive drive(isTimed, withSlots(slots), wordLinePart());
    drive.bench.dies[0]->wearOut(2);
    drive.execute(pages(SuperchipOpcode::Program, 0, {2, 0}, 4, 0));
    CHECK(drive.code() == StatusCode::ProgramFailed);
    CHECK(drive.bench.outcome(0).page == 0); // the first of the word line
    CHECK(drive.bench.dies[0]->counters().array.programs == 2);
    drive.execute(pages(SuperchipOpcode::Program, 0, {4, 0}, 4, 0), 1); // the slots are free again
    CHECK(drive.code(1) == StatusCode::Ok);
    CHECK(drive.bench.dies[0]->block(4).nextPage == 4);
}

TEST_CASE("an unaccepted word line leaves its block as it was")
{
    const bool isTimed = GENERATE(true, false);
    Drive drive(isTimed, withSlots(2), wordLinePart());
    drive.execute(pages(SuperchipOpcode::Program, 0, {2, 2}, 2, 0));
    drive.execute(pages(SuperchipOpcode::Program, 0, {2, 0}, 2, 0), 1);
    drive.execute(pages(SuperchipOpcode::Program, 0, {2, 2}, 2, 0), 2);
    CHECK(drive.code(0) == StatusCode::Ok);
    CHECK(drive.code(1) == StatusCode::Illegal);
    CHECK(drive.code(2) == StatusCode::Illegal);
    CHECK(drive.bench.outcome(2).page == 2); // the first of the word line
    CHECK(drive.bench.dies[0]->counters().array.programs == 2);
}

TEST_CASE("a unit with fewer slots than a word line has pages is refused")
{
    CHECK_THROWS_WITH(Bench(withSlots(1), wordLinePart()),
                      "flash controller: a unit that works on 1 operations at a time cannot program a word line of 2 "
                      "pages");
}
