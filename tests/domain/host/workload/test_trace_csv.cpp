// SPDX-License-Identifier: Apache-2.0
//
// SPC, SYSTOR '17, Alibaba and Tencent.
#include "tests/domain/host/workload/support.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;

TEST_CASE("an SPC trace counts blocks within a storage unit, bytes and seconds")
{
    const auto r = requestsOf("sample.spc");
    REQUIRE(r.size() == 4);
    checkRequest(r[0], write, 0, 51200, 4096, Time{});
    checkRequest(r[1], read, 1, 4096, 512, 250us);
    checkRequest(r[2], read, 0, 55296, 8192, 1ms);
    checkRequest(r[3], write, 2, 0, 1000, 1500us); // no whole sectors: the source widens it
    CHECK(countSkipped(recordsOf("sample.spc"), SkipReason::ZeroLength) == 1);
}

TEST_CASE("a broken SPC line names its place, what was expected and what was found")
{
    const std::string good = "0,1,512,r,0.5\n";
    CHECK(messageFor(good + "x,1,512,q,0.5\n") == "trace:2:9: expected the opcode, r or w, found 'q'");
    CHECK(messageFor(good + "0,1.5,512,r,0.5\n") == "trace:2:3: expected the address in sectors, found '1.5'");
    CHECK(messageFor(good + "0,18014398509481984,512,r,0.5\n") ==
          "trace:2:3: expected the address in sectors up to 18014398509481983, found '18014398509481984'");
    CHECK(messageFor(good + "0,1,512,r\n") == "trace:2:10: expected the time in seconds, found nothing");
    CHECK(messageFor(good + "0,1,512,r,-1\n") == "trace:2:11: expected the time in seconds, found '-1'");
    CHECK(messageFor(good + "0,1,512,r,1.\n") == "trace:2:11: expected the time in seconds, found '1.'");
    CHECK(messageFor(good + "0,1,512,r,99999999999\n") ==
          "trace:2:11: expected the time in seconds up to 18446744073, found '99999999999'");
    CHECK(messageFor(good + "0,1,512,r,9000000\n") ==
          "trace:2:11: expected a time stamp within 53 days of the first request's, found '9000000000000000'");
}

TEST_CASE("a SYSTOR '17 trace has issue times and response times in seconds")
{
    const auto r = requestsOf("sample-systor17.csv");
    REQUIRE(r.size() == 3);
    checkRequest(r[0], read, 0, 8192, 4096, Time{}, 100us);
    checkRequest(r[1], write, 0, 0, 512, -500us, 700us); // completed later; the source sorts
    checkRequest(r[2], read, 1, 65536, 16384, 500us);
    const auto all = recordsOf("sample-systor17.csv");
    CHECK(countSkipped(all, SkipReason::Header) == 1);
    CHECK(countSkipped(all, SkipReason::OtherCommand) == 1);
    CHECK(countSkipped(all, SkipReason::ZeroLength) == 1);
}

TEST_CASE("a broken SYSTOR '17 line names its place, what was expected and what was found")
{
    const std::string good = "1.5,0.1,R,0,0,512\n";
    CHECK(messageFor(good + "1.5,0.1,X,0,0,512\n") == "trace:2:9: expected the type, R, W or nothing, found 'X'");
    CHECK(messageFor(good + "1.5,fast,R,0,0,512\n") ==
          "trace:2:5: expected the response time in seconds, or nothing, found 'fast'");
    CHECK(messageFor(good + "1.5,0.1,R,0,0\n") == "trace:2:14: expected the size in bytes, found nothing");
    CHECK(messageFor(good + "1.5,0.1,R,,0,512\n") == "trace:2:11: expected the number of the LUN, found nothing");
}

TEST_CASE("an Alibaba trace has bytes and microseconds, and a file for each device")
{
    const auto r = requestsOf("sample-alibaba.csv");
    REQUIRE(r.size() == 3);
    checkRequest(r[0], write, 0, 4096, 8192, Time{});
    checkRequest(r[1], read, 1, 0, 512, 50us);
    checkRequest(r[2], read, 0, 12288, 4096, 20us);
    const auto named =
        recordsOf(TraceText::fromMemory("trace", "device_id,opcode,offset,length,timestamp\n1,R,0,1,5\n"));
    REQUIRE(named.size() == 2);
    CHECK(named[0].skipped == SkipReason::Header);
}

TEST_CASE("a broken Alibaba line names its place, what was expected and what was found")
{
    const std::string good = "7,W,4096,8192,100\n";
    CHECK(messageFor(good + "7,T,4096,8192,100\n") == "trace:2:3: expected the opcode, R or W, found 'T'");
    CHECK(messageFor(good + "7,W,4096,8192,1.5\n") == "trace:2:15: expected the time in microseconds, found '1.5'");
    CHECK(messageFor(good + "7,W,4096,8192,100,9\n") == "trace:2:19: expected the end of the line, found '9'");
}

TEST_CASE("a Tencent trace counts sectors, and lays the requests of a second evenly over it")
{
    const auto r = requestsOf("sample-tencent.csv");
    REQUIRE(r.size() == 6);
    checkRequest(r[0], read, 0, 4096, 8192, Time{});
    checkRequest(r[1], write, 0, 51200, 4096, picoseconds(333333333334));
    checkRequest(r[2], write, 1, 0, 512, picoseconds(666666666667));
    checkRequest(r[3], read, 1, 32768, 4096, 1s);
    checkRequest(r[4], read, 0, 36864, 4096, 3s);
    checkRequest(r[5], read, 0, 40960, 4096, 3500ms);
    CHECK(countSkipped(recordsOf("sample-tencent.csv"), SkipReason::ZeroLength) == 1);
}

TEST_CASE("a broken Tencent line names its place, what was expected and what was found")
{
    const std::string good = "5,8,16,0,1283\n";
    CHECK(messageFor(good + "5,8,16,2,1283\n") == "trace:2:8: expected the type, 0 to read or 1 to write, found '2'");
    CHECK(messageFor(good + "5,8,8388608,0,1283\n") ==
          "trace:2:5: expected the size in sectors up to 8388607, found '8388608'");
    CHECK(messageFor(good + "5.5,8,16,0,1283\n") == "trace:2:1: expected the time in seconds, found '5.5'");
}
