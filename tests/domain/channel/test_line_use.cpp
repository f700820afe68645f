// SPDX-License-Identifier: Apache-2.0
//
// Separate command lines, with the round numbers of separateTiming().
#include "models/base/check.h"
#include "models/channel/bus_schedule.h"
#include "models/channel/line_use.h"
#include "models/channel/split_bus.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Form;
using nand::Opcode;

namespace {

nand::Operation in(Form form, Opcode opcode, std::uint32_t sectors = 0)
{
    nand::Operation op = operation(opcode, sectors);
    op.form = form;
    return op;
}

std::string labels(const std::vector<Segment>& segments)
{
    std::string text;
    for (const Segment& s : segments) {
        const char* line = !s.onBus ? "~" : s.lines == BusLines::Data ? "=" : s.lines == BusLines::Command ? "" : "-";
        text += (text.empty() ? "" : " ") + std::string(line) + s.label;
    }
    return text;
}

// "0-95 CA, 300-335 CA, 335-5455 DQ", in nanoseconds
std::string text(const LineUse& use)
{
    std::string lines;
    const auto add = [&](const LineUse::Span& span, const char* name) {
        lines += (lines.empty() ? "" : ", ") + std::to_string(span.from.count() / 1000) + "-" +
                 std::to_string(span.to.count() / 1000) + " " + name;
    };
    for (std::uint32_t i = 0; i < use.commands; ++i)
        add(use.command.at(i), "CA");
    if (use.hasData())
        add(use.data, "DQ");
    return lines;
}

bool operator==(const LineUse::Span& a, const LineUse::Span& b)
{
    return a.from == b.from && a.to == b.to;
}

bool isSame(const LineUse& a, const LineUse& b)
{
    bool same = a.commands == b.commands && a.data == b.data && a.duration == b.duration;
    for (std::uint32_t i = 0; same && i < a.commands; ++i)
        same = a.command.at(i) == b.command.at(i);
    return same;
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

TEST_CASE("what a request and a response take of both kinds of lines, computed by hand")
{
    const BusSchedule schedule(separateTiming(), roundPart());
    const nand::Operation read = operation(Opcode::Read, 1);
    CHECK(text(schedule.requestUse(read)) == "0-125 CA");                                        // tCS, 4 packets
    CHECK(text(schedule.responseUse(read)) == "0-95 CA, 295-330 CA, 5450-5485 CA, 330-5450 DQ"); // 3 packets, tCCS, SCE
    const nand::Operation program = operation(Opcode::Program, 1);
    CHECK(text(schedule.requestUse(program)) == "0-125 CA, 225-260 CA, 5380-5445 CA, 260-5380 DQ");
    CHECK(text(schedule.responseUse(program)) == "0-125 CA"); // tCS, 70h, tWHR, 40 ns
    CHECK(text(schedule.cacheEndUse()) == "0-35 CA");
    CHECK(schedule.responseUse(read).commandTime() == 165ns);
}

TEST_CASE(
    "the lines of every operation, of any length, are those of its segments, and it takes as long as before a grant")
{
    std::vector<nand::Part> all = parts();
    all.push_back(roundPart());
    all[1].cell = nand::CellTechnology::Mlc;
    all[1].geometry.pslcPages = all[1].geometry.pagesPerBlock / 2;
    InterfaceTiming timing = separateTiming();
    timing.warmUpIn = 4;
    std::size_t compared = 0;
    for (const nand::Part& part : all) {
        const BusSchedule schedule(timing, part);
        for (const auto& form : nand::formTable) {
            for (const auto& opcode : nand::opcodeTable) {
                nand::Operation op = in(form.value, opcode.value);
                if (schedule.requestUse(op).duration == Time{})
                    continue; // there is no such form
                for (std::uint32_t n = 1; n <= 2 * part.geometry.sectorsPerPage(); ++n) {
                    op.sectors = (n + 1) / 2;
                    op.pslc = n % 2 == 0 && part.geometry.hasPslc();
                    CAPTURE(part.name, form.name, opcode.name, op.sectors, op.pslc);
                    CHECK(isSame(schedule.requestUse(op), lineUseOf(schedule.requestSegments(op))));
                    CHECK(isSame(schedule.responseUse(op), lineUseOf(schedule.responseSegments(op))));
                    CHECK(schedule.responseUse(op).duration == schedule.responseTime(op));
                    if (op.form != Form::CopyIn)
                        CHECK(schedule.requestUse(op).duration == schedule.requestTime(op));
                    ++compared;
                }
                op.replaced = 0b101;
                op.replacesSpare = true;
                if (op.form == Form::CopyIn)
                    CHECK(schedule.requestUse(op).duration == schedule.copyInTime(op));
            }
        }
    }
    CHECK(compared > 1'000);
}

TEST_CASE("a copy-back that replaces many runs keeps the command lines from the last span on")
{
    nand::Part part = roundPart();
    part.geometry.pageBytes = 16 * 512;
    const BusSchedule schedule(separateTiming(), part);
    nand::Operation op = in(Form::CopyIn, Opcode::CopyBack);
    op.replaced = 0b0101'0101'0101;
    const LineUse use = schedule.requestUse(op);
    CHECK(use.commands == LineUse::maxSpans);
    CHECK(use.command.back().to == use.duration);
    CHECK(use.command.back().from < use.data.to);
    CHECK(use.duration == schedule.copyInTime(op));
}

TEST_CASE("lines are granted when all that a segment takes is free, also behind what has begun")
{
    SplitBus bus;
    Resource data;
    LineUse burst;
    burst.command = {{{0ns, 10ns}, {40ns, 50ns}, {100ns, 110ns}}};
    burst.commands = 3;
    burst.data = {50ns, 100ns};
    burst.duration = 110ns;
    LineUse command;
    command.command = {{{0ns, 30ns}}};
    command.commands = 1;
    command.duration = 30ns;
    bus.take(burst, 0ns, 0ns, data);
    CHECK(bus.earliest(command, 5ns) == 10ns);   // between the packets
    CHECK(bus.earliest(command, 11ns) == 50ns);  // it would meet SCE at 40
    CHECK(bus.earliest(command, 71ns) == 110ns); // and SCT at 100
    CHECK(bus.earliest(burst, 5ns) == 50ns);     // its data follows without a gap, at 100
    bus.take(command, 12ns, 50ns, data);
    CHECK(bus.earliest(burst, 5ns) == 80ns);
    bus.take(burst, 70ns, 80ns, data);
    CHECK(bus.commands().usage().jobs == 3);
    CHECK(bus.commands().usage().busy == 90ns);
    CHECK(bus.commands().usage().waited == 38ns); // of the command
    CHECK(data.usage().jobs == 2);
    CHECK(data.usage().busy == 100ns);
    CHECK(data.usage().waited == 10ns);
    bus.resetUsage(140ns, data); // the second burst: SCE is over, data from 130 to 180, SCT at 180
    CHECK(data.usage().busy == 40ns);
    CHECK(bus.commands().usage().busy == 10ns);
    CHECK_THROWS_AS(bus.take(command, 140ns, 175ns, data), InternalError);
}
