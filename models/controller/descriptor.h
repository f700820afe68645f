#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The flash descriptor: one superchip operation as firmware writes it to memory (flash_descriptor in
// firmware/regs/strobe.rdl, 64 bytes, little-endian), and the status that is returned. Plain values; parsing never
// fails, validate() returns the error. Block numbers and page order, which only the die can check, are not checked
// here.

#include "models/base/enum_table.h"
#include "models/base/ids.h"
#include "models/controller/superchip.h"
#include "models/memory/region.h"
#include "models/nand/operation.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace strobe::controller {

using DescriptorWords = std::array<std::uint32_t, 16>;

inline constexpr std::uint32_t descriptorBytes = 64;
// Which word is at byte `offset` (strobe_registers.h, layout).
constexpr std::size_t wordAt(std::uint32_t offset)
{
    return offset / sizeof(std::uint32_t);
}
inline constexpr std::uint32_t spareRecordBytes = nand::recordBytes;
// A mapping unit, as unit tables count: the data of one spare record.
inline constexpr std::uint32_t sectorsPerUnit = nand::sectorsPerRecord;
inline constexpr std::uint32_t unitBytes = sectorsPerUnit * static_cast<std::uint32_t>(sectorBytes);
inline constexpr BusAddress hostInterfaceBuffer{0xFFFFFFFF}; // reserved buffer address: straight to the host

// CONTROL.opcode. A descriptor may hold any other value; validate() refuses it.
enum class SuperchipOpcode : std::uint8_t { Read = 1, Program = 2, Erase = 3, CopyBack = 4 };

inline constexpr std::array<EnumRow<SuperchipOpcode>, 4> superchipOpcodeTable{
    {{SuperchipOpcode::Read, "read", "sectors of a superblock into the data buffer"},
     {SuperchipOpcode::Program, "program", "sectors of the data buffer into a superblock"},
     {SuperchipOpcode::Erase, "erase", "all blocks of a superblock"},
     {SuperchipOpcode::CopyBack, "copyback", "pages of a superblock to another one of the same superchip"}}};
constexpr const auto& enumTable(SuperchipOpcode)
{
    return superchipOpcodeTable;
}

struct FlashDescriptor {
    BusAddress next{}; // 0: end of the list
    SuperchipOpcode opcode = SuperchipOpcode::Read;
    bool report = false;
    bool inlineBlocks = false;
    bool inlineSpare = false;
    bool commonSpare = false;    // program, copy-back: `spare` for every page
    bool hasSectorTable = false; // at spareAddress
    bool hasUnitTable = false;   // at spareAddress; `buffer` is not used
    bool isPslc = false;         // the blocks are in pSLC mode, an erase sets it
    bool isOneChip = false;      // of a 1x1 superchip, `superchip` being the flat die number
    bool completes = false;      // read to the host: with this its command is complete
    bool hasParity = false;      // read, program: the XOR engine takes part (xor_engine.h), `sourceSector` is its order
    bool isStepped = false;      // one page or block of one chip, suspended after each primitive
    std::uint32_t step = 1;      // one chip, read and program: sectors of `buffer` from one to the next
    nand::Purpose purpose = nand::Purpose::Host;
    bool hasReadOption = false; // read: `sourceBlocks` says how its pages are sensed
    std::uint32_t superchip = 0;
    std::uint32_t startSector = 0; // within the superblock
    std::uint32_t sectors = 0;
    BusAddress buffer{};
    std::uint32_t blocks = 0;       // bus address of b * c words, or the number itself
    std::uint32_t sourceBlocks = 0; // copy-back: the same for the source
    std::uint32_t sourceSector = 0; // read to the host: slot and first sector within the command
    BusAddress spareAddress{};      // 16-byte records in order of the pages, 0: none; or the sector or unit table
    std::uint32_t cookie = 0;
    nand::Spare spare{};

