// SPDX-License-Identifier: Apache-2.0
#include "models/host/direct_link.h"
#include "tests/domain/host/link_bench.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t rate = 4'096'000'000; // 4 KiB in 1 us

using DirectBench = LinkBench<DirectLink, DirectConfig>;

FakeSsd::Config drive(Time latency, std::uint32_t slots = 32)
{
    FakeSsd::Config config;
    config.latency = latency;
    config.slots = slots;
    return config;
}

} // namespace

TEST_CASE("a command over a direct port takes two latencies, the drive's time and its data's time on the line")
{
    const Request request = GENERATE(read(8, 8), write(8, 8), flush());
    DirectBench bench({rate, 3us}, drive(20us), {{{request}, closedLoop(1)}});
    bench.run();
    const Time data = request.sectors == 0 ? Time{} : Time{1us};
    CHECK(bench.finishedAt == 3us + (2 * 3us + 20us + data)); // the drive's readiness takes a latency, too
}

TEST_CASE("data of one direction shares a line, the other direction has its own")
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 10; ++i) {
        requests.push_back(read(i * 16, 8));
        requests.push_back(write(i * 16 + 8, 8));
    }
    DirectBench bench({rate, 0us}, drive(0us), {{requests, closedLoop(32)}});
    bench.run();
    CHECK(bench.finishedAt == 10us);
    CHECK(bench.link.toHost().usage().busy == 10us);
    CHECK(bench.link.toDrive().usage().busy == 10us);
    bench.link.resetUsage();
    CHECK(bench.link.toHost().usage().jobs == 0);
}

TEST_CASE("data is not across before it is out of the drive's memory")
{
    FakeSsd::Config slow = drive(0us);
    slow.perSector = 1us;
    DirectBench bench({rate, 0us}, slow, {{{read(0, 8)}, closedLoop(1)}});
    bench.run();
    CHECK(bench.finishedAt == 8us);
}

TEST_CASE("a direct port has as many commands in the drive as it has slots")
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 1000; ++i)
        requests.push_back(read(i * 8, 8));
    DirectBench bench({rate, 0us}, drive(1ms, 256), {{requests, closedLoop(500)}});
    std::uint32_t most = 0;
    bench.ssd.judge = [&](const Command&) {
        most = std::max(most, bench.driver.outstanding());
        return CommandStatus::Ok;
    };
    bench.run();
    CHECK(most == 256);
    CHECK(bench.finishedAt == 4 * 1ms + 256us * 3 + 232us - 255us * 3); // waves that follow their first completion
}

TEST_CASE("data over a direct port is checked, transfer by transfer")
{
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 64; ++i) {
        requests.push_back(write(i * 24, 24));
        requests.push_back(read(i * 24, 24));
    }
    FakeSsd::Config config = drive(5us);
    config.transferSectors = 8;
    DirectBench good({rate, 1us}, config, {{requests, closedLoop(1)}});
    good.run();
    CHECK(good.driver.integrity().checkedSectors() == 64 * 24);
    CHECK(good.driver.integrity().mismatches() == 0);

    DirectBench bad({rate, 1us}, config, {{requests, closedLoop(1)}});
    bad.ssd.corrupt = [](const Command& command, std::uint32_t first, std::uint32_t, Content content) {
        if (command.kind == RequestKind::Read && command.lba == 48 && first == 8)
            content.data[0] ^= std::byte{1};
    };
    bad.run();
    CHECK(bad.driver.integrity().mismatches() == 1);
}
