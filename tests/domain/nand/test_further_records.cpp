// SPDX-License-Identifier: Apache-2.0
#include "models/base/rng.h"
#include "models/nand/further_records.h"
#include "models/nand/page_store.h"
#include "tests/support/catch.h"

#include <array>
#include <map>
#include <utility>
#include <vector>

using namespace strobe;
using namespace strobe::nand;

namespace {

constexpr std::uint32_t pages = 8;
constexpr std::uint32_t perPage = 3;
using Records = std::array<Spare, perPage + 1>; // of a page, the first one too

// Each word but the last is that of the record before, or one more.
Records countingFrom(const Spare& first, unsigned rising)
{
    Records records;
    records[0] = first;
    for (std::uint32_t i = 1; i < records.size(); ++i) {
        for (std::uint32_t word = 0; word < 3; ++word)
            records[i][word] = records[i - 1][word] + (rising >> word & 1U);
        records[i][3] = first[3] * 7 + i;
    }
    return records;
}

Records readBack(const FurtherRecords& store, std::uint32_t run, std::uint32_t page, FurtherRecords::Kind kind,
                 const Spare& first)
{
    Records records;
    records[0] = first;
    for (std::uint32_t i = 1; i < records.size(); ++i)
        records[i] = store.at(run, page, kind, first, i);
    return records;
}

FurtherRecords::Kind keep(FurtherRecords& store, std::uint32_t run, std::uint32_t page, const Records& records)
{
    return store.keep(run, page, records[0], records.data() + 1);
}

} // namespace

TEST_CASE("records that count up are kept in a quarter of the memory")
{
    constexpr std::uint32_t runs = 4096;
    FurtherRecords counting(pages, perPage);
    FurtherRecords others(pages, perPage);
    Records scattered = countingFrom({1, 2, 3, 4}, 0b011);
    scattered[2][0] += 5;
    for (std::uint32_t i = 0; i < runs * pages; ++i) {
        keep(counting, i / pages, i % pages, countingFrom({i, i + 1, 77, i * 31}, 0b011));
        keep(others, i / pages, i % pages, scattered);
    }
    constexpr double records = 1.0 * runs * pages * perPage;
    CHECK(static_cast<double>(counting.bytes()) / records < 4.8);
    CHECK(static_cast<double>(others.bytes()) / records >= 16);
}

TEST_CASE("each set of rising words is read back, past the largest number too")
{
    FurtherRecords store(pages, perPage);
    for (unsigned rising = 0; rising < 8; ++rising) {
        for (const Spare first : {Spare{5, 6, 7, 8}, Spare{0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF}}) {
            const Records records = countingFrom(first, rising);
            const FurtherRecords::Kind kind = keep(store, 0, rising, records);
            CHECK(kind != FurtherRecords::none);
            CHECK(readBack(store, 0, rising, kind, first) == records);
        }
    }
}

TEST_CASE("a page without further records has blank ones")
{
    const FurtherRecords store(pages, perPage);
    CHECK(store.at(3, 2, FurtherRecords::none, {1, 2, 3, 4}, 1) == blankSpare);
}

TEST_CASE("a long random life of further records agrees with a plain model")
{
    FurtherRecords store(pages, perPage);
    Rng rng(5, "further records");
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<FurtherRecords::Kind, Records>> model;
    const auto word = [&rng] { return static_cast<std::uint32_t>(rng.below(1000)); };
    std::size_t most = 0;
    for (int step = 0; step < 20'000; ++step) {
        const auto run = static_cast<std::uint32_t>(rng.below(6));
        const auto page = static_cast<std::uint32_t>(rng.below(pages));
        if (rng.chance(0.03)) {
            store.release(run);
            for (std::uint32_t i = 0; i < pages; ++i)
                model.erase({run, i});
        } else if (rng.chance(0.5)) {
            Records records = countingFrom({word(), word(), word(), word()}, static_cast<unsigned>(rng.below(8)));
            if (rng.chance(0.4)) // one word that does not fit, in any record
                records[1 + rng.below(perPage)][rng.below(3)] += 2;
            model[{run, page}] = {keep(store, run, page, records), records};
        } else if (const auto found = model.find({run, page}); found != model.end()) {
            const auto& [kind, records] = found->second;
            REQUIRE(readBack(store, run, page, kind, records[0]) == records);
        }
        if (step == 10'000)
            most = store.bytes();
    }
    CHECK(store.bytes() == most); // released memory is used again
}

TEST_CASE("another first record of a page leaves its further records, also if they counted up")
{
    constexpr DieGeometry geometry{1, 2, pages, 16384, 1024};
    PageStore store(geometry);
    const Records written = countingFrom({10, 20, 30, 40}, 0b011);
    store.program({0, 0}, 0, 32, {}, written[0], written.data() + 1);
    store.copy({0, 0}, {1, 3});
    store.setSpare({1, 3}, {1, 2, 3, 4});
    for (const bool isCopy : {false, true}) {
        Records read;
        store.read({isCopy ? 1U : 0U, isCopy ? 3U : 0U}, 0, 32, {}, read[0], read.data() + 1);
        Records expected = written;
        if (isCopy)
            expected[0] = {1, 2, 3, 4};
        CHECK(read == expected);
    }
}