    std::uint32_t endSector() const { return startSector + sectors; }                     // REQUIRES: validated
    std::uint64_t bufferSectors() const { return std::uint64_t{sectors - 1} * step + 1; } // REQUIRES: sectors != 0
    std::uint32_t readOption() const { return hasReadOption ? sourceBlocks & 0xFF : 0; }
    std::uint32_t senses() const { return hasReadOption ? std::max(sourceBlocks >> 8 & 0xF, 1U) : 1; }
    std::uint32_t attempt() const { return hasReadOption ? sourceBlocks >> 12 & 0xFF : 0; }
    bool isToHost() const { return opcode == SuperchipOpcode::Read && buffer == hostInterfaceBuffer; }
    std::uint16_t hostSlot() const { return static_cast<std::uint16_t>(sourceSector); }
    std::uint32_t hostFirst() const { return sourceSector >> 16; } // sector within the command
    // Read: nothing is mapped, what is not buffered is zeros.
    bool isUnmapped() const
    {
        return opcode == SuperchipOpcode::Read && hasSectorTable && !inlineBlocks && blocks == 0;
    }
};

FlashDescriptor parseDescriptor(const DescriptorWords& words);
DescriptorWords toWords(const FlashDescriptor& descriptor); // STATUS is zero: pending

// STATUS.code of descriptors and events.
enum class StatusCode : std::uint8_t {
    Pending = 0,
    Ok = 1,
    ProgramFailed = 2,
    EraseFailed = 3,
    Uncorrectable = 4,
    Illegal = 5,
    Malformed = 6,
    Suspended = 7 // events only
};

inline constexpr std::array<EnumRow<StatusCode>, 8> statusCodeTable{
    {{StatusCode::Pending, "pending", "not finished"},
     {StatusCode::Ok, "ok", "finished"},
     {StatusCode::ProgramFailed, "program failed", "the die says fail: the block is to be retired"},
     {StatusCode::EraseFailed, "erase failed", "the die says fail: the block is to be retired"},
     {StatusCode::Uncorrectable, "uncorrectable", "ECC gave up"},
     {StatusCode::Illegal, "illegal", "refused by the die"},
     {StatusCode::Malformed, "malformed descriptor", "refused by the unit"},
     {StatusCode::Suspended, "suspended", "a primitive of a stepped operation has ended"}}};
constexpr const auto& enumTable(StatusCode)
{
    return statusCodeTable;
}

// PRIMITIVE.next: what follows in a suspended operation.
enum class Primitive : std::uint8_t { None = 0, DataOut = 1, RecordOut = 2, Transfer = 3, StatusRead = 4 };

inline constexpr std::array<EnumRow<Primitive>, 5> primitiveTable{
    {{Primitive::None, "none", ""},
     {Primitive::DataOut, "data out", "read: the page to memory"},
     {Primitive::RecordOut, "record out", "copy-back: the spare record of the source"},
     {Primitive::Transfer, "transfer", "copy-back: what is replaced into the page register, then the array"},
     {Primitive::StatusRead, "status read", "erase, program, copy-back"}}};
constexpr const auto& enumTable(Primitive)
{
    return primitiveTable;
}

StatusCode statusCode(nand::Status status);

struct Outcome {
    StatusCode code = StatusCode::Pending;
    std::uint8_t chip = 0; // the first that failed
    bool blank = false;    // a page that was read is blank
    std::uint16_t page =
        0; // of the superblock, at which that chip failed; ok read: bits corrected in a codeword, at most
};

// As STATUS has them, in 14 bits.
inline std::uint16_t correctedBits(const nand::Operation& read)
{
    constexpr std::uint32_t most = 0x3FFF;
    return static_cast<std::uint16_t>(std::min(read.bitErrors, most));
}

std::uint32_t statusWord(const Outcome& outcome);
Outcome parseStatus(std::uint32_t word);

enum class MalformedReason : std::uint8_t {
    None,
    DescriptorAddress,
    DescriptorOutsideMemory,
    UnknownOpcode,
    SuperchipOutOfRange,
    ZeroSectors,
    SectorsOutOfRange,
    BufferUnaligned,
    BufferOutsideMemory,
    HostBuffer,
    HostRefused,
    InlineBlocks,
    BlocksUnaligned,
    BlocksOutsideMemory,
    InlineSpare,
    SpareUnaligned,
    SpareOutsideMemory,
    CopyBackUnaligned,
    WordLine,
    PslcMode,
    Option,
    TableUnaligned,
    TableOutsideMemory,
    ReadOption,
    UnitTableOption,
    UnitTableSuperchip,
    UnitTablePage,
    UnitTableUnaligned,
    UnitTableSectors,
    UnitTableOutsideMemory,
    Stepped,
    ListLoops,
    InExecution
};

