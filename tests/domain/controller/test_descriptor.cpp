// SPDX-License-Identifier: Apache-2.0
#include "models/base/strobe_registers.h"
#include "models/controller/descriptor.h"
#include "models/controller/ecc.h"
#include "models/controller/failure_log.h"
#include "tests/support/catch.h"

#include <functional>

using namespace strobe;
using namespace strobe::controller;
using namespace std::chrono_literals;

namespace {

const memory::Region dataBuffer{BusAddress{0x80010000}, 0x10000};

FlashDescriptor readOfOnePage()
{
    FlashDescriptor d;
    d.opcode = SuperchipOpcode::Read;
    d.inlineBlocks = true;
    d.sectors = 4;
    d.buffer = dataBuffer.base;
    return d;
}

FlashDescriptor copyBackOfOnePage()
{
    FlashDescriptor d;
    d.opcode = SuperchipOpcode::CopyBack;
    d.inlineBlocks = true;
    d.sectors = 4;
    return d;
}

SuperchipMap mapOf(SuperchipGeometry degrees)
{
    return SuperchipMap({2, 2, 1}, {1, 8, 4, 2048, 64}, degrees); // 4 sectors per page, 16 per block
}

} // namespace

TEST_CASE("a descriptor's words are where the register description puts them")
{
    DescriptorWords words{};
    words[0] = 0x80000040;                  // NEXT
    words[1] = 2 | 0x100 | 0x400 | 3 << 16; // program, report, inline spare, purpose 3
    words[2] = 3;                           // SUPERCHIP
    words[3] = 8;                           // START_SECTOR
    words[4] = 4;                           // SECTORS
    words[5] = 0x80010200;                  // BUFFER
    words[6] = 0x80000800;                  // BLOCKS
    words[7] = 0x80000900;                  // SOURCE_BLOCKS
    words[8] = 12;                          // SOURCE_SECTOR
    words[9] = 0x80000A00;                  // SPARE_ADDRESS
    words[10] = 0xFFFFFFFF;                 // STATUS is the hardware's
    words[11] = 0xC00C1E;                   // COOKIE
    for (std::uint32_t i = 0; i < 4; ++i)
        words[12 + i] = 0x100 + i;
    const FlashDescriptor d = parseDescriptor(words);
    CHECK(d.next == BusAddress{0x80000040});
    CHECK(d.opcode == SuperchipOpcode::Program);
    CHECK(d.report);
    CHECK_FALSE(d.inlineBlocks);
    CHECK(d.inlineSpare);
    CHECK(d.purpose == nand::Purpose::WearLevelling);
    CHECK(d.superchip == 3);
    CHECK(d.startSector == 8);
    CHECK(d.sectors == 4);
    CHECK(d.buffer == BusAddress{0x80010200});
    CHECK(d.blocks == 0x80000800);
    CHECK(d.sourceBlocks == 0x80000900);
    CHECK(d.sourceSector == 12);
    CHECK(d.spareAddress == BusAddress{0x80000A00});
    CHECK(d.cookie == 0xC00C1E);
    CHECK(d.spare == nand::Spare{0x100, 0x101, 0x102, 0x103});

    words[10] = 0; // written as pending
    CHECK(toWords(d) == words);
    CHECK(regs::flashDescriptor::size == sizeof words);
}

TEST_CASE("each option of a descriptor is a bit of its own")
{
    const auto parsed = [](std::uint32_t control) {
        DescriptorWords words{};
        words[1] = control;
        CHECK(toWords(parseDescriptor(words))[1] == control);
        return parseDescriptor(words);
    };
    CHECK(parsed(0x80).hasReadOption);
    CHECK(parsed(0x81).opcode == SuperchipOpcode::Read);
    CHECK(parsed(0x800).commonSpare);
    CHECK(parsed(0x1000).hasSectorTable);
    CHECK(parsed(0x2000).isOneChip);
    CHECK(parsed(0x4000).completes);
    CHECK(parsed(0x300000).step == 3);
    CHECK(parsed(0x0FF00000).step == 0xFF);
    CHECK(parsed(0x10000000).isPslc);
    CHECK(parsed(0x20000000).isStepped);
    const FlashDescriptor none = parsed(0xF0000 & 0x50000);
    CHECK_FALSE((none.commonSpare || none.hasSectorTable || none.isOneChip || none.completes || none.isPslc));
    CHECK(none.step == 1); // 0 and 1 mean the same
}

