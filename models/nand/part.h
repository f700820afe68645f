#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A NAND part (chip data sheet) as data: one JSON file in scenarios/parts/ becomes one Part. All times are exact; every
// part names its source. Not in here: the bus clock (that is the channel's interface) and the number of chips.

#include "models/base/enum_table.h"
#include "models/base/time.h"
#include "models/nand/error_model.h"
#include "models/nand/geometry.h"
#include "models/nand/output_delay.h"
#include "models/nand/wear.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::nand {

enum class CellTechnology : std::uint8_t { Slc, Mlc, Tlc, Qlc, Pcm };

inline constexpr std::array<EnumRow<CellTechnology>, 5> cellTechnologyTable{
    {{CellTechnology::Slc, "SLC", "one bit per cell"},
     {CellTechnology::Mlc, "MLC", "two bits per cell"},
     {CellTechnology::Tlc, "TLC", "three bits per cell"},
     {CellTechnology::Qlc, "QLC", "four bits per cell"},
     {CellTechnology::Pcm, "PCM", "phase-change memory"}}};
constexpr const auto& enumTable(CellTechnology)
{
    return cellTechnologyTable;
}
constexpr std::uint32_t bitsPerCell(CellTechnology cell)
{
    switch (cell) {
    case CellTechnology::Mlc: return 2;
    case CellTechnology::Tlc: return 3;
    case CellTechnology::Qlc: return 4;
    case CellTechnology::Slc:
    case CellTechnology::Pcm: break;
    }
    return 1;
}

// Which pages of different planes one multi-plane command may work on. Erases have no page.
enum class MultiPlaneRule : std::uint8_t { None, SamePage, SameBlockAndPage };

inline constexpr std::array<EnumRow<MultiPlaneRule>, 3> multiPlaneRuleTable{
    {{MultiPlaneRule::None, "none", "no multi-plane commands"},
     {MultiPlaneRule::SamePage, "same-page", "the same page of any block of each plane"},
     {MultiPlaneRule::SameBlockAndPage, "same-block", "the same page of the same block of each plane"}}};
constexpr const auto& enumTable(MultiPlaneRule)
{
    return multiPlaneRuleTable;
}

// Array times (R/B# low). From the data sheet, typical unless the part says otherwise. The last nine belong to
// commands that work on several pages or are cut in two; their initial values are assumed, of the order of MLC data
// sheets.
struct ArrayTimes {
    Time tR{};       // page to page register
    Time tPROG{};    // page register to page
    Time tBERS{};    // block erase
    Time tRstIdle{}; // reset while idle
    Time tRstRead{}; // reset during read / program / erase
    Time tRstProgram{};
    Time tRstErase{};
    Time tDBSY = std::chrono::nanoseconds(500);  // between the planes of a multi-plane command
    Time tPBSY = std::chrono::nanoseconds(500);  // between the pages of a word line; assumed as long as tDBSY
    Time tRCBSY = std::chrono::microseconds(3);  // cache read: page register to cache register
    Time tCBSY = std::chrono::microseconds(3);   // cache program: cache register to page register
    Time tPSUSP = std::chrono::microseconds(20); // program suspend to R/B# high
    Time tESUSP = std::chrono::microseconds(50); // erase suspend to R/B# high
    Time tPRSM = std::chrono::microseconds(5);   // resume: added to what was left of the program
    Time tERSM = std::chrono::microseconds(20);  // resume: added to what was left of the erase
    Time tFEAT = std::chrono::microseconds(1);   // set features (ONFI: at most 1 us)
};

// Multi-bit cells: the pages that share a row of cells take different times. Zero: the part's time.
struct PageType {
    std::string name; // "LSB"
    Time tR{};
    Time tPROG{};
};

// Command cycle before the request of an operation in pSLC mode. Vendors differ and publish no data sheets: A2h is
// Toshiba's and SanDisk's, DAh Samsung's and Micron's [unconfirmed].
enum class PslcPrefix : std::uint8_t { A2h, DAh };

inline constexpr std::array<EnumRow<PslcPrefix>, 2> pslcPrefixTable{
    {{PslcPrefix::A2h, "A2h", "Toshiba and SanDisk"}, {PslcPrefix::DAh, "DAh", "Samsung and Micron"}}};
constexpr const auto& enumTable(PslcPrefix)
{
    return pslcPrefixTable;
}

// A block whose first page after an erase is programmed in pSLC mode stores one bit per cell until its next erase:
// fewer pages, that are programmed and read faster. Assumption: the mode of the erase itself does not matter. Zero
// values: those of the part.
struct PslcMode {
    Time tR{};
    Time tPROG{}; // of one page; zero: the part has no pSLC mode
    Time tBERS{};
    std::uint32_t endurance = 0; // rated cycles of a block that is always used in pSLC mode
    PslcPrefix prefix = PslcPrefix::A2h;
    double readJoule = 0; // per page
    double programJoule = 0;
    double eraseJoule = 0; // per block
};

