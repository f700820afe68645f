// SPDX-License-Identifier: Apache-2.0
#include "models/controller/read_capture.h"

#include "models/base/check.h"
#include "models/base/content.h"

#include <algorithm>
#include <string>
#include <utility>

namespace strobe::controller {

ReadCapture::ReadCapture(const ReadCaptureConfig& config)
    : config_(config), dies_(config.dies), draws_(config.seed, "read capture")
{
    check(config.fastClock > Time{} && config.baseCycle > config.fastClock, "read capture needs a faster clock");
    check(config.idBytes <= sizeof(nand::Spare), "a pattern has as many bytes as the READ ID answer");
    const auto faster = static_cast<std::uint32_t>((config.baseCycle.count() - 1) / config.fastClock.count());
    dividers_ = std::min(faster, maxDividers);
    // The latest window of all opens when the slowest die's data arrives, and lasts a period.
    const channel::ElectricalParameters& e = config.electrical;
    const Time latest = e.tOUT + config.output.tREA + e.tIN + e.tS + config.baseCycle;
    coarseOffsets_ =
        static_cast<std::uint32_t>(std::min<std::int64_t>(latest.count() / config.fastClock.count() + 1, maxDividers));
    for (std::uint32_t i = 0; i < config.dies; ++i) {
        Rng rng(config.seed, "output delay of die " + std::to_string(i));
        dies_[DieId{static_cast<std::uint16_t>(i)}].factor = nand::drawDieFactor(config.output, rng);
    }
}

void ReadCapture::set(DieId die, const Setting& setting, std::uint32_t margin, Time now)
{
    Die& d = dies_[die];
    d.setting = setting;
    d.margin = margin;
    ++d.calibrations;
    const Time took = now - std::exchange(d.learnt, now);
    d.took += took;
    d.longest = std::max(d.longest, took);
}

Time ReadCapture::cycleOf(const Setting& setting) const
{
    return setting.divider == 0 ? config_.baseCycle : config_.fastClock * setting.divider;
}

Time ReadCapture::sampleOf(const Setting& setting) const
{
    if (setting.divider == 0)
        return channel::uncalibratedSample(config_.output, config_.electrical, config_.baseCycle);
    return scaled(config_.fastClock, std::int64_t{setting.coarse} * fineSteps + setting.fine, fineSteps);
}

void ReadCapture::assign(nand::Operation& op, const Setting& setting) const
{
    if (setting.divider == 0)
        return;
    op.outputCycle = cycleOf(setting);
    op.sampleAt = sampleOf(setting);
}

channel::OutputWindow ReadCapture::window(DieId die, Time cycle, Time now) const
{
    const nand::OutputConditions conditions{config_.corner, config_.environment.supplyPermille,
                                            static_cast<double>(celsius(now)), dies_[die].factor};
    return channel::outputWindow(config_.output, config_.electrical, conditions, cycle);
}

void ReadCapture::arrive(nand::Operation& op, Time now)
{
    const bool isPage = op.opcode == nand::Opcode::Read;
    if ((!isPage && op.opcode != nand::Opcode::ReadId) || op.status != nand::Status::Ok)
        return;
    const bool isBase = op.outputCycle == Time{};
    const Time cycle = isBase ? config_.baseCycle : op.outputCycle;
    const Time sample = isBase ? channel::uncalibratedSample(config_.output, config_.electrical, cycle) : op.sampleAt;
    const double probability =
        channel::bitErrorProbability(window(op.die, cycle, now), isPage ? sample + config_.drift : sample);
    if (probability <= 0)
        return;
    isPage ? addErrors(op, probability) : corruptId(op, probability);
}

void ReadCapture::addErrors(nand::Operation& op, double probability)
{
    constexpr std::uint32_t byteBits = 8;
    const auto bytes = static_cast<std::uint32_t>(op.sectors * sectorBytes);
    std::uint64_t worst = 0;
    for (std::uint32_t at = 0; at < bytes; at += config_.codewordBytes) {
        const std::uint64_t bits = std::uint64_t{std::min(config_.codewordBytes, bytes - at)} * byteBits;
        worst = std::max(worst, channel::drawBitErrors(draws_, bits, probability));
    }
    if (worst == 0)
        return;
    op.bitErrors += static_cast<std::uint32_t>(worst);
    ++counters_.pagesWithErrors;
    counters_.wrongBits += worst;
}

void ReadCapture::corruptId(nand::Operation& op, double probability)
{
    constexpr std::uint32_t wordBits = 32;
    for (std::uint32_t bit = 0; bit < config_.idBytes * 8; ++bit) {
        if (draws_.chance(probability))
            op.spare[bit / wordBits] ^= std::uint32_t{1} << (bit % wordBits);
    }
}

void ReadCapture::patternSent(DieId die, bool learn, Time now)
{
    ++counters_.patternReads;
    if (learn)
        dies_[die].learnt = now;
}

void ReadCapture::patternArrived(const nand::Operation& op, bool learn)
{
    patternBits_ = op.status == nand::Status::Ok ? config_.idBytes * 8 : 0;
    mismatches_ = 0;
    if (learn)
        pattern_ = op.spare;
    for (std::size_t word = 0; word < pattern_.size() && patternBits_ != 0; ++word)
        mismatches_ += static_cast<std::uint32_t>(__builtin_popcount(op.spare[word] ^ pattern_[word]));
}

} // namespace strobe::controller
