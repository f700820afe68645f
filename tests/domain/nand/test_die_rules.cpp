// SPDX-License-Identifier: Apache-2.0
//
// The legality table, row by row, on a state that is set up without commands.
#include "models/nand/die_rules.h"
#include "tests/domain/nand/error_tables.h"
#include "tests/domain/nand/state_bench.h"
#include "tests/support/catch.h"

#include <functional>

using namespace strobe;
using namespace strobe::nand;
using namespace strobe::nand::test;

namespace {

// 2 planes x 4 blocks x 4 pages (2 in pSLC mode) of 2 KiB.
Part tablePart()
{
    Part part = smallPart();
    part.geometry.pslcPages = 2;
    part.pslc.tPROG = 75us;
    part.maxSuspends = 1;
    return part;
}
Part wordLinePart()
{
    Part part = tablePart();
    part.geometry.pagesPerProgram = 2;
    return part;
}
Part pcmPart()
{
    Part part = smallPart();
    part.cell = CellTechnology::Pcm;
    part.accessBytes = 512;
    return part;
}
Part errorPart()
{
    Part part = smallPart();
    part.endurance = 1000;
    part.errors = formulaModel();
    part.errors.options.resize(2);
    return part;
}
Part planePart()
{
    Part part = smallPart();
    part.planeIndependentReads = true;
    return part;
}

Operation in(Form form, Operation op)
{
    op.form = form;
    return op;
}
Operation pslc(Operation op)
{
    op.pslc = true;
    return op;
}
Operation ofSectors(std::uint32_t first, std::uint32_t count, Operation op)
{
    op.firstSector = first;
    op.sectors = count;
    return op;
}
Operation sensed(std::uint8_t option, std::uint8_t senses, Operation op)
{
    op.readOption = option;
    op.senses = senses;
    return op;
}

struct Row {
    const char* name;
    Part part;
    Operation op;
    IllegalReason reason;
    std::function<void(StateBench&)> before = [](StateBench&) {};
};

IllegalReason reasonOf(const Row& row)
{
    StateBench bench(row.part);
    row.before(bench);
    bench.waitUntilFree();
    const Legality verdict = verdictOn(row.op, bench.die, bench.now);
    CHECK(verdict.legal == (verdict.reason == IllegalReason::None));
    return verdict.reason;
}

void programFirst(StateBench& bench)
{
    bench.program({0, 0});
}
void programSecond(StateBench& bench)
{
    bench.program({0, 1});
}
void readFirst(StateBench& bench)
{
    bench.start(make(Opcode::Read, {0, 0}));
}
void latchProgram(StateBench& bench)
{
    bench.program({0, 0});
    bench.die.array.setGroupOpen(true);
    bench.die.array.latch({0, 0});
}
void suspendErase(StateBench& bench)
{
    bench.start(make(Opcode::Erase, {2, 0}));
    bench.die.array.suspend({2, 0}, 1ms + 1us, 11us);
    bench.now = 1ms + 12us;
}

constexpr auto legal = IllegalReason::None;

} // namespace

TEST_CASE("addresses outside the part are refused before anything else is looked at")
{
    const std::vector<Row> rows{
        {"last page", tablePart(), make(Opcode::Read, {7, 3}), legal},
        {"page", tablePart(), make(Opcode::Read, {7, 4}), IllegalReason::AddressOutOfRange},
        {"block", tablePart(), make(Opcode::Program, {8, 0}), IllegalReason::AddressOutOfRange},
        {"erase ignores the page", tablePart(), make(Opcode::Erase, {7, 99}), legal},
        {"erase", tablePart(), make(Opcode::Erase, {8, 0}), IllegalReason::AddressOutOfRange},
        {"source", tablePart(), makeCopyBack({8, 0}, {0, 0}), IllegalReason::AddressOutOfRange},
        {"last sector", tablePart(), ofSectors(3, 1, make(Opcode::Read)), legal},
        {"sector", tablePart(), ofSectors(3, 2, make(Opcode::Read)), IllegalReason::ColumnOutOfRange},
        {"sum beyond 32 bits", tablePart(), ofSectors(UINT32_MAX, 2, make(Opcode::Read)),
         IllegalReason::ColumnOutOfRange},
        {"last page of pSLC mode", tablePart(), pslc(make(Opcode::Read, {0, 1})), legal},
        {"page of pSLC mode", tablePart(), pslc(make(Opcode::Read, {0, 2})), IllegalReason::AddressOutOfRange},
    };
    for (const Row& row : rows) {
        INFO(row.name);
        CHECK(reasonOf(row) == row.reason);
    }
}

