// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/series_recorder.h"
#include "tests/support/catch.h"

#include <numeric>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

constexpr auto readKind = static_cast<std::size_t>(host::RequestKind::Read);

// A phase whose reads complete one by one.
struct Run {
    std::vector<host::PhaseResult> phases = std::vector<host::PhaseResult>(1);
    CumulativeFigures figures;
    std::array<Time, host::requestKindTable.size()> outstanding{};

    void read(Time latency)
    {
        host::KindResult& reads = phases.back().kinds[readKind];
        ++reads.requests;
        reads.sectors += 8;
        reads.latency.record(latency);
        reads.device.record(latency);
    }
    Observed observed() const { return {figures, phases, outstanding}; }
};

} // namespace

TEST_CASE("an interval has what completed in it")
{
    Run run;
    SeriesRecorder recorder(100us);
    CHECK((recorder.nextSample() == never));
    recorder.start(1ms);
    CHECK((recorder.nextSample() == 1100us));
    run.read(50us);
    run.read(70us);
    recorder.sample(1100us, run.observed());
    run.read(200us);
    recorder.sample(1200us, run.observed());
    recorder.stop(1250us);
    const SeriesReport series = recorder.finish(run.observed());
    CHECK((series.interval == 100us));
    CHECK((series.length == std::vector<Time>{100us, 100us, 50us}));
    REQUIRE(series.operations.size() == 1);
    const SeriesReport::Operation& reads = series.operations[0];
    CHECK(reads.kind == host::RequestKind::Read);
    CHECK(reads.requests == std::vector<std::uint64_t>{2, 1, 0});
    CHECK(reads.bytes == std::vector<std::uint64_t>{8192, 4096, 0});
    REQUIRE(reads.p50[0]);
    CHECK((*reads.p50[0] > 49us && *reads.p50[0] < 51us));
    CHECK((*reads.p999[0] > 69us && *reads.p999[0] < 71us));
    CHECK((*reads.p50[1] > 198us && *reads.p50[1] < 202us));
    CHECK_FALSE(reads.p50[2]);
}

TEST_CASE("the queue depth is the mean number of outstanding requests")
{
    Run run;
    SeriesRecorder recorder(100us);
    recorder.start(Time{});
    run.outstanding[readKind] = 100us + 50us; // one from the start, one since the middle
    recorder.sample(100us, run.observed());
    run.read(200us); // the first
    run.outstanding[readKind] = 150us;
    recorder.sample(200us, run.observed());
    recorder.stop(200us);
    const SeriesReport series = recorder.finish(run.observed());
    CHECK(series.operations[0].queueDepth == std::vector<double>{1.5, 2.0});
}

TEST_CASE("figures are shared out over the members of a group")
{
    Run run;
    SeriesRecorder recorder(100us);
    recorder.start(Time{});
    auto& dies = run.figures.groups[static_cast<std::size_t>(ResourceGroup::Die)];
    dies = {4, 200us, 40us};
    run.figures.programs[static_cast<std::size_t>(nand::Purpose::Host)] = 3;
    recorder.sample(100us, run.observed());
    dies = {4, 500us, 40us};
    run.figures.programs[static_cast<std::size_t>(nand::Purpose::Host)] = 10;
    recorder.sample(200us, run.observed());
    recorder.stop(200us);
    const SeriesReport series = recorder.finish(run.observed());
    REQUIRE(series.groups.size() == 1);
    CHECK(series.groups[0].group == ResourceGroup::Die);
    CHECK(series.groups[0].utilisation == std::vector<double>{0.5, 0.75});
    CHECK(series.groups[0].meanQueue == std::vector<double>{0.1, 0.0});
    REQUIRE(series.programs.size() == 1);
    CHECK(series.programs[0].purpose == "host");
    CHECK(series.programs[0].programs == std::vector<std::uint64_t>{3, 7});
}

TEST_CASE("time outside measured phases is left out of the intervals")
{
    Run run;
    SeriesRecorder recorder(100us);
    recorder.start(Time{});
    recorder.stop(60us);
    CHECK((recorder.nextSample() == never));
    recorder.start(1000us);
    CHECK((recorder.nextSample() == 1040us));
    recorder.sample(1040us, run.observed());
    recorder.stop(1040us);
    CHECK((recorder.finish(run.observed()).length == std::vector<Time>{100us}));
}

TEST_CASE("requests of phases that are not measured do not count")
{
    Run run;
    SeriesRecorder recorder(100us);
    run.phases.back().measured = false;
    run.read(10us);
    recorder.start(Time{});
    recorder.sample(100us, run.observed());
    recorder.stop(100us);
    CHECK(recorder.finish(run.observed()).operations.empty());
}

TEST_CASE("a long run has a bounded number of intervals and loses no request")
{
    Run run;
    SeriesRecorder recorder(std::nullopt);
    recorder.start(Time{});
    constexpr std::uint64_t samples = 1000;
    Time at{};
    for (std::uint64_t i = 0; i < samples; ++i) {
        run.read(i % 10 == 9 ? 1ms : 10us);
        at = recorder.nextSample();
        recorder.sample(at, run.observed());
    }
    recorder.stop(at);
    const SeriesReport series = recorder.finish(run.observed());
    CHECK(series.length.size() >= SeriesRecorder::fewest);
    CHECK(series.length.size() <= SeriesRecorder::most);
    CHECK((std::accumulate(series.length.begin(), series.length.end(), Time{}) == at));
    CHECK((series.interval > SeriesRecorder::shortest));
    const auto& reads = series.operations[0];
    CHECK(std::accumulate(reads.requests.begin(), reads.requests.end(), std::uint64_t{0}) == samples);
    CHECK((*reads.p50.front() < 11us)); // percentiles of joined intervals
}
