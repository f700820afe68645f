// SPDX-License-Identifier: Apache-2.0
//
// Descriptors of blocks in pSLC mode, with and without time, on a part that programs word lines of two pages.
#include "models/controller/functional_flash.h"
#include "tests/domain/controller/controller_bench.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;

namespace {

nand::Part pslcPart()
{
    nand::Part part = benchPart();
    part.cell = nand::CellTechnology::Mlc;
    part.geometry.pagesPerProgram = 2;
    part.geometry.pslcPages = part.geometry.pagesPerBlock / 2;
    part.pslc.tPROG = 75us;
    part.pslc.tR = 9us;
    part.pslc.tBERS = 1ms;
    return part;
}

FlashDescriptor inPslc(FlashDescriptor d)
{
    d.isPslc = true;
    return d;
}

// The same descriptors with time, or without.
struct Drive {
    Drive(bool isTimed, const nand::Part& part, const FlashControllerConfig& config = Bench::oneUnit())
        : bench(config, part)
    {
        FunctionalFlash::Dies dies;
        for (const auto& die : bench.dies)
            dies.push_back(die.get());
        if (!isTimed) {
            buffer = std::make_unique<memory::FunctionalBuffer>(bench.memory, part.geometry.sectorsPerPage());
            flash = std::make_unique<FunctionalFlash>(bench.controller, dies, *buffer, nullptr, bench.now);
        }
    }
    StatusCode execute(const FlashDescriptor& d)
    {
        bench.put(0, d);
        if (flash == nullptr) {
            bench.head(0, descriptorAt(0));
            bench.run();
        } else {
            CHECK(flash->writeRegister(regs::flash::UNIT_HEAD, raw(descriptorAt(0))));
            while (flash->step()) {
            }
        }
        return bench.outcome(0).code;
    }

    Bench bench;
    std::unique_ptr<memory::FunctionalBuffer> buffer;
    std::unique_ptr<FunctionalFlash> flash;
};

} // namespace

TEST_CASE("pages of a block in pSLC mode are programmed one by one")
{
    const bool isTimed = GENERATE(true, false);
    Drive drive(isTimed, pslcPart());
    CHECK(drive.execute(inPslc(descriptor(SuperchipOpcode::Erase, 0, 2))) == StatusCode::Ok);
    CHECK(drive.bench.dies[0]->block(2).pslc);
    drive.bench.putTags(0, 100, 4);
    CHECK(drive.execute(inPslc(pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0))) == StatusCode::Ok);
    drive.bench.putTags(0, 200, 4);
    CHECK(drive.execute(inPslc(pages(SuperchipOpcode::Program, 0, {2, 1}, 1, 0))) == StatusCode::Ok);
    CHECK(drive.execute(inPslc(pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 16))) == StatusCode::Ok);
    CHECK(drive.bench.hasTags(16, 100, 4));
    CHECK(drive.execute(inPslc(pages(SuperchipOpcode::Read, 0, {2, 1}, 1, 16))) == StatusCode::Ok);
    CHECK(drive.bench.hasTags(16, 200, 4));
    CHECK(drive.bench.dies[0]->counters().pslc.programs == 2);
    CHECK(drive.execute(descriptor(SuperchipOpcode::Erase, 0, 2)) == StatusCode::Ok);
    CHECK_FALSE(drive.bench.dies[0]->block(2).pslc);
}

TEST_CASE("a read in the other mode is uncorrectable, of erased cells blank; a program is illegal")
{
    const bool isTimed = GENERATE(true, false);
    Drive drive(isTimed, pslcPart());
    drive.execute(inPslc(descriptor(SuperchipOpcode::Erase, 0, 2)));
    drive.bench.putTags(0, 100, 8);
    drive.execute(inPslc(pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0)));
    CHECK(drive.execute(pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 16)) == StatusCode::Uncorrectable);
    CHECK(drive.execute(pages(SuperchipOpcode::Read, 0, {2, 2}, 1, 16)) == StatusCode::Ok);
    CHECK(drive.bench.outcome(0).blank);
    CHECK(drive.execute(pages(SuperchipOpcode::Program, 0, {2, 2}, 2, 0)) == StatusCode::Illegal);
    CHECK(drive.execute(pages(SuperchipOpcode::Program, 0, {3, 0}, 2, 0)) == StatusCode::Ok);
    CHECK(drive.execute(inPslc(pages(SuperchipOpcode::Program, 0, {3, 1}, 1, 0))) == StatusCode::Illegal);
}

