#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// One low-level NAND operation: a request of the controller to one die, and its outcome. It travels from a flash unit
// through the channel to the die and back as the extension of one TLM-2.0 transaction (models/nand/protocol.h), but is
// an ordinary value, so that every rule about it is tested without a kernel. Outcomes are values, never exceptions.

#include "models/base/content.h"
#include "models/base/enum_table.h"
#include "models/base/ids.h"
#include "models/base/time.h"

#include <array>
#include <cstdint>

namespace strobe::nand {

enum class Opcode : std::uint8_t { Read, Program, Erase, CopyBack, ReadStatus, ReadId, Reset };

inline constexpr std::array<EnumRow<Opcode>, 7> opcodeTable{
    {{Opcode::Read, "read", "page read: array to page register, then data out"},
     {Opcode::Program, "program", "page program: data in, then page register to array"},
     {Opcode::Erase, "erase", "block erase"},
     {Opcode::CopyBack, "copyback", "page to another page of the same plane through the page register"},
     {Opcode::ReadStatus, "status", "status byte"},
     {Opcode::ReadId, "id", "identification bytes"},
     {Opcode::Reset, "reset", "abort and return to idle"}}};
constexpr const auto& enumTable(Opcode)
{
    return opcodeTable;
}

// Which of the command sequences of its opcode an operation takes. A controller sends plain operations; the
// channel's interface block joins them, and suspends and resumes, if its JoinPolicy says so. A copy-back in halves is
// sent as CopyOut; the interface block continues with CopyIn, and nothing else uses that die in between.
enum class Form : std::uint8_t {
    Alone,     // 30h, 10h, D0h: the array starts, R/B# rises when it is done
    Plane,     // 32h, 11h, D1h: of several planes, not the last: latched, R/B# low for tDBSY
    LastPlane, // of several planes, the last: the array starts for all of them
    Cache,   // read 31h: fetched while the previous page is sent; program 15h: R/B# rises when the next page may follow
    Suspend, // of the program or erase in progress: R/B# rises after tPSUSP, tESUSP
    Resume,  // of the suspended one: the array executes the remaining time
    CopyOut, // copy-back in halves, 35h: the source into the page register; its spare record goes out
    CopyIn,  // 85h, data in, 10h: what is replaced into the page register, which is programmed
    Access,  // PCM: the next access of a page that takes several, with a separate command
    // Programs of parts whose program writes a word line (DieGeometry::pagesPerProgram). The pages that are not its
    // last are latched; the last ones of several planes are Plane and LastPlane.
    WordLinePlane, // 11h: the same page of another plane follows; R/B# low for tDBSY
    WordLinePage,  // 1Ah: the next page of the word line follows; R/B# low for tPBSY
    WordLineEnd,   // 10h: the last page, of one plane: the array starts for the word line
    References,    // read: SET FEATURES changes the read references to readOption first
    Sense,         // read: the next sense of a soft read, SET FEATURES included
    PlaneRead,     // read 30h that leaves the other planes alone; status 78h, of the plane of `target`
    LastPlaneCache // program 15h, the last of several planes: R/B# rises when those planes of the next row may follow
};

inline constexpr std::array<EnumRow<Form>, 16> formTable{
    {{Form::Alone, "alone", "one page or block"},
     {Form::Plane, "plane", "one of several planes, not the last"},
     {Form::LastPlane, "last plane", "the last of several planes"},
     {Form::Cache, "cache", "cache read or cache program"},
     {Form::Suspend, "suspend", "stops a program or erase"},
     {Form::Resume, "resume", "continues a suspended program or erase"},
     {Form::CopyOut, "copy out", "first half of a copy-back: the page into its register"},
     {Form::CopyIn, "copy in", "second half: new data into the register, then the array"},
     {Form::Access, "access", "the next access of a page that takes several"},
     {Form::WordLinePlane, "word-line plane", "a page of a word line, and another plane of it follows"},
     {Form::WordLinePage, "word-line page", "a page of a word line, and the next one follows"},
     {Form::WordLineEnd, "word-line end", "the last page of a word line"},
     {Form::References, "references", "a read after a change of the read references"},
     {Form::Sense, "sense", "the next sense of a soft read"},
     {Form::PlaneRead, "plane read", "a read by one plane while others sense"},
     {Form::LastPlaneCache, "last plane, cache", "the last of several planes of a cache program"}}};
constexpr const auto& enumTable(Form)
{
    return formTable;
}

enum class Status : std::uint8_t {
    Pending, // not finished
    Ok,
    ProgramFailed, // the die's status byte says fail: the block is to be retired
    EraseFailed,
    Uncorrectable, // ECC gave up on the data of a read
    Illegal        // refused by the die, see IllegalReason; nothing has changed
};

inline constexpr std::array<EnumRow<Status>, 6> statusTable{{{Status::Pending, "pending", "not finished"},
                                                             {Status::Ok, "ok", "finished"},
                                                             {Status::ProgramFailed, "program failed", "block is worn"},
                                                             {Status::EraseFailed, "erase failed", "block is worn"},
                                                             {Status::Uncorrectable, "uncorrectable", "ECC gave up"},
                                                             {Status::Illegal, "illegal", "refused by the die"}}};
constexpr const auto& enumTable(Status)
{
    return statusTable;
}

enum class IllegalReason : std::uint8_t {
    None,
    AddressOutOfRange, // block or page beyond the geometry
    ColumnOutOfRange,  // sectors beyond the page
    DieBusy,           // only status and reset are accepted while R/B# is low
    PageNotErased,     // second program of a page without an erase
    PageOutOfOrder,    // pages of a block are programmed in ascending order
    WordLine,          // a program of only a part of a word line
    Mode,              // pSLC mode: the part has none, or the block was erased in the other mode
    PlaneMismatch,     // copy-back across planes
    BadBlock,          // program or erase of a factory bad block
    MultiPlane,    // planes of one command: a plane twice, or addresses that the part does not allow together; cache
                   // programs of several planes: other planes than before, or a part without them
    CacheSequence, // cache read, or second half of a copy-back, without a page read before it
    NoErase,       // PCM: there is nothing to erase, and no copy-back
    Suspended,     // more than a read of other blocks while suspended; nothing to suspend or to resume
    NoOption,      // a read option that the part does not have, or that was not set
    PlaneRead      // a plane-independent read of a part without them, or a soft read as one
};

inline constexpr std::array<EnumRow<IllegalReason>, 16> illegalReasonTable{
    {{IllegalReason::None, "none", ""},
     {IllegalReason::AddressOutOfRange, "address out of range", "block or page beyond the part's geometry"},
     {IllegalReason::ColumnOutOfRange, "column out of range", "sectors beyond the end of the page"},
     {IllegalReason::DieBusy, "die busy", "R/B# is low: only status and reset are accepted"},
     {IllegalReason::PageNotErased, "page not erased", "the page was programmed since the block's last erase"},
     {IllegalReason::PageOutOfOrder, "page out of order", "a later page of the block is programmed already"},
     {IllegalReason::WordLine, "word line", "a program of only a part of a word line"},
     {IllegalReason::Mode, "mode", "the block was erased in the other mode, or the part has no pSLC mode"},
     {IllegalReason::PlaneMismatch, "plane mismatch", "copy-back works inside one plane"},
     {IllegalReason::BadBlock, "bad block", "factory bad block"},
     {IllegalReason::MultiPlane, "multi-plane", "addresses that the part does not allow in one multi-plane command"},
     {IllegalReason::CacheSequence, "cache sequence",
      "a cache read, or the second half of a copy-back, follows a page read"},
     {IllegalReason::NoErase, "no erase", "phase-change memory is overwritten in place, page by page"},
     {IllegalReason::Suspended, "suspended", "only reads of other blocks while suspended; nothing to suspend, resume"},
     {IllegalReason::NoOption, "no option", "a read option that the part does not have, or that was not set"},
     {IllegalReason::PlaneRead, "plane read",
      "a plane-independent read of a part without them, or a soft read as one"}}};
constexpr const auto& enumTable(IllegalReason)
{
    return illegalReasonTable;
}

struct PageAddress {
    std::uint32_t block = 0; // over the whole die
    std::uint32_t page = 0;

