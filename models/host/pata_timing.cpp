// SPDX-License-Identifier: Apache-2.0
#include "models/host/pata_timing.h"

#include "models/base/check.h"

#include <algorithm>

namespace strobe::host {

namespace {

constexpr Time nanoseconds(std::int64_t count)
{
    return picoseconds(count * 1000);
}

constexpr std::int64_t pioCycle = 120; // ns, mode 4: registers and IDENTIFY data alike
constexpr std::int64_t identifyWords = 256;

// Typical time of a word and the longest times of the handshake that a mode allows, ns.
struct ModeTimes {
    std::int64_t word;
    std::int64_t tENV; // from DMACK to STOP and HDMARDY
    std::int64_t tFS;  // to the first strobe
    std::int64_t tLI;  // answer of the other side when a burst ends
};
constexpr std::array<ModeTimes, pataModeTable.size()> modeTimes{{{120, 70, 230, 150},
                                                                 {80, 70, 200, 150},
                                                                 {60, 70, 170, 150},
                                                                 {45, 55, 130, 100},
                                                                 {30, 55, 120, 100},
                                                                 {20, 50, 90, 75},
                                                                 {15, 50, 80, 60}}};
// In all modes: set-up and hold of DMACK around the burst, from the last strobe to the end of DMARQ, interlock.
constexpr std::int64_t tACK = 20;
constexpr std::int64_t tSS = 50;
constexpr std::int64_t tMLI = 20;

} // namespace

PataTiming::PataTiming(const PataConfig& config) : hostRate_(config.hostBytesPerSecond)
{
    check(config.burstBytes >= sectorBytes && config.burstBytes % sectorBytes == 0,
          "an Ultra DMA burst of a parallel ATA port is made of whole sectors");
    const ModeTimes& mode = modeTimes[static_cast<std::size_t>(config.mode)];
    word_ = nanoseconds(mode.word);
    overhead_ = nanoseconds(tACK + mode.tENV + mode.tFS + tSS + mode.tLI + tMLI + tACK);
    sector_ = burst(sectorBytes) - overhead_;
}

Time PataTiming::registers(std::uint32_t accesses) const
{
    return nanoseconds(pioCycle) * accesses;
}

Time PataTiming::onLine(std::uint32_t bytes) const
{
    return word_ * (bytes / pataWordBytes);
}

Time PataTiming::burst(std::uint32_t bytes) const
{
    const Time atHostRate = hostRate_ == 0 ? Time{} : transferTime(bytes, hostRate_);
    return overhead_ + std::max(onLine(bytes), atHostRate);
}

Time PataTiming::startUp() const
{
    return registers(2 * pataShortCommandWrites + 2 * pataStatusReads) + nanoseconds(pioCycle) * identifyWords;
}

Time pataCommandTime(const PataConfig& config, std::uint32_t sectors)
{
    const PataTiming timing(config);
    const std::uint32_t perBurst = config.burstBytes / std::uint32_t{sectorBytes};
    Time data = timing.burst(config.burstBytes) * (sectors / perBurst);
    if (sectors % perBurst != 0)
        data += timing.burst(sectors % perBurst * std::uint32_t{sectorBytes});
    return config.submit + timing.command() + data + config.interrupt + timing.status();
}

} // namespace strobe::host
