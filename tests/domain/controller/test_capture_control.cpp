// SPDX-License-Identifier: Apache-2.0
#include "models/base/strobe_registers.h"
#include "models/controller/capture_control.h"
#include "tests/support/catch.h"

#include <iterator>
#include <utility>
#include <vector>

using namespace strobe;
using namespace strobe::controller;
using namespace std::chrono_literals;

namespace {

namespace flash = regs::flash;

ReadCaptureConfig twoDies()
{
    ReadCaptureConfig config;
    config.dies = 2;
    config.baseCycle = 20ns;
    config.idBytes = 4;
    return config;
}

struct ControlBench {
    RegisterBank registers{flash::table, std::size(flash::table), flash::size};
    CaptureControl control{twoDies(), registers};
    std::vector<std::pair<bool, Time>> line;

    ControlBench()
    {
        registers.poke(flash::TEMPERATURE_LOW, 0);
        registers.poke(flash::TEMPERATURE_HIGH, 16 * 100);
        control.line().onChange([this](bool asserted, Time at) { line.emplace_back(asserted, at); });
    }
};

using Changes = std::vector<std::pair<bool, Time>>;

} // namespace

TEST_CASE("a pattern read is a READ ID with priority at the clock of PATTERN_SETTING, one at a time")
{
    ControlBench bench;
    CHECK(bench.registers.peek(flash::CAPTURE) != 0);
    bench.registers.poke(flash::PATTERN_SETTING, 3);
    CHECK_FALSE(bench.control.requestPattern(2, 1us)); // there is no such die
    REQUIRE(bench.control.requestPattern(1, 1us));
    CHECK_FALSE(bench.control.requestPattern(0, 1us));
    CHECK((bench.control.status(1us) & flash::PATTERN_STATUS_busy_mask) != 0);

    const CaptureControl::Pattern pattern = bench.control.start(1, 2us);
    CHECK(CaptureControl::isPattern(pattern.ticket));
    CHECK_FALSE(CaptureControl::isPattern({UnitId{0}, 0}));
    CHECK(pattern.op.opcode == nand::Opcode::ReadId);
    CHECK(pattern.op.priority == nand::Priority::Foreground);
    CHECK(pattern.op.die == DieId{1});
    nand::Operation expected;
    bench.control.capture().assign(expected, {3, 0, 0});
    CHECK(pattern.op.outputCycle == expected.outputCycle);
    CHECK(bench.line.empty());

    bench.control.patternArrived(pattern.ticket, pattern.op, 3us);
    CHECK((bench.control.status(3us) & flash::PATTERN_STATUS_busy_mask) == 0);
    CHECK((bench.control.status(3us) & flash::PATTERN_STATUS_done_mask) != 0);
    CHECK(bench.line == Changes{{true, 3us}});
    CHECK(bench.control.requestPattern(0, 4us)); // which takes the result away
    CHECK(bench.line == Changes{{true, 3us}, {false, 4us}});
}

TEST_CASE("the line is high outside the limits of temperature")
{
    ControlBench bench;
    const auto steps = static_cast<std::int32_t>(bench.control.temperature(1us));
    CHECK(steps == bench.control.capture().celsius(1us) * 16);
    bench.registers.poke(flash::TEMPERATURE_HIGH, static_cast<std::uint32_t>(steps - 1));
    CHECK(bench.control.watchTemperature(5us) == std::nullopt); // it does not change
    CHECK(bench.line == Changes{{true, 5us}});
    CHECK((bench.control.status(5us) & flash::PATTERN_STATUS_temperature_mask) != 0);
    bench.registers.poke(flash::TEMPERATURE_HIGH, static_cast<std::uint32_t>(steps));
    bench.control.updateLine(6us);
    CHECK(bench.line == Changes{{true, 5us}, {false, 6us}});
}
