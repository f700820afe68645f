// SPDX-License-Identifier: Apache-2.0
#include "platform/report/stage_report.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <numeric>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;
using Catch::Matchers::WithinRel;

namespace {

constexpr StageId erasing = dieWait(nand::Purpose::GarbageCollection, DieWork::Erasing);

TracedRequest request(std::uint64_t id, Time latency, StageId stage, Time inStage, std::uint32_t die = UINT32_MAX)
{
    TracedRequest made;
    made.id = id;
    made.die = die;
    made.path.begin(1us);
    made.path.add(stage, 1us + inStage);
    made.path.add(RequestStage::Firmware, 1us + latency);
    return made;
}

std::array<Time, stageIds> times(const std::array<std::uint64_t, stageIds>& sums)
{
    std::array<Time, stageIds> times{};
    for (std::size_t i = 0; i < stageIds; ++i)
        times[i] = Time{static_cast<std::int64_t>(sums[i])};
    return times;
}

Time total(const std::array<Time, stageIds>& sums)
{
    return std::accumulate(sums.begin(), sums.end(), Time{});
}

} // namespace

TEST_CASE("the stages of a path add up to its length, whatever times are given")
{
    StagePath path;
    path.begin(10us);
    path.add(RequestStage::HostLink, 12us);
    path.add(RequestStage::Firmware, 11us); // earlier: nothing
    path.add(RequestStage::Firmware, 13us);
    path.add(RequestStage::Firmware, 14us); // one segment
    path.add(erasing, 20us);
    REQUIRE(path.segments().size() == 3);
    const auto sums = path.sums();
    CHECK(sums[idOf(RequestStage::HostLink)] == 2us);
    CHECK(sums[idOf(RequestStage::Firmware)] == 2us);
    CHECK(sums[erasing] == 6us);
    CHECK(total(sums) == path.end() - path.start());
}

TEST_CASE("sums without the order of a path are those of the path")
{
    StagePath path;
    StageTotals totals;
    StageSums sums(totals);
    path.begin(10us);
    sums.begin(0us);
    sums.begin(10us); // anew
    const auto add = [&](StageId stage, Time until, StageId detail) {
        path.add(stage, until, detail);
        sums.add(stage, until, detail);
    };
    add(idOf(RequestStage::BufferWait), 14us, idOf(RequestStage::Array));
    add(idOf(RequestStage::BufferWait), 16us, erasing);
    add(idOf(RequestStage::Firmware), 15us, noStage); // earlier: nothing
    add(idOf(RequestStage::Firmware), 20us, noStage);
    StagePath job;
    job.begin(12us);
    job.add(RequestStage::Array, 30us);
    job.add(erasing, 50us);
    path.addPart(job.segments(), 40us);
    sums.addPart(job.segments(), 40us);
    StagePath later;
    later.begin(45us);
    later.add(RequestStage::Array, 47us);
    later.add(RequestStage::Ecc, 60us);
    path.addBehindBuffer(later.segments(), 50us);
    sums.addBehindBuffer(later.segments(), 50us);
    path.addBehindBuffer(later.segments(), 48us); // earlier: nothing
    sums.addBehindBuffer(later.segments(), 48us);
    CHECK(sums.start() == 10us);
    CHECK(sums.end() == 50us);
    CHECK(path.end() == 50us);
    CHECK(times(totals.stages) == path.sums());
    const auto behind = times(totals.bufferWaitCauses);
    CHECK(behind[idOf(RequestStage::Array)] == 4us + 7us);
    CHECK(behind[erasing] == 2us);
    CHECK(behind[idOf(RequestStage::Ecc)] == 3us);
    CHECK(total(behind) == 16us);
    std::array<Time, stageIds> ofPath{};
    Time from = path.start();
    for (const StageSegment& segment : path.segments()) {
        if (segment.detail != noStage)
            ofPath[segment.detail] += segment.end - from;
        from = segment.end;
    }
    CHECK(ofPath == behind);
    sums.begin(100us); // the next request
    sums.add(RequestStage::Ecc, 107us);
    CHECK(times(totals.stages)[idOf(RequestStage::Ecc)] == path.sums()[idOf(RequestStage::Ecc)] + 7us);
}

