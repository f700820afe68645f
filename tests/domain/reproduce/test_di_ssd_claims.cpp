// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "platform/reproduce/di_ssd_claims.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <functional>
#include <string>

using namespace strobe;
using namespace strobe::platform;

namespace {

void add(Study& study, std::uint32_t table, const std::string& cell, const std::string& quantity,
         const std::string& interface, double value)
{
    study.cells.push_back({table, cell, quantity, 0, 0, interface, value, {}, "", {}, false});
}

// A drive for which everything holds that the slides say.
Study ideal()
{
    Study study;
    for (const auto& [family, grades] : {std::pair{"SDR", 6.0}, {"DDR", 6.0}, {"DDR2/DDR3", 11.0}}) {
        add(study, 6, family, "printed grades", family, grades);
        add(study, 6, family, "matching grades", family, grades);
    }
    add(study, 5, "sequential read", "sensing", "NV_DDR_5", 16);
    add(study, 5, "sequential read", "interconnection", "NV_DDR_5", 72);
    const auto chips = [&](const std::string& cell, const std::string& conditions, double frequency, double each) {
        add(study, 1, cell, "frequency", conditions, frequency);
        add(study, 1, cell, "least frequency", conditions, frequency);
        add(study, 1, cell, "sampled after", conditions, 4);
        add(study, 1, cell, "calibrations", conditions, each);
        add(study, 1, cell, "mismatches", conditions, 0);
        add(study, 1, cell, "checked", conditions, 100);
        add(study, 1, cell, "pages with errors", conditions, 0);
    };
    for (const char* corner : {"slow", "typical", "fast"}) {
        for (const char* conditions : {diSsdNominal, "90% 70C"})
            chips(corner, conditions, 200, 1);
    }
    chips(diSsdTooSlow, diSsdNominal, 50, 1);
    chips("changes of 45 degrees", diSsdNominal, 200, 3);
    const auto reads = [&](std::uint32_t table, const std::string& cell, double symmetric, double gain, double busy) {
        add(study, table, cell, "read response", "SI", symmetric);
        add(study, table, cell, "read response", "DI", symmetric / gain);
        add(study, table, cell, "interconnections busy", "SI", busy);
        add(study, table, cell, "interconnections busy", "DI", busy / 4);
    };
    reads(2, "2000", 286, 1.9, 4);
    reads(2, "20000", 300, 1.9, 50);
    reads(2, "45000", 9000, 40, 95);
    reads(2, diSsdSaturated, 11'000, 4, 96);
    add(study, 2, diSsdSaturated, "calibrated for", "DI", 1.5);
    reads(3, "one", 300, 1.5, 5);
    reads(3, "other", 300, 1.9, 5);
    add(study, 4, "writes", "write response", "SI", 1'483);
    add(study, 4, "writes", "write response", "DI", 1'483);
    add(study, 4, "writes", "write response", diSsdBothWays, 1'400);
    add(study, 4, "reads", "read response", "SI", 280);
    add(study, 4, "reads", "read response", diSsdBothWays, 148);
    for (const char* interface : {"CONV", "NV_DDR_5"}) {
        add(study, 7, interface, "read response", "SI", 400);
        add(study, 7, interface, "read response", "DI", 250);
        add(study, 7, interface, "write response", "SI", 1'600);
        add(study, 7, interface, "write response", "DI", 1'600);
    }
    return study;
}

std::vector<std::string> failed(const std::function<void(double& value)>& change, std::uint32_t table,
                                const std::string& cell, const std::string& quantity, const std::string& interface)
{
    Study study = ideal();
    for (StudyCell& c : study.cells) {
        if (c.table == table && c.cell == cell && c.operation == quantity && c.interface == interface)
            change(c.measured);
    }
    std::vector<std::string> claims;
    for (const Statement& s : diSsdStatements(study)) {
        if (!s.holds)
            claims.push_back(s.claim);
    }
    return claims;
}

std::vector<std::string> failedAt(double value, std::uint32_t table, const std::string& cell,
                                  const std::string& quantity, const std::string& interface)
{
    return failed([value](double& v) { v = value; }, table, cell, quantity, interface);
}

using Claims = std::vector<std::string>;

} // namespace

TEST_CASE("all statements of the DI-SSD slides hold for a drive that is as they say")
{
    const std::vector<Statement> all = diSsdStatements(ideal());
    CHECK(all.size() == 20);
    for (const Statement& s : all) {
        CAPTURE(s.claim, s.measured);
        CHECK(s.holds);
        CHECK_FALSE(s.reason.empty());
    }
}

TEST_CASE("each statement of the DI-SSD slides fails by what it is judged by")
{
    CHECK(failedAt(5, 6, "SDR", "matching grades", "SDR") == Claims{"grades-1"});
    CHECK(failedAt(60, 5, "sequential read", "interconnection", "NV_DDR_5") == Claims{"usb-1"});
    CHECK(failedAt(24, 5, "sequential read", "sensing", "NV_DDR_5") == Claims{"usb-2"});
    CHECK(failedAt(133, 1, "typical", "frequency", diSsdNominal) == Claims{"chip-1"});
    CHECK(failedAt(50, 1, "slow", "least frequency", "90% 70C") == Claims{"chip-2"});
    CHECK(failedAt(0.9, 1, "fast", "sampled after", diSsdNominal) == Claims{"chip-3"});
    CHECK(failedAt(1, 1, "slow", "pages with errors", diSsdNominal) == Claims{"safe-1"});
    CHECK(failedAt(1, 1, "slow", "mismatches", diSsdNominal) == Claims{"safe-2"});
    CHECK(failedAt(57, 1, diSsdTooSlow, "frequency", diSsdNominal) == Claims{"safe-3"});
    CHECK(failedAt(2, 1, "changes of 45 degrees", "calibrations", diSsdNominal) == Claims{"safe-4"});
    CHECK(failedAt(150, 2, diSsdSaturated, "calibrated for", "DI") == Claims{"safe-5"});
    CHECK(failedAt(200, 2, "2000", "read response", "DI") == Claims{"system-1"});
    CHECK(failedAt(100, 2, "20000", "read response", "DI") == Claims{"system-2"});
    CHECK(failedAt(60, 2, diSsdSaturated, "interconnections busy", "SI") == Claims{"system-2", "system-3"});
    CHECK(failedAt(300, 3, "one", "read response", "DI") == Claims{"system-4"});
    CHECK(failedAt(1'500, 4, "writes", "write response", "DI") == Claims{"system-5"});
    CHECK(failedAt(1'000, 4, "writes", "write response", diSsdBothWays) == Claims{"system-6"});
    CHECK(failedAt(400, 7, "CONV", "read response", "DI") == Claims{"scope-1"});
    CHECK(failedAt(1'500, 7, "CONV", "write response", "DI") == Claims{"scope-1"});
}

TEST_CASE("loads that saturate the symmetric drive do not count for the most that is gained")
{
    CHECK(failedAt(1, 2, "45000", "read response", "DI").empty());
}

TEST_CASE("a statement without its cell is a mistake of the study")
{
    CHECK_THROWS_AS(diSsdStatements(Study{}), InternalError);
}
