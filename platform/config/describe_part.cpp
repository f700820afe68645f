// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of a NAND part, once; those of its output delay: describe_calibration.cpp.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace strobe::platform {

using nlohmann::json;

namespace {

void describeId(Fields& f, std::vector<std::uint8_t>& id)
{
    f.custom({"id", "list of bytes", "up to 8 numbers from 0 to 255", "Answer to READ ID."},
             {[&id](const json& j) -> std::string {
                  const auto isByte = [](const json& b) {
                      return b.is_number_unsigned() && b.get<std::uint64_t>() <= 255;
                  };
                  if (!j.is_array() || j.size() > 8 || !std::all_of(j.begin(), j.end(), isByte))
                      return "must be a list of up to 8 numbers from 0 to 255";
                  id = j.get<std::vector<std::uint8_t>>();
                  return {};
              },
              [&id] { return json(id); },
              [] {
                  return json{{"type", "array"},
                              {"maxItems", 8},
                              {"items", {{"type", "integer"}, {"minimum", 0}, {"maximum", 255}}}};
              }});
}

} // namespace

void describePart(Fields& f, nand::Part& c)
{
    const Range busy{0, 100 * second};
    auto& geometry = c.geometry;
    f.required().text("name", c.name, "Part number.");
    f.required().text("source", c.source, "Source of the numbers.");
    f.choice("cell", c.cell, "Cell technology.");
    f.number("planes", geometry.planes, within(bounds::planes), "Planes per die.");
    f.required().number("blocksPerPlane", geometry.blocksPerPlane, {2, bounds::blocksPerPlane.maximum},
                        "Blocks per plane.");
    f.required().number("pagesPerBlock", geometry.pagesPerBlock, within(bounds::pagesPerBlock), "Pages per block.");
    f.number("pagesPerProgram", geometry.pagesPerProgram, within(bounds::programPages),
             "Pages of a word line, which one program writes whole; 1: pages are programmed one by one.");
    f.required().quantity("pageSize", Quantity::Size, geometry.pageBytes, within(bounds::pageBytes),
                          "Data bytes of a page, whole 512-byte sectors.");
    f.required().quantity("spareSize", Quantity::Size, geometry.spareBytes, {0, 16 * kibibyte},
                          "Out-of-band bytes of a page.");
    f.required().quantity("tR", Quantity::Time, c.times.tR, busy, "Read: from the cells to the page register.");
    f.required().quantity("tPROG", Quantity::Time, c.times.tPROG, busy,
                          "Program: from the page register to the cells, for all pages of a word line.");
    f.listOf("pageTypes", c.pageTypes,
             "Page types with their own times; page p of a block is of type p modulo their number.",
             [busy](Fields& g, nand::PageType& t) {
                 g.required().text("name", t.name, "Name, such as LSB.");
                 g.quantity("tR", Quantity::Time, t.tR, busy,
                            "Read: from the cells to the page register; 0: the value of the part.");
                 g.quantity("tPROG", Quantity::Time, t.tPROG, busy,
                            "Program: from the page register to the cells; 0: the value of the part.");
             });
    f.object("pslc",
             "pSLC mode: a block whose first program is in this mode stores one bit per cell until its next erase; one "
             "page of each word line, "
             "programmed one by one.",
             [&](Fields& g) {
                 nand::PslcMode& p = c.pslc;
                 g.quantity("tPROG", Quantity::Time, p.tPROG, busy,
                            "Program: from the page register to the cells; 0: no pSLC mode.");
                 g.quantity("tR", Quantity::Time, p.tR, busy,
                            "Read: from the cells to the page register; 0: that of the part.");
                 g.quantity("tBERS", Quantity::Time, p.tBERS, busy, "Block erase; 0: that of the part.");
                 g.number("endurance", p.endurance, {0, 100'000'000},
                          "Rated program/erase cycles of a block in pSLC mode; 0: that of the part.");
                 g.choice("prefix", p.prefix, "Command cycle before each request in pSLC mode.");
                 physical(g, "read", Quantity::Energy, p.readJoule, "Per page read; 0: that of the part.");
                 physical(g, "program", Quantity::Energy, p.programJoule, "Per page programmed; 0: that of the part.");
                 physical(g, "erase", Quantity::Energy, p.eraseJoule, "Per block erased; 0: that of the part.");
             });
    f.object("snapRead", "Snap reads: an aligned section of a page is sensed faster than the page.", [&](Fields& g) {
        g.quantity("size", Quantity::Size, c.snapRead.bytes, {0, 16 * kibibyte},
                   "Data bytes of a section; 0: the part has no such reads.");
        g.quantity("tR", Quantity::Time, c.snapRead.tR, busy,
                   "Read of a section: from the cells to the page register; page types in proportion.");
    });
    f.required().quantity("tBERS", Quantity::Time, c.times.tBERS, busy, "Block erase.");
    f.quantity("tRstIdle", Quantity::Time, c.times.tRstIdle, busy, "Reset while idle.");
    f.quantity("tRstRead", Quantity::Time, c.times.tRstRead, busy, "Reset during a read.");
    f.quantity("tRstProgram", Quantity::Time, c.times.tRstProgram, busy, "Reset during a program.");
    f.quantity("tRstErase", Quantity::Time, c.times.tRstErase, busy, "Reset during an erase.");
    f.quantity("tDBSY", Quantity::Time, c.times.tDBSY, busy, "Between the planes of a multi-plane command.");
    f.quantity("tPBSY", Quantity::Time, c.times.tPBSY, busy, "Between the pages of a word line.");
    f.quantity("tRCBSY", Quantity::Time, c.times.tRCBSY, busy, "Cache read: page register to cache register.");
    f.quantity("tCBSY", Quantity::Time, c.times.tCBSY, busy, "Cache program: cache register to page register.");
    f.quantity("tPSUSP", Quantity::Time, c.times.tPSUSP, busy, "Program suspend to R/B# high.");
    f.quantity("tESUSP", Quantity::Time, c.times.tESUSP, busy, "Erase suspend to R/B# high.");
    f.quantity("tPRSM", Quantity::Time, c.times.tPRSM, busy, "Added to a program each time it is resumed.");
    f.quantity("tFEAT", Quantity::Time, c.times.tFEAT, busy, "Set features.");
    f.quantity("tERSM", Quantity::Time, c.times.tERSM, busy, "Added to an erase each time it is resumed.");
    f.number("maxSuspends", c.maxSuspends, {0, 1'000}, "Maximum number of suspensions of one program or erase.");
    f.choice("multiPlane", c.multiPlane, "Addresses that one multi-plane command may combine.");
    f.flag(
        "multiPlaneCache", c.multiPlaneCache,
        "Whether multi-plane programs may be cache programs, of the same planes each time (not those of word lines).");
    f.flag("planeIndependentReads", c.planeIndependentReads,
           "Whether planes can read different pages independently of each other.");
    f.number("columnCycles", c.columnCycles, {1, 4}, "Address cycles of a column.");
    f.number("rowCycles", c.rowCycles, {1, 4}, "Address cycles of a row.");
    f.flag("dataStrobe", c.dataStrobe,
           "Whether the part has a data strobe; without one it works with CONV timing only.");
    describeId(f, c.id);
    f.number("endurance", c.endurance, {0, 100'000'000}, "Rated program/erase cycles per block.");
    f.number("maxBadBlocks", c.maxBadBlocks, {0, 1'048'576}, "Maximum number of factory bad blocks per die.");
    f.quantity("accessSize", Quantity::Size, c.accessBytes, {0, 16 * kibibyte},
               "PCM: data bytes of one access; a page takes several accesses, each with its own command and tPROG. 0: "
               "one access.");
    f.object(
        "wear", "Effect of wear on program times and bit errors, interpolated between the points.", [&](Fields& g) {
            g.text("source", c.wear.source, "Source of the points.");
            g.listOf("points", c.wear.points, "Ascending in wear; none: the part does not age.",
                     [](Fields& h, nand::WearPoint& w) {
                         h.required().real("wear", w.wear, 0, 100,
                                           "Erases (PCM: overwrites) divided by the rated endurance.");
                         h.real("programMean", w.programMean, 0.01, 100, "Mean program time, multiple of tPROG.");
                         h.real("programMin", w.programMin, 0.01, 100, "Shortest program time, multiple of tPROG.");
                         h.real("programMax", w.programMax, 0.01, 100, "Longest program time, multiple of tPROG.");
                         h.real("bitErrorRate", w.bitErrorRate, 0, 0.1, "Raw bit errors per bit read.");
                     });
        });
    f.object("errors", "Bit errors by cycles, retention time, reads and read references.",
             [&](Fields& g) { describeErrors(g, c.errors); });
    f.object("output",
             "Output delay of a die: limits of the data sheet, and dependence on process, voltage and temperature.",
             [&](Fields& g) { describeOutput(g, c.output); });
    f.object("energy", "Energy of the array operations of one die.", [&](Fields& g) {
        physical(g, "read", Quantity::Energy, c.energy.readJoule, "Per page read.");
        physical(g, "program", Quantity::Energy, c.energy.programJoule, "Per page programmed.");
        physical(g, "erase", Quantity::Energy, c.energy.eraseJoule, "Per block erased.");
        physical(g, "idle", Quantity::Power, c.energy.idleWatt, "Standby power of a die.");
    });
}

} // namespace strobe::platform
