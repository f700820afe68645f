// SPDX-License-Identifier: Apache-2.0
//
// What the check finds and says, one command at a time. Concurrency: test_integrity_windows.cpp.
#include "models/base/config_error.h"
#include "models/host/integrity.h"
#include "tests/support/catch.h"

#include <cstdio>
#include <cstring>
#include <ctime>

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t capacity = 1 << 20;

// A perfect drive beside the check, to be corrupted by hand.
struct Bench {
    explicit Bench(DataMode dataMode = DataMode::Tags, std::uint32_t unit = 8)
        : mode(dataMode), integrity(dataMode, capacity, 32, unit), store(4096 * stride(dataMode))
    {
    }
    Content at(std::uint64_t lba) { return Content{store.data(), mode}.at(lba); }
    void write(std::uint64_t lba, std::uint32_t sectors)
    {
        integrity.issued(0, RequestKind::Write, lba, sectors);
        integrity.fill(0, 0, sectors, at(lba));
        integrity.completed(0, true, 1us);
    }
    void trim(std::uint64_t lba, std::uint32_t sectors)
    {
        integrity.issued(0, RequestKind::Trim, lba, sectors);
        integrity.completed(0, true, 1us);
    }
    std::uint64_t read(std::uint64_t lba, std::uint32_t sectors)
    {
        integrity.issued(1, RequestKind::Read, lba, sectors);
        integrity.check(1, 0, sectors, at(lba));
        return integrity.completed(1, true, 2us);
    }
    const Mismatch& first() const { return integrity.firstMismatches().at(0); }

    DataMode mode;
    Integrity integrity;
    std::vector<std::byte> store;
};

std::vector<std::byte> copyOf(Content content, std::size_t sectors)
{
    return {content.data, content.data + sectors * stride(content.mode)};
}

} // namespace

TEST_CASE("written sectors are read back, others are zero")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    Bench bench(mode);
    bench.write(8, 16);
    bench.write(19, 3); // inside a chunk
    bench.write(30, 5); // across two
    CHECK(bench.read(0, 64) == 0);
    CHECK(bench.read(20, 1) == 0);
    CHECK(bench.integrity.checkedSectors() == 65);
    CHECK(bench.integrity.mismatches() == 0);
}

TEST_CASE("what a write would fill is told as a run, if it is one")
{
    Integrity integrity(DataMode::Tags, 1024, 2, 8);
    integrity.issued(0, RequestKind::Write, 8, 8);
    integrity.issued(1, RequestKind::Write, 0, 24); // the middle for the second time
    std::array<std::byte, 8 * sizeof(SectorTag)> tags{};
    integrity.fill(0, 0, 8, {tags.data(), DataMode::Tags});
    const auto isRun = [](const TagRun& run, std::uint32_t lba, std::uint32_t version, std::uint32_t sectors) {
        return run.lba == lba && run.version == version && run.sectors == sectors;
    };
    CHECK(isRun(integrity.runAt(1, 0), 0, 1, 8));
    CHECK(isRun(integrity.runAt(1, 3), 3, 1, 5));
    CHECK(isRun(integrity.runAt(1, 12), 12, 2, 4));
    CHECK(isRun(integrity.runAt(1, 16), 16, 1, 8)); // up to the end of the write
    CHECK(integrity.runAt(1, 24).sectors == 0);
    integrity.tookRun(1, 0, 8);
    integrity.tookRun(1, 8, 8);
    integrity.completed(0, true, Time{});
    CHECK(integrity.completed(1, true, Time{}) == 1); // the last eight sectors were not moved
    Integrity silent(DataMode::None, 1024, 2, 8);
    silent.issued(0, RequestKind::Write, 0, 8);
    CHECK(silent.runAt(0, 0).sectors == 0);
}

TEST_CASE("a lost write is found")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    Bench bench(mode);
    bench.write(8, 8);
    clearSectors(bench.at(11), 1);
    CHECK(bench.read(8, 8) == 1);
    CHECK(bench.first().kind == MismatchKind::Lost);
    CHECK(bench.first().lba == 11);
    CHECK(bench.first().text() == "lost: sector 11 at 2 us (read of 8 sectors at 8): expected version 1, found "
                                  "0000000000000000 (zeros)");
}

