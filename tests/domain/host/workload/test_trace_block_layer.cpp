// SPDX-License-Identifier: Apache-2.0
//
// blkparse and blktrace, and the requests that they share; vSCSI statistics.
#include "tests/domain/host/workload/support.h"

#include <filesystem>
#include <fstream>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;

namespace {

// One line each, of device 8,0, with a program at its end.
std::string lines(const std::vector<std::string>& events)
{
    std::string text;
    for (const std::string& event : events)
        text += "8,0 0 1 " + event + " [p]\n";
    return text;
}

std::vector<TraceRecord> requestsIn(const std::string& text)
{
    std::vector<TraceRecord> requests;
    for (const TraceRecord& record : recordsOf(TraceText::fromMemory("trace", text))) {
        if (!record.skipped)
            requests.push_back(record);
    }
    return requests;
}

} // namespace

TEST_CASE("the requests of blkparse text are the issued ones, with the time to their completion")
{
    const auto r = requestsOf("sample.blkparse");
    REQUIRE(r.size() == 7);
    checkRequest(r[0], write, 0, 1048576, 4096, 100us, 200us);
    checkRequest(r[1], read, 1, 32768, 65536, 150us, 100us);
    checkRequest(r[2], flush, 0, 0, 0, 200us, 400us);
    checkRequest(r[3], write, 0, 2097152, 8192, 610us, 500us); // requeued and issued again: one request
    checkRequest(r[4], trim, 0, 4194304, 131072, 900us);
    checkRequest(r[5], flush, 0, 0, 0, 1200us); // asked for before the write
    checkRequest(r[6], write, 0, 16384, 4096, 1200us);
    CHECK_FALSE(r[0].fua);
    CHECK(r[3].fua);
    CHECK(r[6].fua);

    const auto all = recordsOf("sample.blkparse");
    CHECK(countSkipped(all, SkipReason::OtherEvent) == 9);
    CHECK(countSkipped(all, SkipReason::OtherCommand) == 1);
    CHECK(countSkipped(all, SkipReason::Text) == 6);
    CHECK(countSkipped(all, SkipReason::Blank) == 1);
    CHECK(all.size() == 7 + 9 + 1 + 6 + 1);
}

TEST_CASE("a binary blktrace is read with the files of all its CPUs, in the order of time")
{
    const std::string cpu = GENERATE("0", "1");
    const auto r = requestsOf("sample.blktrace." + cpu);
    REQUIRE(r.size() == 5);
    checkRequest(r[0], write, 0, 1048576, 4096, 100us, 200us);
    checkRequest(r[1], read, 1, 32768, 65536, 150us, 100us);
    checkRequest(r[2], flush, 0, 0, 0, 200us, 400us);
    checkRequest(r[3], write, 0, 2097152, 8192, 610us, 500us); // completed on the other CPU
    checkRequest(r[4], trim, 0, 4194304, 131072, 900us);
    CHECK(r[3].fua);
    CHECK(countSkipped(recordsOf("sample.blktrace." + cpu), SkipReason::OtherEvent) == 6);
}

TEST_CASE("a trace without issues is taken where requests are queued")
{
    const auto r = requestsIn(lines({"0.1 7 Q R 8 + 8", "0.2 7 Q FWS", "0.3 7 C R 8 + 8", "0.4 7 Q FWFS 16 + 8"}));
    REQUIRE(r.size() == 4);
    checkRequest(r[0], read, 0, 4096, 4096, Time{}, 200ms);
    checkRequest(r[1], flush, 0, 0, 0, 100ms);
    checkRequest(r[2], flush, 0, 0, 0, 300ms);
    checkRequest(r[3], write, 0, 8192, 4096, 300ms);
}

TEST_CASE("a completion belongs to the first outstanding request at its sector")
{
    const auto r = requestsIn(lines({"1.0 7 D R 8 + 8", "1.1 7 D R 8 + 8", "1.2 7 C R 8 + 8", "1.5 7 D R 8 + 8",
                                     "1.6 7 C R 8 + 8", "1.7 7 C R 99 + 8"}));
    REQUIRE(r.size() == 3);
    CHECK(r[0].response == Time{200ms});
    CHECK(r[1].response == Time{});
    CHECK(r[2].response == Time{100ms});
}

TEST_CASE("requests without a completion are held over a bounded number of records only")
{
    const std::size_t count = 2 * 65536 + 10;
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += "8,0 0 1 " + std::to_string(i) + ".0 7 D W " + std::to_string(8 * i) + " + 8 [p]\n";
    const auto reader = openTrace(TraceText::fromMemory("trace", text), {});
    TraceRecord record;
    REQUIRE(reader->next(record));
    CHECK(reader->text().lineNumber() == 65536);
    std::size_t seen = 1;
    while (reader->next(record))
        ++seen;
    CHECK(seen == count);
}