TEST_CASE("a read option is in the word of the source's blocks, and only with its flag")
{
    FlashDescriptor d;
    d.sourceBlocks = 0x12305; // option 5, 3 senses, 18 failed reads
    CHECK(d.readOption() == 0);
    CHECK(d.senses() == 1);
    CHECK(d.attempt() == 0);
    d.hasReadOption = true;
    CHECK(d.readOption() == 5);
    CHECK(d.senses() == 3);
    CHECK(d.attempt() == 18);
    d.sourceBlocks = 7;
    CHECK(d.senses() == 1); // 0 and 1 mean the same
}

TEST_CASE("a purpose that is not in the table counts as metadata, and the descriptor is not refused")
{
    DescriptorWords words{};
    words[1] = 15 << 16;
    CHECK(parseDescriptor(words).purpose == nand::Purpose::Metadata);
}

TEST_CASE("a status word carries code, chip and blank")
{
    CHECK(statusWord({StatusCode::ProgramFailed, 5, false}) == 0x0502);
    CHECK(statusWord({StatusCode::Ok, 0, true}) == 0x10001);
    const Outcome outcome = parseStatus(0x10304);
    CHECK(outcome.code == StatusCode::Uncorrectable);
    CHECK(outcome.chip == 3);
    CHECK(outcome.blank);
    CHECK(statusWord({StatusCode::EraseFailed, 1, false, 0x3FFF}) == 0x7FFE0103); // bit 31 is the ring's
    CHECK(parseStatus(0x7FFE0103).page == 0x3FFF);
}

TEST_CASE("every outcome of a low-level operation has its status code")
{
    CHECK(statusCode(nand::Status::Pending) == StatusCode::Pending);
    CHECK(statusCode(nand::Status::Ok) == StatusCode::Ok);
    CHECK(statusCode(nand::Status::ProgramFailed) == StatusCode::ProgramFailed);
    CHECK(statusCode(nand::Status::EraseFailed) == StatusCode::EraseFailed);
    CHECK(statusCode(nand::Status::Uncorrectable) == StatusCode::Uncorrectable);
    CHECK(statusCode(nand::Status::Illegal) == StatusCode::Illegal);
}