// Reads of a part of a page that the array senses faster (snap_read.h).
struct SnapRead {
    std::uint32_t bytes = 0; // data bytes of an aligned section of the page; 0: the part has no such reads
    Time tR{};               // of a section; page types in proportion to their tR
};

// Energy of the array operations of one die and its idle power; bus energy belongs to the channel.
struct DieEnergy {
    double readJoule = 0;    // per page
    double programJoule = 0; // per page
    double eraseJoule = 0;   // per block
    double idleWatt = 0;     // standby
};

struct Part {
    std::string name;
    std::string source; // where the numbers come from
    CellTechnology cell = CellTechnology::Slc;
    DieGeometry geometry;
    ArrayTimes times;
    PslcMode pslc;
    SnapRead snapRead;
    std::vector<PageType> pageTypes; // page p of a block is of type p % size; none: all pages are alike
    MultiPlaneRule multiPlane = MultiPlaneRule::SamePage;
    // Cache programs of several planes: 80h-11h for each, 80h-15h for the last (ONFI's parameter page, byte 114: an
    // option of each part). Assumed: all of a sequence are of the same planes. Programs of word lines have none.
    bool multiPlaneCache = false;
    // Each plane senses a page of its own at its own time (asynchronous reads). Everything but reads needs all planes.
    bool planeIndependentReads = false;
    std::uint32_t maxSuspends = 8;  // of one program or erase; 0: it cannot be suspended
    std::uint32_t columnCycles = 2; // address cycles of a column / row address
    std::uint32_t rowCycles = 3;
    bool dataStrobe = true;         // has a data valid strobe; if not, only the conventional interface reaches it
    std::vector<std::uint8_t> id;   // answer to READ ID
    std::uint32_t endurance = 0;    // rated program/erase cycles per block
    std::uint32_t maxBadBlocks = 0; // bad blocks that a die may have when shipped (data sheet: N - NVB)
    OutputParameters output;        // used where the output time of a byte matters
    DieEnergy energy;
    WearCurve wear;                // effect of the rated cycles on times and errors
    ErrorModel errors;             // bit errors by cycles, retention and reads, instead of those of the wear curve
    std::uint32_t accessBytes = 0; // PCM: data bytes of one access, of which a page takes several; 0: a page is one

    bool hasPlaneReads() const { return planeIndependentReads && geometry.planes > 1; }
    bool hasPlaneCache() const { return multiPlaneCache && multiPlane != MultiPlaneRule::None && geometry.planes > 1; }
    bool isOverwritable() const { return cell == CellTechnology::Pcm; } // in place, without an erase
    std::uint32_t accesses(std::uint32_t sectors) const
    {
        const std::uint64_t bytes = std::uint64_t{sectors} * sectorBytes;
        return accessBytes == 0 || bytes == 0 ? 1 : static_cast<std::uint32_t>((bytes + accessBytes - 1) / accessBytes);
    }
    // Array times of a page or block, in pSLC mode or not.
    Time tR(std::uint32_t page, bool isPslc = false) const
    {
        const Time usual = ofType(page, times.tR, &PageType::tR);
        return isPslc ? orElse(pslc.tR, usual) : usual;
    }
    Time tPROG(std::uint32_t page, bool isPslc = false) const // of a word line, if a program writes one
    {
        if (isPslc)
            return pslc.tPROG;
        return geometry.hasWordLines() ? times.tPROG : ofType(page, times.tPROG, &PageType::tPROG);
    }
    Time tBERS(bool isPslc = false) const { return isPslc ? orElse(pslc.tBERS, times.tBERS) : times.tBERS; }
    const PageType& typeOf(std::uint32_t page) const { return pageTypes[page % pageTypes.size()]; } // if it has any

private:
    static Time orElse(Time time, Time usual) { return time > Time{} ? time : usual; }
    Time ofType(std::uint32_t page, Time usual, Time PageType::*own) const
    {
        if (pageTypes.empty())
            return usual;
        return orElse(typeOf(page).*own, usual);
    }
};

// Of a block of the part in pSLC mode (DieGeometry::pslcPages), which follows from the cells; 0: it has no such mode.
constexpr std::uint32_t pslcPagesOf(const DieGeometry& geometry, CellTechnology cell, const PslcMode& pslc)
{
    return pslc.tPROG > Time{} ? geometry.pagesPerBlock / bitsPerCell(cell) : 0;
}

} // namespace strobe::nand
