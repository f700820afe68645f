// SPDX-License-Identifier: Apache-2.0
#include "models/thermal/temperature_sensor_module.h"

#include "models/base/strobe_registers.h"
#include "tests/modules/fabric/bus_probe.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <vector>

using namespace strobe;
using namespace strobe::thermal;
using namespace strobe::regs::thermal;
using test::BusProbe;
using test::KernelFixture;
using namespace std::chrono_literals;

namespace {

struct Nothing {
    void step() {}
};

struct Board {
    ThermalRecord record;
    TemperatureSensorModule module{"sensor", record, 1ms};
    BusProbe cpu{"cpu"};
    std::vector<std::pair<bool, Time>> line;
    std::vector<Time> samples;

    Nothing nothing;

    explicit Board(const NetworkConfig& network = {}) : record(network, {70, 80})
    {
        cpu.bus.bind(module.registers);
        module.onLine([this](bool asserted, Time at) { line.emplace_back(asserted, at); });
        module.onSample([this](Time at) { samples.push_back(at); });
        // 3 W in the controller, 1 W in the flash.
        module.connect([](Time now) {
            return TemperatureSensorModule::Taken{{3 * toSeconds(now), toSeconds(now)}, true};
        });
    }
};

} // namespace

TEST_CASE("a sample is taken at each interval and interrupts until the temperature is read")
{
    KernelFixture kernel;
    Board board;
    kernel.run(0ns);
    board.cpu.write(CONTROL, 1);
    kernel.run(2500us);
    CHECK(board.samples == std::vector<Time>{1ms, 2ms});
    REQUIRE(board.line.size() == 1); // the second sample finds it asserted
    CHECK(board.line[0] == std::pair<bool, Time>{true, 1ms});
    CHECK(board.cpu.read(POWER).value == 4000);
    CHECK(board.line.size() == 1);
    board.cpu.read(TEMPERATURE);
    REQUIRE(board.line.size() == 2);
    CHECK_FALSE(board.line[1].first);
    kernel.run(1ms);
    CHECK(board.line.size() == 3);
    CHECK(board.record.celsius()[Controller] > board.record.celsius()[Flash]);
}

TEST_CASE("the last part of an interval counts at the end, but is no peak power")
{
    KernelFixture kernel;
    Board board;
    kernel.run(1500us);
    const double before = board.record.celsius()[Controller];
    board.module.takeLast();
    CHECK(board.record.celsius()[Controller] > before);
    CHECK(board.record.watt() == Approx(4));
    CHECK(board.record.figures(1500us).peakWatt == 0);
}

TEST_CASE("the sensor is alone when nothing else is due and firmware does not listen")
{
    KernelFixture kernel;
    Board board;
    kernel.run(500us);
    CHECK_FALSE(board.module.isAlone()); // before the first sample it is not known
    kernel.run(1ms);
    CHECK(board.module.isAlone());
    Wake other = Wake::calls<&Nothing::step>(board.nothing);
    other.at(3200us);
    kernel.run(1ms);
    CHECK_FALSE(board.module.isAlone());
    kernel.run(2ms);
    CHECK(board.module.isAlone());
}

TEST_CASE("where firmware listens, the sensor is alone when the temperature has settled for many samples")
{
    KernelFixture kernel;
    Board board(NetworkConfig{{1, 0.01}, {1, 0.01}, 0, 25, 45});
    kernel.run(0ns);
    board.cpu.write(CONTROL, 1);
    kernel.run(50500us);
    CHECK_FALSE(board.record.isSettled());
    kernel.run(12ms); // settled, but for fewer samples
    CHECK(board.record.isSettled());
    CHECK_FALSE(board.module.isAlone());
    kernel.run(3ms);
    CHECK(board.module.isAlone());
}

TEST_CASE("energy that falls is none")
{
    KernelFixture kernel;
    Board board;
    board.module.connect([](Time now) {
        return TemperatureSensorModule::Taken{{now > Time(1ms) ? 0.001 : 0.002, 0}, true};
    });
    kernel.run(3500us);
    CHECK(board.record.figures(3500us).peakWatt == Approx(0));
    CHECK(board.record.watt() == 0);
}