TEST_CASE("the state of the cells decides about programs, copy-backs and erases")
{
    const std::vector<Row> rows{
        {"again", tablePart(), make(Opcode::Program, {0, 0}), IllegalReason::PageNotErased, programFirst},
        {"next", tablePart(), make(Opcode::Program, {0, 1}), legal, programFirst},
        {"skips", tablePart(), make(Opcode::Program, {0, 3}), legal, programFirst},
        {"back", tablePart(), make(Opcode::Program, {0, 0}), IllegalReason::PageOutOfOrder, programSecond},
        {"copy to it", tablePart(), makeCopyBack({2, 0}, {0, 0}), IllegalReason::PageNotErased, programFirst},
        {"other plane", tablePart(), makeCopyBack({0, 0}, {1, 0}), IllegalReason::PlaneMismatch},
        {"same plane", tablePart(), makeCopyBack({0, 0}, {2, 0}), legal},
        {"other mode", tablePart(), pslc(make(Opcode::Program, {0, 1})), IllegalReason::Mode, programFirst},
        {"mode of an empty block", tablePart(), pslc(make(Opcode::Program, {0, 0})), legal},
        {"no such mode", smallPart(), pslc(make(Opcode::Erase)), IllegalReason::Mode},
        {"copy between modes", tablePart(), pslc(makeCopyBack({0, 0}, {2, 0})), IllegalReason::Mode, programFirst},
        {"PCM again", pcmPart(), make(Opcode::Program, {0, 0}), legal, programFirst},
        {"PCM erase", pcmPart(), make(Opcode::Erase), IllegalReason::NoErase},
        {"PCM copy", pcmPart(), makeCopyBack({0, 0}, {2, 0}), IllegalReason::NoErase},
    };
    for (const Row& row : rows) {
        INFO(row.name);
        CHECK(reasonOf(row) == row.reason);
    }
}

TEST_CASE("a factory bad block is read, but neither programmed nor erased")
{
    const Part part = tablePart();
    const DieState die(DieId{0}, part, 7, Rng(1, "die 0")); // all but block 0
    CHECK(whyCellsRefuse(make(Opcode::Read, {5, 0}), die) == legal);
    CHECK(whyCellsRefuse(make(Opcode::Program, {5, 0}), die) == IllegalReason::BadBlock);
    CHECK(whyCellsRefuse(make(Opcode::Erase, {5, 0}), die) == IllegalReason::BadBlock);
    CHECK(whyCellsRefuse(makeCopyBack({1, 0}, {5, 0}), die) == IllegalReason::BadBlock);
    CHECK(whyCellsRefuse(make(Opcode::Erase, {0, 0}), die) == legal);
}

TEST_CASE("a word line is programmed in order, each page in the form of its place")
{
    const auto program = [](Form form, PageAddress page) { return in(form, make(Opcode::Program, page)); };
    const std::vector<Row> rows{
        {"first", wordLinePart(), program(Form::WordLinePage, {0, 0}), legal},
        {"alone", wordLinePart(), program(Form::Alone, {0, 0}), IllegalReason::WordLine},
        {"first as the last", wordLinePart(), program(Form::WordLineEnd, {0, 0}), IllegalReason::WordLine},
        {"second without the first", wordLinePart(), program(Form::WordLineEnd, {0, 1}), IllegalReason::WordLine},
        {"second", wordLinePart(), program(Form::WordLineEnd, {0, 1}), legal, latchProgram},
        {"second as the first", wordLinePart(), program(Form::WordLinePage, {0, 1}), IllegalReason::WordLine,
         latchProgram},
        {"of a part without them", tablePart(), program(Form::WordLineEnd, {0, 1}), IllegalReason::WordLine},
        {"copy-back", wordLinePart(), makeCopyBack({0, 0}, {2, 0}), IllegalReason::WordLine},
        {"a page of it is not erased", wordLinePart(), program(Form::WordLinePage, {0, 0}),
         IllegalReason::PageNotErased, programSecond},
        {"pSLC page", wordLinePart(), pslc(make(Opcode::Program, {0, 0})), legal},
    };
    for (const Row& row : rows) {
        INFO(row.name);
        CHECK(reasonOf(row) == row.reason);
    }
}

