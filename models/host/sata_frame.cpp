// SPDX-License-Identifier: Apache-2.0
#include "models/host/sata_frame.h"

#include "models/base/check.h"

namespace strobe::host {

namespace {

constexpr std::uint32_t dwordBytes = 4;
constexpr std::int64_t alignPeriod = 256; // dwords, of which two are ALIGN
constexpr std::int64_t alignUseful = alignPeriod - 2;

constexpr std::uint32_t frameBytes(FisType type)
{
    return (fisInfo(type).dwords + frameDwords) * dwordBytes;
}

Time dataFrames(const FrameTiming& timing, std::uint32_t sectors)
{
    Time total = timing.data(maxFrameSectors) * (sectors / maxFrameSectors);
    if (sectors % maxFrameSectors != 0)
        total += timing.data(sectors % maxFrameSectors);
    return total;
}

// Command, its acceptance, the announcement of the data and the completion: four frames around the data.
Time controlFrames(const FrameTiming& timing)
{
    return timing.frame(FisType::RegisterHostToDevice) + timing.frame(FisType::RegisterDeviceToHost) +
           timing.frame(FisType::DmaSetup) + timing.frame(FisType::SetDeviceBits);
}

} // namespace

std::uint64_t bytesPerSecond(SataGeneration generation)
{
    switch (generation) {
    case SataGeneration::Gen1: return 150'000'000;
    case SataGeneration::Gen2: return 300'000'000;
    case SataGeneration::Gen3: return 600'000'000;
    }
    checkFailed("unknown SATA generation", __FILE__, __LINE__);
}

FrameTiming::FrameTiming(const SataConfig& config) : bytesPerSecond_(bytesPerSecond(config.generation))
{
    for (const FisInfo& info : fisTable)
        control_[static_cast<std::size_t>(info.type)] = line(frameBytes(info.type)) + config.handshake;
    for (std::uint32_t sectors = 0; sectors < data_.size(); ++sectors)
        data_[sectors] = line(frameBytes(FisType::Data) + sectors * std::uint32_t{sectorBytes}) + config.handshake;
    lastSector_ = line(sectorBytes + 2 * dwordBytes) + config.handshake; // sector, CRC, EOF
}

Time FrameTiming::line(std::uint32_t bytes) const
{
    return scaled(Time{std::chrono::seconds{1}}, std::int64_t{bytes} * alignPeriod,
                  static_cast<std::int64_t>(bytesPerSecond_) * alignUseful);
}

Time queuedReadTime(const SataConfig& config, std::uint32_t sectors)
{
    const FrameTiming timing(config);
    return controlFrames(timing) + dataFrames(timing, sectors);
}

Time queuedWriteTime(const SataConfig& config, std::uint32_t sectors)
{
    const FrameTiming timing(config);
    const std::uint32_t frames = (sectors + maxFrameSectors - 1) / maxFrameSectors;
    const std::uint32_t activations = config.autoActivate && frames > 0 ? frames - 1 : frames;
    return controlFrames(timing) + dataFrames(timing, sectors) + timing.frame(FisType::DmaActivate) * activations;
}

} // namespace strobe::host
