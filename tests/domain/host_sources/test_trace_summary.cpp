// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_uniform.h"
#include "models/host/workload/trace_summary.h"
#include "tests/domain/host_sources/support.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;
using Catch::Matchers::WithinAbs;

TEST_CASE("the recorded application-loading trace has the counts of its description")
{
    TraceConfig config;
    config.file = STROBE_SOURCE_DIR "/scenarios/traces/debian-appload.iolog3.xz";
    const TraceSummary summary = summariseTrace(config);
    CHECK(summary.requestsOf(RequestKind::Read) == 1340);
    CHECK(summary.requestsOf(RequestKind::Write) == 50);
    CHECK(summary.requestsOf(RequestKind::Flush) == 8);
    CHECK(summary.requestsOf(RequestKind::Trim) == 7);
    CHECK_THAT(summary.readRatio(), WithinAbs(0.964, 0.0005));
    CHECK_THAT(static_cast<double>(summary.bytesOf(RequestKind::Read)) / 1e6, WithinAbs(112.3, 0.05));
    CHECK_THAT(static_cast<double>(summary.bytesOf(RequestKind::Write)) / 1e6, WithinAbs(0.8, 0.05));
    CHECK_THAT(toSeconds(summary.duration), WithinAbs(6.2, 0.05));
    CHECK(summary.counts.records == 1408);
    CHECK(summary.counts.skipped == 3);
    CHECK(summary.counts.split == 0);
    CHECK(summary.counts.clamped == 0);
}

TEST_CASE("a summary shows sizes, footprint, duration and rate")
{
    TraceSource source = traceOf("fio version 3 iolog\n"
                                 "0 d read 0 4096\n"
                                 "1000000 d write 2048 4096\n" // pages 0 and 1
                                 "1500000 d read 4096 512\n"   // page 1 again
                                 "2000000 d trim 1048576 65536\n"
                                 "2000000 d sync 0 0\n"
                                 "4000000 d read 1073741824 1048576\n");
    const TraceSummary summary = summarise(source);
    CHECK(summary.description == "trace trace (fio-iolog-v3)");
    CHECK(summary.footprintPages == 2 + 256);
    CHECK(summary.highestSector == 2097152 + 2048);
    CHECK(summary.duration == Time{4s});
    CHECK_THAT(summary.arrivalsPerSecond(), WithinAbs(1.5, 1e-9));
    CHECK_THAT(summary.readRatio(), WithinAbs(0.75, 1e-9));
    CHECK_THAT(summary.meanBytesOf(RequestKind::Read), WithinAbs((4096 + 512 + 1048576) / 3.0, 1e-9));
    CHECK(summary.bytesOf(RequestKind::Trim) == 65536);
    CHECK(summary.meanBytesOf(RequestKind::Flush) == 0);
    CHECK(summary.sizes[0] == 1);  // 512 B
    CHECK(summary.sizes[3] == 2);  // 4 KiB
    CHECK(summary.sizes[7] == 1);  // 64 KiB
    CHECK(summary.sizes[11] == 1); // 1 MiB
}

TEST_CASE("the longest request of a trace is summarised unsplit")
{
    const std::string path = sampleDirectory + "sample-msr.csv";
    TraceConfig config;
    config.file = path;
    config.maxSectors = 1;
    const TraceSummary summary = summariseTrace(config);
    CHECK(summary.counts.split == 0);
    CHECK(summary.counts.requests == 4);
    CHECK(summary.counts.skipped == 1);
}

TEST_CASE("a generator can be summarised like a trace, and an empty source too")
{
    SyntheticConfig config;
    config.space.sectors = 800;
    config.limits.requests = 5000;
    UniformSource source(config);
    const TraceSummary summary = summarise(source);
    CHECK(summary.footprintPages == 100);
    CHECK(summary.arrivalsPerSecond() == 0);
    config.limits.requests = 0;
    UniformSource empty(config);
    CHECK(summarise(empty).readRatio() == 0);
}
