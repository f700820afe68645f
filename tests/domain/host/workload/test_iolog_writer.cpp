// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/iolog_writer.h"
#include "tests/domain/host/workload/support.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::test;
using namespace std::chrono_literals;

namespace {

Request request(RequestKind kind, std::uint64_t lba, std::uint32_t sectors, bool fua = false)
{
    Request made;
    made.kind = kind;
    made.lba = lba;
    made.sectors = sectors;
    made.fua = fua;
    return made;
}

} // namespace

TEST_CASE("what is written is an iolog from which the same requests are read")
{
    std::string text;
    IologWriter writer([&text](std::string_view more) { text += more; }, 7us);
    writer.add(request(RequestKind::Read, 8, 16), 17us);
    writer.add(request(RequestKind::Write, 1ULL << 33U, 8), 27'999ns);
    writer.add(request(RequestKind::Flush, 3, 3), 28us);
    writer.add(request(RequestKind::Trim, 16, 8), 29us);
    writer.end(1ms);
    CHECK(text == "fio version 3 iolog\n"
                  "0 /strobe/drive add\n"
                  "0 /strobe/drive open\n"
                  "10 /strobe/drive read 4096 8192\n"
                  "20 /strobe/drive write 4398046511104 4096\n"
                  "21 /strobe/drive sync 0 0\n"
                  "22 /strobe/drive trim 8192 4096\n"
                  "993 /strobe/drive close\n");
    std::vector<RequestKind> kinds;
    for (const TraceRecord& record : recordsOf(TraceText::fromMemory("record", text))) {
        if (!record.skipped)
            kinds.push_back(record.kind);
    }
    CHECK(kinds ==
          std::vector<RequestKind>{RequestKind::Read, RequestKind::Write, RequestKind::Flush, RequestKind::Trim});
}

TEST_CASE("a request that is too long for a trace becomes several")
{
    std::string text;
    IologWriter writer([&text](std::string_view more) { text += more; }, Time{});
    writer.add(request(RequestKind::Trim, 8, 8'388'607 + 5), 1us);
    CHECK(text.substr(text.find("open\n") + 5) == "1 /strobe/drive trim 4096 4294966784\n"
                                                  "1 /strobe/drive trim 4294970880 2560\n");
    CHECK(recordsOf(TraceText::fromMemory("record", text)).size() == 4);
}

TEST_CASE("a request with FUA is followed by a sync, except a read and a flush")
{
    for (const auto& [kind, lines] :
         {std::pair(RequestKind::Read, 1), {RequestKind::Write, 2}, {RequestKind::Trim, 2}, {RequestKind::Flush, 1}}) {
        int count = -3; // without the header
        IologWriter writer([&count](std::string_view) { ++count; }, Time{});
        writer.add(request(kind, 8, 8, true), 1us);
        CHECK(count == lines);
    }
}