TEST_CASE("a path of many segments keeps its sums in bounded memory")
{
    StagePath path;
    path.begin(0us);
    for (int i = 1; i <= 10'000; ++i)
        path.add(i % 3 == 0 ? RequestStage::Array : RequestStage::BusWait, Time{i * 1'000});
    CHECK(path.segments().size() <= 64);
    CHECK(path.sums()[idOf(RequestStage::Array)] == Time{3'333'000});
    CHECK(total(path.sums()) == path.end());
}

TEST_CASE("stages have names, keys and sentences")
{
    CHECK(stageName(idOf(RequestStage::BusWait)) == "bus wait");
    CHECK(stageKey(idOf(RequestStage::BusWait)) == "bus_wait");
    CHECK(stageName(erasing) == "die wait: erase, garbage collection");
    CHECK(stageKey(erasing) == "die_wait_erase_garbage_collection");
    CHECK(stageSentence(erasing) == "waiting for a die that is erasing for garbage collection");
    CHECK(stageSentence(dieWait(nand::Purpose::Host, nand::Opcode::Read)) ==
          "waiting for a die that is reading for the host");
}

TEST_CASE("the slowest share of the requests is taken from the top, with a part of the last bin")
{
    StageTally tally(4);
    for (std::uint64_t i = 0; i < 90; ++i)
        tally.add(request(i, 10us, idOf(RequestStage::Array), 6us, 0));
    for (std::uint64_t i = 90; i < 100; ++i)
        tally.add(request(i, 100us, erasing, 80us, 3));
    const StageMeans all = tally.slowest(host::RequestKind::Read, 1);
    CHECK(all.requests == 100);
    CHECK_THAT(all.latency, WithinRel(19e6, 1e-9));
    CHECK_THAT(all.stages[erasing], WithinRel(8e6, 1e-9));
    const StageMeans tenth = tally.slowest(host::RequestKind::Read, 0.1);
    CHECK(tenth.requests == 10);
    CHECK_THAT(tenth.latency, WithinRel(100e6, 1e-9));
    CHECK_THAT(tenth.stages[erasing], WithinRel(80e6, 1e-9));
    CHECK_THAT(tenth.dies[3], WithinRel(1.0, 1e-9));
    const StageMeans fifth = tally.slowest(host::RequestKind::Read, 0.2);
    CHECK_THAT(fifth.latency, WithinRel(55e6, 1e-9));
    CHECK_THAT(fifth.stages[idOf(RequestStage::Array)], WithinRel(3e6, 1e-9));
    CHECK(tally.slowest(host::RequestKind::Read, 0.0001).requests == 1);
    CHECK(tally.requests(host::RequestKind::Write) == 0);
}

TEST_CASE("latencies may add up to more than 64 bits")
{
    StageTally tally(1);
    const Time longest{INT64_MAX - 1'000'000};
    for (std::uint64_t id = 1; id <= 5; ++id)
        tally.add(request(id, longest, erasing, longest / 4));
    const StageMeans means = tally.slowest(host::RequestKind::Read, 1);
    CHECK(means.requests == 5);
    CHECK_THAT(means.latency, WithinRel(static_cast<double>(longest.count()), 1e-12));
    CHECK_THAT(means.stages[erasing], WithinRel(static_cast<double>(longest.count()) / 4, 1e-12));
    CHECK_THAT(means.stages[idOf(RequestStage::Firmware)],
               WithinRel(static_cast<double>(longest.count()) * 3 / 4, 1e-12));
}

TEST_CASE("the slowest requests are kept, of equal ones the first")
{
    SlowestRequests slowest(3);
    for (std::uint64_t i = 1; i <= 9; ++i)
        slowest.add(request(i, i == 4 ? 50us : 10us + 1us * static_cast<int>(i % 3), idOf(RequestStage::Array), 1us));
    const auto sorted = slowest.sorted();
    REQUIRE(sorted.size() == 3);
    CHECK(sorted[0].id == 4);
    CHECK(sorted[1].id == 2);
    CHECK(sorted[2].id == 5);
    SlowestRequests none(0);
    none.add(sorted[0]);
    CHECK(none.sorted().empty());
}

TEST_CASE("the report says what the slowest requests wait for, and where")
{
    StageTally tally(4);
    for (std::uint64_t i = 0; i < 100; ++i)
        tally.add(request(i, 100us, erasing, 71us, i < 90 ? 3 : 0));
    const StageReport report = stageReport(tally, SlowestRequests(0), 2, 2);
    REQUIRE(report.kinds.size() == 1);
    REQUIRE(report.kinds[0].classes.size() == 3); // 0.1 % would be less than one
    CHECK(stageSentence(report, host::RequestKind::Read, report.kinds[0].classes[1]) ==
          "slowest 10 % of reads: 71.0 % waiting for a die that is erasing for garbage collection, 29.0 % firmware; "
          "90.0 % on die 1.1");
}

TEST_CASE("a place is a die, or the channel of several, and needs some requests")
{
    StageMeans means;
    means.requests = 100;
    means.dies = {0.02, 0.03, 0.5, 0.45};
    CHECK(stagePlace(means, 2, 2) == "95.0 % on channel 1");
    means.dies = {0.02, 0.03, 0.9, 0.05};
    CHECK(stagePlace(means, 2, 2) == "90.0 % on die 1.0");
    means.dies = {0.25, 0.25, 0.3, 0.2};
    CHECK(stagePlace(means, 2, 2).empty());
    means.requests = 9;
    means.dies = {0, 0, 1, 0};
    CHECK(stagePlace(means, 2, 2).empty());
}

TEST_CASE("waits for dies count as one, so that their causes do not hide them")
{
    StageMeans means;
    means.latency = 100;
    means.stages[dieWait(nand::Purpose::Host, DieWork::Reading)] = 20;
    means.stages[dieWait(nand::Purpose::Host, DieWork::Programming)] = 20;
    means.stages[erasing] = 21;
    means.stages[idOf(RequestStage::Ecc)] = 39;
    const auto findings = stageFindings(means);
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].stage == erasing);
    CHECK_THAT(findings[0].share, WithinRel(0.61, 1e-9));
    CHECK(findings[1].stage == idOf(RequestStage::Ecc));
}

TEST_CASE("a wait for the buffer names the stage that ended it")
{
    StageTally tally(1);
    TracedRequest write;
    write.kind = host::RequestKind::Write;
    write.path.begin(0us);
    write.path.add(idOf(RequestStage::BufferWait), 10us, idOf(RequestStage::Transfer));
    write.path.add(idOf(RequestStage::BufferWait), 70us, idOf(RequestStage::Array));
    write.path.add(RequestStage::Completion, 100us);
    tally.add(write);
    const StageReport report = stageReport(tally, SlowestRequests(0), 1, 1);
    CHECK(stageSentence(report, host::RequestKind::Write, report.kinds[0].classes[0]) ==
          "all writes: 70.0 % buffer wait (cause: 85.7 % array), 30.0 % completion");
    const auto out = stageJson(report);
    CHECK(out["kinds"]["write"]["all"]["buffer_wait_ps"] == 70'000'000);
    CHECK(out["kinds"]["write"]["all"]["buffer_wait_causes"]["array_ps"] == 60'000'000);
    CHECK(out["kinds"]["write"]["all"]["latency_ps"] == 100'000'000);
    CHECK(!out["kinds"]["write"]["all"].contains("ecc_ps"));
    CHECK(!out.contains("slowest"));

    StageTally behindDie(1);
    write.path.begin(0us);
    write.path.add(idOf(RequestStage::BufferWait), 10us, erasing);
    behindDie.add(write);
    const StageReport other = stageReport(behindDie, SlowestRequests(0), 1, 1);
    CHECK(stageSentence(other, host::RequestKind::Write, other.kinds[0].classes[0]) ==
          "all writes: 100.0 % buffer wait (cause: 100.0 % waiting for a die that is erasing for garbage "
          "collection)");
}

TEST_CASE("single requests are listed with their stages in order")
{
    SlowestRequests slowest(5);
    slowest.add(request(7, 100us, erasing, 80us, 3));
    StageTally tally(4);
    const StageReport report = stageReport(tally, slowest, 2, 2);
    const auto out = stageJson(report)["slowest"];
    REQUIRE(out.size() == 1);
    CHECK(out[0]["latency_ps"] == 100'000'000);
    CHECK(out[0]["die"] == "die 1.1");
    REQUIRE(out[0]["path"].size() == 2);
    CHECK(out[0]["path"][0]["stage"] == "die_wait_erase_garbage_collection");
    CHECK(out[0]["path"][0]["ps"] == 80'000'000);
    CHECK(slowestText(report).find("80.0 % waiting for a die that is erasing for garbage collection") !=
          std::string::npos);
    CHECK(slowestText(report).find("0.000001s") != std::string::npos); // its beginning, as --activity-from takes it
}