TEST_CASE("a group continues with planes of the same command at addresses that fit, and with nothing else")
{
    Part none = tablePart();
    none.multiPlane = MultiPlaneRule::None;
    const auto program = [](PageAddress page) { return in(Form::LastPlane, make(Opcode::Program, page)); };
    const std::vector<Row> rows{
        {"first", tablePart(), in(Form::Plane, make(Opcode::Erase)), legal},
        {"first, not allowed", none, in(Form::Plane, make(Opcode::Erase)), IllegalReason::MultiPlane},
        {"other plane", tablePart(), program({1, 0}), legal, latchProgram},
        {"same plane", tablePart(), program({2, 0}), IllegalReason::MultiPlane, latchProgram},
        {"other page", tablePart(), program({1, 1}), IllegalReason::MultiPlane, latchProgram},
        {"other command", tablePart(), in(Form::LastPlane, make(Opcode::Read, {1, 0})), IllegalReason::MultiPlane,
         latchProgram},
        {"other mode", tablePart(), pslc(program({1, 0})), IllegalReason::MultiPlane, latchProgram},
        {"single command", tablePart(), make(Opcode::Read, {1, 0}), IllegalReason::MultiPlane, latchProgram},
        {"reset", tablePart(), make(Opcode::Reset), legal, latchProgram},
    };
    for (const Row& row : rows) {
        INFO(row.name);
        CHECK(reasonOf(row) == row.reason);
    }
}

TEST_CASE("forms that continue a command follow it")
{
    const auto read = [](Form form, PageAddress page) { return in(form, make(Opcode::Read, page)); };
    const auto copyIn = in(Form::CopyIn, makeCopyBack({0, 0}, {2, 0}));
    const std::vector<Row> rows{
        {"cache read", tablePart(), read(Form::Cache, {0, 1}), legal, readFirst},
        {"cache read first", tablePart(), read(Form::Cache, {0, 1}), IllegalReason::CacheSequence},
        {"cache read after a program", tablePart(), read(Form::Cache, {0, 1}), IllegalReason::CacheSequence,
         programFirst},
        {"cache erase", tablePart(), in(Form::Cache, make(Opcode::Erase)), IllegalReason::CacheSequence},
        {"second half", tablePart(), copyIn, legal, readFirst},
        {"second half first", tablePart(), copyIn, IllegalReason::CacheSequence},
        {"access", pcmPart(), read(Form::Access, {0, 0}), legal, readFirst},
        {"access of another page", pcmPart(), read(Form::Access, {0, 1}), IllegalReason::CacheSequence, readFirst},
        {"access of a page that is one", tablePart(), read(Form::Access, {0, 0}), IllegalReason::CacheSequence,
         readFirst},
    };
    for (const Row& row : rows) {
        INFO(row.name);
        CHECK(reasonOf(row) == row.reason);
    }
}

TEST_CASE("read options belong to parts with an error model, and are set before they are used")
{
    const auto setOption = [](StateBench& bench) { bench.die.condition.errors()->setOption(2); };
    const auto read = [](Form form, std::uint8_t option, std::uint8_t senses = 1) {
        return in(form, sensed(option, senses, make(Opcode::Read)));
    };
    const std::vector<Row> rows{
        {"none", errorPart(), read(Form::Alone, 0), legal},
        {"not set", errorPart(), read(Form::Alone, 2), IllegalReason::NoOption},
        {"set", errorPart(), read(Form::Alone, 2), legal, setOption},
        {"another is set", errorPart(), read(Form::Alone, 0), IllegalReason::NoOption, setOption},
        {"sets it", errorPart(), read(Form::References, 2), legal},
        {"beyond the table", errorPart(), read(Form::References, 3), IllegalReason::NoOption},
        {"soft", errorPart(), read(Form::References, 0, 3), legal},
        {"soft, no model", tablePart(), read(Form::Alone, 0, 2), IllegalReason::NoOption},
        {"references, no model", tablePart(), read(Form::References, 0), IllegalReason::NoOption},
        {"sense", errorPart(), read(Form::Sense, 0), legal, readFirst},
        {"sense of another page", errorPart(), read(Form::Sense, 0), IllegalReason::CacheSequence,
         [](StateBench& bench) {
             bench.start(make(Opcode::Read, {0, 1}));
         }},
    };
    for (const Row& row : rows) {
        INFO(row.name);
        CHECK(reasonOf(row) == row.reason);
    }
}

TEST_CASE("while an operation is suspended only other blocks are read")
{
    const std::vector<Row> rows{
        {"other block", tablePart(), make(Opcode::Read, {4, 0}), legal, suspendErase},
        {"its block", tablePart(), make(Opcode::Read, {2, 1}), IllegalReason::Suspended, suspendErase},
        {"program", tablePart(), make(Opcode::Program, {4, 0}), IllegalReason::Suspended, suspendErase},
        {"erase", tablePart(), make(Opcode::Erase, {4, 0}), IllegalReason::Suspended, suspendErase},
        {"id", tablePart(), make(Opcode::ReadId), legal, suspendErase},
        {"status", tablePart(), make(Opcode::ReadStatus), legal, suspendErase},
        {"reset", tablePart(), make(Opcode::Reset), legal, suspendErase},
        {"resume", tablePart(), in(Form::Resume, make(Opcode::Erase)), legal, suspendErase},
        {"resume another", tablePart(), in(Form::Resume, make(Opcode::Program)), IllegalReason::Suspended,
         suspendErase},
        {"nothing to resume", tablePart(), in(Form::Resume, make(Opcode::Erase)), IllegalReason::Suspended},
        {"nothing to suspend", tablePart(), in(Form::Suspend, make(Opcode::Erase)), IllegalReason::Suspended},
    };
    for (const Row& row : rows) {
        INFO(row.name);
        CHECK(reasonOf(row) == row.reason);
    }
}

