#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The operations of a NAND bus, by name, with everything that belongs to one: all planes of a multi-plane
// command, the pages of a cache sequence, the read for which a program is suspended. For pictures of one die on an idle
// bus (`strobe inspect waveform`) and for tests against the transaction level.
//   multi-plane-*     one page (block) of each plane; the outcome or data of each
//   cache-*           three pages: the one that begins, one in the middle, the last
//   multi-plane-cache-program  the same, each time of all planes
//   copyback-halves   the source's spare record goes out; the first sector, the third and the spare record are replaced
//   *-suspend         halfway through the array time a page read of another block arrives; then resume
//   word lines        a program is of all pages of a word line, without suspension and not in cache form
//   pslc-*            one page or block in pSLC mode
//   PCM               a page that takes several accesses: one after the other
// Addresses: at the end of the die.

#include "models/base/enum_table.h"
#include "models/pins/pin_twin.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace strobe::pins {

enum class BusSequence : std::uint8_t {
    Read,
    Program,
    Erase,
    CopyBack,
    Status,
    Id,
    Reset,
    MultiPlaneRead,
    MultiPlaneProgram,
    MultiPlaneErase,
    CacheRead,
    CacheProgram,
    CopyBackHalves,
    ProgramSuspend,
    EraseSuspend,
    PslcRead,
    PslcProgram,
    PslcErase,
    MultiPlaneCacheProgram
};

inline constexpr std::array<EnumRow<BusSequence>, 19> busSequenceTable{
    {{BusSequence::Read, "read", "page read: 00h-30h, tR, data out"},
     {BusSequence::Program, "program", "page program: 80h, data in, 10h, tPROG, status"},
     {BusSequence::Erase, "erase", "block erase: 60h-D0h, tBERS, status"},
     {BusSequence::CopyBack, "copyback", "page to another page: 00h-35h, 85h-10h, tR and tPROG, status"},
     {BusSequence::Status, "status", "status byte: 70h"},
     {BusSequence::Id, "id", "identification bytes: 90h"},
     {BusSequence::Reset, "reset", "FFh, tRST"},
     {BusSequence::MultiPlaneRead, "multi-plane-read",
      "a page of each plane: 00h-32h, 00h-30h, tR, 06h-E0h and data of each"},
     {BusSequence::MultiPlaneProgram, "multi-plane-program",
      "80h-11h, 80h-10h, tPROG, 78h for the status of each plane"},
     {BusSequence::MultiPlaneErase, "multi-plane-erase", "60h-D1h, 60h-D0h, tBERS, 78h for the status of each plane"},
     {BusSequence::CacheRead, "cache-read",
      "three pages: 00h-30h, then each 00h-31h while the one before goes out, 3Fh"},
     {BusSequence::CacheProgram, "cache-program", "three pages: 80h-15h while the one before is in the array, 80h-10h"},
     {BusSequence::CopyBackHalves, "copyback-halves",
      "00h-35h, spare record by 05h-E0h; 85h, data in at several columns, 10h"},
     {BusSequence::ProgramSuspend, "program-suspend", "a program suspended by 84h, a page read, 13h to resume"},
     {BusSequence::EraseSuspend, "erase-suspend", "an erase suspended by 61h, a page read, D2h to resume"},
     {BusSequence::PslcRead, "pslc-read", "page read in pSLC mode: A2h or DAh, then as read"},
     {BusSequence::PslcProgram, "pslc-program", "page program in pSLC mode: the prefix, then 80h, data in, 10h"},
     {BusSequence::PslcErase, "pslc-erase", "block erase into pSLC mode: the prefix, then 60h-D0h"},
     {BusSequence::MultiPlaneCacheProgram, "multi-plane-cache-program",
      "three rows: 80h-11h, 80h-15h while one is in the array, 80h-10h"}}};
constexpr const auto& enumTable(BusSequence)
{
    return busSequenceTable;
}

// Why this sequence is not possible, a sentence about the part; empty: it is possible.
std::string unsupportedReason(BusSequence sequence, const PinTwin& twin);
// The operations that a controller would send, in order; for a suspension the program or erase, then the read.
std::vector<nand::Operation> operationsOf(BusSequence sequence, const nand::Part& part);
// How long the array works before the suspend command.
Time suspendedAfter(const nand::Operation& op, const nand::Part& part);
bool movesPageData(BusSequence sequence);

// `bytes` replaces the amount of each run of page data. REQUIRES: unsupportedReason() is empty.
Waveform waveformOf(BusSequence sequence, const PinTwin& twin, std::optional<std::uint32_t> bytes = {});

} // namespace strobe::pins
