// SPDX-License-Identifier: Apache-2.0
//
// Separate command lines, with the round numbers of separateTiming().
#include "models/base/check.h"
#include "models/channel/bus_schedule.h"
#include "models/channel/line_use.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Form;
using nand::Opcode;

namespace {

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
