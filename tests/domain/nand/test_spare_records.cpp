// SPDX-License-Identifier: Apache-2.0
//
// Pages with a spare record for each 4 KiB of data: what programs store, and what stays after reads of parts, copies,
// erases, replaced blocks, power losses and files.
#include "models/base/bytes.h"
#include "tests/domain/nand/die_helpers.h"
#include "tests/support/catch.h"

#include <array>
#include <string>
#include <vector>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

// 4 records per page.
Part largePart()
{
    Part part = smallPart();
    part.geometry.pageBytes = 16384;
    return part;
}

constexpr std::uint32_t pageSectors = 32;
using Records = std::array<Spare, 4>;
constexpr Records blank{blankSpare, blankSpare, blankSpare, blankSpare};

Records recordsFrom(std::uint32_t mark)
{
    Records records{};
    for (std::uint32_t i = 0; i < records.size(); ++i)
        records[i] = {mark + i, mark * 3 + i, i, mark};
    return records;
}

class Drive {
public:
    explicit Drive(const Part& description = largePart()) : part(description), die(DieId{3}, part, 0, Rng(1, "die 3"))
    {
    }

    Operation program(PageAddress page, Records records, std::uint32_t firstSector = 0,
                      std::uint32_t sectors = pageSectors)
    {
        Operation op = operation(Opcode::Program, page, firstSector, sectors);
        op.spare = records[0];
        op.moreSpares = records.data() + 1;
        return run(op);
    }
    Operation programOne(PageAddress page, const Spare& spare, std::uint32_t firstSector = 0)
    {
        Operation op = operation(Opcode::Program, page, firstSector, pageSectors - firstSector);
        op.spare = spare;
        return run(op);
    }
    Records read(PageAddress page, std::uint32_t firstSector = 0, std::uint32_t sectors = pageSectors)
    {
        Records records = recordsFrom(9999);
        Operation op = operation(Opcode::Read, page, firstSector, sectors);
        op.moreSpares = records.data() + 1;
        op = run(op);
        die.fetch(op);
        records[0] = op.spare;
        return records;
    }
    Spare readOne(PageAddress page, std::uint32_t firstSector, std::uint32_t sectors = 1)
    {
        Operation op = run(operation(Opcode::Read, page, firstSector, sectors));
        die.fetch(op);
        return op.spare;
    }
    Operation run(Operation op)
    {
        now = die.issue(op, now);
        return op;
    }
    static Operation operation(Opcode opcode, PageAddress page, std::uint32_t firstSector = 0,
                               std::uint32_t sectors = 0)
    {
        Operation op = make(opcode, page);
        op.firstSector = firstSector;
        op.sectors = sectors;
        return op;
    }

    Part part;
    Die die;
    Time now = 1ms;
};

} // namespace

TEST_CASE("a run of tags programmed at once has the records of its page")
{
    Drive drive;
    const Records records = recordsFrom(40);
    REQUIRE(drive.die.programRunAtOnce({2, 0}, makeTag(77, 1), records[0], Purpose::Host, records.data() + 1));
    REQUIRE(drive.die.programRunAtOnce({2, 1}, makeTag(109, 1), records[0], Purpose::Host));
    CHECK(drive.read({2, 0}) == records);
    CHECK(drive.read({2, 1}) == Records{records[0], blankSpare, blankSpare, blankSpare});
}

TEST_CASE("a program stores a record for each 4 KiB, and a read returns them")
{
    Drive drive;
    const Operation program = drive.program({0, 0}, recordsFrom(10));
    CHECK(program.status == Status::Ok);
    CHECK(drive.read({0, 0}) == recordsFrom(10));
    for (std::uint32_t record = 0; record < 4; ++record)
        CHECK(drive.die.cells().spareOf({0, 0}, record) == recordsFrom(10)[record]);
    CHECK(drive.read({0, 1}) == blank);
    CHECK(drive.read({2, 0}) == blank);
}

TEST_CASE("a program with one record leaves the others of the page blank")
{
    Drive drive;
    drive.program({0, 0}, recordsFrom(10)); // its block has memory for records
    drive.programOne({0, 1}, {1, 2, 3, 4});
    drive.programOne({1, 0}, {1, 2, 3, 4});
    const Records expected{Spare{1, 2, 3, 4}, blankSpare, blankSpare, blankSpare};
    CHECK(drive.read({0, 1}) == expected);
    CHECK(drive.read({1, 0}) == expected);
}

