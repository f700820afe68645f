#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The spare records after the first of the pages of one die. A page whose mapping units were written in order has
// records that count up: each of the words 0 to 2 is that of the record before it, or one more. Of such a page only
// word 3 of each record is kept, whatever it is (firmware keeps a check word there). Host memory, for all pages
// of a block in which one page has such records: 4 bytes per record; with other records: 16 more bytes per record.
// The first record of a page is kept by the caller, who names the page by the number of its block's run of pages. Of a
// page that has no further records nothing is kept, and they read as blank.

#include "models/nand/operation.h"
#include "models/nand/slot_pool.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strobe::nand {

class FurtherRecords {
public:
    // How those of a page are kept: with the page.
    using Kind = std::uint8_t;
    static constexpr Kind none = 0;

    // `perPage`: records of a page after the first; 0: pages have one record
    FurtherRecords(std::uint32_t pagesPerBlock, std::uint32_t perPage);

    std::uint32_t perPage() const { return perPage_; }

    // Keeps the perPage() records that follow `first`. REQUIRES: perPage() != 0
    Kind keep(std::uint32_t run, std::uint32_t page, const Spare& first, const Spare* records)
    {
        const std::uint32_t rising = risingWords(first, records);
        if (rising == notRising)
            return keepWhole(run, page, records);
        std::uint32_t* words = wordsOf(run, page);
        __builtin_prefetch(words + wordsAhead, 1); // of the pages of the block that are programmed next
        for (std::uint32_t i = 0; i < perPage_; ++i)
            words[i] = records[i][keptWord];
        return static_cast<Kind>(counted | rising);
    }
    // Record number `record`, from 1 on, of a page that `first` is the first of.
    Spare at(std::uint32_t run, std::uint32_t page, Kind kind, const Spare& first, std::uint32_t record) const;
    // The block is erased.
    void release(std::uint32_t run);

    std::size_t bytes() const; // host memory

private:
    static constexpr Kind whole = 1;
    static constexpr Kind counted = 0x10;           // with a bit for each word that rises
    static constexpr std::uint32_t keptWord = 3;    // those before it are counted
    static constexpr std::uint32_t wordsAhead = 16; // a line of the host's caches
    static constexpr std::uint32_t notRising = 0x8; // no set of the counted words

    struct Run { // of a block: its places in the pools
        std::uint32_t words = SlotPool<std::uint32_t>::none;
        std::uint32_t whole = SlotPool<Spare>::none;
    };

    std::uint32_t risingWords(const Spare& first, const Spare* records) const
    {
        const Spare* before = &first;
        std::uint32_t rising = 0;
        for (std::uint32_t word = 0; word < keptWord; ++word)
            rising |= (records[0][word] != first[word] ? 1U : 0U) << word;
        for (std::uint32_t i = 0; i < perPage_; before = records + i++) {
            for (std::uint32_t word = 0; word < keptWord; ++word) {
                if (records[i][word] != (*before)[word] + (rising >> word & 1U))
                    return notRising;
            }
        }
        return rising;
    }
    std::uint32_t* wordsOf(std::uint32_t run, std::uint32_t page)
    {
        if (run >= runs_.size() || runs_[run].words == SlotPool<std::uint32_t>::none)
            takeWords(run);
        return words_[runs_[run].words] + std::size_t{page} * perPage_;
    }
    void takeWords(std::uint32_t run);
    Kind keepWhole(std::uint32_t run, std::uint32_t page, const Spare* records);
    Run& runOf(std::uint32_t run);

    std::uint32_t perPage_;
    std::vector<Run> runs_; // by the block's run of pages
    SlotPool<std::uint32_t> words_;
    SlotPool<Spare> whole_;
};

} // namespace strobe::nand
