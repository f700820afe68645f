#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// AHCI 1.3.1 and the ATA commands that it carries: register offsets and bits, structures in memory, opcodes, as far as
// the host bus adapter and its driver use them. Names follow the specifications.

#include <array>
#include <cstdint>

namespace strobe::host::ahci {

namespace reg { // of the host bus adapter (BAR 5)
inline constexpr std::uint32_t CAP = 0x00;
inline constexpr std::uint32_t GHC = 0x04;
inline constexpr std::uint32_t IS = 0x08;
inline constexpr std::uint32_t PI = 0x0C;
inline constexpr std::uint32_t VS = 0x10;
inline constexpr std::uint32_t port0 = 0x100;
inline constexpr std::uint32_t bytes = 0x180;
} // namespace reg

namespace port { // within the port
inline constexpr std::uint32_t CLB = 0x00;
inline constexpr std::uint32_t CLBU = 0x04;
inline constexpr std::uint32_t FB = 0x08;
inline constexpr std::uint32_t FBU = 0x0C;
inline constexpr std::uint32_t IS = 0x10;
inline constexpr std::uint32_t IE = 0x14;
inline constexpr std::uint32_t CMD = 0x18;
inline constexpr std::uint32_t TFD = 0x20;
inline constexpr std::uint32_t SIG = 0x24;
inline constexpr std::uint32_t SSTS = 0x28;
inline constexpr std::uint32_t SCTL = 0x2C;
inline constexpr std::uint32_t SERR = 0x30;
inline constexpr std::uint32_t SACT = 0x34;
inline constexpr std::uint32_t CI = 0x38;
} // namespace port

inline constexpr std::uint32_t version = 0x0001'0301;
inline constexpr std::uint32_t ghcReset = 1;
inline constexpr std::uint32_t ghcInterrupts = 1U << 1U;
inline constexpr std::uint32_t ghcEnable = 1U << 31U;
inline constexpr std::uint32_t cmdStart = 1;
inline constexpr std::uint32_t cmdReceive = 1U << 4U;         // FRE
inline constexpr std::uint32_t cmdReceiveRunning = 1U << 14U; // FR
inline constexpr std::uint32_t cmdListRunning = 1U << 15U;    // CR
inline constexpr std::uint32_t interruptRegister = 1;         // PxIS: device to host register FIS
inline constexpr std::uint32_t interruptPio = 1U << 1U;
inline constexpr std::uint32_t interruptDmaSetup = 1U << 2U;
inline constexpr std::uint32_t interruptDeviceBits = 1U << 3U;
inline constexpr std::uint32_t interruptError = 1U << 30U; // TFES
inline constexpr std::uint32_t diskSignature = 0x0000'0101;
inline constexpr std::uint32_t taskReady = 0x50;
inline constexpr std::uint32_t taskBusy = 0x80;
inline constexpr std::uint32_t taskDataRequest = 0x08;
inline constexpr std::uint32_t taskError = 0x01;
inline constexpr std::uint32_t diagnosticsPassed = 0x01; // error register after a reset

// Structures in memory.
inline constexpr std::uint32_t slots = 32;
inline constexpr std::uint32_t headerBytes = 32;
inline constexpr std::uint32_t tableEntries = 0x80; // offset of the PRDT in a command table
inline constexpr std::uint32_t entryBytes = 16;
inline constexpr std::uint32_t receivedBytes = 256;
namespace received { // offsets of the received FIS area
inline constexpr std::uint32_t dmaSetup = 0x00;
inline constexpr std::uint32_t pioSetup = 0x20;
inline constexpr std::uint32_t registers = 0x40;
inline constexpr std::uint32_t deviceBits = 0x58;
} // namespace received
inline constexpr std::uint8_t fisInterrupt = 0x40; // I, byte 1 of a received FIS
inline constexpr std::uint8_t fisToHost = 0x20;    // D

struct CommandHeader {
    std::uint32_t flags = 0; // CFL in bits 4:0 (dwords), W in bit 6, PRDTL in bits 31:16
    std::uint32_t moved = 0; // PRDBC, written by the adapter
    std::uint64_t table = 0; // CTBA
    std::array<std::uint32_t, 4> reserved{};
};
static_assert(sizeof(CommandHeader) == headerBytes);
inline constexpr std::uint32_t headerMoved = 4; // offset of PRDBC
inline constexpr std::uint32_t headerWrites = 1U << 6U;

struct RegionEntry { // of the PRDT
    std::uint64_t address = 0;
    std::uint32_t reserved = 0;
    std::uint32_t length = 0; // bytes less one, bits 21:0
};
static_assert(sizeof(RegionEntry) == entryBytes);

enum class AtaCommand : std::uint8_t {
    DataSetManagement = 0x06,
    ReadDmaExt = 0x25,
    WriteDmaExt = 0x35,
    ReadFpdma = 0x60,
    WriteFpdma = 0x61,
    ExecuteDiagnostics = 0x90,
    ReadDma = 0xC8,
    WriteDma = 0xCA,
    FlushCache = 0xE7,
    FlushCacheExt = 0xEA,
    StandbyImmediate = 0xE0,
    IdleImmediate = 0xE1,
    Identify = 0xEC,
    SetFeatures = 0xEF
};

enum class AtaFeature : std::uint8_t { // of SET FEATURES
    EnableWriteCache = 0x02,
    TransferMode = 0x03,
    EnableSataFeature = 0x10,
    DisableWriteCache = 0x82
};

// Register FIS, host to device, 20 bytes.
struct RegisterFis {
    std::array<std::uint8_t, 20> byte{};