    friend constexpr bool operator==(PageAddress a, PageAddress b) { return a.block == b.block && a.page == b.page; }
};

// Firmware's record in the spare bytes of a page (logical page, sequence number, …), opaque to the hardware. A page has
// DieGeometry::spareRecords().
using Spare = std::array<std::uint32_t, 4>;
inline constexpr Spare blankSpare{0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF};

// SET FEATURES (EFh): the feature that selects the read references (89h in Micron's data sheets), and its parameters.
inline constexpr std::uint8_t readReferencesFeature = 0x89;
inline constexpr std::uint32_t featureBytes = 4;
// A die's read option after a soft read: none.
inline constexpr std::uint8_t softReferences = 0xFF;

enum class Priority : std::uint8_t { Background, Foreground };

// Purpose of an operation, as firmware states it; for statistics only.
enum class Purpose : std::uint8_t {
    Host,
    Merge,
    GarbageCollection,
    WearLevelling,
    BlockReplacement,
    Metadata,
    Refresh
};

inline constexpr std::array<EnumRow<Purpose>, 7> purposeTable{
    {{Purpose::Host, "host", "what the host asked for"},
     {Purpose::Merge, "merge", "fills a page of which the host wrote a part"},
     {Purpose::GarbageCollection, "garbage collection", "moves valid pages out of a block and erases it"},
     {Purpose::WearLevelling, "wear levelling", "moves cold data into worn blocks"},
     {Purpose::BlockReplacement, "block replacement", "rescues the pages of a block that failed"},
     {Purpose::Metadata, "metadata", "bad block marks, tables, logs"},
     {Purpose::Refresh, "refresh", "moves data before it can no longer be corrected; scrub reads"}}};
constexpr const auto& enumTable(Purpose)
{
    return purposeTable;
}

struct Operation {
    // Written by the flash unit before the operation is sent, not changed afterwards:
    Opcode opcode = Opcode::Read;
    Priority priority = Priority::Background;
    Purpose purpose = Purpose::Host;
    DieId die{};
    bool pslc = false; // in pSLC mode; an erase sets the mode of its block
    // Suspended after each array time and after the spare record of a copy-out, until its owner continues it
    // (protocol.h). It is not joined with others.
    bool isStepped = false;
    PageAddress target;            // erase: the page is ignored
    PageAddress source;            // copy-back only
    std::uint32_t firstSector = 0; // first sector of the page on the bus (read, program)
    std::uint32_t sectors = 0;     // how many; program: the rest of the page stays blank
    Content data;                  // program: what is written; read: where it goes. Lives until the operation is done.

