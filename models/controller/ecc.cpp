// SPDX-License-Identifier: Apache-2.0
#include "models/controller/ecc.h"

#include <algorithm>
#include <cstring>

namespace strobe::controller {

namespace {

// A tag with a wrong checksum; a tag that is already broken is not changed.
void breakTag(std::byte* place)
{
    SectorTag tag = 0;
    std::memcpy(&tag, place, sizeof tag);
    for (std::uint32_t bit = 56; isTagIntact(tag); ++bit)
        tag ^= SectorTag{1} << bit;
    std::memcpy(place, &tag, sizeof tag);
}

} // namespace

std::uint32_t EccCode::correctable(std::uint32_t senses) const
{
    const std::uint32_t pairs = (senses - 1) / 2;
    return correctableBits + static_cast<std::uint32_t>(softGain * pairs * correctableBits);
}

std::uint32_t EccCode::iterations(std::uint32_t bitErrors, std::uint32_t senses) const
{
    if (correctableBits == 0 || bitErrors == 0)
        return 0;
    if (bitErrors > correctable(senses))
        return maxIterations;
    return std::min((bitErrors - 1) / bitsPerIteration + 1, maxIterations);
}

EccEngines::Decoded EccEngines::decode(const nand::Operation& read, Time at)
{
    const auto bytes = static_cast<std::uint32_t>(read.sectors * sectorBytes);
    if (read.bitErrors == 0 && read.senses == 1) {
        ++reads_.byErrors[0];
        ++reads_.byRetries[std::min<std::size_t>(read.attempt, reads_.byRetries.size() - 1)];
        return {decode(bytes, at), Correction::Clean};
    }
    const std::uint32_t iterations = config_.code.iterations(read.bitErrors, read.senses);
    Time busy = time(bytes) + config_.code.iterationTime * iterations;
    if (read.senses > 1)
        busy += config_.code.softTime;
    const Decoded decoded{decoder_.reserve(at, busy) + config_.decodeLatency, correct(read.bitErrors, read.senses)};
    count(read, decoded.correction, iterations);
    if (decoded.correction == Correction::Undetected)
        flipBits(read.data, read.sectors, read.bitErrors);
    return decoded;
}

void EccEngines::count(const nand::Operation& read, Correction correction, std::uint32_t iterations)
{
    counters_.iterations += iterations;
    counters_.maxIterations = std::max(counters_.maxIterations, iterations);
    counters_.maxBitErrors = std::max(counters_.maxBitErrors, read.bitErrors);
    reads_.softDecodes += read.senses > 1 ? 1 : 0;
    std::size_t range = 0;
    while (range + 1 < reads_.byErrors.size() && read.bitErrors >> range != 0)
        ++range;
    ++reads_.byErrors[range];
    if (correction != Correction::Uncorrectable)
        ++reads_.byRetries[std::min<std::size_t>(read.attempt, reads_.byRetries.size() - 1)];
}

Correction EccEngines::correct(std::uint32_t bitErrors, std::uint32_t senses)
{
    const EccCode& code = config_.code;
    if (bitErrors == 0)
        return Correction::Clean;
    if (bitErrors <= code.correctable(senses)) {
        ++counters_.corrected;
        counters_.correctedBits += bitErrors;
        return Correction::Corrected;
    }
    if (code.correctableBits == 0 || (code.miscorrection > 0 && draws_.chance(code.miscorrection))) {
        ++counters_.undetected;
        return Correction::Undetected;
    }
    ++counters_.uncorrectable;
    return Correction::Uncorrectable;
}

// Different bits of one codeword, somewhere in the run.
void EccEngines::flipBits(Content data, std::uint32_t sectors, std::uint32_t bits)
{
    if (data.empty() || sectors == 0)
        return;
    const std::uint32_t together = std::max(config_.code.codewordBytes / std::uint32_t{sectorBytes}, 1U);
    const auto first = static_cast<std::uint32_t>(draws_.below((sectors - 1) / together + 1) * together);
    const std::uint32_t held = std::min(together, sectors - first);
    constexpr std::uint32_t sectorBits = sectorBytes * 8;
    std::vector<bool> isFlipped(std::size_t{held} * sectorBits);
    const Content codeword = data.at(first);
    for (std::uint32_t left = std::min(bits, held * sectorBits); left != 0;) {
        const auto bit = static_cast<std::uint32_t>(draws_.below(isFlipped.size()));
        if (isFlipped[bit])
            continue;
        isFlipped[bit] = true;
        --left;
        if (data.mode == DataMode::Tags)
            breakTag(codeword.at(bit / sectorBits).data);
        else
            codeword.data[bit / 8] ^= std::byte{1} << (bit % 8);
    }
}

} // namespace strobe::controller