TEST_CASE("each kind of malformed descriptor has its own reason")
{
    struct Case {
        MalformedReason reason;
        std::function<void(FlashDescriptor&)> change;
    };
    const std::vector<Case> cases{
        {MalformedReason::None, [](FlashDescriptor&) {}},
        {MalformedReason::UnknownOpcode, [](FlashDescriptor& d) { d.opcode = SuperchipOpcode{0}; }},
        {MalformedReason::UnknownOpcode, [](FlashDescriptor& d) { d.opcode = SuperchipOpcode{5}; }},
        {MalformedReason::SuperchipOutOfRange, [](FlashDescriptor& d) { d.superchip = 4; }},
        {MalformedReason::None, [](FlashDescriptor& d) { d.superchip = 3; }},
        {MalformedReason::ZeroSectors, [](FlashDescriptor& d) { d.sectors = 0; }},
        {MalformedReason::SectorsOutOfRange, [](FlashDescriptor& d) { d.startSector = 13; }},
        {MalformedReason::None, [](FlashDescriptor& d) { d.startSector = 12; }},
        {MalformedReason::SectorsOutOfRange, [](FlashDescriptor& d) { d.startSector = 0xFFFFFFFE; }},
        {MalformedReason::BufferUnaligned, [](FlashDescriptor& d) { d.buffer = d.buffer + 256; }},
        {MalformedReason::None, [](FlashDescriptor& d) { d.buffer = BusAddress{0x80000000}; }}, // tables
        {MalformedReason::BufferOutsideMemory,
         [](FlashDescriptor& d) { d.buffer = BusAddress{raw(dataBuffer.base) - 0x200}; }},
        {MalformedReason::BufferOutsideMemory, [](FlashDescriptor& d) { d.buffer = dataBuffer.base + 0xFA00; }},
        {MalformedReason::None, [](FlashDescriptor& d) { d.buffer = dataBuffer.base + 0xF800; }},
        {MalformedReason::None, [](FlashDescriptor& d) { d.buffer = hostInterfaceBuffer; }},
        {MalformedReason::HostBuffer,
         [](FlashDescriptor& d) {
             d.opcode = SuperchipOpcode::Program;
             d.buffer = hostInterfaceBuffer;
         }},
        {MalformedReason::None,
         [](FlashDescriptor& d) {
             d.buffer = hostInterfaceBuffer;
             d.completes = true;
         }},
        {MalformedReason::Option, [](FlashDescriptor& d) { d.commonSpare = true; }},
        {MalformedReason::Option,
         [](FlashDescriptor& d) {
             d.opcode = SuperchipOpcode::Program;
             d.commonSpare = d.inlineSpare = true;
         }},
        {MalformedReason::Option, [](FlashDescriptor& d) { d.completes = true; }},
        {MalformedReason::Option, [](FlashDescriptor& d) { d.hasSectorTable = d.inlineSpare = true; }},
        {MalformedReason::Option,
         [](FlashDescriptor& d) {
             d.opcode = SuperchipOpcode::Erase;
             d.hasSectorTable = true;
         }},
        {MalformedReason::None, [](FlashDescriptor& d) { d.hasSectorTable = true; }},
        {MalformedReason::None,
         [](FlashDescriptor& d) {
             d.isOneChip = true;
             d.step = 4;
         }},
        {MalformedReason::Option, [](FlashDescriptor& d) { d.step = 4; }},
        {MalformedReason::Option,
         [](FlashDescriptor& d) {
             d.isOneChip = true;
             d.opcode = SuperchipOpcode::CopyBack;
             d.step = 4;
         }},
        {MalformedReason::Option,
         [](FlashDescriptor& d) {
             d.isOneChip = true;
             d.buffer = hostInterfaceBuffer;
             d.step = 4;
         }},
        {MalformedReason::BufferOutsideMemory, // with the last of its sectors
         [](FlashDescriptor& d) {
             d.isOneChip = true;
             d.step = 100;
         }},
        {MalformedReason::None,
         [](FlashDescriptor& d) {
             d.hasReadOption = true;
             d.sourceBlocks = 0x7FF;
         }},
        {MalformedReason::ReadOption,
         [](FlashDescriptor& d) {
             d.hasReadOption = true;
             d.sourceBlocks = 0x800;
         }},
        {MalformedReason::ReadOption,
         [](FlashDescriptor& d) {
             d.hasReadOption = true;
             d.opcode = SuperchipOpcode::Program;
         }},
        {MalformedReason::TableUnaligned,
         [](FlashDescriptor& d) {
             d.hasSectorTable = true;
             d.spareAddress = BusAddress{0x80000002};
         }},
        {MalformedReason::None, // its sectors come from the table
         [](FlashDescriptor& d) {
             d.opcode = SuperchipOpcode::Program;
             d.hasSectorTable = true;
             d.buffer = BusAddress{1};
         }},
        {MalformedReason::InlineSpare,
         [](FlashDescriptor& d) {
             d.inlineSpare = true;
             d.startSector = 1;
         }},
        {MalformedReason::None, [](FlashDescriptor& d) { d.inlineSpare = true; }},
        {MalformedReason::SpareUnaligned, [](FlashDescriptor& d) { d.spareAddress = BusAddress{0x80000002}; }},
        {MalformedReason::BlocksUnaligned,
         [](FlashDescriptor& d) {
             d.inlineBlocks = false;
             d.blocks = 0x80000001;
         }},
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        INFO("case " << i << ": " << enumName(cases[i].reason));
        FlashDescriptor d = readOfOnePage();
        cases[i].change(d);
        CHECK(validate(d, mapOf({1, 1}), dataBuffer, true) == cases[i].reason);
    }
}