inline constexpr std::array<EnumRow<MalformedReason>, 33> malformedReasonTable{
    {{MalformedReason::None, "none", ""},
     {MalformedReason::DescriptorAddress, "descriptor address", "zero or not a multiple of 64"},
     {MalformedReason::DescriptorOutsideMemory, "descriptor outside control memory", ""},
     {MalformedReason::UnknownOpcode, "unknown opcode", "1 read, 2 program, 3 erase, 4 copy-back"},
     {MalformedReason::SuperchipOutOfRange, "no such superchip", ""},
     {MalformedReason::ZeroSectors, "zero sectors", "only an erase needs none"},
     {MalformedReason::SectorsOutOfRange, "sectors beyond the superblock", ""},
     {MalformedReason::BufferUnaligned, "buffer not a multiple of 512", ""},
     {MalformedReason::BufferOutsideMemory, "buffer outside the data buffer", ""},
     {MalformedReason::HostBuffer, "host interface as the buffer", "only reads, and only with a host interface"},
     {MalformedReason::HostRefused, "refused by the host interface", "no such read command, or sectors beyond it"},
     {MalformedReason::InlineBlocks, "one inline block number for several chips", ""},
     {MalformedReason::BlocksUnaligned, "block list not word-aligned", ""},
     {MalformedReason::BlocksOutsideMemory, "block list outside control memory", ""},
     {MalformedReason::InlineSpare, "one inline spare record for several pages", ""},
     {MalformedReason::SpareUnaligned, "spare records not word-aligned", ""},
     {MalformedReason::SpareOutsideMemory, "spare records outside control memory", ""},
     {MalformedReason::CopyBackUnaligned, "copy-back not in whole pages of the same chips", ""},
     {MalformedReason::WordLine, "not whole word lines",
      "a program covers all pages of each word line, without a sector table; there is no copy-back"},
     {MalformedReason::PslcMode, "pSLC mode of a part that has none", ""},
     {MalformedReason::Option, "option that the operation does not have", ""},
     {MalformedReason::TableUnaligned, "sector table not word-aligned", ""},
     {MalformedReason::TableOutsideMemory, "sector table outside control memory", ""},
     {MalformedReason::ReadOption, "read option of another operation, or too many senses",
      "only reads, of up to 7 senses"},
     {MalformedReason::UnitTableOption, "unit table with another option or operation",
      "only read and program, without sector table, inline or common spare record, step, or the host as the buffer"},
     {MalformedReason::UnitTableSuperchip, "unit table for several chips", "only 1x1 superchips or one chip"},
     {MalformedReason::UnitTablePage, "unit table for pages that have no unit records",
      "pages are not whole units of 4096 bytes, or their spare bytes do not hold 16 bytes for each"},
     {MalformedReason::UnitTableUnaligned, "unit table not word-aligned", ""},
     {MalformedReason::UnitTableSectors, "unit table for sectors that are not whole units", ""},
     {MalformedReason::UnitTableOutsideMemory, "unit table outside control memory", ""},
     {MalformedReason::Stepped, "operation that cannot be executed in steps",
      "only a page or block of one chip, without unit table, not to the host, not of a word line"},
     {MalformedReason::ListLoops, "list without an end",
      "NEXT is an earlier descriptor of the list, or the descriptor itself"},
     {MalformedReason::InExecution, "descriptor that is in execution", "queued again before its status was written"}}};
constexpr const auto& enumTable(MalformedReason)
{
    return malformedReasonTable;
}

// Whether a list may start, or go on, at this address.
constexpr bool isDescriptorAddress(BusAddress address)
{
    return raw(address) != 0 && raw(address) % descriptorBytes == 0;
}

// A sector table needs a bit per sector of a page.
inline constexpr std::uint32_t maxTableSectorsPerPage = 64;

// `map`: the map of 1x1 superchips for a one-chip descriptor. `dataBuffer`: holds sectors; a buffer is entirely inside
// or entirely outside it. `hasHost`: reads may go to the host interface.
MalformedReason validate(const FlashDescriptor& descriptor, const SuperchipMap& map, const memory::Region& dataBuffer,
                         bool hasHost);

} // namespace strobe::controller
