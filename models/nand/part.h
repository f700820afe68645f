#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A NAND part (chip data sheet) as data: one JSON file in scenarios/parts/ becomes one Part. All times are exact; every
// part names its source. Not in here: the bus clock (that is the channel's interface) and the number of chips.

#include "models/base/enum_table.h"
#include "models/base/time.h"
#include "models/nand/geometry.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strobe::nand {

enum class CellTechnology : std::uint8_t { Slc, Mlc, Tlc, Pcm };

inline constexpr std::array<EnumRow<CellTechnology>, 4> cellTechnologyTable{
    {{CellTechnology::Slc, "SLC", "one bit per cell"},
     {CellTechnology::Mlc, "MLC", "two bits per cell"},
     {CellTechnology::Tlc, "TLC", "three bits per cell"},
     {CellTechnology::Pcm, "PCM", "phase-change memory"}}};
constexpr const auto& enumTable(CellTechnology)
{
    return cellTechnologyTable;
}

// Array times (R/B# low). From the data sheet, typical unless the part says otherwise.
struct ArrayTimes {
    Time tR{};       // page to page register
    Time tPROG{};    // page register to page
    Time tBERS{};    // block erase
    Time tRstIdle{}; // reset while idle
    Time tRstRead{}; // reset during read / program / erase
    Time tRstProgram{};
    Time tRstErase{};
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
    std::uint32_t columnCycles = 2; // address cycles of a column / row address
    std::uint32_t rowCycles = 3;
    bool dataStrobe = true;         // has a data valid strobe; if not, only the conventional interface reaches it
    std::vector<std::uint8_t> id;   // answer to READ ID
    std::uint32_t endurance = 0;    // rated program/erase cycles per block
    std::uint32_t maxBadBlocks = 0; // bad blocks that a die may have when shipped (data sheet: N - NVB)
    DieEnergy energy;
};

} // namespace strobe::nand
