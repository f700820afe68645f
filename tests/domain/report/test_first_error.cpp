// SPDX-License-Identifier: Apache-2.0
#include "platform/report/first_error.h"
#include "platform/report/json_report.h"
#include "tests/domain/report/sample_report.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

using namespace strobe;
using namespace strobe::platform;

namespace {

std::string errorOf(const Report& report)
{
    return firstError(nlohmann::json::parse(jsonReport(report, {})));
}

} // namespace

TEST_CASE("the first error of a run is its most serious one, with its first detail")
{
    Report report = test::sampleReport();
    report.integrity.mismatches = 0;
    report.integrity.details.clear();
    report.failures.clear();
    report.power = {};
    for (KindTotals& kind : report.kinds)
        kind.failed = 0;
    for (PhaseReport& phase : report.phases) {
        for (KindTotals& kind : phase.kinds)
            kind.failed = 0;
    }
    CHECK(errorOf(report).empty());
    report.kinds[0].failed = 2;
    CHECK(errorOf(report) == "requests failed");
    report.power.cuts = 1;
    report.power.notSaved = 4;
    CHECK(errorOf(report) == "power losses after which the write buffer was not saved: 4");
    FailureReport handled;
    handled.kind = "flash operation failed";
    handled.count = 5;
    handled.isError = false;
    FailureReport malformed;
    malformed.kind = "malformed descriptor";
    malformed.count = 1;
    malformed.isError = true;
    malformed.details = {"unit 0"};
    report.failures = {handled, malformed};
    CHECK(errorOf(report) == "malformed descriptor: 1; the first: unit 0");
    report.power.unreadable = 3;
    CHECK(errorOf(report) == "sectors that cannot be read after a power loss: 3");
    report.integrity.mismatches = 1200;
    report.integrity.details = {"stale: sector 7", "stale: sector 8"};
    CHECK(errorOf(report) == "data mismatch in sectors: 1,200; the first: stale: sector 7");
}
