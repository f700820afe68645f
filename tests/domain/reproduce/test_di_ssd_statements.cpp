// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/reproduce/judged.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe;
using namespace strobe::platform;

namespace {

constexpr const char* nominal = "100% 25C";
constexpr const char* tooSlow = "slow 90% 70C and bytes of 20 ns";
constexpr const char* bothWays = "both directions fast";

void add(Points& points, std::uint32_t figure, const std::string& workload, const std::string& quantity,
         const std::string& setting, double value)
{
    points.measure({std::to_string(figure), workload, setting, quantity}, value);
}

// A drive for which all statements of the slides hold.
Points ideal()
{
    Points points;
    for (const auto& [family, grades] : {std::pair{"SDR", 6.0}, {"DDR", 6.0}, {"DDR2/DDR3", 11.0}}) {
        add(points, 6, family, "printed grades", family, grades);
        add(points, 6, family, "matching grades", family, grades);
    }
    add(points, 5, "sequential read", "sensing", "NV_DDR_5", 16);
    add(points, 5, "sequential read", "interconnection", "NV_DDR_5", 72);
    const auto chips = [&](const std::string& workload, const std::string& conditions, double frequency, double each) {
        add(points, 1, workload, "frequency", conditions, frequency);
        add(points, 1, workload, "least frequency", conditions, frequency);
        add(points, 1, workload, "sampled after", conditions, 4);
        add(points, 1, workload, "calibrations", conditions, each);
        add(points, 1, workload, "mismatches", conditions, 0);
        add(points, 1, workload, "checked", conditions, 100);
        add(points, 1, workload, "pages with errors", conditions, 0);
    };
    for (const char* corner : {"slow", "typical", "fast"}) {
        for (const char* conditions : {nominal, "90% 70C"})
            chips(corner, conditions, 200, 1);
    }
    chips(tooSlow, nominal, 50, 1);
    chips("changes of 45 degrees", nominal, 200, 3);
    const auto reads = [&](std::uint32_t figure, const std::string& workload, double symmetric, double gain,
                           double busy) {
        add(points, figure, workload, "read response", "SI", symmetric);
        add(points, figure, workload, "read response", "DI", symmetric / gain);
        add(points, figure, workload, "interconnections busy", "SI", busy);
        add(points, figure, workload, "interconnections busy", "DI", busy / 4);
    };
    reads(2, "2000", 286, 1.9, 4);
    reads(2, "20000", 300, 1.9, 50);
    reads(2, "45000", 9000, 40, 95);
    reads(2, "saturated", 11'000, 4, 96);
    add(points, 2, "saturated", "calibrated for", "DI", 1.5);
    reads(3, "tpcc-like", 300, 1.5, 5);
    reads(3, "iometer-like", 300, 1.9, 5);
    for (const char* load : {"debian-boot", "debian-appload", "debian-general", "debian-scan"})
        reads(3, load, 300, 3, 5); // no data centre load
    add(points, 4, "writes", "write response", "SI", 1'483);
    add(points, 4, "writes", "write response", "DI", 1'483);
    add(points, 4, "writes", "write response", bothWays, 1'400);
    add(points, 4, "reads", "read response", "SI", 280);
    add(points, 4, "reads", "read response", bothWays, 148);
    for (const char* interface : {"CONV", "NV_DDR_5"}) {
        add(points, 7, interface, "read response", "SI", 400);
        add(points, 7, interface, "read response", "DI", 250);
        add(points, 7, interface, "write response", "SI", 1'600);
        add(points, 7, interface, "write response", "DI", 1'600);
    }
    return points;
}

std::vector<std::string> failedAt(double value, std::uint32_t figure, const std::string& workload,
                                  const std::string& quantity, const std::string& setting)
{
    Points points = ideal();
    add(points, figure, workload, quantity, setting, value);
    return failedOf("di-ssd", points);
}

using Claims = std::vector<std::string>;

} // namespace

TEST_CASE("all statements of the DI-SSD slides hold for a drive as they describe")
{
    const std::vector<Statement> all = judgedOf("di-ssd", ideal());
    CHECK(all.size() == 20);
    for (const Statement& s : all) {
        CAPTURE(s.claim, s.measured.mean);
        CHECK(s.holds());
        CHECK_FALSE(s.reason.empty());
    }
}

TEST_CASE("each statement of the DI-SSD slides fails by what it is judged by")
{
    CHECK(failedAt(5, 6, "SDR", "matching grades", "SDR") == Claims{"grades-1"});
    CHECK(failedAt(60, 5, "sequential read", "interconnection", "NV_DDR_5") == Claims{"usb-1"});
    CHECK(failedAt(24, 5, "sequential read", "sensing", "NV_DDR_5") == Claims{"usb-2"});
    CHECK(failedAt(133, 1, "typical", "frequency", nominal) == Claims{"chip-1"});
    CHECK(failedAt(50, 1, "slow", "least frequency", "90% 70C") == Claims{"chip-2"});
    CHECK(failedAt(0.9, 1, "fast", "sampled after", nominal) == Claims{"chip-3"});
    CHECK(failedAt(1, 1, "slow", "pages with errors", nominal) == Claims{"safe-1"});
    CHECK(failedAt(1, 1, "slow", "mismatches", nominal) == Claims{"safe-2"});
    CHECK(failedAt(57, 1, tooSlow, "frequency", nominal) == Claims{"safe-3"});
    CHECK(failedAt(2, 1, "changes of 45 degrees", "calibrations", nominal) == Claims{"safe-4"});
    CHECK(failedAt(150, 2, "saturated", "calibrated for", "DI") == Claims{"safe-5"});
    CHECK(failedAt(200, 2, "2000", "read response", "DI") == Claims{"system-1"});
    CHECK(failedAt(100, 2, "20000", "read response", "DI") == Claims{"system-2"});
    CHECK(failedAt(60, 2, "saturated", "interconnections busy", "SI") == Claims{"system-2", "system-3"});
    CHECK(failedAt(1000, 3, "tpcc-like", "read response", "DI") == Claims{"system-4"});
    CHECK(failedAt(1'500, 4, "writes", "write response", "DI") == Claims{"system-5"});
    CHECK(failedAt(1'000, 4, "writes", "write response", bothWays) == Claims{"system-6"});
    CHECK(failedAt(400, 7, "CONV", "read response", "DI") == Claims{"scope-1"});
    CHECK(failedAt(1'500, 7, "CONV", "write response", "DI") == Claims{"scope-1"});
}

TEST_CASE("loads that saturate the symmetric drive are excluded from the maximum gain")
{
    CHECK(failedAt(1, 2, "45000", "read response", "DI").empty());
}
