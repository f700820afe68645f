// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_desktop.h"
#include "models/host/workload/workload_phase.h"
#include "tests/domain/host/workload/support.h"

#include <algorithm>
#include <map>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using Catch::Matchers::WithinAbs;

namespace {

constexpr std::uint64_t firstSector = 8000;
constexpr std::uint64_t mebibyte = 2048; // sectors

// 64 MiB from sector 8000 on, places are multiples of 4 KiB.
SyntheticConfig region(std::uint64_t requests)
{
    SyntheticConfig config;
    config.space.firstSector = firstSector;
    config.space.sectors = 64 * mebibyte;
    config.limits.requests = requests;
    config.seed = 42;
    config.name = "test";
    return config;
}

HabitConfig habit(std::vector<SizeWeight> sizes, double sequential = 0, double near = 0)
{
    return {std::move(sizes), sequential, near, {}};
}

} // namespace

TEST_CASE("sizes occur in proportion to their weights")
{
    SyntheticConfig config = region(100'000);
    config.mix.readRatio = 1;
    DesktopSource source(config, habit({{4096, 6}, {16384, 3}, {131072, 1}}), {}, 0);
    std::map<std::uint32_t, int> sizes;
    for (const Request& request : all(source)) {
        ++sizes[request.sectors];
        REQUIRE(request.lba >= firstSector);
        REQUIRE(request.lba + request.sectors <= firstSector + 64 * mebibyte);
        REQUIRE((request.lba - firstSector) % 8 == 0);
    }
    REQUIRE(sizes.size() == 3);
    CHECK_THAT(sizes[8] / 1e5, WithinAbs(0.6, 0.005));
    CHECK_THAT(sizes[32] / 1e5, WithinAbs(0.3, 0.005));
    CHECK_THAT(sizes[256] / 1e5, WithinAbs(0.1, 0.005));
}

TEST_CASE("reads and writes continue where the last one of their own direction ended")
{
    SyntheticConfig config = region(100'000);
    config.mix.readRatio = 0.5;
    DesktopSource source(config, habit({{4096, 1}}, 0.7), habit({{8192, 1}}, 0.2, 0.3), 1024 * 1024);
    std::map<RequestKind, std::uint64_t> ends;
    std::map<RequestKind, int> sequential;
    std::map<RequestKind, int> close;
    std::map<RequestKind, int> count;
    for (const Request& request : all(source)) {
        const std::uint64_t end = ends[request.kind];
        const std::uint64_t distance = request.lba > end ? request.lba - end : end - request.lba;
        ++count[request.kind];
        sequential[request.kind] += distance == 0 ? 1 : 0;
        close[request.kind] += distance <= mebibyte ? 1 : 0;
        ends[request.kind] = request.lba + request.sectors;
    }
    const auto share = [&](std::map<RequestKind, int>& counts, RequestKind kind) {
        return counts[kind] / static_cast<double>(count[kind]);
    };
    CHECK_THAT(share(sequential, RequestKind::Read), WithinAbs(0.7, 0.01));
    CHECK_THAT(share(close, RequestKind::Read), WithinAbs(0.7 + 0.3 * 2 / 64, 0.01)); // some jumps land there
    CHECK_THAT(share(sequential, RequestKind::Write), WithinAbs(0.2, 0.01));
    CHECK_THAT(share(close, RequestKind::Write), WithinAbs(0.5 + 0.5 * 2 / 64, 0.015));
}

TEST_CASE("a span keeps a direction in the first part of the region")
{
    SyntheticConfig config = region(20'000);
    config.mix.readRatio = 0.5;
    HabitConfig writes = habit({{4096, 1}, {65536, 1}}, 0.9);
    writes.span.bytes = 1024 * 1024;
    DesktopSource source(config, habit({{4096, 1}}), writes, 0);
    std::uint64_t furthestRead = 0;
    for (const Request& request : all(source)) {
        const std::uint64_t end = request.lba + request.sectors - firstSector;
        if (request.kind == RequestKind::Write)
            REQUIRE(end <= mebibyte);
        else
            furthestRead = std::max(furthestRead, end);
    }
    CHECK(furthestRead > 63 * mebibyte);
}

TEST_CASE("a request as long as its span begins at the beginning of it")
{
    SyntheticConfig config = region(10);
    DesktopSource source(config, {}, habit({{64 * 1024 * 1024 / 2, 1}, {64 * 1024 * 1024, 1}}, 1), 0);
    for (const Request& request : all(source))
        REQUIRE(request.lba + request.sectors <= firstSector + 64 * mebibyte);
}

TEST_CASE("a desktop announces a total of requests, not of a volume, and describes itself")
{
    SyntheticConfig config = region(10);
    config.mix = MixConfig{0.9, 0, 8};
    const HabitConfig reads = habit({{4096, 1}, {8192, 1}}, 0.175);
    CHECK(DesktopSource(config, reads, {}, 0).total() == 10U);
    CHECK(DesktopSource(config, reads, {}, 0).describe() ==
          "desktop (17.5 % of the reads and 0 % of the writes sequential) over 64 MiB, reads of 6 KiB and writes of 4 "
          "KiB on average, 90 % reads, a flush every 8 writes");
    config.limits.requests = SourceLimits::none;
    config.limits.sectors = 1000;
    CHECK_FALSE(DesktopSource(config, reads, {}, 0).total());
}

TEST_CASE("mistakes in a desktop's habits name their place")
{
    PhaseConfig phase;
    phase.name = "main";
    phase.source.kind = SourceKind::Desktop;
    phase.source.requests = 1;
    const auto messages = [&] {
        std::vector<std::string> texts;
        for (const WorkloadProblem& problem : problems({{phase}}))
            texts.push_back(placeText(problem.place) + ": " + problem.message);
        return texts;
    };
    CHECK(messages().empty());
    phase.source.reads = habit({}, 0.7, 0.4);
    phase.source.writes = habit({{1000, 1}, {4096, 0}});
    CHECK(messages() ==
          std::vector<std::string>{
              "phase 0, desktop.reads.sizes: a list of sizes needs at least one",
              "phase 0, desktop.reads.near: sequential and near are 1.1 together; up to 1 is allowed",
              "phase 0, desktop.writes.sizes.0.size: must be a multiple of 512B, at most 32MiB, not 1000B",
              "phase 0, desktop.writes.sizes.1.weight: a weight above zero is needed"});
}

TEST_CASE("a request larger than its span, and a span larger than its region, are reported when the capacity is known")
{
    PhaseConfig phase;
    phase.name = "main";
    phase.source.kind = SourceKind::Desktop;
    phase.source.requests = 1;
    phase.source.writes = habit({{65536, 1}});
    phase.source.writes.span.bytes = 4096;
    CHECK(messageOf([&] { makePhases({{phase}}, 8192, 1); }) ==
          "phase 'main': a request of 64 KiB does not fit into the span of 4 KiB");
    phase.source.writes.span.bytes = 8 * 1024 * 1024;
    CHECK(messageOf([&] { makePhases({{phase}}, 8192, 1); }) ==
          "phase 'main': a span of 8 MiB is larger than the region of 4 MiB");
    phase.source.writes.span = {0, 0.5};
    CHECK(makePhases({{phase}}, 8192, 1).front().next(Time{})->lba + 128 <= 4096);
}
