// SPDX-License-Identifier: Apache-2.0
#include "models/thermal/thermal_record.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::thermal;
using namespace std::chrono_literals;

namespace {

// One degree per joule: next to nothing gets away.
NetworkConfig insulated()
{
    NetworkConfig config;
    config.controller = {10'000, 1};
    config.flash = {10'000, 2};
    config.coupling = 0;
    config.ambient = 20;
    return config;
}

} // namespace

TEST_CASE("energy becomes temperature, and the composite temperature is that of the warmer node")
{
    ThermalRecord record(insulated(), {70, 80});
    record.sample(1s, {10, 30}, true);
    CHECK(record.celsius()[Controller] == Approx(30).epsilon(1e-3));
    CHECK(record.celsius()[Flash] == Approx(35).epsilon(1e-3));
    CHECK(record.composite() == record.celsius()[Flash]);
    CHECK(record.watt() == Approx(40));
}

TEST_CASE("time at or above the thresholds counts by samples, the highest temperature stays")
{
    ThermalRecord record(insulated(), {70, 80});
    record.sample(1s, {55, 0}, true); // 75
    record.sample(3s, {10, 0}, true); // 85
    record.sample(4s, {0, 0}, true);  // 85
    const ThermalFigures figures = record.figures(4s);
    CHECK(figures.warning == Time(4s));
    CHECK(figures.critical == Time(3s));
    CHECK(figures.highest[Controller] == Approx(85).epsilon(1e-2));
    CHECK(figures.highest[Flash] == Approx(20).epsilon(1e-2));
    CHECK(figures.peakWatt == Approx(55));
}

TEST_CASE("peak power is that of intervals of measured time")
{
    ThermalRecord record(insulated(), {70, 80});
    record.sample(1s, {9, 0}, false);
    record.sample(2s, {4, 1}, true);
    CHECK(record.figures(2s).peakWatt == Approx(5));
}

TEST_CASE("levels of throttling are counted with their time, the present one included")
{
    ThermalRecord record(insulated(), {70, 80});
    record.throttle({1, 8}, 10s);
    record.throttle({2, 2}, 15s);
    record.throttle({1, 8}, 16s);
    ThermalFigures figures = record.figures(20s);
    CHECK(figures.light.entries == 2);
    CHECK(figures.light.time == Time(9s));
    CHECK(figures.heavy.entries == 1);
    CHECK(figures.heavy.time == Time(1s));
    CHECK(figures.limited == Time(10s));
    record.throttle({0, 4}, 20s); // by the power limit alone
    record.throttle({0, 0}, 25s);
    figures = record.figures(30s);
    CHECK(figures.light.time == Time(9s));
    CHECK(figures.limited == Time(15s));
}

TEST_CASE("without power the drive cools, and is not throttled")
{
    NetworkConfig config = insulated();
    config.controller = {1, 1};
    config.initial = 90;
    ThermalRecord record(config, {70, 80});
    record.throttle({2, 1}, 1s);
    record.powerOff(2s);
    record.powerOn(100s);
    CHECK(record.celsius()[Controller] == Approx(20));
    CHECK(record.figures(200s).heavy.time == Time(1s));
    CHECK(record.figures(200s).highest[Controller] == 90);
}

TEST_CASE("the course has at most 1024 points, whose powers are means since the point before")
{
    ThermalRecord record(insulated(), {70, 80});
    constexpr int samples = 5000;
    for (int i = 1; i <= samples; ++i)
        record.sample(std::chrono::milliseconds(i), {i % 2 == 0 ? 0.002 : 0.0, 0.001}, true);
    const std::vector<ThermalPoint> course = record.course();
    CHECK(course.size() <= ThermalRecord::mostPoints + 1);
    CHECK(course.size() > ThermalRecord::mostPoints / 4);
    for (std::size_t i = 1; i < course.size(); ++i) {
        REQUIRE(course[i].at > course[i - 1].at);
        CHECK(course[i].watt == Approx(2).epsilon(1e-6));
    }
}

TEST_CASE("the course ends at the last sample, with what firmware did until then")
{
    ThermalRecord record(insulated(), {70, 80});
    constexpr int samples = 2 * ThermalRecord::mostPoints + 1; // now a point has several samples
    for (int i = 1; i <= samples; ++i)
        record.sample(std::chrono::milliseconds(i), {0.002, 0.001}, true);
    record.throttle({2, 1}, std::chrono::milliseconds(samples));
    record.sample(std::chrono::milliseconds(samples + 1), {0.005, 0.001}, true);
    record.powerOff(std::chrono::milliseconds(samples + 1));
    const std::vector<ThermalPoint> course = record.course();
    CHECK(course.back().at == Time(std::chrono::milliseconds(samples + 1)));
    CHECK(course.back().throttle == Throttle{2, 1});
    CHECK(course.back().celsius == record.celsius());
    double joule = 0;
    for (std::size_t i = 1; i < course.size(); ++i)
        joule += course[i].watt * toSeconds(course[i].at - course[i - 1].at);
    CHECK(joule == Approx(samples * 0.003 + 0.006));
}

TEST_CASE("temperatures have settled when they stay as they are with the same power")
{
    NetworkConfig config = insulated();
    config.controller = {1, 1};
    config.flash = {1, 1};
    config.initial = 90;
    ThermalRecord record(config, {70, 80});
    record.sample(1s, {2, 0}, true);
    CHECK_FALSE(record.isSettled());
    record.sample(60s, {118, 0}, true);
    CHECK(record.isSettled());
}
