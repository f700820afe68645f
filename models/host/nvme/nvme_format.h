#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// NVM Express 1.4, the Zoned Namespace Command Set 1.1 and flexible data placement (TP4146): offsets, opcodes, status
// codes and the layout of queue entries, as far as the controller and its drivers use them. Names follow the
// specification. Little endian, as the machines that Strobe runs on.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strobe::host::nvme {

// --- registers (BAR 0) -----------------------------------------------------------------------------------------------

namespace reg {
inline constexpr std::uint32_t CAP = 0x00;
inline constexpr std::uint32_t VS = 0x08;
inline constexpr std::uint32_t INTMS = 0x0C;
inline constexpr std::uint32_t INTMC = 0x10;
inline constexpr std::uint32_t CC = 0x14;
inline constexpr std::uint32_t CSTS = 0x1C;
inline constexpr std::uint32_t AQA = 0x24;
inline constexpr std::uint32_t ASQ = 0x28;
inline constexpr std::uint32_t ACQ = 0x30;
inline constexpr std::uint32_t doorbells = 0x1000;
inline constexpr std::uint32_t msixTable = 0x2000; // 16 bytes a vector: address, data, mask
inline constexpr std::uint32_t msixPending = 0x3000;
inline constexpr std::uint32_t barBytes = 0x4000;
// The tail of a submission queue, with doorbells that are 4 bytes apart.
constexpr bool isSubmissionDoorbell(std::uint32_t offset)
{
    return offset >= doorbells && offset < msixTable && offset % 8 == 0;
}
} // namespace reg

inline constexpr std::uint32_t version = 0x0001'0400;
inline constexpr std::uint32_t ccEnable = 1;
inline constexpr std::uint32_t ccEntrySizes = 6U << 16U | 4U << 20U; // queue entries of 64 and 16 bytes
inline constexpr std::uint32_t cstsReady = 1;
inline constexpr std::uint32_t cstsFatal = 2;
inline constexpr std::uint32_t cstsShutdownMask = 3U << 2U;
inline constexpr std::uint32_t cstsShutdownBusy = 1U << 2U;
inline constexpr std::uint32_t cstsShutdownDone = 2U << 2U;

// --- commands --------------------------------------------------------------------------------------------------------

enum class AdminOpcode : std::uint8_t {
    DeleteSq = 0x00,
    CreateSq = 0x01,
    GetLogPage = 0x02,
    DeleteCq = 0x04,
    CreateCq = 0x05,
    Identify = 0x06,
    Abort = 0x08,
    SetFeatures = 0x09,
    GetFeatures = 0x0A,
    AsyncEventRequest = 0x0C,
    FormatNvm = 0x80,
    GetLbaStatus = 0x86
};

enum class IoOpcode : std::uint8_t {
    Flush = 0x00,
    Write = 0x01,
    Read = 0x02,
    Compare = 0x05,
    WriteZeroes = 0x08,
    DatasetManagement = 0x09,
    IoManagementReceive = 0x12,
    Copy = 0x19,
    IoManagementSend = 0x1D,
    // Zoned Namespace Command Set.
    ZoneManagementSend = 0x79,
    ZoneManagementReceive = 0x7A,
    ZoneAppend = 0x7D
};

enum class Feature : std::uint8_t {
    Arbitration = 0x01,
    PowerManagement = 0x02,
    TemperatureThreshold = 0x04,
    ErrorRecovery = 0x05,
    VolatileWriteCache = 0x06,
    NumberOfQueues = 0x07,
    InterruptCoalescing = 0x08,
    InterruptVector = 0x09,
    WriteAtomicity = 0x0A,
    AsyncEvents = 0x0B,
    AutonomousTransitions = 0x0C,
    Timestamp = 0x0E,
    HostThermalManagement = 0x10,
    DataPlacement = 0x1D,
    DataPlacementEvents = 0x1E
};

enum class ZoneSendAction : std::uint8_t { Close = 1, Finish = 2, Open = 3, Reset = 4 };

inline constexpr std::uint8_t zonedCommandSet = 2;          // command set identifier (CSI)
inline constexpr std::uint32_t capCommandSets = 1U << 11U;  // CAP.CSS, bits 63:32: more than the NVM command set
inline constexpr std::uint32_t ccAllCommandSets = 6U << 4U; // CC.CSS
inline constexpr std::uint32_t zoneSelectAll = 1U << 8U;    // command dword 13 of zone management send

// Status code type in bits 10:8, status code in bits 7:0.
enum class NvmeStatus : std::uint16_t {
    Success = 0x000,
    InvalidOpcode = 0x001,
    InvalidField = 0x002,
    DataTransferError = 0x004,
    InternalError = 0x006,
    AbortRequested = 0x007,
    InvalidNamespace = 0x00B,
    CommandSequenceError = 0x00C,
    PrpOffsetInvalid = 0x013,
    LbaOutOfRange = 0x080,
    FormatInProgress = 0x084,
    CompletionQueueInvalid = 0x100,
    InvalidQueueIdentifier = 0x101,
    InvalidQueueSize = 0x102,
    AsyncEventLimitExceeded = 0x105,
    InvalidInterruptVector = 0x108,
    InvalidLogPage = 0x109,
    InvalidFormat = 0x10A,
    InvalidQueueDeletion = 0x10C,
    FeatureNotSaveable = 0x10D,
    FeatureNotChangeable = 0x10E,
    FeatureNotNamespaceSpecific = 0x10F,
    CommandSizeLimitExceeded = 0x183,
    ZoneBoundaryError = 0x1B8,
    ZoneIsFull = 0x1B9,
    ZoneIsReadOnly = 0x1BA,
    ZoneIsOffline = 0x1BB,
    ZoneInvalidWrite = 0x1BC,
    TooManyActiveZones = 0x1BD,
    TooManyOpenZones = 0x1BE,
    InvalidZoneStateTransition = 0x1BF,
    UnrecoveredReadError = 0x281,
    CompareFailure = 0x285
};

