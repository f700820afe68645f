// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/channel/bus_schedule.h"
#include "models/channel/interface_rows.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Form;
using nand::Opcode;

namespace {

std::string labels(const std::vector<Segment>& segments)
{
    std::string text;
    for (const Segment& segment : segments)
        text += (text.empty() ? "" : " ") + std::string(segment.onBus ? "" : "~") + segment.label;
    return text;
}

} // namespace

TEST_CASE("the segments of joined and divided commands name every segment in order")
{
    const BusSchedule schedule(findInterface("ONFI_SDR_5")->timing, parts()[1]);
    const std::string address = " column address row address ";
    CHECK(labels(schedule.segments(in(Form::Plane, Opcode::Read, 8))) ==
          "tCS 00h" + address + "32h ~tDBSY tCS 06h" + address + "E0h tCCS data out");
    CHECK(labels(schedule.segments(in(Form::LastPlane, Opcode::Read, 8))) ==
          "tCS 00h" + address + "30h ~tR ~tRR tCS 06h" + address + "E0h tCCS data out");
    CHECK(labels(schedule.segments(in(Form::Plane, Opcode::Program, 8))) ==
          "tCS 80h" + address + "tADL data in 11h ~tDBSY tCS 78h row address tWHR status");
    CHECK(labels(schedule.segments(in(Form::LastPlane, Opcode::Program, 8))) ==
          "tCS 80h" + address + "tADL data in 10h ~tPROG tCS 78h row address tWHR status");
    CHECK(labels(schedule.segments(in(Form::Plane, Opcode::Erase))) ==
          "tCS 60h row address D1h ~tDBSY tCS 78h row address tWHR status");
    CHECK(labels(schedule.segments(in(Form::Cache, Opcode::Read, 8))) ==
          "tCS 00h" + address + "31h ~tRCBSY ~tRR tCS data out");
    CHECK(labels(schedule.segments(in(Form::References, Opcode::Read, 8))) ==
          "tCS EFh feature address tADL data in tFEAT 00h" + address + "30h ~tR ~tRR tCS data out");
    nand::Operation prefixed = in(Form::References, Opcode::Read, 8);
    prefixed.pslc = true;
    CHECK(labels(schedule.segments(prefixed)) ==
          "tCS EFh feature address tADL data in tFEAT A2h 00h" + address + "30h ~tR ~tRR tCS data out");
    CHECK(labels(schedule.segments(in(Form::Cache, Opcode::Program, 8))) ==
          "tCS 80h" + address + "tADL data in 15h ~tCBSY tCS 70h tWHR status");
    CHECK(labels(schedule.segments(in(Form::LastPlaneCache, Opcode::Program, 8))) ==
          "tCS 80h" + address + "tADL data in 15h ~tCBSY tCS 78h row address tWHR status");
    CHECK(labels(schedule.segments(in(Form::Suspend, Opcode::Erase))) == "tCS 61h ~tESUSP");
    CHECK(labels(schedule.segments(in(Form::Resume, Opcode::Program))) == "tCS 13h ~tPRSM tCS 70h tWHR status");
    CHECK(labels(schedule.segments(in(Form::PlaneRead, Opcode::Read, 16))) ==
          "tCS 00h" + address + "30h ~tR ~tRR tCS 78h row address tWHR status 06h" + address + "E0h tCCS data out");
    CHECK(labels(schedule.segments(in(Form::CopyOut, Opcode::CopyBack))) ==
          "tCS 00h" + address + "35h ~tR ~tRR tCS 05h column address E0h tCCS spare record");
    nand::Operation copyIn = in(Form::CopyIn, Opcode::CopyBack);
    CHECK(labels(schedule.segments(copyIn)) == "tCS 85h" + address + "10h ~tPROG tCS 70h tWHR status");
    copyIn.replaced = 0b101; // and a spare record: two runs of sectors, each after its own address
    copyIn.replacesSpare = true;
    CHECK(labels(schedule.segments(copyIn)) ==
          "tCS 85h" + address +
              "tADL data in 85h column address tADL data in 85h column address tADL data in 10h ~tPROG tCS 70h tWHR "
              "status");
}

