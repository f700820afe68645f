// SPDX-License-Identifier: Apache-2.0
//
// The data valid window, what a sample takes, and the bus time of data out with a clock of its own.
#include "models/channel/die_environment.h"
#include "models/channel/output_timing.h"
#include "tests/domain/channel/parts.h"
#include "tests/support/catch.h"

#include <cmath>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Corner;
using nand::Opcode;

namespace {

bool near(double a, double b, double tolerance = 1e-6)
{
    return std::abs(a - b) <= tolerance;
}

Time total(const std::vector<Segment>& segments)
{
    Time sum{};
    for (const Segment& segment : segments)
        sum += segment.duration;
    return sum;
}

} // namespace

TEST_CASE("the window of the slowest die is that of the data sheet's maxima")
{
    const nand::OutputParameters p;
    const nand::OutputConditions worst{Corner::Slow, 900, 70, 1.06};
    const OutputWindow window = outputWindow(p, table2, worst, 20ns);
    CHECK(near(window.opens, 7'820 + 1'650 + 16'000 + 250));
    CHECK(near(window.closes, 7'820 + 1'650 + 16'000 + 20'000 - 1'850 - 20));
    // One picosecond below its shortest cycle there is none.
    CHECK(near(outputWindow(p, table2, worst, 5ns).width(), 5'000 - 1'850 - 20 - 250));
    CHECK(outputWindow(p, table2, worst, picoseconds(4'999)).width() == 0);
}

TEST_CASE("outputs overlap: a typical die has a window at a period far shorter than its output delay")
{
    const nand::OutputParameters p;
    const double share = 1 / nand::worstFactor(p);
    const OutputWindow window = outputWindow(p, table2, {}, 4ns);
    CHECK(16'000 * share > 4'000);
    CHECK(near(window.width(), 4'000 - 1'850 * share - 270));
    const OutputWindow hot = outputWindow(p, table2, {Corner::Typical, 1'000, 70, 1}, 4ns);
    CHECK(near(hot.opens - window.opens, 16'000 * share * 0.045));
}

TEST_CASE("the uncalibrated sample is in the window of every die at the base clock")
{
    const nand::OutputParameters p;
    const Time cycle = GENERATE(20ns, 25ns, 30ns, 35ns, 40ns, 50ns, 100ns);
    const Time sample = uncalibratedSample(p, table2, cycle);
    if (cycle == 20ns)
        CHECK(sample == 30ns);
    for (const Corner corner : {Corner::Slow, Corner::Typical, Corner::Fast}) {
        for (const std::uint32_t supply : {900U, 1'000U, 1'100U}) {
            for (const double celsius : {0.0, 70.0}) {
                for (const double die : {0.94, 1.06}) {
                    const OutputWindow window = outputWindow(p, table2, {corner, supply, celsius, die}, cycle);
                    CHECK(bitErrorProbability(window, sample) == 0);
                }
            }
        }
    }
}

TEST_CASE(
    "a sample is right inside the window, a coin's throw of a differing bit outside, and half of that on its edge")
{
    const OutputWindow window{10'000, 14'000};
    CHECK(bitErrorProbability(window, 12ns) == 0);
    CHECK(bitErrorProbability(window, picoseconds(10'000 + 8 * 60)) == 0);
    CHECK(bitErrorProbability(window, picoseconds(10'000 + 7 * 60)) > 0);
    CHECK(near(bitErrorProbability(window, 10ns), 0.25));
    CHECK(near(bitErrorProbability(window, 14ns), 0.25));
    CHECK(near(bitErrorProbability(window, picoseconds(10'000 + 60)), 0.5 * 0.158655, 1e-5));
    CHECK(near(bitErrorProbability(window, 9ns), 0.5));
    CHECK(near(bitErrorProbability(window, 20ns), 0.5));
    CHECK(bitErrorProbability({5, 5}, picoseconds(5)) == 0.5);
}

TEST_CASE("wrong bits are drawn with the right mean, few or many")
{
    Rng rng(3, "bits");
    for (const double probability : {0.00001, 0.001, 0.02, 0.5}) {
        constexpr std::uint64_t bits = 8'192;
        constexpr int draws = 4'000;
        double sum = 0;
        for (int i = 0; i < draws; ++i) {
            const std::uint64_t errors = drawBitErrors(rng, bits, probability);
            REQUIRE(errors <= bits);
            sum += static_cast<double>(errors);
        }
        const double mean = bits * probability;
        const double deviation = std::sqrt(mean * (1 - probability) / draws);
        CAPTURE(probability, sum / draws, mean);
        CHECK(std::abs(sum / draws - mean) < 5 * deviation);
    }
    CHECK(drawBitErrors(rng, 8'192, 0) == 0);
    CHECK(drawBitErrors(rng, 0, 0.5) == 0);
}

TEST_CASE("page data and id bytes take an operation's own clock, and the bus is held until the last byte is sampled")
{
    InterfaceTiming timing = resolveTiming(InterfaceKind::Conv, table2, 20ns);
    timing.tCS = 30ns;
    timing.tWHR = 60ns;
    timing.tRR = 20ns;
    timing.tWB = 100ns;
    for (const nand::Part& part : parts()) {
        const BusSchedule schedule(timing, part);
        const std::uint32_t sectors = part.geometry.sectorsPerPage();
        const std::int64_t bytes = part.geometry.pageBytes + part.geometry.spareBytes;
        nand::Operation read = operation(Opcode::Read, sectors);
        CHECK(schedule.responseTime(read) == 30ns + 20ns * bytes);
        read.outputCycle = 5ns;
        read.sampleAt = 5ns;
        CHECK(schedule.responseTime(read) == 30ns + 5ns * bytes);
        read.sampleAt = picoseconds(21'875);
        CHECK(schedule.responseTime(read) == 30ns + 5ns * bytes + picoseconds(16'875));
        CHECK(total(schedule.responseSegments(read)) == schedule.responseTime(read));
        read.form = nand::Form::Plane; // the commands in front keep the clock of what goes in
        const Time commands = timing.cycle * (2 + part.columnCycles + part.rowCycles);
        CHECK(schedule.responseTime(read) == 30ns + commands + 5ns * bytes + picoseconds(16'875));
        CHECK(total(schedule.responseSegments(read)) == schedule.responseTime(read));

        nand::Operation id = operation(Opcode::ReadId);
        CHECK(schedule.responseTime(id) == 30ns + 60ns + 20ns * 5);
        id.outputCycle = 5ns;
        id.sampleAt = 20ns;
        CHECK(schedule.responseTime(id) == 30ns + 60ns + 5ns * 5 + 15ns);
        CHECK(total(schedule.responseSegments(id)) == schedule.responseTime(id));
        CHECK(schedule.requestTime(id) == schedule.requestTime(operation(Opcode::ReadId)));
    }
}

TEST_CASE("the temperature is that of the last change")
{
    DieEnvironment e;
    e.celsius = 20;
    e.changes = {{1ms, 40}, {3ms, 10}};
    CHECK(e.celsiusAt(0ms) == 20);
    CHECK(e.celsiusAt(1ms - picoseconds(1)) == 20);
    CHECK(e.celsiusAt(1ms) == 40);
    CHECK(e.celsiusAt(5ms) == 10);
    CHECK(e.nextChange(0ms) == 1ms);
    CHECK(e.nextChange(1ms) == 3ms);
    CHECK(e.nextChange(3ms) == never);
}
