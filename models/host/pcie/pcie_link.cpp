// SPDX-License-Identifier: Apache-2.0
#include "models/host/pcie/pcie_link.h"

#include "models/base/check.h"

#include <algorithm>

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

Time PcieLink::sendUp(const TlpTrain& train, Time now)
{
    counters_.packetsToHost += train.packets;
    return toHost_.reserve(now, lineTime(train.bytes)) + config_.latency;
}

PcieLink::Arrival PcieLink::completeReads(const TlpTrain& completions, Time now)
{
    counters_.packetsToDrive += completions.packets;
    const Time duration = lineTime(completions.bytes);
    const Time end = toDrive_.reserve(now, duration);
    return {end - duration + config_.latency, end + config_.latency};
}

Time PcieLink::passDown(std::uint64_t bytes, Time now)
{
    ++counters_.packetsToDrive;
    const Time duration = lineTime(bytes);
    const Time start = std::max(now, registersFreeAt_); // they keep their own order
    toDrive_.account(now, start, duration);
    toDrive_.holdUntil(std::max(toDrive_.freeAt(), start) + duration); // waiting packets are delayed
    registersFreeAt_ = start + duration;
    return registersFreeAt_;
}

Time PcieLink::writeRegister(std::uint64_t address, std::uint32_t bytes, Time now)
{
    return passDown(requestOverhead(config_, address) + bytes, now) + config_.latency;
}

Time PcieLink::readRegister(std::uint64_t address, std::uint32_t bytes, Time now)
{
    const Time atDevice = passDown(requestOverhead(config_, address), now) + config_.latency;
    const Time answer = lineTime(completionOverhead(config_) + bytes);
    ++counters_.packetsToHost;
    toHost_.account(atDevice, atDevice, answer);
    return atDevice + answer + config_.latency;
}

void PcieLink::resetUsage()
{
    toHost_.resetUsage();
    toDrive_.resetUsage();
    counters_ = {};
}

} // namespace strobe::host