TEST_CASE("one inline block number cannot name the blocks of several chips")
{
    CHECK(validate(readOfOnePage(), mapOf({2, 1}), dataBuffer, true) == MalformedReason::InlineBlocks);
    FlashDescriptor d = readOfOnePage();
    d.inlineBlocks = false;
    d.blocks = 0x80000100;
    CHECK(validate(d, mapOf({2, 1}), dataBuffer, true) == MalformedReason::None);
}

TEST_CASE("reads go to the host only where there is one, and sector tables need a bit per sector of a page")
{
    FlashDescriptor d = readOfOnePage();
    d.buffer = hostInterfaceBuffer;
    CHECK(validate(d, mapOf({1, 1}), dataBuffer, false) == MalformedReason::HostBuffer);
    d = readOfOnePage();
    d.hasSectorTable = true;
    const SuperchipMap hugePages({1, 1, 1}, {1, 8, 4, 65 * 512, 64}, {1, 1});
    CHECK(validate(d, hugePages, dataBuffer, true) == MalformedReason::Option);
}

TEST_CASE("a stepped operation is one page or block of one chip")
{
    FlashDescriptor good = readOfOnePage();
    good.isOneChip = good.isStepped = true;
    const auto isSteppable = [&](const std::function<void(FlashDescriptor&)>& change) {
        FlashDescriptor d = good;
        change(d);
        return validate(d, mapOf({1, 1}), dataBuffer, true) != MalformedReason::Stepped;
    };
    CHECK(isSteppable([](FlashDescriptor&) {}));
    CHECK(isSteppable([](FlashDescriptor& d) { d.opcode = SuperchipOpcode::Erase; }));
    CHECK(isSteppable([](FlashDescriptor& d) { d.opcode = SuperchipOpcode::CopyBack; }));
    CHECK_FALSE(isSteppable([](FlashDescriptor& d) { d.isOneChip = false; }));
    CHECK_FALSE(isSteppable([](FlashDescriptor& d) { d.sectors += 1; }));
    CHECK_FALSE(isSteppable([](FlashDescriptor& d) { d.buffer = hostInterfaceBuffer; }));

    const nand::DieGeometry large{1, 8, 4, 16384, 64};
    FlashDescriptor units = good;
    units.hasUnitTable = true;
    units.sectors = 8;
    CHECK(validate(units, SuperchipMap({1, 1, 1}, large, {}), dataBuffer, true) == MalformedReason::Stepped);
    nand::DieGeometry wordLines{1, 8, 4, 2048, 64};
    wordLines.pagesPerProgram = 2;
    FlashDescriptor program = good;
    program.opcode = SuperchipOpcode::Program;
    CHECK(validate(program, SuperchipMap({1, 1, 1}, wordLines, {}), dataBuffer, true) == MalformedReason::Stepped);
}

