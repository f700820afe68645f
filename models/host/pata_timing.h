#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Parallel ATA on the cable: how long register accesses and Ultra DMA bursts take, and the bus time of whole commands
// in closed form. Sixteen data lines, a word on each edge of the strobe; a burst is opened and closed by a handshake
// whose times follow from the mode. Sources: cycle times as in Linux' libata, from the ATA/ATAPI-6 standard;
// handshake times from the Ultra DMA tables of disk data sheets (IBM Travelstar 60GH, Hitachi Deskstar 7K250):
// docs/host_ports.md. Not modelled: single edges, pauses within a burst other than for the host's rate and the drive's
// memory, CRC errors, a second device on the cable.

#include "models/base/content.h"
#include "models/base/enum_table.h"
#include "models/base/time.h"

#include <array>
#include <cstdint>

namespace strobe::host {

enum class PataMode : std::uint8_t { Udma0, Udma1, Udma2, Udma3, Udma4, Udma5, Udma6 };
inline constexpr std::array<EnumRow<PataMode>, 7> pataModeTable{{{PataMode::Udma0, "udma0", "16.7 MB/s"},
                                                                 {PataMode::Udma1, "udma1", "25 MB/s"},
                                                                 {PataMode::Udma2, "udma2", "33.3 MB/s"},
                                                                 {PataMode::Udma3, "udma3", "44.4 MB/s"},
                                                                 {PataMode::Udma4, "udma4", "66.7 MB/s"},
                                                                 {PataMode::Udma5, "udma5", "100 MB/s"},
                                                                 {PataMode::Udma6, "udma6", "133 MB/s"}}};
constexpr const auto& enumTable(PataMode)
{
    return pataModeTable;
}

struct PataConfig {
    PataMode mode = PataMode::Udma5;
    std::uint32_t burstBytes = 4096;      // longest Ultra DMA burst; whole sectors
    std::uint64_t hostBytesPerSecond = 0; // rate of the host's controller within a burst; 0: that of the mode
    Time submit{};                        // the host's software before the first register of a command
    Time interrupt{};                     // from the drive's interrupt to the first register read
};

inline constexpr std::uint32_t pataWordBytes = 2;
inline constexpr std::uint32_t pataMaxCommandSectors = 65536; // 16-bit count, zero means 65,536
inline constexpr std::uint32_t pataRangesPerBlock = 64;       // of DATA SET MANAGEMENT, 65,535 sectors each
// Register accesses as libata makes them: a 48-bit command writes features, count and three address bytes twice, then
// device and command; a 28-bit command writes them once. Alternate status and status are read at the end.
inline constexpr std::uint32_t pataCommandWrites = 12;
inline constexpr std::uint32_t pataShortCommandWrites = 7;
inline constexpr std::uint32_t pataStatusReads = 2;

class PataTiming {
public:
    explicit PataTiming(const PataConfig& config);

    Time registers(std::uint32_t accesses) const; // PIO mode 4
    Time word() const { return word_; }           // on the line
    Time overhead() const { return overhead_; }   // a burst's initiation and termination
    Time onLine(std::uint32_t bytes) const;       // words of a burst at the mode's rate
    Time burst(std::uint32_t bytes) const;        // all of it, at the host's rate if that is lower
    Time sector() const { return sector_; }       // one sector within a burst

    Time command() const { return registers(pataCommandWrites); }
    Time status() const { return registers(pataStatusReads); }
    Time startUp() const; // IDENTIFY DEVICE (256 words in PIO mode 4) and SET FEATURES, without the host's software

private:
    Time word_{};
    Time overhead_{};
    std::uint64_t hostRate_ = 0;
    Time sector_{};
};

// One read or write whose data is always ready in time, moved in one transfer: the closed form of a bus-bound drive.
Time pataCommandTime(const PataConfig& config, std::uint32_t sectors);

} // namespace strobe::host