TEST_CASE("a program is suspended while it is in the array, as often as the part allows")
{
    StateBench bench(tablePart());
    bench.program({0, 0});
    const Operation suspend = in(Form::Suspend, make(Opcode::Program, {0, 0}));
    CHECK(verdictOn(suspend, bench.die, 1ms + 1us).legal);
    CHECK_FALSE(verdictOn(in(Form::Suspend, make(Opcode::Erase)), bench.die, 1ms + 1us).legal);
    CHECK_FALSE(verdictOn(suspend, bench.die, bench.now).legal); // done
    bench.die.array.suspend({0, 0}, 1ms + 1us, 7us);
    CHECK_FALSE(verdictOn(suspend, bench.die, 1ms + 8us).legal); // suspended already
    bench.die.array.resume(1ms + 8us, 13us);
    CHECK_FALSE(verdictOn(suspend, bench.die, 1ms + 9us).legal); // maxSuspends is 1
}

TEST_CASE("a command to a busy die is legal when R/B# rises; status and reset are legal at once")
{
    StateBench bench(tablePart());
    bench.program({0, 0});
    const Time ready = bench.now;
    const Legality early = verdictOn(make(Opcode::Read, {2, 0}), bench.die, ready - picoseconds(1));
    CHECK_FALSE(early.legal);
    CHECK(early.reason == IllegalReason::DieBusy);
    CHECK(early.earliest == ready);
    CHECK(verdictOn(make(Opcode::Read, {2, 0}), bench.die, ready).legal);
    CHECK(verdictOn(make(Opcode::ReadStatus), bench.die, 1ms).legal);
    CHECK(verdictOn(make(Opcode::Reset), bench.die, 1ms).legal);
    // What would not be legal later either has its own reason.
    CHECK(verdictOn(make(Opcode::Program, {0, 0}), bench.die, 1ms).reason == IllegalReason::PageNotErased);
}

TEST_CASE("while the array works on after R/B# has risen, only a command of its sequence follows")
{
    StateBench bench(tablePart());
    Operation op = make(Opcode::Program, {0, 0});
    bench.die.array.beginCommand(1ms);
    const Time ready = enterArray(bench.die, op, 1ms, 4us, 200us);
    CHECK(verdictOn(in(Form::Cache, make(Opcode::Program, {0, 1})), bench.die, ready).legal);
    CHECK(verdictOn(make(Opcode::Program, {0, 1}), bench.die, ready).legal); // the last of the sequence
    const Legality read = verdictOn(make(Opcode::Read, {2, 0}), bench.die, ready);
    CHECK(read.reason == IllegalReason::DieBusy);
    CHECK(read.earliest == ready + 200us);
    CHECK_FALSE(verdictOn(pslc(make(Opcode::Program, {2, 0})), bench.die, ready).legal);
}

TEST_CASE("a plane reads while another one senses; everything else waits for all of them")
{
    StateBench bench(planePart());
    bench.die.planes.begin(0, {0, 0}, 1ms, 25us);
    const auto verdict = [&](Form form, Opcode opcode, PageAddress page) {
        return verdictOn(in(form, make(opcode, page)), bench.die, 1ms + 1us);
    };
    CHECK(verdict(Form::PlaneRead, Opcode::Read, {1, 0}).legal);
    CHECK(verdict(Form::PlaneRead, Opcode::ReadStatus, {0, 0}).legal);
    const Legality same = verdict(Form::PlaneRead, Opcode::Read, {2, 0});
    CHECK(same.reason == IllegalReason::DieBusy);
    CHECK(same.earliest == 1ms + 25us);
    CHECK(verdict(Form::Alone, Opcode::Erase, {1, 0}).earliest == 1ms + 25us);
    CHECK(verdict(Form::Alone, Opcode::Reset, {}).legal);
    CHECK(verdict(Form::PlaneRead, Opcode::Program, {1, 0}).reason == IllegalReason::PlaneRead);
    CHECK(reasonOf({"no such part", tablePart(), in(Form::PlaneRead, make(Opcode::Read)), legal}) ==
          IllegalReason::PlaneRead);
}
