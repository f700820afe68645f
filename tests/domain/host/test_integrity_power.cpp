// SPDX-License-Identifier: Apache-2.0
//
// What a drive may return after a power loss.
#include "models/host/integrity.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

namespace {

// Versions of sector 0 are kept by hand; the drive returns the version that the test sets.
struct Bench {
    explicit Bench(DataMode dataMode = DataMode::Tags, Durable acknowledged = Durable::Forced)
        : mode(dataMode), integrity(dataMode, 1 << 16, 8, 8)
    {
        integrity.expectPowerLoss(acknowledged);
    }
    using Sectors = std::vector<std::byte>;

    Sectors issue(std::uint16_t slot, bool fua = false)
    {
        integrity.issued(slot, RequestKind::Write, 0, 8, fua);
        Sectors data(8 * stride(mode));
        integrity.fill(slot, 0, 8, {data.data(), mode});
        return data;
    }
    void acknowledge(std::uint16_t slot) { integrity.completed(slot, true, 1us); }
    Sectors write(bool fua = false)
    {
        Sectors data = issue(0, fua);
        acknowledge(0);
        return data;
    }
    void flush()
    {
        integrity.issued(2, RequestKind::Flush, 0, 0);
        integrity.completed(2, true, 1us);
    }
    void trim()
    {
        integrity.issued(0, RequestKind::Trim, 0, 8);
        integrity.completed(0, true, 1us);
    }
    bool mayRead(Sectors data)
    {
        integrity.issued(1, RequestKind::Read, 0, 8);
        integrity.check(1, 0, 8, {data.data(), mode});
        return integrity.completed(1, true, 2us) == 0;
    }
    Sectors zeros() const { return Sectors(8 * stride(mode)); }

    DataMode mode;
    Integrity integrity;
};

} // namespace

TEST_CASE("after a power loss a flushed version must be there, a later one may")
{
    const DataMode mode = GENERATE(DataMode::Tags, DataMode::Bytes);
    const std::size_t found = GENERATE(range<std::size_t>(0, 5));
    Bench bench(mode);
    std::vector<Bench::Sectors> versions{bench.zeros()};
    versions.push_back(bench.write());
    versions.push_back(bench.write());
    bench.flush();
    versions.push_back(bench.write());
    versions.push_back(bench.issue(3)); // never acknowledged
    bench.integrity.powerLost();
    const bool isAllowed = found >= 2;
    CHECK(bench.mayRead(versions[found]) == isAllowed);
    if (isAllowed) {
        CHECK(bench.integrity.power().atRisk == 8);
        CHECK(bench.integrity.power().reverted == (found == 2 ? 8U : 0U));
    }
}

TEST_CASE("the contents of a sector after a power loss are final, even if a lost version returns")
{
    Bench bench;
    const auto first = bench.write();
    bench.flush();
    const auto second = bench.write();
    bench.integrity.powerLost();
    CHECK(bench.mayRead(first));
    bench.integrity.readBackEnds();
    CHECK(bench.mayRead(first));
    CHECK_FALSE(bench.mayRead(second));
    const auto third = bench.write();
    CHECK(third != second); // numbers are not used twice
    CHECK(bench.mayRead(third));
    CHECK_FALSE(bench.mayRead(first));
}

TEST_CASE("a write that was acknowledged during the flush is not covered by it")
{
    Bench bench;
    const auto first = bench.write();
    bench.integrity.issued(2, RequestKind::Flush, 0, 0);
    bench.write();
    bench.integrity.completed(2, true, 1us);
    bench.integrity.powerLost();
    CHECK(bench.mayRead(first));
}

TEST_CASE("a flush that failed, or was outstanding, makes nothing durable")
{
    Bench bench;
    bench.write();
    bench.integrity.issued(2, RequestKind::Flush, 0, 0);
    if (GENERATE(true, false))
        bench.integrity.completed(2, false, 1us);
    bench.integrity.powerLost();
    CHECK(bench.mayRead(bench.zeros()));
}

TEST_CASE("forced unit access is durable by itself, and so is everything before it")
{
    Bench bench;
    const auto first = bench.write();
    bench.write(true);
    const auto third = bench.write();
    bench.integrity.powerLost();
    SECTION("older")
    {
        CHECK_FALSE(bench.mayRead(first));
    }
    SECTION("newer")
    {
        CHECK(bench.mayRead(third));
    }
}

TEST_CASE("a drive that completes writes in flash keeps all of them, but trims only when flushed")
{
    Bench bench(DataMode::Tags, Durable::Writes);
    const auto first = bench.write();
    bench.trim();
    SECTION("not flushed")
    {
        bench.integrity.powerLost();
        CHECK(bench.mayRead(first));
    }
    SECTION("flushed")
    {
        bench.flush();
        bench.integrity.powerLost();
        CHECK_FALSE(bench.mayRead(first));
    }
    SECTION("written again")
    {
        bench.write();
        bench.integrity.powerLost();
        CHECK_FALSE(bench.mayRead(first));
    }
}

TEST_CASE("a drive with a protected buffer keeps what it has acknowledged, trims too, without a flush")
{
    Bench bench(DataMode::Tags, Durable::Everything);
    const auto first = bench.write();
    SECTION("written again")
    {
        const auto second = bench.write();
        bench.integrity.powerLost();
        CHECK_FALSE(bench.mayRead(first));
        CHECK(bench.mayRead(second));
    }
    SECTION("trimmed")
    {
        bench.trim();
        bench.integrity.powerLost();
        CHECK_FALSE(bench.mayRead(first));
    }
    CHECK(bench.integrity.power().atRisk == 0);
}

TEST_CASE("zeros that are found after an unflushed trim stay zeros")
{
    Bench bench;
    const auto first = bench.write();
    bench.flush();
    bench.trim();
    bench.integrity.powerLost();
    CHECK(bench.mayRead(bench.zeros()));
    bench.integrity.readBackEnds();
    CHECK_FALSE(bench.mayRead(first));
    CHECK(bench.mayRead(bench.zeros()));
}

TEST_CASE("all sectors ever written are found for the read-back, in ranges of up to the requested length")
{
    Integrity integrity(DataMode::Tags, 1 << 16, 4, 8);
    integrity.expectPowerLoss(Durable::Forced);
    CHECK(integrity.writtenFrom(0, 256).sectors == 0);
    for (const std::uint64_t lba : {std::uint64_t{100}, std::uint64_t{4096}, std::uint64_t{4104}}) {
        integrity.issued(0, RequestKind::Write, lba, 4);
        integrity.completed(0, true, 1us);
    }
    const Integrity::Range first = integrity.writtenFrom(0, 256);
    CHECK(first.lba == 96);
    CHECK(first.sectors == 8);
    CHECK(integrity.writtenFrom(104, 256).lba == 4096);
    CHECK(integrity.writtenFrom(104, 256).sectors == 16);
    CHECK(integrity.writtenFrom(104, 8).sectors == 8);
    CHECK(integrity.writtenFrom(4112, 256).sectors == 0);
}
