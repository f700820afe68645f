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

TEST_CASE("write amplification counts every program and copy-back against what the host wrote")
{
    Report r = sampleReport();
    CHECK_THAT(writeAmplification(r), WithinRel((500.0 + 200 + 50) * 4096 / 2'048'000, 1e-12));
    r.kinds.pop_back();
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

TEST_CASE("a queue that nobody counts is absent, one that stayed empty is zero")
{
    ResourceReport link{"host link", "link", {}, std::nullopt};
    ResourceReport bus{"channel 0", "channel", {}, 0};
    ResourceReport other{"channel 1", "channel", {}, 3};
    const auto groups = groupResources(withResources({link, bus, other}));
    REQUIRE(groups.size() == 2);
    CHECK_FALSE(groups[0].maxQueue.has_value());
    CHECK(groups[1].maxQueue == 3U);
    CHECK(groupResources(withResources({bus}))[0].maxQueue == 0U);
}

TEST_CASE("resources are grouped with mean, busiest and waits, in the order of the request's way")
{
    const auto groups = groupResources(sampleReport());
    REQUIRE(groups.size() == 4);
    CHECK(groups[0].group == "link");
    CHECK(groups[1].group == "cpu");
    CHECK(groups[2].group == "channel");
    CHECK(groups[3].group == "die");
    const ResourceGroup& channels = groups[2];
    CHECK(channels.members == 2);
    CHECK_THAT(channels.mean, WithinRel(0.2, 1e-12));
    CHECK_THAT(channels.maximum, WithinRel(0.3, 1e-12));
    CHECK(channels.busiest == "channel 1");
    CHECK(channels.jobs == 40);
    CHECK(channels.meanWait == 2us); // 80 us over 40 jobs
    CHECK(channels.maxWait == 11us);
}

TEST_CASE("the busiest group limits the run when it is busy all over")
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

TEST_CASE("nothing measured is said so")
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