TEST_CASE("a stale sector is found")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    Bench bench(mode);
    bench.write(8, 8);
    const auto old = copyOf(bench.at(8), 8);
    bench.write(8, 8);
    std::memcpy(bench.at(8).data, old.data(), old.size());
    CHECK(bench.read(8, 8) == 8);
    CHECK(bench.first().kind == MismatchKind::Stale);
    CHECK(bench.first().foundVersion == 1);
    CHECK(bench.first().expected.floor == 2);
    CHECK(bench.first().text().find("(version 1 of sector 8)") != std::string::npos);
}

TEST_CASE("a misdirected sector is found")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    Bench bench(mode);
    bench.write(8, 8);
    bench.write(64, 8);
    copySectors(bench.at(10), bench.at(66), 1);
    CHECK(bench.read(8, 8) == 1);
    // Real bytes do not name their sector.
    CHECK(bench.first().kind == (mode == DataMode::Tags ? MismatchKind::Misdirected : MismatchKind::Corrupted));
    if (mode == DataMode::Tags)
        CHECK(bench.first().foundLba == 66);
}

TEST_CASE("a corrupted sector is found")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    Bench bench(mode);
    bench.write(8, 8);
    bench.at(12).data[5] ^= std::byte{0x10};
    CHECK(bench.read(8, 8) == 1);
    CHECK(bench.first().kind == MismatchKind::Corrupted);
    CHECK(bench.first().lba == 12);
}

TEST_CASE("data where nothing was written is found")
{
    Bench bench;
    const SectorTag tag = makeTag(40, 1);
    std::memcpy(bench.at(40).data, &tag, sizeof tag);
    CHECK(bench.read(40, 1) == 1);
    CHECK(bench.first().kind == MismatchKind::Unwritten);
    CHECK(bench.first().text().find("expected version 0 (zeros)") != std::string::npos);
}

TEST_CASE("a command that completes without all its sectors is found")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::None);
    Bench bench(mode);
    bench.integrity.issued(2, RequestKind::Read, 0, 100);
    bench.integrity.check(2, 0, 64, bench.at(0));
    bench.integrity.check(2, 0, 36, bench.at(0)); // the first sectors again instead of the last
    CHECK(bench.integrity.completed(2, true, 3us) == 1);
    CHECK(bench.first().kind == MismatchKind::Missing);
    CHECK(bench.first().text() == "missing: sector 0 at 3 us (read of 100 sectors at 0): 36 sectors were not moved");

    bench.integrity.issued(2, RequestKind::Write, 0, 8);
    CHECK(bench.integrity.completed(2, true, 3us) == 1);
}

TEST_CASE("data of a failed read is not checked")
{
    Bench bench;
    bench.write(8, 8);
    clearSectors(bench.at(8), 8);
    bench.integrity.issued(1, RequestKind::Read, 8, 8);
    bench.integrity.check(1, 0, 8, bench.at(8));
    CHECK(bench.integrity.completed(1, false, 2us) == 0);
    CHECK(bench.integrity.mismatches() == 0);
}

TEST_CASE("a failed write may have happened or not, sector by sector")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    Bench bench(mode);
    bench.write(8, 8);
    const auto old = copyOf(bench.at(8), 4);
    bench.integrity.issued(0, RequestKind::Write, 8, 8);
    bench.integrity.fill(0, 0, 8, bench.at(8));
    bench.integrity.completed(0, false, 1us);
    std::memcpy(bench.at(8).data, old.data(), old.size());
    CHECK(bench.read(8, 8) == 0);
    bench.write(8, 8); // the next write settles it
    CHECK(bench.read(8, 8) == 0);
    std::memcpy(bench.at(8).data, old.data(), old.size());
    CHECK(bench.read(8, 8) == 4);
}

TEST_CASE("trimmed mapping units read as zero, parts of units may keep their data")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    Bench bench(mode, 16);
    bench.write(0, 64);
    const auto data = copyOf(bench.at(0), 64);
    bench.trim(8, 40); // units at 16 and 32 are whole; 8..15 is a part of a unit
    CHECK(bench.read(16, 32) == 32);
    CHECK(bench.read(0, 16) == 0); // kept
    CHECK(bench.read(48, 16) == 0);
    clearSectors(bench.at(16), 32);
    CHECK(bench.read(0, 64) == 0);
    clearSectors(bench.at(8), 8); // or zeros
    CHECK(bench.read(0, 64) == 0);
    clearSectors(bench.at(0), 8); // but not outside the trim
    CHECK(bench.read(0, 64) == 8);
    std::memcpy(bench.at(0).data, data.data(), data.size());
    CHECK(bench.read(0, 64) == 32); // what was trimmed may not come back
}