    static RegisterFis command(AtaCommand command)
    {
        RegisterFis fis;
        fis.byte[0] = 0x27;
        fis.byte[1] = 0x80; // C: this is a command
        fis.byte[2] = static_cast<std::uint8_t>(command);
        return fis;
    }
    bool isControl() const { return byte[0] == 0x27 && (byte[1] & 0x80U) == 0; }
    bool resets() const { return (byte[15] & 0x04U) != 0; } // SRST of device control
    bool isCommand() const { return byte[0] == 0x27 && (byte[1] & 0x80U) != 0; }
    AtaCommand opcode() const { return static_cast<AtaCommand>(byte[2]); }
    std::uint64_t lba() const
    {
        return byte[4] | std::uint64_t{byte[5]} << 8 | std::uint64_t{byte[6]} << 16 | std::uint64_t{byte[8]} << 24 |
               std::uint64_t{byte[9]} << 32 | std::uint64_t{byte[10]} << 40;
    }
    void setLba(std::uint64_t lba)
    {
        constexpr std::array<std::size_t, 6> at{4, 5, 6, 8, 9, 10};
        for (std::size_t i = 0; i < at.size(); ++i)
            byte[at[i]] = static_cast<std::uint8_t>(lba >> (8 * i));
        byte[7] |= 0x40; // LBA
    }
    std::uint32_t features() const { return byte[3] | std::uint32_t{byte[11]} << 8; }
    void setFeatures(std::uint32_t value)
    {
        byte[3] = static_cast<std::uint8_t>(value);
        byte[11] = static_cast<std::uint8_t>(value >> 8);
    }
    std::uint32_t count() const { return byte[12] | std::uint32_t{byte[13]} << 8; }
    void setCount(std::uint32_t value)
    {
        byte[12] = static_cast<std::uint8_t>(value);
        byte[13] = static_cast<std::uint8_t>(value >> 8);
    }
    // Of commands with 28-bit addresses.
    std::uint64_t lba28() const { return (lba() & 0xFF'FFFFU) | (byte[7] & 0xFU) << 24U; }
    std::uint32_t count28() const { return byte[12] == 0 ? 256U : byte[12]; } // sectors
    bool forcesUnitAccess() const { return (byte[7] & 0x80U) != 0; }
    void forceUnitAccess() { byte[7] |= 0x80; }
};

// One entry of DATA SET MANAGEMENT's list: 48 bits of address, 16 of sectors.
inline constexpr std::uint32_t trimEntrySectors = 65'535;
inline constexpr std::uint32_t trimEntriesPerBlock = 64;

} // namespace strobe::host::ahci