TEST_CASE("request and response of a form are the sums of its segments on the bus")
{
    const InterfaceTiming& timing = findInterface("NV_DDR_2")->timing;
    const BusSchedule schedule(timing, parts()[3]);
    for (const auto& form : nand::formTable) {
        if (form.value == Form::CopyOut || form.value == Form::CopyIn)
            continue; // of copy-backs only: test_copy_back_halves.cpp
        const bool isOfWordLines =
            form.value == Form::WordLinePlane || form.value == Form::WordLinePage || form.value == Form::WordLineEnd;
        const bool isOfPrograms = isOfWordLines || form.value == Form::LastPlaneCache;
        for (const Opcode opcode : {Opcode::Read, Opcode::Program, Opcode::Erase}) {
            const bool isCut = form.value == Form::Suspend || form.value == Form::Resume;
            const bool isOfReads =
                form.value == Form::References || form.value == Form::Sense || form.value == Form::PlaneRead;
            if ((isCut && opcode == Opcode::Read) || (isOfReads && opcode != Opcode::Read) ||
                (isOfPrograms && opcode != Opcode::Program) ||
                ((form.value == Form::Cache || form.value == Form::Access) && opcode == Opcode::Erase))
                continue; // there is no such command
            const nand::Operation op = in(form.value, opcode, opcode == Opcode::Erase || isCut ? 0 : 16);
            Time bus{};
            for (const Segment& s : schedule.segments(op))
                bus += s.onBus ? s.duration : Time{};
            INFO(form.name << " " << enumName(opcode));
            CHECK(bus == schedule.requestTime(op) + schedule.responseTime(op));
            CHECK(schedule.requestTime(op) > Time{});
        }
    }
}

TEST_CASE("a read of a section is confirmed by 20h and takes the time of a section")
{
    nand::Part part = roundPart();
    part.geometry.pageBytes = 1024;
    part.snapRead = {512, 400ns};
    const BusSchedule schedule(roundTiming(), part);
    CHECK(labels(schedule.segments(in(Form::Alone, Opcode::Read, 1))) ==
          "00h column address row address 20h ~tR data out");
    CHECK(schedule.arrayTime(in(Form::Alone, Opcode::Read, 1)) == 400ns);
    CHECK(labels(schedule.segments(in(Form::Alone, Opcode::Read, 2))) ==
          "00h column address row address 30h ~tR data out");
    CHECK(schedule.arrayTime(in(Form::Alone, Opcode::Read, 2)) == 1us);
}

TEST_CASE("a form that an opcode does not have is refused")
{
    const BusSchedule schedule(roundTiming(), roundPart());
    CHECK_THROWS_AS(schedule.segments(in(Form::Cache, Opcode::Erase)), InternalError);
    CHECK_THROWS_AS(schedule.segments(in(Form::Suspend, Opcode::Read)), InternalError);
}

TEST_CASE("the last page of a cache read goes out tRCBSY after the array has it")
{
    InterfaceTiming timing = roundTiming();
    timing.tCS = 5ns;
    timing.tWB = 100ns;
    timing.tRR = 20ns;
    nand::Part part = roundPart();
    part.times.tRCBSY = 200ns;
    const BusSchedule schedule(timing, part);
    CHECK(schedule.cacheEndTime() == 15ns);
    CHECK(schedule.cacheEndPossible(1us, 3us) == 3us + 200ns + 20ns); // the array ends later
    CHECK(schedule.cacheEndPossible(3us, 1us) == 3us + 200ns + 20ns); // 3Fh ends later
}

TEST_CASE("array times follow the page type")
{
    nand::Part part = roundPart();
    part.pageTypes = {{"LSB", 1us, 10us}, {"MSB", 2us, 20us}};
    const BusSchedule schedule(roundTiming(), part);
    nand::Operation op = operation(Opcode::Program, 1);
    op.target.page = 5;
    CHECK(schedule.arrayTime(op) == 20us);
    op.opcode = Opcode::CopyBack;
    op.source.page = 2;
    CHECK(schedule.arrayTime(op) == 21us);
}
