// SPDX-License-Identifier: Apache-2.0
#include "models/host/pcie/pcie_link.h"

#include "models/base/check.h"

#include <algorithm>
#include <cmath>

namespace strobe::host {

namespace {

// Bytes per second of a lane after encoding, as a fraction: 128b/130b does not give a whole number.
struct LaneRate {
    std::int64_t numerator;
    std::int64_t denominator;
};

LaneRate laneRate(PcieGeneration generation)
{
    switch (generation) {
    case PcieGeneration::Gen1: return {250'000'000, 1};
    case PcieGeneration::Gen2: return {500'000'000, 1};
    case PcieGeneration::Gen3: return {1'000'000'000LL * 128, 130};
    case PcieGeneration::Gen4: return {2'000'000'000LL * 128, 130};
    case PcieGeneration::Gen5: return {4'000'000'000LL * 128, 130};
    case PcieGeneration::Gen6: return {8'000'000'000LL * 236, 256}; // flit: 6 bytes link layer, 8 CRC, 6 FEC
    }
    checkFailed("unknown PCIe generation", __FILE__, __LINE__);
}

// Pieces of [address, address + bytes) cut at multiples of `limit`.
std::uint32_t pieces(std::uint64_t address, std::uint32_t bytes, std::uint32_t limit)
{
    return bytes == 0 ? 0 : static_cast<std::uint32_t>((address + bytes - 1) / limit - address / limit + 1);
}

double rateOf(const PcieConfig& config, const TlpTrain& train, std::uint32_t payload)
{
    const LaneRate lane = laneRate(config.generation);
    return static_cast<double>(lane.numerator) / static_cast<double>(lane.denominator) * config.lanes * payload /
           static_cast<double>(train.bytes);
}

constexpr std::uint64_t highAddress = std::uint64_t{1} << 32;
constexpr std::uint32_t longTrain = 1U << 20U;

} // namespace

TlpTrain writeTrain(const PcieConfig& config, std::uint64_t address, std::uint32_t bytes)
{
    const std::uint32_t packets = pieces(address, bytes, config.maxPayload);
    return {packets, std::uint64_t{packets} * requestOverhead(config, address) + bytes};
}

TlpTrain requestTrain(const PcieConfig& config, std::uint64_t address, std::uint32_t bytes)
{
    const std::uint32_t packets = pieces(address, bytes, config.maxReadRequest);
    return {packets, std::uint64_t{packets} * requestOverhead(config, address)};
}

TlpTrain completionTrain(const PcieConfig& config, std::uint64_t address, std::uint32_t bytes)
{
    std::uint32_t packets = 0;
    const std::uint64_t end = address + bytes;
    for (std::uint64_t at = address; at < end;) {
        const std::uint64_t request = std::min(end, (at / config.maxReadRequest + 1) * config.maxReadRequest);
        const std::uint64_t aligned =
            (at + config.readCompletionBoundary - 1) / config.readCompletionBoundary * config.readCompletionBoundary;
        const bool isOdd = aligned != at && aligned < request; // a short completion brings it to the boundary
        at = isOdd ? aligned : at;
        packets +=
            (isOdd ? 1U : 0U) + static_cast<std::uint32_t>((request - at + config.maxPayload - 1) / config.maxPayload);
        at = request;
    }
    return {packets, std::uint64_t{packets} * completionOverhead(config) + bytes};
}

Time pcieLineTime(const PcieConfig& config, std::uint64_t bytes)
{
    const LaneRate lane = laneRate(config.generation);
    return scaled(Time{std::chrono::seconds{1}}, static_cast<std::int64_t>(bytes) * lane.denominator,
                  lane.numerator * config.lanes);
}

double peakWriteRate(const PcieConfig& config)
{
    return rateOf(config, writeTrain(config, highAddress, longTrain), longTrain);
}

double peakReadRate(const PcieConfig& config)
{
    return rateOf(config, completionTrain(config, highAddress, longTrain), longTrain);
}

// A symbol is a byte of a lane.
Time replayTimer(const PcieConfig& config)
{
    constexpr std::uint64_t simplified = 24'000; // symbols
    if (config.generation >= PcieGeneration::Gen4)
        return pcieLineTime(config, simplified * config.lanes);
    constexpr double overhead = 28;
    const double internalDelay = config.generation == PcieGeneration::Gen1   ? 19
                                 : config.generation == PcieGeneration::Gen2 ? 70
                                                                             : 115;
    const bool isLarge = config.maxPayload > 256;
    const double ackFactor = config.lanes > 8   ? (isLarge ? 2 : 3)
                             : config.lanes > 4 ? (isLarge ? 1 : 2.5)
                                                : (isLarge ? 1 : 1.4);
    const double symbols = ((config.maxPayload + overhead) * ackFactor / config.lanes + internalDelay) * 3;
    return pcieLineTime(config, static_cast<std::uint64_t>(std::ceil(symbols)) * config.lanes);
}

PcieLink::PcieLink(const PcieConfig& config)
    : config_(config), errors_(config.errors), replayTimer_(replayTimer(config))
{
}

Time PcieLink::repeats(const TlpTrain& train)
{
    if (train.packets == 0)
        return {};
    const Time packet = lineTime((train.bytes + train.packets - 1) / train.packets);
    return errors_.repeats(train.packets, 2 * config_.latency + packet, replayTimer_ + packet);
}

Time PcieLink::sendUp(const TlpTrain& train, Time now)
{
    counters_.packetsToHost += train.packets;
    return toHost_.reserve(now, duration(train)) + config_.latency;
}

PcieLink::Arrival PcieLink::completeReads(const TlpTrain& completions, Time now)
{
    counters_.packetsToDrive += completions.packets;
    const Time taken = duration(completions);
    const Time end = toDrive_.reserve(now, taken);
    return {end - taken + config_.latency, end + config_.latency};
}

Time PcieLink::passDown(std::uint64_t bytes, Time now)
{
    ++counters_.packetsToDrive;
    const Time taken = duration({1, bytes});
    const Time start = std::max(now, registersFreeAt_); // they keep their own order
    toDrive_.account(now, start, taken);
    toDrive_.holdUntil(std::max(toDrive_.freeAt(), start) + taken); // waiting packets are delayed
    registersFreeAt_ = start + taken;
    return registersFreeAt_;
}

Time PcieLink::writeRegister(std::uint64_t address, std::uint32_t bytes, Time now)
{
    return passDown(requestOverhead(config_, address) + bytes, now) + config_.latency;
}

Time PcieLink::readRegister(std::uint64_t address, std::uint32_t bytes, Time now)
{
    const Time atDevice = passDown(requestOverhead(config_, address), now) + config_.latency;
    const Time answer = duration({1, completionOverhead(config_) + bytes});
    ++counters_.packetsToHost;
    toHost_.account(atDevice, atDevice, answer);
    return atDevice + answer + config_.latency;
}

void PcieLink::resetUsage()
{
    toHost_.resetUsage();
    toDrive_.resetUsage();
    counters_ = {};
    errors_.resetCounters();
}

} // namespace strobe::host
