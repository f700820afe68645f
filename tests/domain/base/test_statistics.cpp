// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/resource.h"
#include "models/base/statistics.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace std::chrono_literals;

namespace {

struct BusCounters {
    std::uint64_t frames = 0;
    std::uint32_t longest = 0;
    Time held{};
    double squares = 0;

    void declare(Statistics& stats)
    {
        stats.add("frames", Unit::Count, "frames sent", frames);
        stats.add("longest", Unit::Bytes, "longest frame", longest, Merge::Maximum);
        stats.add("held", Unit::Duration, "time lost", held);
        stats.keep(squares);
        stats.derive("mean_square", Unit::Ratio, "of the lengths",
                     frames == 0 ? 0.0 : squares / static_cast<double>(frames));
    }
};

struct OtherCounters {
    std::uint64_t commands = 3;
    void declare(Statistics& stats) { stats.add("commands", Unit::Count, "commands taken", commands); }
};

struct Efforts {
    double energy = 6;
    void declare(Statistics& stats, Time measured) const
    {
        stats.derive("joule", Unit::Joule, "energy", energy);
        stats.derive("mean", Unit::Watt, "power", energy / toSeconds(measured));
        stats.derive("joule_per_byte", Unit::JoulePerByte, "nothing was written", std::monostate{});
        stats.derive("bytes", Unit::Bytes, "data", std::uint64_t{0});
        stats.derive("run", Unit::Seconds, "time of the machine", 1.0);
    }
};

struct Mistaken {
    std::uint64_t time = 0;
    void declare(Statistics& stats) { stats.add("time", Unit::Duration, "not a Time", time); }
};

} // namespace

TEST_CASE("a statistic is read with its name, unit, sentence and present value")
{
    const std::vector<Statistic> values = statisticsOf(BusCounters{4, 512, 7us, 40});
    REQUIRE(values.size() == 5);
    CHECK(values[0].name == "frames");
    CHECK(values[0].unit == Unit::Count);
    CHECK(values[0].sentence == "frames sent");
    CHECK(std::get<std::uint64_t>(values[0].value) == 4);
    CHECK(std::get<std::uint64_t>(values[1].value) == 512);
    CHECK(std::get<Time>(values[2].value) == 7us);
    CHECK(std::get<double>(values[4].value) == 10);
}

TEST_CASE("the key of a duration or an amount of data carries its unit")
{
    const std::vector<Statistic> values = statisticsOf(BusCounters{});
    CHECK(values[0].key() == "frames");
    CHECK(values[1].key() == "longest_bytes");
    CHECK(values[2].key() == "held_ps");
    CHECK(values[4].key() == "mean_square");
}

TEST_CASE("the key of an energy, a power or a time of the machine carries its unit unless the name is that unit")
{
    std::vector<std::string> keys;
    for (const Statistic& s : statisticsGiven(Efforts{}, Time{2s}))
        keys.push_back(s.key());
    CHECK(keys == std::vector<std::string>{"joule", "mean_watt", "joule_per_byte", "bytes", "run_seconds"});
}

TEST_CASE("a declaration is given the time that its ratios refer to, and a statistic may have no value")
{
    const std::vector<Statistic> values = statisticsGiven(Efforts{}, Time{2s});
    CHECK(std::get<double>(values[1].value) == 3);
    CHECK(std::holds_alternative<std::monostate>(values[2].value));
}

TEST_CASE("sums and maxima are accumulated as declared; a derived statistic follows from the accumulated counters")
{
    BusCounters sum{4, 512, 7us, 40};
    accumulate(sum, {1, 100, 2us, 10});
    CHECK(sum.frames == 5);
    CHECK(sum.longest == 512);
    CHECK(sum.held == 9us);
    CHECK(sum.squares == 50);
    CHECK(std::get<double>(statisticsOf(sum)[4].value) == 10);
    accumulate(sum, {0, 600, 0us, 0});
    CHECK(sum.longest == 600);
}

TEST_CASE("a counter that is only kept is accumulated and not reported")
{
    const std::vector<Statistic> values = statisticsOf(BusCounters{});
    CHECK_FALSE(values[3].isReported);
    CHECK(values[4].isReported);
}

TEST_CASE("several structs make one list, in order")
{
    const std::vector<Statistic> values = statisticsOf(OtherCounters{}, BusCounters{});
    REQUIRE(values.size() == 6);
    CHECK(values[0].name == "commands");
    CHECK(values[1].name == "frames");
}

TEST_CASE("a list takes the size of its first part and adds the next ones")
{
    std::vector<Statistic> sum;
    accumulate(sum, statisticsOf(OtherCounters{2}));
    accumulate(sum, statisticsOf(OtherCounters{5}));
    REQUIRE(sum.size() == 1);
    CHECK(std::get<std::uint64_t>(sum[0].value) == 7);
}

TEST_CASE("lists of different declarations and derived statistics in a list are our own mistakes")
{
    std::vector<Statistic> sum = statisticsOf(OtherCounters{});
    CHECK_THROWS_AS(accumulate(sum, statisticsOf(BusCounters{})), InternalError);
    std::vector<Statistic> derived = statisticsOf(BusCounters{});
    CHECK_THROWS_AS(accumulate(derived, statisticsOf(BusCounters{})), InternalError);
}

TEST_CASE("a counter declared as a duration must be a Time")
{
    CHECK_THROWS_AS(statisticsOf(Mistaken{}), InternalError);
}

TEST_CASE("the usage of a resource has its share of the time and its mean queue by Little's law")
{
    const ResourceUsage usage{2us, 5us, 4us, 2, 3};
    CHECK(usage.utilisation(10us) == 0.2);
    CHECK(usage.meanQueue(10us) == 0.5);
    CHECK(usage.utilisation(Time{}) == 0);
    ResourceUsage sum = usage;
    accumulate(sum, {1us, 1us, 1us, 1, 7});
    CHECK(sum.busy == 3us);
    CHECK(sum.waited == 6us);
    CHECK(sum.maxWaited == 4us);
    CHECK(sum.jobs == 3);
    CHECK(sum.maxQueue == 7);
}