    // Copy-back in halves: the whole page in `data`, of which these sectors replace those of the source (bit per
    // sector), and whether `spare` replaces its spare record.
    std::uint64_t replaced = 0;
    bool replacesSpare = false;

    // Read of a part with a retry table (error_model.h): the option under which the page is sensed, and how many senses
    // with their data make it; more than one is a soft read, the first of them under this option.
    std::uint8_t readOption = 0;
    std::uint8_t senses = 1;
    std::uint8_t attempt = 0; // for statistics: reads of this page that have failed before

    // Read, id: written by the flash controller if data out has a separate clock for this operation: its period, and
    // when, after the edge that requests a byte, that byte is sampled. 0: as the interface has it.
    Time outputCycle{};
    Time sampleAt{};

    // Written by the channel's interface block when the request starts; CopyOut by the flash unit:
    Form form = Form::Alone;

    // Written by the die (read, id) or the flash unit (program): the record of the first sector. Program: the page's
    // other records are blank, but those in `moreSpares`.
    Spare spare = blankSpare;
    // Read, program: the records after it, so that each 4 KiB of the sectors has one (DieGeometry::recordsOf() - 1).
    // Memory of the flash unit, which lives as long as `data`: read by a program, written by the die for a read. Null:
    // no more records are moved.
    Spare* moreSpares = nullptr;

    // Outcome, written by the die when the operation is issued, later by ECC:
    Status status = Status::Pending;
    IllegalReason reason = IllegalReason::None;
    bool blank = false; // read or copy-out of a page not programmed since its erase; no second half follows
    // Read of a page that a power loss has interrupted, or that was programmed in the other mode: beyond correction, as
    // ECC will find.
    bool torn = false;
    std::uint32_t accesses = 0;  // of the page that are still to come, each with its own request and array time
    std::uint32_t bitErrors = 0; // read: raw bit errors in the worst codeword; the die's, and what the bus adds
    std::uint8_t statusByte = 0; // answer to READ STATUS, ONFI bits (0 fail, 6 ready, 7 not write-protected)

    // Time stamps (absolute): by the channel, the die (ready, arrayEnd), the channel.
    Time submitted{};    // handed to the channel
    Time requestStart{}; // first command cycle on the bus
    Time requestEnd{};   // last cycle of the request (confirm command latched)
    Time ready{};        // R/B# rises
    Time arrayEnd{};     // by the die too: the array is done with this page; later than `ready` for cache forms
    Time done{};         // last cycle of the response; the operation is finished
};

} // namespace strobe::nand