TEST_CASE("each misuse of a unit table has its own reason")
{
    const nand::DieGeometry die{1, 8, 4, 16384, 64};
    const SuperchipMap single({2, 2, 1}, die, {1, 1});
    FlashDescriptor good;
    good.opcode = SuperchipOpcode::Program;
    good.inlineBlocks = good.hasUnitTable = true;
    good.startSector = 8;
    good.sectors = 64; // the rest of a page, a page, a unit
    good.spareAddress = BusAddress{0x80000100};
    good.buffer = BusAddress{0x13};
    CHECK(validate(good, single, dataBuffer, true) == MalformedReason::None);
    CHECK(toWords(good)[1] == (2U | 0x200U | 0x8000U));
    CHECK(parseDescriptor(toWords(good)).hasUnitTable);

    const auto reasonOf = [&](const SuperchipMap& map, const std::function<void(FlashDescriptor&)>& change) {
        FlashDescriptor d = good;
        change(d);
        return validate(d, map, dataBuffer, true);
    };
    const std::function<void(FlashDescriptor&)> options[] = {
        [](FlashDescriptor& d) { d.opcode = SuperchipOpcode::Erase; },
        [](FlashDescriptor& d) { d.opcode = SuperchipOpcode::CopyBack; },
        [](FlashDescriptor& d) { d.hasSectorTable = true; },
        [](FlashDescriptor& d) { d.inlineSpare = true; },
        [](FlashDescriptor& d) { d.commonSpare = true; },
        [](FlashDescriptor& d) { d.isOneChip = true, d.step = 2; },
        [](FlashDescriptor& d) { d.opcode = SuperchipOpcode::Read, d.buffer = hostInterfaceBuffer; },
        [](FlashDescriptor& d) { d.completes = true; }};
    for (const auto& change : options)
        CHECK(reasonOf(single, change) == MalformedReason::UnitTableOption);
    CHECK(reasonOf(single, [](FlashDescriptor& d) { d.opcode = SuperchipOpcode::Read; }) == MalformedReason::None);
    CHECK(reasonOf(single, [](FlashDescriptor& d) { d.spareAddress = BusAddress{0x80000102}; }) ==
          MalformedReason::UnitTableUnaligned);
    CHECK(reasonOf(single, [](FlashDescriptor& d) { d.startSector = 4; }) == MalformedReason::UnitTableSectors);
    CHECK(reasonOf(single, [](FlashDescriptor& d) { d.sectors = 20; }) == MalformedReason::UnitTableSectors);
    CHECK(reasonOf(single, [](FlashDescriptor& d) { d.sectors = 0; }) == MalformedReason::ZeroSectors);
    CHECK(reasonOf(single, [](FlashDescriptor& d) { d.sectors = 128; }) == MalformedReason::SectorsOutOfRange);
    CHECK(reasonOf(SuperchipMap({2, 2, 1}, die, {2, 1}), [](FlashDescriptor& d) { d.inlineBlocks = false; }) ==
          MalformedReason::UnitTableSuperchip);
    CHECK(reasonOf(SuperchipMap({1, 1, 1}, {1, 8, 4, 6144, 64}, {1, 1}), [](FlashDescriptor&) {}) ==
          MalformedReason::UnitTablePage);
    CHECK(reasonOf(SuperchipMap({1, 1, 1}, {1, 8, 4, 16384, 63}, {1, 1}), [](FlashDescriptor&) {}) ==
          MalformedReason::UnitTablePage);
    CHECK(reasonOf(SuperchipMap({1, 1, 1}, {1, 8, 32, 4096, 16}, {1, 1}), [](FlashDescriptor&) {}) ==
          MalformedReason::None);
}

TEST_CASE("an erase needs neither sectors nor a buffer")
{
    FlashDescriptor d;
    d.opcode = SuperchipOpcode::Erase;
    d.inlineBlocks = true;
    CHECK(validate(d, mapOf({1, 1}), dataBuffer, true) == MalformedReason::None);
}

TEST_CASE("a copy-back moves whole pages between the same chips")
{
    const SuperchipMap single = mapOf({1, 1});
    FlashDescriptor d = copyBackOfOnePage();
    d.sourceSector = 8;
    CHECK(validate(d, single, dataBuffer, true) == MalformedReason::None);
    d.sourceSector = 9;
    CHECK(validate(d, single, dataBuffer, true) == MalformedReason::CopyBackUnaligned);
    d.sourceSector = 16;
    CHECK(validate(d, single, dataBuffer, true) == MalformedReason::SectorsOutOfRange);
    d = copyBackOfOnePage();
    d.sectors = 3;
    CHECK(validate(d, single, dataBuffer, true) == MalformedReason::CopyBackUnaligned);

    const SuperchipMap twoChips = mapOf({1, 2}); // pages 0 and 1 of a superpage are on different chips
    d = copyBackOfOnePage();
    d.inlineBlocks = false;
    d.sourceSector = 4;
    CHECK(validate(d, twoChips, dataBuffer, true) == MalformedReason::CopyBackUnaligned);
    d.sourceSector = 8;
    CHECK(validate(d, twoChips, dataBuffer, true) == MalformedReason::None);
    d.sourceBlocks = 3;
    CHECK(validate(d, twoChips, dataBuffer, true) == MalformedReason::BlocksUnaligned);
}

