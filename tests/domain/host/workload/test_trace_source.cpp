// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/workload/support.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;

namespace {
const std::string header = "fio version 3 iolog\n";

void checkConserved(const SourceCounts& counts)
{
    CHECK(counts.requests == counts.records - counts.skipped + counts.split);
    std::uint64_t reasons = 0;
    for (const std::uint64_t count : counts.skippedBecause)
        reasons += count;
    CHECK(reasons == counts.skipped);
}
} // namespace

TEST_CASE("a trace on a large drive keeps its addresses, sizes and times")
{
    TraceSource source = traceOf(header + "0 d write 8192 4096\n7 d read 512 1024\n9 d sync 512 0\n9 d trim 0 8192\n");
    const auto r = all(source);
    REQUIRE(r.size() == 4);
    CHECK((r[0].kind == RequestKind::Write && r[0].lba == 16 && r[0].sectors == 8 && r[0].arrival == Time{}));
    CHECK((r[1].kind == RequestKind::Read && r[1].lba == 1 && r[1].sectors == 2 && r[1].arrival == Time{7us}));
    CHECK((r[2].kind == RequestKind::Flush && r[2].lba == 0 && r[2].sectors == 0 && r[2].arrival == Time{9us}));
    CHECK((r[3].kind == RequestKind::Trim && r[3].lba == 0 && r[3].sectors == 16 && r[3].arrival == Time{9us}));
    CHECK(source.counts().unaligned4k == 1); // kept as it is
    CHECK(source.counts().folded == 0);
    checkConserved(source.counts());
    CHECK_FALSE(source.next());
}

TEST_CASE("a trace of a header alone is refused")
{
    CHECK(messageOf([] { traceOf(header).next(); }) == "trace: expected a trace, found a file that has no requests");
}

TEST_CASE("addresses are folded modulo the region, and a request across its end is split")
{
    TraceSource source = traceOf(header + "0 d read 512000 4096\n0 d read 408576 2048\n", TraceFold{100, 800});
    const auto r = all(source);
    REQUIRE(r.size() == 3);
    CHECK((r[0].lba == 100 + 200 && r[0].sectors == 8)); // sector 1000 modulo 800
    CHECK((r[1].lba == 100 + 798 && r[1].sectors == 2));
    CHECK((r[2].lba == 100 && r[2].sectors == 2));
    CHECK(source.counts().folded == 2);
    CHECK(source.counts().split == 1);
    checkConserved(source.counts());
}

TEST_CASE("a request longer than the drive wraps around until all its sectors are requested")
{
    TraceSource source = traceOf(header + "0 d write 1024 10240\n", TraceFold{0, 8});
    std::uint64_t sectors = 0;
    for (const Request& request : all(source)) {
        CHECK(request.lba + request.sectors <= 8);
        sectors += request.sectors;
    }
    CHECK(sectors == 20);
    CHECK(source.counts().split == 2); // 6, 8 and 6 sectors
    checkConserved(source.counts());
}

TEST_CASE("requests above the size limit are split, all pieces at the same time")
{
    TraceConfig config;
    config.maxSectors = 16;
    TraceSource source = traceOf(header + "0 d read 0 512\n5 d write 4096 20480\n", {}, config);
    const auto r = all(source);
    REQUIRE(r.size() == 4);
    CHECK((r[1].lba == 8 && r[1].sectors == 16 && r[1].arrival == Time{5us}));
    CHECK((r[2].lba == 24 && r[2].sectors == 16 && r[2].arrival == Time{5us}));
    CHECK((r[3].lba == 40 && r[3].sectors == 8 && r[3].kind == RequestKind::Write));
    CHECK(source.counts().split == 2);
    checkConserved(source.counts());
}

TEST_CASE("byte ranges are widened to whole sectors and counted")
{
    TraceSource source = traceOf(header + "0 d read 100 1000\n0 d read 511 2\n0 d write 512 512\n0 d write 0 1\n");
    const auto r = all(source);
    CHECK((r[0].lba == 0 && r[0].sectors == 3)); // bytes 100 to 1100
    CHECK((r[1].lba == 0 && r[1].sectors == 2));
    CHECK((r[2].lba == 1 && r[2].sectors == 1));
    CHECK((r[3].lba == 0 && r[3].sectors == 1));
    CHECK(source.counts().roundedToSector == 3);
}

