// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/block_host.h"
#include "tests/modules/serve/recorded_link.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <tuple>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::platform::serve;
using strobe::test::RecordedLink;

namespace {

struct Bench {
    RecordedLink link;
    BlockHost host{8};
    std::vector<std::pair<std::uint64_t, CommandStatus>> ended;
    std::vector<std::byte> read;

    explicit Bench(std::uint32_t slots = 4)
    {
        host.connect(link);
        host.onEnded([this](std::uint64_t ticket, CommandStatus status, BlockRequest& request) {
            ended.emplace_back(ticket, status);
            read = request.data;
        });
        host.driveReady(1U << 20U, slots, Time{5});
    }
    std::uint64_t submit(BlockKind kind, std::uint64_t lba, std::uint64_t sectors, bool fua = false,
                         bool mayTrim = false)
    {
        BlockRequest request;
        request.kind = kind;
        request.fua = fua;
        request.mayTrim = mayTrim;
        request.lba = lba;
        request.sectors = sectors;
        return host.submit(std::move(request), Time{10});
    }
    // kind, lba, sectors, FUA
    using Row = std::tuple<RequestKind, std::uint64_t, std::uint32_t, bool>;
    std::vector<Row> rows() const
    {
        std::vector<Row> all;
        for (const Command& c : link.commands)
            all.emplace_back(c.kind, c.lba, c.sectors, c.fua);
        return all;
    }
};

} // namespace

TEST_CASE("zeros that may be trimmed are trims of whole mapping units and writes beside them")
{
    Bench bench;
    const auto ticket = bench.submit(BlockKind::Zero, 5, 20, true, true);
    CHECK(bench.rows() == std::vector<Bench::Row>{{RequestKind::Write, 5, 3, false},
                                                  {RequestKind::Trim, 8, 16, false},
                                                  {RequestKind::Write, 24, 1, false}});
    for (std::uint16_t i = 0; i < 3; ++i) {
        CHECK(bench.ended.empty());
        bench.host.completed(bench.link.commands[i].slot, CommandStatus::Ok, Time{20});
    }
    REQUIRE(bench.link.commands.size() == 4); // forced: a flush follows
    CHECK(bench.link.commands[3].kind == RequestKind::Flush);
    CHECK(bench.ended.empty());
    bench.host.completed(bench.link.commands[3].slot, CommandStatus::Ok, Time{30});
    CHECK(bench.ended == std::vector<std::pair<std::uint64_t, CommandStatus>>{{ticket, CommandStatus::Ok}});
    CHECK(bench.host.isIdle());
}

TEST_CASE("zeros that stay allocated are writes, of zeros, with FUA as asked for")
{
    Bench bench;
    bench.submit(BlockKind::Zero, 0, 16, true);
    CHECK(bench.rows() == std::vector<Bench::Row>{{RequestKind::Write, 0, 16, true}});
    std::array<std::byte, 2 * sectorBytes> sectors{};
    sectors.fill(std::byte{1});
    bench.host.fillWriteData(bench.link.commands[0].slot, 14, 2, {sectors.data(), DataMode::Bytes});
    CHECK(std::all_of(sectors.begin(), sectors.end(), [](std::byte b) { return b == std::byte{0}; }));
}

TEST_CASE("a long request is split, and each part has its own data")
{
    Bench bench;
    bench.submit(BlockKind::Read, 8, BlockHost::mostCommandSectors + 1);
    CHECK(bench.rows() == std::vector<Bench::Row>{{RequestKind::Read, 8, BlockHost::mostCommandSectors, false},
                                                  {RequestKind::Read, 8 + BlockHost::mostCommandSectors, 1, false}});
    std::array<std::byte, sectorBytes> sector{};
    sector.fill(std::byte{7});
    bench.host.takeReadData(bench.link.commands[1].slot, 0, 1, {sector.data(), DataMode::Bytes});
    bench.host.completed(bench.link.commands[1].slot, CommandStatus::Ok, Time{20});
    bench.host.completed(bench.link.commands[0].slot, CommandStatus::Uncorrectable, Time{21});
    REQUIRE(bench.ended.size() == 1);
    CHECK(bench.ended[0].second == CommandStatus::Uncorrectable);
    REQUIRE(bench.read.size() == (BlockHost::mostCommandSectors + 1) * sectorBytes);
    CHECK(bench.read.back() == std::byte{7});
    CHECK(bench.read.front() == std::byte{0});
}

TEST_CASE("commands wait for a slot, in order, and what has not been sent can be dropped")
{
    Bench bench(1);
    bench.host.beginPhase(Time{10});
    const auto first = bench.submit(BlockKind::Flush, 0, 0);
    CHECK(bench.host.waitingSince() == Time{10});
    const auto second = bench.submit(BlockKind::Trim, 0, 8);
    const auto third = bench.submit(BlockKind::Trim, 8, 8, true);
    CHECK(bench.link.commands.size() == 1);
    bench.host.completed(bench.link.commands[0].slot, CommandStatus::Ok, Time{30});
    REQUIRE(bench.link.commands.size() == 2);
    CHECK(bench.link.commands[1].lba == 0);
    bench.host.dropWaiting();
    bench.host.completed(bench.link.commands[1].slot, CommandStatus::Ok, Time{60});
    CHECK(bench.ended == std::vector<std::pair<std::uint64_t, CommandStatus>>{{first, CommandStatus::Ok},
                                                                              {third, CommandStatus::DeviceFault},
                                                                              {second, CommandStatus::Ok}});
    CHECK(bench.host.waitingSince() == never);
    bench.host.endPhase(Time{70});
    const KindResult& trims = bench.host.phases()[0].kinds[static_cast<std::size_t>(RequestKind::Trim)];
    CHECK(trims.requests == 1);
    CHECK(trims.latency.maximum() == Time{50}); // since its arrival
    CHECK(trims.device.maximum() == Time{30});
}

// SystemC's library calls it.
extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**)
{
    return 0;
}
