// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_heat.h"

#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

struct Heat final : DriveHeat {
    HeatReading now;
    Range range{30, 85};
    std::int32_t light = 0;
    std::int32_t heavy = 0;
    double watt = 0;

    HeatReading reading(Time) const override { return now; }
    std::size_t sensors() const override { return 2; }
    std::int32_t warning() const override { return 70; }
    std::int32_t critical() const override { return 80; }
    Range management() const override { return range; }
    void manage(std::int32_t lightCelsius, std::int32_t heavyCelsius, Time) override
    {
        light = lightCelsius;
        heavy = heavyCelsius;
    }
    void limitPower(double limit) override { watt = limit; }
};

FakeSsd::Config drive(Heat& heat)
{
    FakeSsd::Config config;
    config.heat = &heat;
    return config;
}

template <class T>
T field(RawHost& host, std::uint64_t address)
{
    T value{};
    REQUIRE(host.memory.read(address, &value, sizeof value));
    return value;
}

std::uint32_t temperatures(std::uint32_t light, std::uint32_t heavy) // kelvin
{
    return light << 16U | heavy;
}

constexpr std::uint32_t defaultValue = 1U << 8U; // select, command dword 10
constexpr std::uint32_t capabilities = 3U << 8U;

} // namespace

TEST_CASE("thermal management gives the drive the temperatures of the host, in degrees")
{
    Heat heat;
    ThermalManagement management;
    CHECK(management.set(temperatures(343, 353), heat, Time{}) == NvmeStatus::Success);
    CHECK(heat.light == 70);
    CHECK(heat.heavy == 80);
    CHECK(management.value() == temperatures(343, 353));
    CHECK(management.set(temperatures(0, 340), heat, Time{}) == NvmeStatus::Success);
    CHECK(heat.light == 0);
    CHECK(heat.heavy == 67);
}

TEST_CASE("temperatures outside the drive's range, or a light one not below the heavy one, are refused")
{
    Heat heat;
    ThermalManagement management;
    const std::uint32_t value =
        GENERATE(as<std::uint32_t>{}, temperatures(302, 0), temperatures(0, 302), temperatures(359, 0),
                 temperatures(0, 359), temperatures(350, 350), temperatures(351, 350));
    CHECK(management.set(value, heat, Time{}) == NvmeStatus::InvalidField);
    CHECK(management.value() == 0);
    CHECK(heat.light == 0);
    CHECK(management.set(temperatures(303, 358), heat, Time{}) == NvmeStatus::Success); // both ends
}

TEST_CASE("the feature has a value, a default and capabilities, and a reset takes it back")
{
    Heat heat;
    RawHost host(drive(heat));
    host.enable();
    SubmissionEntry get = RawHost::feature(AdminOpcode::GetFeatures, Feature::HostThermalManagement);
    CHECK(host.status(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::HostThermalManagement,
                                          temperatures(340, 350))) == NvmeStatus::Success);
    CHECK(heat.light == 67);
    CHECK(host.execute(0, get).result == temperatures(340, 350));
    get.dword[10] |= defaultValue;
    CHECK(host.execute(0, get).result == 0);
    get.dword[10] = (get.dword[10] & 0xFFU) | capabilities;
    CHECK(host.execute(0, get).result == changeableFeature);
    host.write(reg::CC, 0);
    CHECK(heat.light == 0);
}

TEST_CASE("a drive that firmware does not throttle has no thermal management, and one without a model neither")
{
    Heat heat;
    heat.range = {};
    RawHost managed(drive(heat));
    RawHost plain;
    for (RawHost* host : {&managed, &plain}) {
        host->enable();
        CHECK(host->status(0, RawHost::feature(AdminOpcode::GetFeatures, Feature::HostThermalManagement)) ==
              NvmeStatus::InvalidField);
        CHECK(host->status(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::HostThermalManagement,
                                               temperatures(340, 350))) == NvmeStatus::InvalidField);
    }
}

TEST_CASE("Identify has the temperatures of the drive")
{
    Heat heat;
    RawHost host(drive(heat));
    host.enable();
    SubmissionEntry identify = RawHost::make(AdminOpcode::Identify);
    const std::uint64_t page = host.memory.allocate(4096);
    identify.setQuad(6, page);
    identify.dword[10] = 1;
    REQUIRE(host.status(0, identify) == NvmeStatus::Success);
    CHECK(field<std::uint16_t>(host, page + 266) == 343); // WCTEMP
    CHECK(field<std::uint16_t>(host, page + 268) == 353); // CCTEMP
    CHECK(field<std::uint16_t>(host, page + 322) == 1);   // HCTMA
    CHECK(field<std::uint16_t>(host, page + 324) == 303); // MNTMT
    CHECK(field<std::uint16_t>(host, page + 326) == 358); // MXTMT
}