TEST_CASE("a read of a part of a page returns the records of its sectors, the first that of its first sector")
{
    Drive drive;
    const Records all = recordsFrom(10);
    drive.program({0, 0}, all);
    CHECK(drive.readOne({0, 0}, 0, 0) == all[0]);
    CHECK(drive.readOne({0, 0}, 7) == all[0]);
    CHECK(drive.readOne({0, 0}, 8) == all[1]);
    CHECK(drive.readOne({0, 0}, 23, 9) == all[2]);
    CHECK(drive.readOne({0, 0}, 31) == all[3]);
    const Records untouched = recordsFrom(9999);
    CHECK(drive.read({0, 0}, 8, 16) == Records{all[1], all[2], untouched[2], untouched[3]});
    CHECK(drive.read({0, 0}, 15, 2) == Records{all[1], all[2], untouched[2], untouched[3]});
    CHECK(drive.read({1, 0}, 8, 16) == Records{blankSpare, blankSpare, untouched[2], untouched[3]});
}

TEST_CASE("a program of a part of a page stores the records of its sectors")
{
    Drive drive;
    drive.program({0, 0}, recordsFrom(20), 16, 16);
    CHECK(drive.read({0, 0}) == Records{blankSpare, blankSpare, recordsFrom(20)[0], recordsFrom(20)[1]});
    drive.programOne({0, 1}, {1, 2, 3, 4}, 24);
    CHECK(drive.read({0, 1}) == Records{blankSpare, blankSpare, blankSpare, Spare{1, 2, 3, 4}});
}

TEST_CASE("a copy-back moves all records of a page")
{
    Drive drive;
    drive.program({0, 0}, recordsFrom(10));
    drive.programOne({0, 1}, {1, 2, 3, 4});
    drive.run(makeCopyBack({0, 0}, {2, 0}));
    drive.run(makeCopyBack({0, 1}, {2, 1}));
    CHECK(drive.read({2, 0}) == recordsFrom(10));
    CHECK(drive.read({2, 1})[1] == blankSpare);
    CHECK(drive.read({0, 0}) == recordsFrom(10));
}

TEST_CASE("a copy-back in halves replaces the first record only")
{
    Drive drive;
    drive.program({0, 0}, recordsFrom(10));
    std::vector<std::byte> tags(pageSectors * sizeof(SectorTag));
    Operation op = makeCopyBack({0, 0}, {2, 0});
    op.form = Form::CopyOut;
    op.data = {tags.data(), DataMode::Tags};
    op.replaced = 0xFF00;
    op.spare = {5, 6, 7, 8};
    op.replacesSpare = true;
    drive.run(op);
    op.form = Form::CopyIn;
    CHECK(drive.run(op).status == Status::Ok);
    Records expected = recordsFrom(10);
    expected[0] = {5, 6, 7, 8};
    CHECK(drive.read({2, 0}) == expected);
}

TEST_CASE("the records of an erased block are gone, and its memory is used again")
{
    Drive drive;
    drive.program({0, 0}, recordsFrom(10));
    const std::size_t bytes = drive.die.cells().bytesInUse();
    for (std::uint32_t i = 0; i < 100; ++i) {
        drive.run(make(Opcode::Erase, {0, 0}));
        CHECK(drive.read({0, 0}) == blank);
        drive.programOne({0, 0}, {1, 2, 3, 4});
        drive.program({0, 1}, recordsFrom(30));
        CHECK(drive.read({0, 0})[3] == blankSpare);
        CHECK(drive.read({0, 1}) == recordsFrom(30));
    }
    CHECK(drive.die.cells().bytesInUse() <= 2 * bytes); // the erased block's memory is kept until the next operation
}