TEST_CASE("a write after a trim is checked")
{
    Bench bench;
    bench.write(0, 8);
    bench.trim(0, 8);
    bench.write(0, 8);
    CHECK(bench.read(0, 8) == 0);
    clearSectors(bench.at(0), 8);
    CHECK(bench.read(0, 8) == 8);
}

TEST_CASE("the first sixteen mismatches are kept, all are counted")
{
    Bench bench;
    bench.write(0, 64);
    clearSectors(bench.at(0), 64);
    CHECK(bench.read(0, 64) == 64);
    CHECK(bench.read(0, 8) == 8);
    CHECK(bench.integrity.mismatches() == 72);
    CHECK(bench.integrity.firstMismatches().size() == Integrity::keptMismatches);
}

TEST_CASE("16 Mi sectors written in 4 KiB need less than 40 MiB, and trimming an empty drive nothing")
{
    constexpr std::uint64_t sectors = 16 << 20;
    Integrity integrity(DataMode::Tags, sectors, 32, 8);
    integrity.issued(0, RequestKind::Trim, 0, sectors);
    integrity.completed(0, true, 1us);
    CHECK(integrity.bytesUsed() < 100'000);
    std::vector<std::byte> data(8 * stride(DataMode::Tags));
    for (std::uint64_t lba = 0; lba < sectors; lba += 8) {
        integrity.issued(0, RequestKind::Write, lba, 8);
        integrity.fill(0, 0, 8, {data.data(), DataMode::Tags});
        integrity.completed(0, true, 1us);
    }
    CHECK(integrity.bytesUsed() < 40 << 20);
}

TEST_CASE("chunks that were written in pieces are kept as one again when they are overwritten")
{
    SectorVersions versions(1024);
    const std::uint64_t before = versions.bytesUsed();
    versions.advance({3, 1, 5}, false);
    CHECK(versions.uniform(3) == nullptr);
    CHECK(versions.window(3, 0).newest == 0);
    CHECK(versions.window(3, 1).newest == 1);
    const std::uint32_t version = versions.advance({3, 0, 8}, false);
    CHECK(version == 2);
    versions.raiseFloor({3, 0, 8}, version);
    REQUIRE(versions.uniform(3) != nullptr);
    CHECK(versions.uniform(3)->floor == 2);
    CHECK(versions.bytesUsed() > before);
}

TEST_CASE("a drive too large for tags is a configuration error")
{
    CHECK_THROWS_AS(Integrity(DataMode::Tags, (std::uint64_t{1} << 32) + 1, 32, 8), ConfigError);
    CHECK_NOTHROW(Integrity(DataMode::None, (std::uint64_t{1} << 32) + 1, 32, 8));
}

// Not run by default: test_domain_host "[benchmark]"
TEST_CASE("host time per sector of the check, random aligned 4 KiB on 8 GiB, 32 outstanding", "[.][benchmark]")
{
    constexpr std::uint64_t chunks = 2 << 20;
    constexpr std::uint16_t depth = 32;
    constexpr int rounds = 50'000;
    Integrity integrity(DataMode::Tags, chunks * 8, depth, 8);
    std::vector<std::byte> staging(depth * 8 * stride(DataMode::Tags)); // as in a front: sectors pass through it
    const Content content{staging.data(), DataMode::Tags};
    std::clock_t spent[2] = {};
    for (std::uint64_t round = 0; round < rounds; ++round) {
        for (const RequestKind kind : {RequestKind::Write, RequestKind::Read}) {
            const std::clock_t begin = std::clock();
            for (std::uint16_t slot = 0; slot < depth; ++slot)
                integrity.issued(slot, kind, (round * depth + slot) * 7'368'787 % chunks * 8, 8);
            for (std::uint16_t slot = 0; slot < depth; ++slot) {
                if (kind == RequestKind::Write)
                    integrity.fill(slot, 0, 8, content.at(slot * 8u));
                else
                    integrity.check(slot, 0, 8, content.at(slot * 8u));
                integrity.completed(slot, true, 1us);
            }
            spent[kind == RequestKind::Write ? 0 : 1] += std::clock() - begin;
        }
    }
    const auto perSector = [](std::clock_t time) {
        return 1e9 * static_cast<double>(time) / CLOCKS_PER_SEC / rounds / depth / 8;
    };
    std::printf("write %.1f ns per sector, read %.1f ns per sector\n", perSector(spent[0]), perSector(spent[1]));
    CHECK(integrity.mismatches() == 0);
}
