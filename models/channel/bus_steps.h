#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The sequence on the bus for each operation in each of its forms (nand::Form): a table of steps without durations,
// from which the bus schedule (bus_schedule.h, which lists the sequences) forms segments. Pure data.
//
// Separate command and address lines (InterfaceTiming::hasCommandLines) change a sequence as follows; the rest is
// the same, byte by byte, as packets on CA:
//   page data      between SCE and SCT, which open and close the data lines of the die
//   page data in   12h after the address: it ends there, and data follows on DQ
//   page data out  05h column E0h, tCCS before it, unless the sequence selects the column itself
//   tCS            again after each wait but tWHR, and after page data: another die may have been selected meanwhile
// Not modelled: SCP (data is never paused), packets for termination of other dies (NTO) and LUNSel.

#include "models/channel/bus_schedule.h"
#include "models/nand/operation.h"

#include <cstdint>
#include <vector>

namespace strobe::channel {

// Duration of a step of a command sequence.
enum class Extent : std::uint8_t {
    OneCycle,
    ColumnCycles,
    RowCycles,
    Tcs,
    Tadl,
    Twhr,
    Tccs,
    PageData,
    Replaced,
    StatusByte,
    IdBytes,
    SpareRecord,
    Parameters,
    Tfeat
};

struct Step {
    SegmentKind kind;
    const char* label;
    Extent extent;
};

constexpr Step command(const char* label)
{
    return {SegmentKind::Command, label, Extent::OneCycle};
}

using Sequence = std::vector<Step>;

// The meaning of R/B# high for the controller, which determines when it may continue.
enum class Notice : std::uint8_t { None, Trr, Poll };

struct Sequences {
    nand::Form form;
    nand::Opcode opcode;
    Sequence request;
    Sequence response;
    bool busy;             // R/B# falls after the request
    bool statusIsOptional; // the response is a status read that an interface may omit
    Notice notice;
};

// All sequences. `hasCommandLines`: as they are on separate lines. An opcode has no other forms.
const std::vector<Sequences>& sequenceTable(bool hasCommandLines);
const Sequences& sequencesOf(const nand::Operation& op, bool hasCommandLines); // REQUIRES: its opcode has its form
// Whether the request begins with the part's prefix in pSLC mode.
bool takesPrefix(nand::Form form, nand::Opcode opcode);
// Of each run of data that a copy-back replaces: its column, unless it is the first; what precedes and follows the
// data.
const Sequence& columnOfReplaced();
const Sequence& beforeReplaced(bool hasCommandLines);
const Sequence& afterReplaced(bool hasCommandLines);
bool contains(const Sequence& sequence, SegmentKind kind, Extent extent);

} // namespace strobe::channel
