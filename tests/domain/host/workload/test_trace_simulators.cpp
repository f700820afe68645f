// SPDX-License-Identifier: Apache-2.0
//
// MQSim, SSDsim and DiskSim, which have the same form; ARC.
#include "tests/domain/host/workload/support.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;

TEST_CASE("a trace of MQSim or SSDsim has nanoseconds, and 1 reads")
{
    const auto r = requestsOf("sample.mqsim");
    REQUIRE(r.size() == 4);
    checkRequest(r[0], write, 0, 409600, 8192, Time{});
    checkRequest(r[1], read, 1, 12288, 4096, 250us);
    checkRequest(r[2], read, 0, 417792, 512, 250us);
    checkRequest(r[3], write, 0, 2048000, 32768, 7ms);
    CHECK(countSkipped(recordsOf("sample.mqsim"), SkipReason::ZeroLength) == 1);
    CHECK(countSkipped(recordsOf("sample.mqsim"), SkipReason::Blank) == 1);
}

TEST_CASE("a DiskSim trace has milliseconds, and bit 0 of the flags reads")
{
    const auto r = requestsOf("sample.disksim");
    REQUIRE(r.size() == 4);
    checkRequest(r[0], write, 0, 409600, 8192, Time{});
    checkRequest(r[1], read, 1, 12288, 4096, 250us);
    checkRequest(r[2], read, 0, 417792, 512, 750us); // flags 11, hexadecimal
    checkRequest(r[3], write, 0, 2048000, 32768, 500us + Time{1});
}

TEST_CASE("formats of five columns are distinguished by fractions, flags and distances")
{
    const auto formatOf = [](const std::string& text) {
        return openTrace(TraceText::fromMemory("trace", text), {})->format();
    };
    CHECK(formatOf("0.5 0 8 8 1\n") == TraceFormat::Disksim);
    CHECK(formatOf("0 0 8 8 1\n5 0 8 8 3\n") == TraceFormat::Disksim);
    CHECK(formatOf("0 0 8 8 1\n20000 0 8 8 0\n") == TraceFormat::MqsimSsdsim);
    CHECK(formatOf("7000000 0 8 8 1\n0 0 8 8 0\n") == TraceFormat::MqsimSsdsim);
}

TEST_CASE("five columns that fit both formats are rejected until the format is given")
{
    const std::string either = "0 0 8 8 1\n9999 0 16 8 0\n";
    CHECK(messageFor(either) ==
          "trace: this trace can be read as mqsim-ssdsim or disksim, which mean different things: give its format");
    CHECK(messageFor("80000000 0 8 8 1\n").find("mqsim-ssdsim or disksim") !=
          std::string::npos); // one line says nothing
    const auto ns = recordsOf(TraceText::fromMemory("trace", either), formatted(TraceFormat::MqsimSsdsim));
    CHECK(ns.at(1).at == Time{9999ns});
    const auto ms = recordsOf(TraceText::fromMemory("trace", either), formatted(TraceFormat::Disksim));
    CHECK(ms.at(1).at == Time{9999ms});
}

TEST_CASE("a broken line of five columns names its place, what was expected and what was found")
{
    const TraceConfig mqsim = formatted(TraceFormat::MqsimSsdsim);
    CHECK(messageFor("0 0 8 8 2\n", mqsim) == "trace:1:9: expected the type, 0 to write or 1 to read, found '2'");
    CHECK(messageFor("0.5 0 8 8 1\n", mqsim) == "trace:1:1: expected the arrival in nanoseconds, found '0.5'");
    CHECK(messageFor("0 0 8 8\n", mqsim) == "trace:1:8: expected the type, 0 to write or 1 to read, found nothing");
    CHECK(messageFor("0 0 8 8 1 1\n", mqsim) == "trace:1:11: expected the end of the line, found '1'");
    const TraceConfig disksim = formatted(TraceFormat::Disksim);
    CHECK(messageFor("0.5 0 8 8 0x1\n", disksim) == "trace:1:11: expected the flags in hexadecimal, found '0x1'");
    CHECK(messageFor("1e3 0 8 8 1\n", disksim) == "trace:1:1: expected the arrival in milliseconds, found '1e3'");
    CHECK(messageFor("0.5 0 -8 8 1\n", disksim) == "trace:1:7: expected the address in sectors, found '-8'");
}

TEST_CASE("an ARC list has reads without times")
{
    TraceConfig config;
    config.file = sampleDirectory + "sample.arc";
    CHECK_FALSE(openTrace(config)->hasTimes());
    const auto r = requestsOf("sample.arc");
    REQUIRE(r.size() == 3);
    checkRequest(r[0], read, 0, 51200, 4096, Time{});
    checkRequest(r[1], read, 0, 3584, 512, Time{});
    checkRequest(r[2], read, 0, 2097152, 32768, Time{});
    CHECK(messageFor("1 8 0 0\n1 8 0\n") == "trace:2:6: expected the number of the request, found nothing");
}
