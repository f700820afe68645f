#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The sequence on the pins for each operation in each of its forms (nand::Form), step by step: a table separate from
// the bus schedule's. The bus schedule has another one with durations; tests compare the two. Pure data, no times.
// ONFI names 00h-30h, 80h-10h, 60h-D0h, 00h-35h, 85h-10h, 05h-E0h, 70h, 90h, FFh and, of planes and the cache register,
// EFh,
// 32h, 11h, D1h, 06h-E0h, 78h, 31h, 15h, 3Fh. Suspend (84h, 61h) and resume (13h, D2h) are vendors' commands.

#include "models/nand/operation.h"
#include "models/nand/part.h"

#include <cstdint>
#include <vector>

namespace strobe::pins {

enum class Act : std::uint8_t {
    Command,
    Column, // address cycles: where the operation's data begins
    Row,
    SourceRow,
    SpareColumn, // where the spare bytes begin
    IdAddress,
    Tadl,
    Twhr,
    Tccs,
    FeatureAddress,
    Parameters, // of SET FEATURES
    Tfeat,
    In,      // page data
    Replace, // what a copy-back replaces, each further run after a change of column (85h)
    Out,
    SpareOut, // firmware's record
    Status,
    Id,
    Select,   // separate command lines: the die once more
    OpenData, // and its data lines
    CloseData
};

struct SequenceStep {
    Act act;
    std::uint8_t byte = 0; // of a command
};
using Steps = std::vector<SequenceStep>;

enum class Gap : std::uint8_t { None, Trr, Poll }; // R/B# high to the next segment of the operation

struct Sequence {
    nand::Form form;
    nand::Opcode opcode;
    Steps request;
    Steps response;
    bool isBusy = false;   // R/B# falls after the request
    bool isPolled = false; // the response is a status read, which an interface may omit
    Gap gap = Gap::None;
};

// The same on separate command lines: 12h ends the address of data in, 05h-E0h selects the column of data out, and data
// is between OpenData (SCE) and CloseData (SCT). Of what a copy-back replaces, TenureWriter draws these.
Steps onCommandLines(const Steps& steps);

// All sequences. An opcode has no other forms.
const std::vector<Sequence>& sequences();
const Sequence& sequenceOf(nand::Form form, nand::Opcode opcode); // REQUIRES: the opcode has that form
// 3Fh: the last page of a cache read moves to the cache register. Neither begins nor ends an operation.
const Steps& cacheEndSteps();
// In pSLC mode a request begins with the part's prefix, unless it continues an operation.
bool takesPrefix(nand::Form form);
SequenceStep prefixStep(nand::PslcPrefix prefix);
SequenceStep snapConfirm(); // 20h, in place of the last command of a read; unconfirmed

} // namespace strobe::pins
