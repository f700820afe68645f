// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/trace_reader.h"
#include "platform/serve/request_record.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe;
using namespace strobe::platform::serve;
using namespace std::chrono_literals;

namespace {

BlockRequest request(BlockKind kind, std::uint64_t lba, std::uint64_t sectors, bool fua = false, bool mayTrim = false)
{
    BlockRequest made;
    made.kind = kind;
    made.fua = fua;
    made.mayTrim = mayTrim;
    made.lba = lba;
    made.sectors = sectors;
    return made;
}

} // namespace

TEST_CASE("a record is an iolog that the trace reader reads")
{
    std::string text;
    RequestRecord record([&text](std::string_view more) { text += more; }, 7us);
    record.add(request(BlockKind::Read, 8, 16), 17us);
    record.add(request(BlockKind::Write, 0, 8, true), 27us);
    record.add(request(BlockKind::Zero, 8, 8), 28us);
    record.add(request(BlockKind::Zero, 16, 8, false, true), 29us);
    record.add(request(BlockKind::Flush, 0, 0), 30us);
    record.end(1ms);
    CHECK(text == "fio version 3 iolog\n"
                  "0 /strobe/drive add\n"
                  "0 /strobe/drive open\n"
                  "10 /strobe/drive read 4096 8192\n"
                  "20 /strobe/drive write 0 4096\n"
                  "20 /strobe/drive sync 0 0\n"
                  "21 /strobe/drive write 4096 4096\n"
                  "22 /strobe/drive trim 8192 4096\n"
                  "23 /strobe/drive sync 0 0\n"
                  "993 /strobe/drive close\n");
    const auto reader = host::openTrace(host::TraceText::fromMemory("record", text), {});
    host::TraceRecord read;
    std::uint64_t requests = 0;
    while (reader->next(read))
        requests += read.skipped ? 0U : 1U;
    CHECK(requests == 6);
    CHECK(read.at >= Time{});
}
