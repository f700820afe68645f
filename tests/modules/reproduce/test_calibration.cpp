// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/calibration.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <cmath>

using namespace strobe::platform;
using nlohmann::json;

namespace {

json reportWith(std::uint64_t times, std::uint64_t cycles, double deviation)
{
    json costs;
    for (const CalibratedPoint& point : emptyCalibration().points)
        costs[point.name] = {{"times", 0}, {"cycles", 0}, {"deviation", 0}};
    costs["host_command"] = {{"times", times}, {"cycles", cycles}, {"deviation", deviation}};
    return {{"scenario", "w"},
            {"firmware", {{"instructions", cycles}, {"costs", costs}}},
            {"totals", {{"all", {{"requests", 10}}}}}};
}

CalibratedPoint pointNamed(const Calibration& calibration, const std::string& name)
{
    for (const CalibratedPoint& point : calibration.points) {
        if (point.name == name)
            return point;
    }
    FAIL(name << " is missing");
    return {};
}

CalibratedPoint point(std::uint64_t times, double mean, double deviation, std::uint32_t inTable)
{
    CalibratedPoint p;
    p.name = "p";
    p.times = times;
    p.cycles = static_cast<std::uint64_t>(std::llround(mean * static_cast<double>(times)));
    p.squares = static_cast<double>(times) * (mean * mean + deviation * deviation);
    p.inTable = inTable;
    return p;
}

} // namespace

TEST_CASE_METHOD(strobe::test::KernelFixture,
                 "a point's cycles are the mean over the charges of all workloads, with their common deviation")
{
    Calibration calibration = emptyCalibration();
    addWorkload(calibration, reportWith(30, 3000, 0));
    addWorkload(calibration, reportWith(10, 2000, 0));
    const CalibratedPoint found = pointNamed(calibration, "host_command");
    CHECK(found.times == 40);
    CHECK(found.mean() == 125);
    CHECK(std::abs(found.deviation() - std::sqrt(1875)) < 1e-9); // 30 times 25 below, 10 times 75 above
    CHECK(found.least == 100);
    CHECK(found.most == 200);
    CHECK(calibration.requests == 20);
}

TEST_CASE_METHOD(strobe::test::KernelFixture, "a point that one layer has measured is not measured in the next")
{
    Calibration calibration = emptyCalibration();
    addWorkload(calibration, reportWith(10, 1000, 0));
    closeGroup(calibration);
    json second = reportWith(10, 5000, 0);
    second["firmware"]["costs"]["unit_page"] = {{"times", 4}, {"cycles", 80}, {"deviation", 0}};
    addWorkload(calibration, second);
    CHECK(pointNamed(calibration, "host_command").mean() == 100);
    CHECK(pointNamed(calibration, "unit_page").mean() == 20);
    CHECK(calibration.requests == 20);
}

TEST_CASE("a point has drifted beyond a tenth, not below")
{
    CHECK_FALSE(point(100'000, 100, 10, 110).hasDrifted());
    CHECK(point(100'000, 100, 10, 111).hasDrifted());
    CHECK_FALSE(point(100'000, 100, 10, 90).hasDrifted());
    CHECK(point(100'000, 100, 10, 89).hasDrifted());
}

TEST_CASE("rounding and few charges are not drift: half a cycle and three standard errors are also allowed")
{
    CHECK_FALSE(point(100'000, 2.5, 1, 3).hasDrifted()); // a fifth, but half a cycle
    CHECK_FALSE(point(16, 100, 80, 150).hasDrifted());   // 60 is three standard errors
    CHECK(point(16, 100, 80, 161).hasDrifted());
    CHECK_FALSE(point(0, 0, 0, 500).hasDrifted()); // no workload comes here
}

TEST_CASE("the table that is written has each point once, with its charges, and keeps unmeasured ones")
{
    Calibration calibration = emptyCalibration();
    addWorkload(calibration, reportWith(1000, 351'200, 50));
    const std::string header = costCyclesHeader(calibration);
    CHECK(header.find("#define COST_CYCLES_host_command 351 /* 351.2 over 1000 charges, deviation 50.0 */") !=
          std::string::npos);
    CHECK(header.find("#define COST_CYCLES_read_command_overhead 0 /* not measured */") != std::string::npos);
    for (const CalibratedPoint& p : calibration.points)
        CHECK(header.find("#define COST_CYCLES_" + p.name + " ") != std::string::npos);
}

TEST_CASE("the text shows each point beside the table in use and says which have drifted")
{
    Calibration calibration = emptyCalibration();
    const std::uint32_t inTable = pointNamed(calibration, "host_command").inTable;
    addWorkload(calibration, reportWith(1000, 2000ULL * inTable, 1));
    CHECK(calibration.hasDrifted());
    const std::string text = calibrationText(calibration);
    CHECK(text.find("host_command has drifted: " + std::to_string(inTable) + " in the table, ") != std::string::npos);
    CHECK(text.find("-50.0 %") != std::string::npos);
    CHECK(text.find("10 requests took ") != std::string::npos);
}

TEST_CASE("a point of which the compiler has left nothing has no relative difference")
{
    Calibration calibration = emptyCalibration();
    addWorkload(calibration, reportWith(1000, 0, 0));
    CHECK(calibrationText(calibration).find("nan") == std::string::npos);
    CHECK(calibrationText(calibration).find("inf") == std::string::npos);
}