TEST_CASE("the SMART log has temperature, sensors, times above the thresholds and throttling")
{
    Heat heat;
    heat.now = {81, {81, 60}, 185s, 61s, {3, 90s}, {1, 7s}};
    RawHost host(drive(heat));
    host.enable();
    SubmissionEntry log = RawHost::make(AdminOpcode::GetLogPage);
    const std::uint64_t page = host.memory.allocate(4096);
    log.setQuad(6, page);
    log.dword[10] = 2 | 127U << 16U;
    REQUIRE(host.status(0, log) == NvmeStatus::Success);
    CHECK(field<std::uint8_t>(host, page) == warning::temperature);
    CHECK(field<std::uint16_t>(host, page + 1) == 354);
    CHECK(field<std::uint32_t>(host, page + 192) == 2); // minutes, without those at or above CCTEMP
    CHECK(field<std::uint32_t>(host, page + 196) == 1);
    CHECK(field<std::uint16_t>(host, page + 200) == 354);
    CHECK(field<std::uint16_t>(host, page + 202) == 333);
    CHECK(field<std::uint16_t>(host, page + 204) == 0);
    CHECK(field<std::uint32_t>(host, page + 216) == 3);
    CHECK(field<std::uint32_t>(host, page + 220) == 1);
    CHECK(field<std::uint32_t>(host, page + 224) == 90);
    CHECK(field<std::uint32_t>(host, page + 228) == 7);
}

TEST_CASE("a sample at the threshold raises an event, without a command")
{
    Heat heat;
    heat.now.composite = 69;
    RawHost host(drive(heat));
    host.enable();
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 21));
    host.put(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::AsyncEvents, warning::temperature));
    host.ringSq(0);
    CHECK(host.take(0).size() == 1);
    host.ringCq(0);
    host.controller.temperatureTaken(host.now);
    host.run();
    CHECK(host.take(0).empty());
    heat.now.composite = 70; // WCTEMP is the default of the upper threshold
    host.controller.temperatureTaken(host.now);
    host.run();
    const auto ends = host.take(0);
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].commandId == 21);
    CHECK(ends[0].result == temperatureThreshold);
}

TEST_CASE("each sensor has thresholds of its own, which warn of nothing at first")
{
    Heat heat;
    heat.now = {40, {40, 30}, {}, {}, {}, {}};
    RawHost host(drive(heat));
    host.enable();
    const auto set = [&](std::uint32_t value) {
        return host.status(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::TemperatureThreshold, value));
    };
    const auto get = [&](std::uint32_t value, std::uint32_t select = 0) {
        SubmissionEntry entry = RawHost::feature(AdminOpcode::GetFeatures, Feature::TemperatureThreshold, value);
        entry.dword[10] |= select;
        return host.execute(0, entry).result;
    };
    constexpr std::uint32_t under = 1U << 20U;
    constexpr std::uint32_t sensor = 1U << 16U;
    CHECK(get(0) == 343);
    CHECK(get(sensor) == 0xFFFF);
    CHECK(get(2 * sensor | under) == 0);
    CHECK(set(2 * sensor | 310) == NvmeStatus::Success);
    CHECK(set(sensor | under | 280) == NvmeStatus::Success);
    CHECK(get(2 * sensor) == 310);
    CHECK(get(sensor | under) == 280);
    CHECK(get(sensor) == 0xFFFF);
    CHECK(get(2 * sensor, defaultValue) == 0xFFFF);
    CHECK(get(0, defaultValue) == 343);
    CHECK(set(3 * sensor | 310) == NvmeStatus::InvalidField); // there are two
    CHECK(set(0xFU << 16U | 330) == NvmeStatus::Success);     // all
    CHECK(get(0) == 330);
    CHECK(get(2 * sensor) == 330);
    host.write(reg::CC, 0);
    host.enable();
    CHECK(get(0) == 343);
    CHECK(get(2 * sensor) == 0xFFFF);
}

TEST_CASE("a sensor at its threshold, above or below, raises the event and the warning")
{
    Heat heat;
    heat.now = {40, {40, 30}, {}, {}, {}, {}};
    RawHost host(drive(heat));
    host.enable();
    const std::uint32_t threshold = GENERATE(as<std::uint32_t>{}, 2U << 16U | 308U, 1U << 20U | 2U << 16U | 298U);
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 21));
    host.put(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::AsyncEvents, warning::temperature));
    host.put(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::TemperatureThreshold, threshold));
    host.ringSq(0);
    CHECK(host.take(0).size() == 2);
    host.ringCq(0);
    host.controller.temperatureTaken(host.now);
    host.run();
    CHECK(host.take(0).empty());
    heat.now.sensors[1] = threshold > 0xFFFFFU ? 25 : 35;
    host.controller.temperatureTaken(host.now);
    host.run();
    const auto ends = host.take(0);
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].commandId == 21);
    CHECK(ends[0].result == temperatureThreshold);
}
