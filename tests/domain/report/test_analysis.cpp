// SPDX-License-Identifier: Apache-2.0
#include "platform/report/analysis.h"
#include "sample_report.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::platform;
using namespace strobe::test;
using Catch::Matchers::WithinRel;

namespace {

Report withResources(std::vector<ResourceReport> resources)
{
    Report r = sampleReport();
    r.resources = std::move(resources);
    return r;
}

} // namespace

TEST_CASE("write amplification divides programs and copy-backs by the host's writes")
{
    Report r = sampleReport();
    CHECK_THAT(writeAmplification(r), WithinRel((500.0 + 200 + 50) * 4096 / 2'048'000, 1e-12));
    r.kinds.push_back({host::RequestKind::Append, 100, 2'048'000, 0, latency(100)});
    CHECK(bytesWritten(r.kinds) == 4'096'000);
    CHECK(bytesOf(r.kinds) == 8'192'000);
    CHECK_THAT(writeAmplification(r), WithinRel((500.0 + 200 + 50) * 4096 / 4'096'000, 1e-12));
    r.kinds.resize(1);
    CHECK(writeAmplification(r) == 0); // reads only
}

TEST_CASE("flash rows add up")
{
    const FlashCounts total = flashTotal(sampleReport());
    CHECK(total.reads == 1000);
    CHECK(total.programs == 700);
    CHECK(total.copyBacks == 50);
    CHECK(total.erases == 4);
}

TEST_CASE("the mean queue is the waiting time over the time, per member; the longest is that of one member")
{
    ResourceReport bus = resource("channel 0", "channel", 1ms, 10, 500ms);
    ResourceReport other = resource("channel 1", "channel", 1ms, 10, 100ms);
    other.usage.maxQueue = 5;
    CHECK_THAT(bus.usage.meanQueue(1s), WithinRel(0.5, 1e-12));
    CHECK(bus.usage.meanQueue(Time{}) == 0);
    const auto groups = groupResources(withResources({bus, other}));
    REQUIRE(groups.size() == 1);
    CHECK_THAT(groups[0].meanQueue, WithinRel(0.3, 1e-12));
    CHECK(groups[0].maxQueue == 5);
}

TEST_CASE("a write buffer limits the run if requests wait for its places while nothing after it is busy")
{
    ResourceReport buffer = resource("write buffer", "write-buffer", 990ms);
    buffer.pool = PoolReport{2, 800ms};
    const ResourceReport idle = resource("die 0", "die", 300ms);
    const Limiting small = limitingResource(withResources({buffer, idle}));
    CHECK(small.limit == Limit::Resource);
    CHECK(small.group == "write-buffer");
    CHECK_THAT(small.utilisation, WithinRel(0.8, 1e-12));
    CHECK(small.sentence == "limited by the write buffer (80 % of the time requests wait for one of its 2 pages): dies "
                            "30 %");

    const ResourceReport busy = resource("die 0", "die", 950ms);
    CHECK(limitingResource(withResources({buffer, busy})).group == "die"); // the buffer is full because of the dies

    buffer.pool->exhausted = 100ms; // full, but few commands wait
    CHECK(limitingResource(withResources({buffer, idle})).limit == Limit::Latency);
}

TEST_CASE("flash units only reflect their dies, unless there are fewer of them")
{
    const ResourceReport unit = resource("unit 0", "unit", 990ms);
    const ResourceReport die = resource("die 0", "die", 300ms);
    const ResourceReport other = resource("die 1", "die", 300ms);
    CHECK(limitingResource(withResources({unit, die})).limit == Limit::Latency);
    CHECK(limitingResource(withResources({unit, die, other})).sentence == "limited by the flash units (99 % busy)");
}

TEST_CASE("a port of the memory never limits the run: its path is shared")
{
    CHECK(limitingResource(
              withResources({resource("sdram port host", "sdram-port", 990ms), resource("die 0", "die", 100ms)}))
              .limit == Limit::Latency);
}

TEST_CASE("throughput is requests and data by the second, zero if no time has passed")
{
    const Throughput all = throughputOf(sampleReport().kinds, 2s);
    CHECK(all.iops() == 750);
    CHECK(all.megabytesPerSecond() == 3.072);
    CHECK(all.mebibytesPerSecond() == 2.9296875);
    CHECK(throughputOf(sampleReport().kinds, Time{}).iops() == 0);
}

TEST_CASE("energy is divided by the time and by what the host read and wrote")
{
    const EnergyUse use = energyUse(sampleReport(), 0.006144);
    CHECK(use.watt() == 0.006144);
    CHECK_THAT(use.joulePerByte(), WithinRel(1e-9, 1e-12));
    CHECK_THAT(use.joulePerSector(), WithinRel(512e-9, 1e-12));
    CHECK(energyUse(Report{}, 1).joulePerByte() == 0);
    CHECK(energyUse(Report{}, 1).joulePerSector() == 0);
}

TEST_CASE("life used is erases divided by the rating of the part")
{
    WearReport wear;
    CHECK_FALSE(lifeUsed(wear, 5).has_value());
    CHECK(meanErases(wear) == 0);
    wear.blocks = 12;
    wear.factoryBad = 2;
    wear.erases = 40;
    wear.endurance = 1000;
    CHECK(meanErases(wear) == 4);
    CHECK(lifeUsed(wear, meanCycles(wear)) == 0.004);
    wear.maximum = 7;
    CHECK(mostCycles(wear) == 7);
}

TEST_CASE("life used of a part without erases is programs of its pages divided by the rating")
{
    WearReport wear;
    wear.blocks = 1;
    wear.endurance = 1000;
    wear.preAged = 0.5;
    wear.overwrites = WearReport::Overwrites{4, 10, 50, 100};
    CHECK(meanCycles(wear) == 25);
    CHECK(lifeUsed(wear, meanCycles(wear)) == 0.525);
    CHECK(lifeUsed(wear, mostCycles(wear)) == 0.55);
}

