// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_hot_cold.h"
#include "models/host/workload/source_sequential.h"
#include "models/host/workload/source_uniform.h"
#include "models/host/workload/source_zipf.h"
#include "tests/domain/host/workload/support.h"

#include <algorithm>
#include <map>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;
using Catch::Matchers::WithinAbs;

namespace {
// 1000 blocks of 4 KiB from sector 8000 on.
SyntheticConfig thousandBlocks(std::uint64_t requests)
{
    SyntheticConfig config;
    config.space.firstSector = 8000;
    config.space.sectors = 8000;
    config.limits.requests = requests;
    config.seed = 42;
    config.name = "test";
    return config;
}

double shareOf(const std::vector<Request>& requests, RequestKind kind)
{
    const auto count =
        std::count_if(requests.begin(), requests.end(), [kind](const Request& r) { return r.kind == kind; });
    return static_cast<double>(count) / static_cast<double>(requests.size());
}
} // namespace

TEST_CASE("a sequential source covers its region without gaps, shortens the last block and starts over")
{
    SyntheticConfig config = thousandBlocks(8);
    config.space.sectors = 20;
    SequentialSource source(config);
    std::uint64_t expected = 8000;
    for (int i = 0; i < 6; ++i) {
        const Request request = source.next().value();
        CHECK(request.lba == expected);
        CHECK(request.sectors == (i % 3 == 2 ? 4 : 8));
        CHECK(request.kind == RequestKind::Write);
        expected = i % 3 == 2 ? 8000 : expected + 8;
    }
}

TEST_CASE("a sequential volume of one region is exactly one pass")
{
    SyntheticConfig config = thousandBlocks(SourceLimits::none);
    config.space.sectors = 20;
    config.limits.sectors = 20;
    SequentialSource source(config);
    CHECK(source.total() == 3U);
    CHECK(all(source).size() == 3);
    CHECK_FALSE(source.next());
}