inline constexpr std::uint32_t fusedOrSgl = 0xC300U; // command dword 0: fused operation; PSDT, which must be PRP
inline constexpr std::uint32_t defaultBurst = 3;     // of arbitration: 2^3 commands, 512 bytes of queue entries
inline constexpr std::uint32_t submissionBytes = 64;
inline constexpr std::uint32_t completionBytes = 16;
inline constexpr std::uint32_t rangeBytes = 16;
inline constexpr std::uint32_t identifyBytes = 4096;
inline constexpr std::uint32_t fuaBit = 1U << 30U;      // command dword 12 of a write
inline constexpr std::uint32_t directiveTypeShift = 20; // the same: DTYPE, 4 bits
inline constexpr std::uint32_t placementDirective = 2;
inline constexpr std::uint32_t directiveShift = 16;      // command dword 13 of a write: DSPEC
inline constexpr std::uint32_t deallocateBit = 1U << 2U; // command dword 11 of dataset management
inline constexpr std::uint32_t allNamespaces = 0xFFFF'FFFF;

inline constexpr std::uint32_t prpEntryBytes = 8; // in a PRP list

inline constexpr std::uint32_t dwordBytes = 4;

// A field of a structure that is returned to the host.
template <class Page, class T>
void putField(Page& page, std::size_t offset, T value)
{
    std::memcpy(page.data() + offset, &value, sizeof value);
}

// Bits 15:0 of a dword that holds two values.
constexpr std::uint32_t low16(std::uint32_t dword)
{
    return dword & 0xFFFFU;
}

// Dwords 0 to 15 of a submission queue entry.
struct SubmissionEntry {
    std::array<std::uint32_t, submissionBytes / 4> dword{};

    std::uint8_t opcode() const { return static_cast<std::uint8_t>(dword[0]); }
    std::uint16_t id() const { return static_cast<std::uint16_t>(dword[0] >> 16); }
    std::uint32_t namespaceId() const { return dword[1]; }
    std::uint64_t prp1() const { return quad(6); }
    std::uint64_t prp2() const { return quad(8); }
    std::uint64_t quad(std::size_t first) const { return std::uint64_t{dword[first + 1]} << 32 | dword[first]; }
    void setQuad(std::size_t first, std::uint64_t value)
    {
        dword[first] = static_cast<std::uint32_t>(value);
        dword[first + 1] = static_cast<std::uint32_t>(value >> 32);
    }
};

struct CompletionEntry {
    std::uint32_t result = 0;
    std::uint32_t resultHigh = 0; // of a zone append, whose result is an address
    std::uint16_t sqHead = 0;
    std::uint16_t sqId = 0;
    std::uint16_t commandId = 0;
    std::uint16_t statusAndPhase = 0; // phase in bit 0, status in bits 11:1, do not retry in bit 15

    bool phase() const { return (statusAndPhase & 1U) != 0; }
    NvmeStatus status() const { return static_cast<NvmeStatus>(statusAndPhase >> 1U & 0x7FFU); }
    bool doNotRetry() const { return (statusAndPhase & 0x8000U) != 0; }
};
static_assert(sizeof(SubmissionEntry) == submissionBytes && sizeof(CompletionEntry) == completionBytes);

struct DatasetRange { // of dataset management
    std::uint32_t attributes = 0;
    std::uint32_t blocks = 0;
    std::uint64_t lba = 0;
};
static_assert(sizeof(DatasetRange) == rangeBytes);

struct CopyRange { // of copy, source range entry of format 0
    std::uint64_t reserved = 0;
    std::uint64_t lba = 0;
    std::uint16_t lastSector = 0; // counts from zero
    std::array<std::uint16_t, 7> more{};

    std::uint32_t sectors() const { return std::uint32_t{lastSector} + 1; }
};
static_assert(sizeof(CopyRange) == 32);

inline constexpr std::uint32_t maxCopyRangeSectors = 2048;                 // MSSRL: 1 MiB
inline constexpr std::uint32_t maxCopyRanges = 128;                        // MSRC
inline constexpr std::uint32_t maxCopySectors = 128 * maxCopyRangeSectors; // MCL

// Results of asynchronous event requests: type in bits 2:0 (EventType), information in bits 15:8, log page in bits
// 23:16.
enum class EventType : std::uint8_t { Error = 0, Health = 1 };
inline constexpr std::uint32_t eventTypeMask = 7;
inline constexpr std::uint32_t invalidDoorbellRegister = 0x01'0000;
inline constexpr std::uint32_t invalidDoorbellValue = 0x01'0100;
inline constexpr std::uint32_t temperatureThreshold = 0x02'0101;
inline constexpr std::uint32_t spareBelowThreshold = 0x02'0201;

inline constexpr std::uint16_t warningKelvin = 343; // WCTEMP, and the default of the upper temperature threshold

} // namespace strobe::host::nvme