TEST_CASE("a list starts at a multiple of 64 that is not zero")
{
    CHECK_FALSE(isDescriptorAddress(BusAddress{0}));
    CHECK_FALSE(isDescriptorAddress(BusAddress{0x80000020}));
    CHECK(isDescriptorAddress(BusAddress{0x80000040}));
}

TEST_CASE("ECC without a rate adds its pipeline latency and nothing else")
{
    EccEngines ecc({2us, 3us, 0}, 2048);
    CHECK(ecc.encode(2048, 10us) == 12us);
    CHECK(ecc.encode(2048, 10us) == 12us); // the next page does not wait
    CHECK(ecc.decode(512, 10us) == 13us);
    CHECK(ecc.decoder().usage().jobs == 1);
}

TEST_CASE("ECC with a rate is occupied for each page, and the next one waits")
{
    EccEngines ecc({2us, 3us, 512'000'000}, 2048); // 4 us per page
    CHECK(ecc.decode(2048, 10us) == 17us);
    CHECK(ecc.decode(2048, 11us) == 21us); // starts at 14 us
    CHECK(ecc.decode(512, 11us) == 22us);
    CHECK(ecc.encode(2048, 11us) == 17us); // the encoder is another engine
    CHECK(ecc.decoder().usage().busy == 9us);
    CHECK(ecc.decoder().usage().waited == 3us + 7us);
    ecc.resetUsage();
    CHECK(ecc.decoder().usage().busy == Time{});
}

TEST_CASE("a failure message gives time, unit, operation, place and reason")
{
    Failure failure;
    failure.kind = FailureKind::OperationIllegal;
    failure.at = 1500us;
    failure.unit = UnitId{3};
    failure.descriptor = BusAddress{0x80000040};
    failure.opcode = nand::Opcode::Program;
    failure.die = DieId{5};
    failure.target = {7, 3};
    failure.status = nand::Status::Illegal;
    failure.illegal = nand::IllegalReason::PageNotErased;
    CHECK(toText(failure) ==
          "1.5 ms: unit 3, descriptor 0x80000040: program of die 5 block 7 page 3: illegal (page not erased)");

    failure.kind = FailureKind::OperationFailed;
    failure.opcode = nand::Opcode::Erase;
    failure.status = nand::Status::EraseFailed;
    failure.illegal = nand::IllegalReason::None;
    CHECK(toText(failure) == "1.5 ms: unit 3, descriptor 0x80000040: erase of die 5 block 7: erase failed");

    failure.kind = FailureKind::MalformedDescriptor;
    failure.malformed = MalformedReason::ZeroSectors;
    CHECK(toText(failure) == "1.5 ms: unit 3, descriptor 0x80000040: zero sectors");

    failure.kind = FailureKind::DescriptorChanged;
    CHECK(toText(failure) == "1.5 ms: unit 3, descriptor 0x80000040: changed while it was in execution");

    failure.kind = FailureKind::ListRefused;
    CHECK(toText(failure) == "1.5 ms: unit 3, descriptor 0x80000040: too many lists are waiting");

    failure.kind = FailureKind::RingConsumerRefused;
    failure.value = 12;
    CHECK(toText(failure) == "1.5 ms: RING_CONSUMER 12 is beyond RING_PRODUCER");

    failure.kind = FailureKind::RingUnusable;
    CHECK(toText(failure) == "1.5 ms: event ring of 12 entries is unusable");
}

TEST_CASE("all failures are counted by kind and the first sixteen are kept")
{
    FailureLog log;
    for (std::uint32_t i = 0; i < 20; ++i) {
        Failure failure;
        failure.kind = i % 2 == 0 ? FailureKind::OperationFailed : FailureKind::ListRefused;
        failure.value = i;
        log.note(failure);
    }
    CHECK(log.count(FailureKind::OperationFailed) == 10);
    CHECK(log.count(FailureKind::ListRefused) == 10);
    CHECK(log.count(FailureKind::RingUnusable) == 0);
    CHECK(log.total() == 20);
    REQUIRE(log.first().size() == FailureLog::kept);
    CHECK(log.first().back().value == 15);
}
