// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_reader.h"
#include "tests/domain/host/workload/support.h"
#include "tests/support/source_directory.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;

namespace {

const std::string iolog2 = "fio version 2 iolog\n";
const std::string iolog3 = "fio version 3 iolog\n";

} // namespace

TEST_CASE("the format of a trace is detected from its content")
{
    const auto [sample, format] =
        GENERATE(table<std::string, TraceFormat>({{"sample.iolog2", TraceFormat::FioIologV2},
                                                  {"sample.iolog3", TraceFormat::FioIologV3},
                                                  {"sample.iolog3.xz", TraceFormat::FioIologV3},
                                                  {"sample-msr.csv", TraceFormat::MsrCambridge},
                                                  {"sample.spc", TraceFormat::Spc},
                                                  {"sample-systor17.csv", TraceFormat::Systor17},
                                                  {"sample-alibaba.csv", TraceFormat::Alibaba},
                                                  {"sample-tencent.csv", TraceFormat::Tencent},
                                                  {"sample.mqsim", TraceFormat::MqsimSsdsim},
                                                  {"sample.disksim", TraceFormat::Disksim},
                                                  {"sample.arc", TraceFormat::Arc},
                                                  {"sample.blkparse", TraceFormat::Blkparse},
                                                  {"sample.blktrace.1", TraceFormat::Blktrace},
                                                  {"sample.vscsi1", TraceFormat::Vscsi1}}));
    TraceConfig config;
    config.file = sampleDirectory + sample;
    CHECK(openTrace(config)->format() == format);
}

TEST_CASE("the table of docs/workloads.md has each format")
{
    const std::string page = contentsOf(strobe::test::sourceDirectory() + "/docs/workloads.md");
    for (const auto& row : traceFormatTable) {
        if (row.value != TraceFormat::Auto)
            CHECK(page.find("\n| `" + std::string(row.name) + "` | ") != std::string::npos);
    }
}

TEST_CASE("an iolog version 3 gives microseconds since the first request, and numbers its files")
{
    const auto r = requestsOf("sample.iolog3");
    REQUIRE(r.size() == 7);
    checkRequest(r[0], write, 0, 0, 8192, Time{});
    checkRequest(r[1], read, 0, 4096, 4096, 250us);
    checkRequest(r[2], write, 1, 0, 512, 250us);
    checkRequest(r[3], flush, 0, 0, 0, 300us);
    checkRequest(r[4], trim, 0, 65536, 16384, 400us);
    checkRequest(r[5], read, 0, 100, 1000, 390us); // disorder is left to the source
    checkRequest(r[6], flush, 1, 0, 0, 1000us);
}

TEST_CASE("an iolog version 2 waits until so many milliseconds after the start, as fio does")
{
    const auto r = requestsOf("sample.iolog2");
    REQUIRE(r.size() == 6);
    checkRequest(r[0], write, 0, 0, 8192, Time{});
    checkRequest(r[1], read, 0, 4096, 4096, 5ms);
    checkRequest(r[2], flush, 0, 0, 0, 5ms);
    checkRequest(r[3], trim, 0, 65536, 16384, 12ms);
    checkRequest(r[4], read, 0, 100, 1000, 12ms);
    checkRequest(r[5], flush, 0, 0, 0, 12ms);
}

TEST_CASE("an iolog version 2 waits for relative microseconds if configured so")
{
    TraceConfig config;
    config.waitMeaning = WaitMeaning::MicrosecondsRelative;
    const auto r = requestsOf("sample.iolog2", config);
    REQUIRE(r.size() == 6);
    CHECK(r[1].at == Time{5us});
    CHECK(r[5].at == Time{17us});
}

TEST_CASE("a wait for a time that has passed does not turn an iolog version 2 back")
{
    const auto r =
        recordsOf(TraceText::fromMemory("trace", iolog2 + "d read 0 512\nd wait 9 0\nd wait 4 0\nd read 0 512\n"));
    CHECK(r[3].at == Time{9ms});
}

TEST_CASE("an MSR Cambridge trace counts in units of 100 ns from its first request, and distinguishes disks")
{
    const auto r = requestsOf("sample-msr.csv");
    REQUIRE(r.size() == 4);
    checkRequest(r[0], write, 0, 8192, 4096, Time{}, 133100ns);
    checkRequest(r[1], read, 0, 12800, 1536, 10us, 52us);
    checkRequest(r[2], read, 1, 0, 65536, 100us, 221us);
    checkRequest(r[3], write, 0, 1048576, 8192, 90us, 99us);
}

TEST_CASE("an MSR Cambridge trace may begin with the names of its columns")
{
    const auto r = recordsOf(TraceText::fromMemory(
        "trace", "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n1, h ,0,Read,0,512,9\n"));
    REQUIRE(r.size() == 2);
    CHECK(r[0].skipped == SkipReason::Header);
    checkRequest(r[1], read, 0, 0, 512, Time{}, 900ns);
}

TEST_CASE("lines that are not requests are counted by reason")
{
    const auto r = recordsOf(TraceText::fromMemory(
        "trace", iolog3 + "0 d add\n\n \t\n0 d wait 5 0\n0 d read 0 0\n0 d trim 7 0\n0 d close\n"));
    REQUIRE(r.size() == 7);
    CHECK(r[0].skipped == SkipReason::FileAction);
    CHECK(r[1].skipped == SkipReason::Blank);
    CHECK(r[2].skipped == SkipReason::Blank);
    CHECK(r[3].skipped == SkipReason::Wait);
    CHECK(r[4].skipped == SkipReason::ZeroLength);
    CHECK(r[5].skipped == SkipReason::ZeroLength);
    CHECK(r[6].skipped == SkipReason::FileAction);
}

