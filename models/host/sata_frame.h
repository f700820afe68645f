#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Serial ATA at the level of frames: what each frame information structure (FIS) is, how long it occupies the link, and
// the link time of whole commands in closed form. 8b/10b: a byte is ten bit times, so 1.5, 3 and 6 Gb/s carry 150, 300
// and 600 MB/s. A frame is SOF, FIS, CRC, EOF; the primitives around it (X_RDY, R_RDY before; WTRM, R_IP, R_OK, SYNC
// after) and the turnaround of the line are one parameter, `handshake`. ALIGN takes 2 of every 256 dwords.
// Not modelled: single primitives, CONT, power states, asynchronous notification.
// Sources: FIS lengths from the Serial ATA specification as used by AHCI's received-FIS area; see docs/host.md.

#include "models/base/content.h"
#include "models/base/enum_table.h"
#include "models/base/time.h"
#include "models/host/link_errors.h"

#include <array>
#include <cstdint>

namespace strobe::host {

enum class SataGeneration : std::uint8_t { Gen1, Gen2, Gen3 };
inline constexpr std::array<EnumRow<SataGeneration>, 3> sataGenerationTable{
    {{SataGeneration::Gen1, "1.5Gb/s", "150 MB/s before frame overhead"},
     {SataGeneration::Gen2, "3Gb/s", "300 MB/s before frame overhead"},
     {SataGeneration::Gen3, "6Gb/s", "600 MB/s before frame overhead"}}};
constexpr const auto& enumTable(SataGeneration)
{
    return sataGenerationTable;
}

struct SataConfig {
    SataGeneration generation = SataGeneration::Gen3;
    Time handshake = picoseconds(750'000); // per frame; 0.5 to 1.0 us covers measurements of real ports
    bool autoActivate = true;              // DMA Setup activates the first write Data FIS (as libata enables)
    bool coalesceCompletions = false;      // one Set Device Bits FIS may complete all tags that wait for one
    LinkErrors errors{};                   // of frames without data
};

enum class FisType : std::uint8_t {
    RegisterHostToDevice,
    RegisterDeviceToHost,
    DmaActivate,
    DmaSetup,
    Data,
    PioSetup,
    SetDeviceBits
};

struct FisInfo {
    FisType type;
    std::uint8_t code;   // first byte on the wire
    std::uint8_t dwords; // without SOF, CRC, EOF and payload
    std::string_view name;
};

inline constexpr std::array<FisInfo, 7> fisTable{{{FisType::RegisterHostToDevice, 0x27, 5, "Register - host to device"},
                                                  {FisType::RegisterDeviceToHost, 0x34, 5, "Register - device to host"},
                                                  {FisType::DmaActivate, 0x39, 1, "DMA Activate"},
                                                  {FisType::DmaSetup, 0x41, 7, "DMA Setup"},
                                                  {FisType::Data, 0x46, 1, "Data"},
                                                  {FisType::PioSetup, 0x5F, 5, "PIO Setup"},
                                                  {FisType::SetDeviceBits, 0xA1, 2, "Set Device Bits"}}};

constexpr const FisInfo& fisInfo(FisType type)
{
    return fisTable[static_cast<std::size_t>(type)];
}

inline constexpr std::uint32_t frameDwords = 3; // SOF, CRC, EOF
inline constexpr std::uint32_t maxDataPayload = 8192;
inline constexpr std::uint32_t maxFrameSectors = maxDataPayload / sectorBytes;
inline constexpr std::uint32_t ncqTags = 32;
inline constexpr std::uint32_t maxCommandSectors = 65536;         // 16-bit count, zero means 65,536
inline constexpr std::uint32_t trimBlockSectors = 64 * 65535;     // one 512-byte block of 64 ranges
inline constexpr std::uint32_t trimFrameBlocks = maxFrameSectors; // blocks in one Data FIS

std::uint64_t bytesPerSecond(SataGeneration generation); // after 8b/10b

// Occupation times of the link. Each frame is rounded up to the next picosecond.
class FrameTiming {
public:
    explicit FrameTiming(const SataConfig& config);

    Time line(std::uint32_t bytes) const; // bytes on the line, ALIGN included
    Time frame(FisType type) const { return control_[static_cast<std::size_t>(type)]; } // handshake included
    Time data(std::uint32_t sectors) const { return data_[sectors]; } // Data frame. REQUIRES: <= maxFrameSectors
    Time lastSector() const { return lastSector_; } // from the first byte of a frame's last sector to the frame's end

private:
    std::uint64_t bytesPerSecond_;
    std::array<Time, fisTable.size()> control_{};
    std::array<Time, maxFrameSectors + 1> data_{};
    Time lastSector_{};
};

// Link time of one whole NCQ command whose data moves in one data phase: the closed form of a link-bound drive.
Time queuedReadTime(const SataConfig& config, std::uint32_t sectors);
Time queuedWriteTime(const SataConfig& config, std::uint32_t sectors);

} // namespace strobe::host
