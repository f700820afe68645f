// SPDX-License-Identifier: Apache-2.0
#include "models/nand/further_records.h"

#include <algorithm>
#include <utility>

namespace strobe::nand {

FurtherRecords::FurtherRecords(std::uint32_t pagesPerBlock, std::uint32_t perPage)
    : perPage_(perPage), words_(std::size_t{pagesPerBlock} * std::max(perPage, 1U)),
      whole_(std::size_t{pagesPerBlock} * std::max(perPage, 1U))
{
}

FurtherRecords::Run& FurtherRecords::runOf(std::uint32_t run)
{
    if (run >= runs_.size())
        runs_.resize(run + std::size_t{1});
    return runs_[run];
}

void FurtherRecords::takeWords(std::uint32_t run)
{
    runOf(run).words = words_.acquire();
}

FurtherRecords::Kind FurtherRecords::keepWhole(std::uint32_t run, std::uint32_t page, const Spare* records)
{
    Run& place = runOf(run);
    if (place.whole == SlotPool<Spare>::none)
        place.whole = whole_.acquire();
    std::copy_n(records, perPage_, whole_[place.whole] + std::size_t{page} * perPage_);
    return whole;
}

Spare FurtherRecords::at(std::uint32_t run, std::uint32_t page, Kind kind, const Spare& first,
                         std::uint32_t record) const
{
    if (kind == none)
        return blankSpare;
    const std::size_t place = std::size_t{page} * perPage_ + record - 1;
    if (kind == whole)
        return whole_[runs_[run].whole][place];
    Spare found = first;
    for (std::uint32_t word = 0; word < keptWord; ++word)
        found[word] += (unsigned{kind} >> word & 1U) * record;
    found[keptWord] = words_[runs_[run].words][place];
    return found;
}

void FurtherRecords::release(std::uint32_t run)
{
    if (run >= runs_.size())
        return;
    const Run place = std::exchange(runs_[run], Run{});
    if (place.words != SlotPool<std::uint32_t>::none)
        words_.release(place.words);
    if (place.whole != SlotPool<Spare>::none)
        whole_.release(place.whole);
}

std::size_t FurtherRecords::bytes() const
{
    return words_.bytes() + whole_.bytes() + runs_.size() * sizeof(Run);
}

} // namespace strobe::nand