TEST_CASE("a broken iolog line names file, line and column, what was expected and what was found")
{
    CHECK(messageFor(iolog3 + "0 d read 0 512\nx1 d read 0 512\n") ==
          "trace:3:1: expected the time in microseconds, found 'x1'");
    CHECK(messageFor(iolog3 + "12 d raed 0 512\n") ==
          "trace:2:6: expected an action: read, write, trim, sync, datasync, wait, add, open or close, found 'raed'");
    CHECK(messageFor(iolog3 + "12 d read -5 512\n") == "trace:2:11: expected the offset in bytes, found '-5'");
    CHECK(messageFor(iolog3 + "12 d read 0 4K\n") == "trace:2:13: expected the length in bytes, found '4K'");
    CHECK(messageFor(iolog3 + "12 d read 0 5000000000\n") ==
          "trace:2:13: expected the length in bytes up to 4294967295, found '5000000000'");
    CHECK(messageFor(iolog3 + "12 d read 99999999999999999999 1\n") ==
          "trace:2:11: expected the offset in bytes up to 9223372036854775807, found '99999999999999999999'");
    CHECK(messageFor(iolog3 + "12 d read 0\n") == "trace:2:12: expected the length in bytes, found nothing");
    CHECK(messageFor(iolog3 + "12\n") == "trace:2:3: expected the name of a file, found nothing");
    CHECK(messageFor(iolog3 + "12 d read 0 512 7 8\n") == "trace:2:17: expected the end of the line, found '7 8'");
    CHECK(messageFor(iolog3 + "12 d add 7\n") == "trace:2:10: expected the end of the line, found '7'");
    CHECK(messageFor(iolog3 + "0 d read 0 1\n9000000000000000 d read 0 1\n") ==
          "trace:3:1: expected a time stamp within 53 days of the first request's, found '9000000000000000'");
    CHECK(messageFor(iolog2 + "d wait 5\n") == "trace:2:9: expected the length, 0, found nothing");
    CHECK(messageFor(iolog2 + "d wait 5000000000 0\n") ==
          "trace:2:8: expected the time to wait up to 4611686018, found '5000000000'");
    TraceConfig config;
    config.waitMeaning = WaitMeaning::MicrosecondsRelative;
    CHECK(messageFor(iolog2 + "d wait 4611686018427 0\nd wait 9 0\n", config) ==
          "trace:3:10: expected waits of at most 53 days altogether, found '0'");
}

TEST_CASE("a broken MSR Cambridge line names file, line and column, what was expected and what was found")
{
    const std::string good = "100,h,0,Read,0,512,9\n";
    CHECK(messageFor(good + "1.5,h,0,Read,0,512,9\n") ==
          "trace:2:1: expected the time stamp in units of 100 ns, found '1.5'");
    CHECK(messageFor(good + "100,h,0,Erase,0,512,9\n") == "trace:2:9: expected the type, Read or Write, found 'Erase'");
    CHECK(messageFor(good + "100,h,0,Read,,512,9\n") == "trace:2:14: expected the offset in bytes, found nothing");
    CHECK(messageFor(good + "100,h,0,Read,0,512\n") ==
          "trace:2:19: expected the response time in units of 100 ns, found nothing");
    CHECK(messageFor(good + "100,h,0,Read,0,512,9,1\n") == "trace:2:22: expected the end of the line, found '1'");
    CHECK(messageFor(good + "100 h 0 Read\n") ==
          "trace:2:1: expected the time stamp in units of 100 ns, found '100 h 0 Read'");
    CHECK(messageFor("100,h,0,Read,0,512,9\n900000000000000000,h,0,Read,0,512,9\n") ==
          "trace:2:1: expected a time stamp within 53 days of the first request's, found '900000000000000000'");
}

TEST_CASE("found text is shortened and made printable")
{
    CHECK(messageFor(iolog3 + std::string(60, 'z') + " d read 0 1\n") ==
          "trace:2:1: expected the time in microseconds, found '" + std::string(40, 'z') + "…'");
    CHECK(messageFor(iolog3 + "\x01\xFF d read 0 1\n") ==
          "trace:2:1: expected the time in microseconds, found '\\x01\\xFF'");
}

TEST_CASE("an unknown format lists the ones that are supported")
{
    CHECK(
        messageFor("hello\nworld\n") ==
        "trace: expected a trace in one of the formats fio-iolog-v2, fio-iolog-v3, blktrace, blkparse, msr-cambridge, "
        "systor17, spc, alibaba, tencent, mqsim-ssdsim, disksim, vscsi1, arc; found 'hello' at its beginning");
    CHECK(messageFor("") == "trace: expected a trace, found an empty file");
}

TEST_CASE("a requested format must match the contents")
{
    TraceConfig config;
    config.format = TraceFormat::FioIologV3;
    CHECK(messageFor(iolog2 + "d read 0 1\n", config) ==
          "trace:1:1: expected 'fio version 3 iolog', found 'fio version 2 iolog'");
    config.format = TraceFormat::FioIologV2;
    CHECK(messageFor("1,h,0,Read,0,1,1\n", config) ==
          "trace:1:1: expected 'fio version 2 iolog', found '1,h,0,Read,0,1,1'");
    config.format = TraceFormat::MsrCambridge;
    CHECK(messageFor(iolog3, config) ==
          "trace:1:1: expected the time stamp in units of 100 ns, found 'fio version 3 iolog'");
}