TEST_CASE("requests are put into the order of their times, and the earliest is the beginning")
{
    TraceSource source = traceOf(
        header +
        "10 d read 0 512\n30 d read 512 512\n20 d read 1024 512\n5 d sync 0 0\n30 d read 1536 512\n40 d sync 0 0\n");
    const auto r = all(source);
    REQUIRE(r.size() == 6);
    CHECK((r[0].kind == RequestKind::Flush && r[0].arrival == Time{}));
    CHECK((r[1].lba == 0 && r[1].arrival == Time{5us}));
    CHECK((r[2].lba == 2 && r[2].arrival == Time{15us}));
    CHECK((r[3].lba == 1 && r[3].arrival == Time{25us})); // of the same time: in the order of the file
    CHECK((r[4].lba == 3 && r[4].arrival == Time{25us}));
    CHECK(r[5].arrival == Time{35us});
    CHECK(source.counts().reordered == 2);
    CHECK(source.counts().clamped == 0);
    checkConserved(source.counts());
}

TEST_CASE("a request that comes too late in the file to be put in order is clamped and counted")
{
    std::string text = header;
    for (std::size_t i = 0; i < TraceOrder::window; ++i)
        text += std::to_string(100 + i) + " d read 0 512\n";
    TraceSource source = traceOf(text + "50 d sync 0 0\n99 d trim 0 512\n");
    const auto r = all(source);
    CHECK(r[0].kind == RequestKind::Read);
    CHECK((r[1].kind == RequestKind::Flush && r[1].arrival == Time{}));
    CHECK((r[2].kind == RequestKind::Trim && r[2].arrival == Time{}));
    CHECK(source.counts().reordered == 2);
    CHECK(source.counts().clamped == 2);
}

TEST_CASE("decreasing times are clamped and counted if configured so")
{
    TraceConfig config;
    config.disorder = DisorderPolicy::Clamp;
    TraceSource source = traceOf(
        header + "10 d read 0 512\n30 d read 0 512\n20 d read 0 512\n5 d sync 0 0\n40 d read 0 512\n", {}, config);
    const auto r = all(source);
    CHECK(r[2].arrival == Time{20us});
    CHECK(r[3].arrival == Time{20us});
    CHECK(r[4].arrival == Time{30us});
    CHECK(source.counts().clamped == 2);
}

TEST_CASE("decreasing times are an error when disorder is rejected")
{
    TraceConfig config;
    config.disorder = DisorderPolicy::Reject;
    TraceSource source = traceOf(header + "10 d read 0 512\n30 d read 0 512\n  20 d read 0 512\n", {}, config);
    CHECK(messageOf([&] { all(source); }) ==
          "trace:4:3: expected a time not before the previous request's, found '10 us earlier'");
}

TEST_CASE("the files of a trace are spread over the region or laid over each other")
{
    const std::string text = header + "0 a read 0 4096\n0 b read 0 4096\n0 c read 0 4096\n0 d read 0 4096\n0 e read 0 "
                                      "4096\n0 a read 4096 4096\n";
    TraceSource spread = traceOf(text, TraceFold{1000, 8000});
    std::vector<std::uint64_t> begins;
    for (const Request& request : all(spread))
        begins.push_back(request.lba - 1000);
    CHECK(begins == std::vector<std::uint64_t>{0, 4000, 2000, 6000, 1000, 8});

    TraceConfig config;
    config.layout = FileLayout::Overlay;
    TraceSource overlay = traceOf(text, TraceFold{1000, 8000}, config);
    for (int i = 0; i < 5; ++i)
        CHECK(overlay.next().value().lba == 1000);
}

TEST_CASE("skipped records are counted by their reason")
{
    TraceConfig config;
    config.file = sampleDirectory + "sample.iolog3";
    TraceSource source(config, TraceFold{});
    all(source);
    const SourceCounts& counts = source.counts();
    const auto because = [&](SkipReason reason) { return counts.skippedBecause[static_cast<std::size_t>(reason)]; };
    CHECK(counts.records == 16);
    CHECK(counts.requests == 7);
    CHECK(because(SkipReason::FileAction) == 6);
    CHECK(because(SkipReason::ZeroLength) == 1);
    CHECK(because(SkipReason::Wait) == 1);
    CHECK(because(SkipReason::Blank) == 1);
    CHECK(because(SkipReason::Header) == 0);
    CHECK(counts.reordered == 1);
    CHECK(counts.clamped == 0);
    checkConserved(counts);
}

TEST_CASE("a trace stops at its limit of requests or of volume")
{
    const std::string text = header + "0 d read 0 4096\n0 d sync 0 0\n0 d write 0 4096\n0 d read 0 4096\n";
    SourceLimits two;
    two.requests = 2;
    TraceSource byRequests = traceOf(text, {}, {}, two);
    CHECK(all(byRequests).size() == 2);
    SourceLimits nine;
    nine.sectors = 9;
    TraceSource byVolume = traceOf(text, {}, {}, nine);
    CHECK(all(byVolume).size() == 3); // the request that reaches it is the last
}

TEST_CASE("a trace source names its file and format")
{
    CHECK(traceOf(header).describe() == "trace trace (fio-iolog-v3)");
}