TEST_CASE("a write amplification below one is explained")
{
    Report r = sampleReport();
    CHECK(writeAmplificationNote(r).empty());
    r.flash = {{"host", 0, 499, 0, 0}};
    CHECK(writeAmplificationNote(r).find("below 1") == 0);
    r.kinds.pop_back(); // no writes, no amplification
    CHECK(writeAmplificationNote(r).empty());
}

TEST_CASE("resources are grouped with mean, busiest and waits, in the order of a request's path")
{
    const auto groups = groupResources(sampleReport());
    REQUIRE(groups.size() == 4);
    CHECK(enumName(groups[0].group) == "link");
    CHECK(enumName(groups[1].group) == "cpu");
    CHECK(enumName(groups[2].group) == "channel");
    CHECK(enumName(groups[3].group) == "die");
    const GroupUsage& channels = groups[2];
    CHECK(channels.members == 2);
    CHECK_THAT(channels.mean, WithinRel(0.2, 1e-12));
    CHECK_THAT(channels.maximum, WithinRel(0.3, 1e-12));
    CHECK(channels.busiest == "channel 1");
    CHECK(channels.jobs == 40);
    CHECK(channels.meanWait == 2us); // 80 us over 40 jobs
    CHECK(channels.maxWait == 11us);
}

TEST_CASE("the busiest group limits the run when all its members are busy")
{
    const Limiting link =
        limitingResource(withResources({resource("host link", "link", 980ms), resource("die 0", "die", 900ms)}));
    CHECK(link.limit == Limit::Resource);
    CHECK(link.group == "link");
    CHECK(link.sentence == "limited by the host link (98 % busy)");

    const Limiting dies = limitingResource(withResources(
        {resource("host link", "link", 500ms), resource("die 0", "die", 900ms), resource("die 1", "die", 1000ms)}));
    CHECK(dies.limit == Limit::Resource);
    CHECK(dies.sentence == "limited by the dies (95 % busy on average)");
}

TEST_CASE("one busy member of an idle group is an imbalance")
{
    const Limiting l =
        limitingResource(withResources({resource("host link", "link", 100ms), resource("channel 0", "channel", 950ms),
                                        resource("channel 1", "channel", 50ms)}));
    CHECK(l.limit == Limit::Imbalance);
    CHECK(l.group == "channel");
    CHECK(l.sentence == "limited by imbalance: channel 0 is 95 % busy, the channel buses 50 % on average");
}

TEST_CASE("the thresholds are inclusive")
{
    CHECK(limitingResource(withResources({resource("cpu", "cpu", 700ms)})).limit == Limit::Resource);
    CHECK(limitingResource(withResources({resource("cpu", "cpu", 699ms)})).limit == Limit::Latency);
}

TEST_CASE("a closed loop with nothing busy is limited by latency at its depth")
{
    const Limiting l = limitingResource(sampleReport());
    CHECK(l.limit == Limit::Latency);
    CHECK(l.sentence == "limited by latency at queue depth 8: host link 30 %, dies 29 %, CPU 20 %");
}

TEST_CASE("an open loop with nothing busy is limited by its arrivals")
{
    Report r = sampleReport();
    r.phases[1].pacing = host::PacingMode::Open;
    const Limiting l = limitingResource(r);
    CHECK(l.limit == Limit::Arrivals);
    CHECK(l.sentence == "limited by the arrival rate of the workload: host link 30 %, dies 29 %, CPU 20 %");
}

TEST_CASE("a flash unit is never the cause")
{
    const Limiting l =
        limitingResource(withResources({resource("unit 0", "unit", 999ms), resource("die 0", "die", 800ms)}));
    CHECK(l.group == "die");
}

TEST_CASE("a report without measurements states that")
{
    Report r = sampleReport();
    r.measured = {};
    CHECK(limitingResource(r).limit == Limit::Nothing);
    r = sampleReport();
    r.kinds.clear();
    CHECK(limitingResource(r).limit == Limit::Nothing);
    CHECK(limitingResource(Report{}).sentence == "nothing was measured");
}

TEST_CASE("errors are mismatches, failed requests and failures that were not injected")
{
    CHECK_FALSE(sampleReport().foundErrors());
    Report r = sampleReport();
    r.integrity.mismatches = 1;
    CHECK(r.foundErrors());
    r = sampleReport();
    r.kinds[0].failed = 1;
    CHECK(r.foundErrors());
    r = sampleReport();
    r.phases[0].kinds = {{host::RequestKind::Write, 1, 512, 1, {}}}; // preconditioning counts too
    CHECK(r.foundErrors());
    r = sampleReport();
    r.failures = {{"operation failed", 3, false, {}}};
    CHECK_FALSE(r.foundErrors());
    r.failures.push_back({"illegal command", 1, true, {}});
    CHECK(r.foundErrors());
}

TEST_CASE("a histogram is summarised")
{
    LatencyHistogram h;
    for (int i = 1; i <= 1000; ++i)
        h.record(std::chrono::microseconds(i));
    const LatencySummary s = summarise(h);
    CHECK(s.count == 1000);
    CHECK(s.minimum == 1us);
    CHECK(s.maximum == 1000us);
    CHECK_THAT(toMicroseconds(s.p50), WithinRel(500.0, 0.01));
    CHECK_THAT(toMicroseconds(s.p99), WithinRel(990.0, 0.01));
    CHECK(s.p90 < s.p99);
    CHECK(s.p99 < s.p999);
    CHECK(s.p999 <= s.p9999);
}
