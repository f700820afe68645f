// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of the flash array, once; those of a chip: describe_part.cpp.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

namespace strobe::platform {

void describeNand(Fields& f, NandSection& c)
{
    f.required().object("part",
                        "The chip: the name of a file in scenarios/parts/, or an object with these keys; with "
                        "\"extends\" the object changes single values of a part.",
                        [&](Fields& g) { describePart(g, c.part); });
    f.number("channels", c.array.channels, within(bounds::channels), "Channels, each with its own NAND bus.");
    f.number("ways", c.array.ways, within(bounds::ways), "Chip enables per channel.");
    f.number("luns", c.array.luns, within(bounds::luns), "Dies per chip enable.");
    f.number("conventionalWays", c.conventionalWays, {0, 64},
             "Number of chip enables of each channel, counted from the last, whose chips have no data strobe and use "
             "CONV timing.");
    f.real("preAged", c.preAged, 0, 100,
           "Wear of every cell at the start; 1: the rated endurance is used up. For parts that age (wear, errors).");
    f.numberOr("preAgedCycles", c.preAgedCycles, "preAged", {0, 1'000'000'000},
               "The same in program/erase cycles (PCM: overwrites).");
    f.object("age", "Age of the data from before the run, for parts with an error model (errors).",
             [&](Fields& g) { describeAge(g, c.age); });
    f.choice("corner", c.corner, "Process corner of the dies, which determines their output delay.");
    f.numberOr("factoryBadBlocks", c.factoryBadBlocks, "part max", {0, 65'535},
               "Factory bad blocks per die, at random places; with PCM 0.");
    f.listOf("wornBlocks", c.wornBlocks, "Failure injection: blocks whose programs and erases fail.",
             [](Fields& g, NandSection::Worn& w) {
                 g.number("die", w.die, {0, maxDies - 1}, "Die: (channel x ways + way) x luns + lun.");
                 g.number("block", w.block, {0, 1'048'575}, "Block of the die.");
                 g.quantity("at", Quantity::Time, w.at, {}, "Simulated time from which it fails.");
             });
    f.listOf("slowDies", c.slowDies, "Failure injection: dies whose array takes longer.",
             [](Fields& g, NandSection::SlowDie& s) {
                 g.number("die", s.die, {0, maxDies - 1}, "Die: (channel x ways + way) x luns + lun.");
                 g.real("factor", s.factor, 1, 1'000, "Its read, program and erase times are multiplied by this.");
             });
    f.object("contents", "A file that carries the contents of the dies from one run to another.", [&](Fields& g) {
        g.text("file", c.contents.file, "File name, relative to the current directory; empty: no file.");
        g.onlyIf(!c.contents.file.empty(), "a file", "there is none", {"file"})
            .choice("mode", c.contents.mode, "Whether the file is read, written or both.");
    });
}

} // namespace strobe::platform