TEST_CASE("a read in the other mode has no record, also none of the sectors after the first ones")
{
    Part part = largePart();
    part.cell = CellTechnology::Tlc;
    part.geometry.pagesPerBlock = 6;
    part.geometry.pagesPerProgram = 3;
    part.geometry.pslcPages = 2;
    part.pslc.tR = 9us;
    part.pslc.tPROG = 75us;
    part.pslc.tBERS = 1ms;
    Drive drive(part);
    Operation op = drive.operation(Opcode::Program, {0, 0}, 0, pageSectors);
    Records written = recordsFrom(1);
    op.pslc = true;
    op.spare = written[0];
    op.moreSpares = written.data() + 1;
    REQUIRE(drive.run(op).status == Status::Ok);
    for (const Spare& record : drive.read({0, 0}))
        CHECK(record == blankSpare);
}

TEST_CASE("pages that a reset or a power loss interrupts lose all records, others keep them")
{
    Drive drive;
    drive.program({0, 0}, recordsFrom(10));
    Records records = recordsFrom(20);
    Operation op = Drive::operation(Opcode::Program, {0, 1}, 0, pageSectors);
    op.spare = records[0];
    op.moreSpares = records.data() + 1;
    SECTION("a power loss in the program")
    {
        const Time ready = drive.die.issue(op, drive.now);
        CHECK(drive.die.powerOff(ready - 1us) == 1);
        CHECK(drive.read({0, 1}) == blank);
    }
    SECTION("a power loss before the program has begun")
    {
        drive.now += 10us;
        drive.die.issue(op, drive.now);
        CHECK(drive.die.powerOff(drive.now - 1us) == 0);
        CHECK(drive.read({0, 1}) == blank);
        CHECK(drive.programOne({0, 1}, {1, 2, 3, 4}).status == Status::Ok);
        CHECK(drive.read({0, 1})[1] == blankSpare);
    }
    SECTION("a reset")
    {
        drive.die.issue(op, drive.now);
        drive.now += 10us;
        drive.run(make(Opcode::Reset));
        CHECK(drive.read({0, 1}) == blank);
    }
    CHECK(drive.read({0, 0}) == recordsFrom(10));
}

TEST_CASE("an erase that a power loss undoes gives the records back")
{
    Drive drive;
    drive.program({0, 0}, recordsFrom(10));
    Operation erase = make(Opcode::Erase, {0, 0});
    drive.now += 10us;
    drive.die.issue(erase, drive.now);
    drive.die.powerOff(drive.now - 1us); // before it has begun
    CHECK(drive.read({0, 0}) == recordsFrom(10));
}

TEST_CASE("a read that a reset ends returns blank records")
{
    Drive drive;
    drive.program({0, 0}, recordsFrom(10));
    Records records = recordsFrom(9999);
    Operation read = Drive::operation(Opcode::Read, {0, 0}, 0, pageSectors);
    read.moreSpares = records.data() + 1;
    drive.die.issue(read, drive.now);
    drive.now += 1us;
    Operation reset = make(Opcode::Reset);
    drive.die.issue(reset, drive.now);
    drive.die.fetch(read);
    CHECK(read.spare == blankSpare);
    CHECK(records[1] == blankSpare);
    CHECK(records[3] == blankSpare);
}

TEST_CASE("records are restored from a file to the bit")
{
    Drive drive;
    drive.program({0, 0}, recordsFrom(10));
    drive.programOne({0, 1}, {1, 2, 3, 4});
    drive.program({0, 2}, recordsFrom(1000), 8, 24);
    drive.programOne({3, 0}, {5, 6, 7, 8});
    drive.die.powerOff(drive.now);
    ByteWriter file;
    drive.die.save(file);
    const std::string bytes = file.bytes();

    Drive again;
    ByteReader reader(bytes);
    again.die.restore(reader);
    CHECK(reader.isAtEnd());
    ByteWriter second;
    again.die.save(second);
    CHECK(second.bytes() == bytes);
    for (std::uint32_t page = 0; page < 3; ++page)
        CHECK(again.read({0, page}) == drive.read({0, page}));
    CHECK(again.read({3, 0}) == Records{Spare{5, 6, 7, 8}, blankSpare, blankSpare, blankSpare});

    Part single = largePart();
    single.geometry.spareBytes = 16; // no place for the records of the file
    Drive other(single);
    ByteReader mistaken(bytes);
    CHECK_THROWS_AS(other.die.restore(mistaken), DamagedBytes);
}
