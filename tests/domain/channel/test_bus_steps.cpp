// SPDX-License-Identifier: Apache-2.0
//
// The sequences on separate command lines; those of a shared bus: test_bus_schedule_forms.cpp.
#include "models/channel/bus_schedule.h"
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
    for (const Segment& s : segments) {
        const char* line = !s.onBus ? "~" : s.lines == BusLines::Data ? "=" : s.lines == BusLines::Command ? "" : "-";
        text += (text.empty() ? "" : " ") + std::string(line) + s.label;
    }
    return text;
}

} // namespace

TEST_CASE("on separate lines data is between SCE and SCT, 12h ends a program's address and 05h-E0h selects a column")
{
    const BusSchedule schedule(separateTiming(), roundPart());
    const std::string address = " column address row address ";
    CHECK(labels(schedule.segments(in(Form::Alone, Opcode::Read, 1))) ==
          "tCS 00h" + address + "30h ~tR ~tRR tCS 05h column address E0h -tCCS tCS SCE =data out tCS SCT");
    CHECK(labels(schedule.segments(in(Form::Alone, Opcode::Program, 1))) ==
          "tCS 80h" + address + "12h -tADL tCS SCE =data in tCS SCT 10h ~tPROG tCS 70h tWHR status");
    CHECK(labels(schedule.segments(in(Form::Alone, Opcode::Erase))) ==
          "tCS 60h row address D0h ~tBERS tCS 70h tWHR status");
    CHECK(labels(schedule.segments(in(Form::PlaneRead, Opcode::Read, 1))) ==
          "tCS 00h" + address + "30h ~tR ~tRR tCS 78h row address tWHR status 06h" + address +
              "E0h -tCCS tCS SCE =data out tCS SCT");
    CHECK(labels(schedule.segments(in(Form::References, Opcode::Read, 1))) ==
          "tCS EFh feature address -tADL tCS data in -tFEAT tCS 00h" + address +
              "30h ~tR ~tRR tCS 05h column address E0h -tCCS tCS SCE =data out tCS SCT");
    CHECK(labels(schedule.segments(in(Form::CopyOut, Opcode::CopyBack))) ==
          "tCS 00h" + address + "35h ~tR ~tRR tCS 05h column address E0h -tCCS tCS SCE =spare record tCS SCT");
    nand::Operation replaces = in(Form::CopyIn, Opcode::CopyBack);
    replaces.replaced = 1;
    replaces.replacesSpare = true;
    CHECK(labels(schedule.requestSegments(replaces)) ==
          "tCS 85h" + address +
              "12h -tADL tCS SCE =data in tCS SCT 85h column address 12h -tADL tCS SCE =data in tCS SCT 10h");
}

TEST_CASE("warm-up cycles follow each SCE and are on the data lines")
{
    InterfaceTiming timing = separateTiming();
    timing.warmUpOut = 2;
    const BusSchedule schedule(timing, roundPart());
    CHECK(labels(schedule.responseSegments(in(Form::Alone, Opcode::Read, 1))) ==
          "tCS 05h column address E0h -tCCS tCS SCE =warm-up =data out tCS SCT");
}
