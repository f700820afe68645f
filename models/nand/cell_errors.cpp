// SPDX-License-Identifier: Apache-2.0
#include "models/nand/cell_errors.h"

#include <algorithm>
#include <cmath>

namespace strobe::nand {

namespace {

constexpr double secondsPerHour = 3600;

double hoursOf(Time time)
{
    return std::chrono::duration<double>(time).count() / secondsPerHour;
}

// One round of splitmix64: a number that looks random, for each key the same.
std::uint64_t mixed(std::uint64_t key)
{
    key += 0x9E3779B97F4A7C15;
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9;
    key = (key ^ (key >> 27)) * 0x94D049BB133111EB;
    return key ^ (key >> 31);
}

double unitOf(std::uint64_t key) // above 0, at most 1
{
    return (static_cast<double>(mixed(key) >> 11) + 1) * 0x1p-53;
}

double normalOf(std::uint64_t key) // mean 0, deviation 1 (Box and Muller)
{
    constexpr double turn = 6.283185307179586;
    return std::sqrt(-2 * std::log(unitOf(key))) * std::cos(turn * unitOf(~key));
}

} // namespace

CellErrors::CellErrors(const Part& part, const Aging& aging, const Rng& draws)
    : part_(part), aging_(aging), key_(Rng(draws).next()), draws_(draws), blocks_(part.geometry.blocks())
{
}

// Its age, from now on. What was not seen to be programmed was stored before the run.
CellErrors::Block& CellErrors::dated(std::uint32_t number)
{
    Block& block = blocks_[number];
    if (!block.isDated)
        block = {now_, aging_.storedHours, block.reads + aging_.storedReads, true};
    return block;
}

void CellErrors::programmed(std::uint32_t number)
{
    Block& block = blocks_[number];
    if (hasTime_ && !block.isDated)
        block = {now_, 0, block.reads, true};
}

void CellErrors::sensed(std::uint32_t number)
{
    ++blocks_[number].reads;
}

// Of the whole word line, and so of all its pages; in pSLC mode it has one.
double CellErrors::variation(PageAddress page, bool isPslc) const
{
    const ErrorModel& model = part_.errors;
    double sum = 0;
    if (model.blockSpread > 0)
        sum += model.blockSpread * normalOf(mixed(key_ ^ page.block));
    if (model.wordLineSpread > 0) {
        const auto types = isPslc ? 1U : static_cast<std::uint32_t>(std::max<std::size_t>(part_.pageTypes.size(), 1));
        const std::uint64_t wordLine = (std::uint64_t{page.block} << 32) + page.page / types + 1;
        sum += model.wordLineSpread * normalOf(mixed(key_) ^ wordLine);
    }
    return sum;
}

double CellErrors::rate(PageAddress page, double cycles, std::uint32_t option, bool isPslc)
{
    const Block& block = dated(page.block);
    PageStress history;
    history.cycles = cycles;
    history.hours = block.hours + hoursOf(std::max(now_ - block.since, Time{}));
    history.reads = static_cast<double>(block.reads) / part_.geometry.pagesOfBlock(isPslc);
    history.pageType = part_.pageTypes.empty() ? 0 : page.page % static_cast<std::uint32_t>(part_.pageTypes.size());
    history.pslc = isPslc;
    history.variation = variation(page, isPslc);
    return bitErrorRate(part_.errors, history, option);
}

std::uint32_t CellErrors::errors(PageAddress page, std::uint32_t sectors, double cycles, std::uint32_t option,
                                 bool isPslc)
{
    return drawErrors(rate(page, cycles, option, isPslc), sectors, aging_.codewordBytes, draws_);
}

void CellErrors::powerOff(Time at)
{
    for (Block& block : blocks_) {
        if (block.isDated)
            block.hours += hoursOf(std::max(at - block.since, Time{}));
        block.since = {};
    }
    now_ = {};
    option_ = 0;
}

ReadDisturb CellErrors::disturb() const
{
    ReadDisturb disturb;
    for (const Block& block : blocks_) {
        disturb.mostReads = std::max<std::uint64_t>(disturb.mostReads, block.reads);
        disturb.toReclaim += block.reads >= part_.errors.reclaimReads ? 1 : 0;
    }
    return disturb;
}

} // namespace strobe::nand