TEST_CASE("a broken line of blkparse names its place, what was expected and what was found")
{
    const std::string good = "  8,0    0        1     0.000200000   300  D  WS 2048 + 8 [writer]\n";
    CHECK(messageFor(good + "8.0 0 1 0.1 7 D R 8 + 8 [p]\n") == "trace:2:1: expected a device like 8,0, found '8.0'");
    CHECK(messageFor(good + "8,0 0 1 now 7 D R 8 + 8 [p]\n") == "trace:2:9: expected the time in seconds, found 'now'");
    CHECK(messageFor(good + "8,0 0 1 0.1 7 D RX 8 + 8 [p]\n") ==
          "trace:2:17: expected the kind of the request, like R, WS or FN, found 'RX'");
    CHECK(messageFor(good + "8,0 0 1 0.1 7 D R 8 + x [p]\n") ==
          "trace:2:23: expected the number of sectors, found 'x'");
    CHECK(messageFor(good + "8,0 0 1 0.1 7 D R x + 8 [p]\n") == "trace:2:19: expected the first sector, found 'x'");
    CHECK(messageFor(good + "8,0 0 1 0.1 7\n") == "trace:2:14: expected an action, like Q, D or C, found nothing");
}

TEST_CASE("a broken binary blktrace names the byte")
{
    const std::string good = contentsOf(sampleDirectory + "sample.blktrace.1");
    CHECK(messageFor(good + "abc") == "trace: byte 144: expected a record of 48 bytes, found the last 3");
    std::string mark = good;
    mark[48] = 9;
    CHECK(messageFor(mark) == "trace: byte 48: expected a record of blktrace version 7 (0x65617407), found 0x65617409");
    std::string sector = good;
    sector[48 + 23] = 1;
    CHECK(messageFor(sector) == "trace: byte 64: expected a sector up to 18014398509481983, found 72057594037928000");
    std::string late = good;
    late[2 * 48 + 15] = 1;
    CHECK(messageFor(late).find("trace: byte 104: expected a time stamp within 53 days") == 0);
    std::string data = good;
    data[2 * 48 + 46] = 4; // four bytes of data that are not there
    CHECK(messageFor(data + "xy") == "trace: byte 144: expected a record of 4 bytes, found the last 2");
}

TEST_CASE("the files of other traces beside a binary blktrace are left alone")
{
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "strobe-test-blktrace";
    fs::remove_all(folder);
    fs::create_directory(folder);
    const auto put = [&](const std::string& name, const std::string& sample) {
        std::ofstream(folder / name, std::ios::binary) << contentsOf(sampleDirectory + sample);
    };
    put("a.blktrace.0", "sample.blktrace.0");
    put("a.blktrace.x", "sample.spc");
    put("b.blktrace.1", "sample.spc");
    put("a.blktrace.1.txt", "sample.spc");
    TraceConfig config;
    config.file = (folder / "a.blktrace.0").string();
    CHECK(recordsOf(TraceText(config.file), config).size() == 8);
    put("a.blktrace.12", "sample.blktrace.1");
    CHECK(recordsOf(TraceText(config.file), config).size() == 11);
    put("a.blktrace.3", "sample.spc");
    CHECK(messageOf([&] { recordsOf(TraceText(config.file), config); }).find("a.blktrace.3: byte 0: expected") !=
          std::string::npos);
    fs::remove_all(folder);
}

TEST_CASE("vSCSI statistics have SCSI commands and microseconds")
{
    const auto r = requestsOf("sample.vscsi1");
    REQUIRE(r.size() == 5);
    checkRequest(r[0], write, 0, 1048576, 4096, Time{});
    checkRequest(r[1], read, 0, 3584, 512, 250us);
    checkRequest(r[2], flush, 0, 0, 0, 300us);
    checkRequest(r[3], write, 0, std::uint64_t{1} << 41, 65536, 400us);
    checkRequest(r[4], read, 0, 8192, 8192, 390us);
    CHECK(countSkipped(recordsOf("sample.vscsi1"), SkipReason::OtherCommand) == 1);
    CHECK(countSkipped(recordsOf("sample.vscsi1"), SkipReason::ZeroLength) == 1);
}

TEST_CASE("broken vSCSI statistics name the byte")
{
    const std::string good = contentsOf(sampleDirectory + "sample.vscsi1");
    const TraceConfig config = formatted(TraceFormat::Vscsi1);
    CHECK(messageFor(good + "rest") == "trace: byte 224: expected a record of 32 bytes, found the last 4");
    std::string version = good;
    version[32 + 15] = 2;
    CHECK(messageFor(version, config) == "trace: byte 46: expected version 256, found 512");
    std::string sector = good;
    sector[23] = 1;
    CHECK(messageFor(sector, config) ==
          "trace: byte 16: expected a sector up to 18014398509481983, found 72057594037929984");
    std::string late = good;
    late[32 + 31] = 1;
    CHECK(messageFor(late, config).find("trace: byte 56: expected a time stamp within 53 days") == 0);
}