TEST_CASE("a descriptor in pSLC mode is malformed beyond the pages of the mode, or on a part without it")
{
    const bool isTimed = GENERATE(true, false);
    Drive drive(isTimed, pslcPart());
    const std::uint32_t pslcPages = pslcPart().geometry.pslcPages;
    CHECK(drive.execute(inPslc(pages(SuperchipOpcode::Read, 0, {2, pslcPages}, 1, 0))) == StatusCode::Malformed);
    CHECK(drive.execute(inPslc(pages(SuperchipOpcode::Read, 0, {2, pslcPages - 1}, 1, 0))) == StatusCode::Ok);

    nand::Part without = pslcPart();
    without.geometry.pslcPages = 0;
    Drive other(isTimed, without);
    CHECK(other.execute(inPslc(pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 0))) == StatusCode::Malformed);
    CHECK(other.execute(inPslc(descriptor(SuperchipOpcode::Erase, 0, 2))) == StatusCode::Malformed);
    const FailureLog& log = isTimed ? other.bench.controller.failures() : other.flash->failures();
    CHECK(log.total() == 2);
}

TEST_CASE("a copy-back in pSLC mode moves single pages, also where programs write word lines")
{
    const bool isTimed = GENERATE(true, false);
    Drive drive(isTimed, pslcPart());
    for (const std::uint32_t block : {2U, 4U})
        drive.execute(inPslc(descriptor(SuperchipOpcode::Erase, 0, block)));
    drive.bench.putTags(0, 100, 4);
    drive.execute(inPslc(pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0)));
    FlashDescriptor copy = inPslc(descriptor(SuperchipOpcode::CopyBack, 0, 4));
    copy.sectors = 4;
    copy.sourceBlocks = 2;
    CHECK(drive.execute(copy) == StatusCode::Ok);
    CHECK(drive.execute(inPslc(pages(SuperchipOpcode::Read, 0, {4, 0}, 1, 16))) == StatusCode::Ok);
    CHECK(drive.bench.hasTags(16, 100, 4));
}

TEST_CASE("a read in pSLC mode takes a read option too, and reports the bits corrected")
{
    const bool isTimed = GENERATE(true, false);
    nand::Part part = pslcPart();
    part.endurance = 1000;
    part.errors.kind = nand::ErrorModelKind::Formula;
    part.errors.formula.e = 0.5; // a page of noise, but in pSLC mode
    part.errors.formula.pslcFactor = 0.004;
    part.errors.options.resize(3);
    FlashControllerConfig config = Bench::oneUnit();
    config.ecc.code.correctableBits = 100;
    config.ecc.code.codewordBytes = 1024;
    Drive drive(isTimed, part, config);
    drive.bench.bitErrors = isTimed ? 33 : 0; // that bench replaces those of the die
    drive.execute(inPslc(descriptor(SuperchipOpcode::Erase, 0, 2)));
    drive.bench.putTags(0, 100, 4);
    CHECK(drive.execute(inPslc(pages(SuperchipOpcode::Program, 0, {2, 0}, 1, 0))) == StatusCode::Ok);

    FlashDescriptor read = inPslc(pages(SuperchipOpcode::Read, 0, {2, 0}, 1, 16));
    read.hasReadOption = true;
    read.sourceBlocks = 2 | 1U << 8 | 4U << 12;
    drive.bench.dies[0]->errors()->setOption(2); // as SET FEATURES of the channel does
    CHECK(drive.execute(read) == StatusCode::Ok);
    CHECK(drive.bench.hasTags(16, 100, 4));
    CHECK(drive.bench.outcome(0).page > 10);
    CHECK(drive.bench.outcome(0).page <= 100);
    if (isTimed) {
        const nand::Operation& op = drive.bench.sent.back().op;
        CHECK(op.pslc);
        CHECK(op.readOption == 2);
        CHECK(op.senses == 1);
        CHECK(op.attempt == 4);
    }
    read.sourceBlocks = 4; // the part has three
    CHECK(drive.execute(read) == StatusCode::Illegal);
}
