// SPDX-License-Identifier: Apache-2.0
#include "models/host/phase_result.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

namespace {

PhaseResult phase(Time start, Time end, bool isMeasured = true)
{
    PhaseResult result;
    result.start = start;
    result.end = end;
    result.measured = isMeasured;
    KindResult& reads = result.kinds[static_cast<std::size_t>(RequestKind::Read)];
    reads.requests = 2;
    reads.sectors = 16;
    reads.failed = 1;
    reads.latency.record(end - start);
    return result;
}

} // namespace

TEST_CASE("sums of results contain the measured phases only")
{
    const KindResults sums = measuredResults({phase(0us, 10us), phase(10us, 30us, false), phase(30us, 40us)});
    const KindResult& reads = sums[static_cast<std::size_t>(RequestKind::Read)];
    CHECK(reads.requests == 4);
    CHECK(reads.sectors == 32);
    CHECK(reads.failed == 2);
    CHECK(reads.latency.count() == 2);
    CHECK(sums[static_cast<std::size_t>(RequestKind::Write)].requests == 0);
}

TEST_CASE("a phase with several jobs has their results and the sums over them")
{
    PhaseResult result;
    result.jobs.resize(2);
    for (const std::size_t job : std::vector<std::size_t>{0, 1, 1, 1})
        result.issue(job);
    Request written;
    written.kind = RequestKind::Write;
    written.sectors = 8;
    result.complete(0, {}, false, 1us, 2us, 4us);
    result.complete(1, written, true, 1us, 3us, 6us);
    result.complete(1, written, true, 1us, 3us, 7us);
    result.drop(1, 9us);
    const auto requests = [](const JobResult& of, RequestKind kind) {
        return of.kinds[static_cast<std::size_t>(kind)].requests;
    };
    CHECK(result.issued == 4);
    CHECK(result.completed == 4);
    CHECK(result.lost == 1);
    CHECK(result.end == 9us);
    CHECK(requests(result, RequestKind::Read) == 1);
    CHECK(requests(result, RequestKind::Write) == 2);
    CHECK(result.jobs[0].issued == 1);
    CHECK(result.completedOf(0) == 1);
    CHECK(result.jobs[0].kinds[static_cast<std::size_t>(RequestKind::Read)].failed == 1);
    CHECK(requests(result.jobs[0], RequestKind::Write) == 0);
    CHECK(result.jobs[1].issued == 3);
    CHECK(result.completedOf(1) == 3);
    CHECK(result.jobs[1].lost == 1);
    CHECK(requests(result.jobs[1], RequestKind::Write) == 2);
    CHECK(result.jobs[1].kinds[static_cast<std::size_t>(RequestKind::Write)].latency.maximum() == 6us);
}

TEST_CASE("time that measured phases share counts once")
{
    CHECK(measuredLength({}) == 0us);
    CHECK(measuredLength({phase(0us, 10us), phase(10us, 30us)}) == 30us);
    CHECK(measuredLength({phase(0us, 10us), phase(8us, 30us)}) == 30us);
    CHECK(measuredLength({phase(0us, 30us), phase(5us, 20us), phase(25us, 40us)}) == 40us);
    CHECK(measuredLength({phase(0us, 10us), phase(10us, 30us, false), phase(30us, 40us)}) == 20us);
}

TEST_CASE("a failed request is described with its status and time")
{
    FailedRequest failed;
    failed.request.kind = RequestKind::Write;
    failed.request.lba = 77;
    failed.request.sectors = 8;
    failed.status = CommandStatus::DeviceFault;
    failed.at = 3us;
    CHECK(failed.text() == "write of 8 sectors at 77 failed at " + toText(3us) + ": " +
                               std::string(enumName(CommandStatus::DeviceFault)));
}