TEST_CASE("the announced total is what a source produces")
{
    SyntheticConfig config = thousandBlocks(SourceLimits::none);
    config.space.sectors = GENERATE(8U, 20U, 24U, 8000U);
    config.space.stepSectors = GENERATE(8U, 16U);
    config.limits.sectors = GENERATE(1U, 19U, 20U, 21U, 16'001U);
    config.mix.flushEvery = GENERATE(0U, 1U, 3U);
    SequentialSource sequential(config);
    const auto announced = sequential.total();
    CHECK(announced == all(sequential).size());
    UniformSource uniform(config);
    const auto announcedUniform = uniform.total();
    CHECK(announcedUniform == all(uniform).size());
}

TEST_CASE("a source with a random number of flushes announces no total")
{
    SyntheticConfig config = thousandBlocks(SourceLimits::none);
    config.limits.sectors = 800;
    config.mix.flushEvery = 3;
    config.mix.readRatio = 0.5;
    CHECK_FALSE(UniformSource(config).total());
    config.limits.sectors = SourceLimits::none;
    CHECK_FALSE(UniformSource(config).total());
    config.limits.requests = 10;
    CHECK(UniformSource(config).total() == 10U);
}

TEST_CASE("a uniform source touches every block about equally often and stays inside its region")
{
    UniformSource source(thousandBlocks(200'000));
    std::vector<int> touched(1000);
    while (const auto request = source.next()) {
        REQUIRE(request->lba % 8 == 0);
        REQUIRE(request->sectors == 8);
        ++touched.at((request->lba - 8000) / 8);
    }
    const auto [least, most] = std::minmax_element(touched.begin(), touched.end());
    CHECK(*least > 130); // mean 200, standard deviation 14
    CHECK(*most < 270);
}

TEST_CASE("alignment finer than the block lets blocks overlap, coarser leaves gaps")
{
    SyntheticConfig config = thousandBlocks(20'000);
    config.space.sectors = 12;
    config.space.stepSectors = 1;
    UniformSource fine(config);
    std::map<std::uint64_t, int> begins;
    while (const auto request = fine.next())
        ++begins[request->lba];
    CHECK(begins.size() == 5);
    CHECK(begins.begin()->first == 8000);
    CHECK(begins.rbegin()->first == 8004);
    CHECK(fine.counts().unaligned4k == fine.counts().requests - static_cast<std::uint64_t>(begins[8000]));

    config.space.sectors = 64;
    config.space.stepSectors = 32;
    UniformSource coarse(config);
    while (const auto request = coarse.next())
        REQUIRE((request->lba == 8000 || request->lba == 8032));
}

TEST_CASE("the mix of kinds follows its ratios")
{
    SyntheticConfig config = thousandBlocks(100'000);
    config.mix.readRatio = 0.7;
    config.mix.trimRatio = 0.1;
    UniformSource source(config);
    const auto requests = all(source);
    CHECK_THAT(shareOf(requests, RequestKind::Trim), WithinAbs(0.1, 0.005));
    CHECK_THAT(shareOf(requests, RequestKind::Read), WithinAbs(0.63, 0.005));
    CHECK_THAT(shareOf(requests, RequestKind::Write), WithinAbs(0.27, 0.005));
    CHECK(shareOf(requests, RequestKind::Flush) == 0);
}

TEST_CASE("a flush follows every n-th write and carries no address")
{
    SyntheticConfig config = thousandBlocks(1000);
    config.mix.readRatio = 0.5;
    config.mix.flushEvery = 4;
    UniformSource source(config);
    int writes = 0;
    int flushes = 0;
    for (const Request& request : all(source)) {
        if (request.kind == RequestKind::Write)
            ++writes;
        if (request.kind == RequestKind::Flush) {
            ++flushes;
            CHECK(writes == 4 * flushes);
            CHECK(request.sectors == 0);
        }
    }
    CHECK(flushes > 80);
}

TEST_CASE("changing the read ratio leaves the addresses alone")
{
    SyntheticConfig config = thousandBlocks(1000);
    config.mix.readRatio = 0.2;
    ZipfSource few(config, 0.99, true);
    config.mix.readRatio = 0.9;
    ZipfSource many(config, 0.99, true);
    while (const auto request = few.next())
        REQUIRE(request->lba == many.next().value().lba);
}

TEST_CASE("the same seed and name give the same requests, another name gives others")
{
    SyntheticConfig config = thousandBlocks(100);
    UniformSource first(config);
    UniformSource second(config);
    config.name = "other";
    UniformSource third(config);
    int different = 0;
    while (const auto request = first.next()) {
        REQUIRE(request->lba == second.next().value().lba);
        different += request->lba != third.next().value().lba ? 1 : 0;
    }
    CHECK(different > 90);
}

TEST_CASE("zipf shows the rank order when it is not spread, and the same popularities elsewhere when it is")
{
    const bool spread = GENERATE(false, true);
    ZipfSource source(thousandBlocks(100'000), 1.0, spread);
    std::vector<int> touched(1000);
    while (const auto request = source.next())
        ++touched.at((request->lba - 8000) / 8);
    const int firstBlock = touched[0];
    std::sort(touched.rbegin(), touched.rend());
    CHECK_THAT(touched[0] / 1e5, WithinAbs(1 / 7.485, 0.005)); // the sum of 1/k up to 1000 is 7.485
    CHECK_THAT(touched[1] / 1e5, WithinAbs(0.5 / 7.485, 0.005));
    CHECK((firstBlock == touched[0]) == !spread);
}

TEST_CASE("a hot part receives its share of the accesses")
{
    const bool spread = GENERATE(false, true);
    HotColdSource source(thousandBlocks(100'000), HotConfig{0.2, 0.8}, spread);
    std::vector<int> touched(1000);
    int inFirstFifth = 0;
    while (const auto request = source.next()) {
        const auto block = (request->lba - 8000) / 8;
        ++touched.at(block);
        inFirstFifth += block < 200 ? 1 : 0;
    }
    std::sort(touched.rbegin(), touched.rend());
    int hot = 0;
    for (int i = 0; i < 200; ++i)
        hot += touched[static_cast<std::size_t>(i)];
    CHECK_THAT(hot / 1e5, WithinAbs(0.8, 0.005));
    CHECK_THAT(inFirstFifth / 1e5, WithinAbs(spread ? 0.2 : 0.8, 0.06));
    CHECK(touched.back() > 0); // cold blocks are reached too
}

TEST_CASE("a hot part of all or nothing still works")
{
    HotColdSource everything(thousandBlocks(1000), HotConfig{1, 0.5}, false);
    CHECK(all(everything).size() == 1000);
    HotColdSource nothing(thousandBlocks(1000), HotConfig{0, 1}, false); // at least one block is hot
    while (const auto request = nothing.next())
        REQUIRE(request->lba == 8000);
}

TEST_CASE("fixed arrivals are equally spaced, exponential ones have the mean and the spread of a Poisson process")
{
    SyntheticConfig config = thousandBlocks(100'000);
    config.interval = 10us;
    UniformSource fixed(config);
    for (int i = 0; i < 100; ++i)
        REQUIRE(fixed.next().value().arrival == i * Time{10us});

    config.arrivals = ArrivalProcess::Exponential;
    UniformSource random(config);
    const auto requests = all(random);
    CHECK(requests.front().arrival == Time{});
    int longGaps = 0;
    for (std::size_t i = 1; i < requests.size(); ++i) {
        REQUIRE(requests[i].arrival >= requests[i - 1].arrival);
        longGaps += requests[i].arrival - requests[i - 1].arrival > 10us ? 1 : 0;
    }
    CHECK_THAT(toMicroseconds(requests.back().arrival) / 1e5, WithinAbs(10, 0.15));
    CHECK_THAT(longGaps / 1e5, WithinAbs(0.3679, 0.006)); // 1/e
}

TEST_CASE("a source describes itself in one line")
{
    SyntheticConfig config = thousandBlocks(1);
    config.mix = MixConfig{0.7, 0.05, 8};
    CHECK(ZipfSource(config, 0.99, true).describe() ==
          "zipf (theta 0.99) over 3.906 MiB, 4 KiB blocks, 70 % reads, 5 % trims, a flush every 8 writes");
    CHECK(HotColdSource(config, HotConfig{}, true).describe() ==
          "hot-cold (80 % of the accesses to 20 % of the space) over 3.906 MiB, 4 KiB blocks, 70 % reads, 5 % trims, "
          "a flush every 8 writes");
    config.mix = {};
    CHECK(SequentialSource(config).describe() == "sequential over 3.906 MiB, 4 KiB blocks, 0 % reads");
    CHECK(UniformSource(config).describe() == "uniform over 3.906 MiB, 4 KiB blocks, 0 % reads");
}
