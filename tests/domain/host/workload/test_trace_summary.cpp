// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/source_uniform.h"
#include "models/host/workload/trace_summary.h"
#include "tests/domain/host/workload/support.h"
#include "tests/support/source_directory.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;
using Catch::Matchers::WithinAbs;

TEST_CASE("the recorded application-loading trace has the counts of its description")
{
    TraceConfig config;
    config.file = strobe::test::sourceDirectory() + "/scenarios/traces/debian-appload.iolog3.xz";
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
    CHECK(summary.footprintSectors == 8 + 4 + 2048); // the last of the three reads was written already
    CHECK(summary.peakPerSecond == 2);
    CHECK(summary.streams == 1);
    CHECK(summary.responses == 0);
}

TEST_CASE("a summary has exact percentiles of the sizes of each kind")
{
    std::string text = "fio version 3 iolog\n";
    for (int i = 1; i <= 100; ++i)
        text += "0 d read 0 " + std::to_string(512 * i) + "\n";
    TraceSource source = traceOf(text + "0 d write 0 4096\n0 d sync 0 0\n");
    const TraceSummary summary = summarise(source);
    CHECK(summary.bytesPercentile(RequestKind::Read, 0) == 512);
    CHECK(summary.bytesPercentile(RequestKind::Read, 50) == 512 * 50);
    CHECK(summary.bytesPercentile(RequestKind::Read, 99) == 512 * 99);
    CHECK(summary.bytesPercentile(RequestKind::Read, 100) == 512 * 100);
    CHECK(summary.bytesPercentile(RequestKind::Write, 50) == 4096);
    CHECK(summary.bytesPercentile(RequestKind::Flush, 50) == 0);
}

TEST_CASE("sequential is what begins where the file's previous read or write ended")
{
    TraceSource source = traceOf("fio version 3 iolog\n"
                                 "0 a read 0 4096\n"
                                 "0 b read 8192 4096\n"
                                 "0 a write 4096 512\n" // after its read, with another file in between
                                 "0 a trim 4608 512\n"
                                 "0 a read 4608 512\n"
                                 "0 b read 4096 4096\n",
                                 {}, [] {
                                     TraceConfig config;
                                     config.layout = FileLayout::Overlay;
                                     return config;
                                 }());
    const TraceSummary summary = summarise(source);
    CHECK(summary.sequential == 2);
    CHECK_THAT(summary.sequentialShare(), WithinAbs(0.4, 1e-9));
    CHECK(summary.streams == 2);
    CHECK(summary.footprintSectors == 8 + 1 + 1 + 8 + 8); // files do not share sectors
}

TEST_CASE("the summary of a trace file contains its format, its files and its response times")
{
    TraceConfig config;
    config.file = sampleDirectory + "sample.blkparse";
    const TraceSummary summary = summariseTrace(config);
    CHECK(summary.format == TraceFormat::Blkparse);
    CHECK(summary.streams == 2);
    CHECK(summary.highestSector == 8192 + 256);
    CHECK(summary.responses == 4);
    CHECK(summary.meanResponse == Time{300us});
    CHECK(summary.hasTimes);
    config.file = sampleDirectory + "sample.arc";
    CHECK_FALSE(summariseTrace(config).hasTimes);
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
