// SPDX-License-Identifier: Apache-2.0
#include "models/host/sata_data_phase.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <string>
#include <utility>

using namespace strobe;
using namespace strobe::host;
using namespace std::chrono_literals;

namespace {

// Drive and host in one: records the requests to them. The drive's memory takes 1 us a sector, one access at a time.
struct Ends : HostPort, HostSide {
    std::string log;
    Time memoryFree{};

    Time accessBuffer(std::uint64_t handle, std::uint32_t first, std::uint32_t sectors, Content, Time at) override
    {
        log += "memory " + std::to_string(handle) + ":" + std::to_string(first) + "+" + std::to_string(sectors) + ";";
        return memoryFree = std::max(memoryFree, at) + sectors * Time{1us};
    }
    void transferDone(std::uint64_t handle, Time) override { log += "done " + std::to_string(handle) + ";"; }
    void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content) override
    {
        log += "fill " + std::to_string(slot) + ":" + std::to_string(first) + "+" + std::to_string(sectors) + ";";
    }
    void takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content) override
    {
        log += "take " + std::to_string(slot) + ":" + std::to_string(first) + "+" + std::to_string(sectors) + ";";
    }
    void submit(const Command&, Time) override {}
    std::uint64_t capacitySectors() const override { return 0; }
    std::uint32_t slots() const override { return 32; }
    void driveReady(std::uint64_t, std::uint32_t, Time) override {}
    void completed(std::uint16_t, CommandStatus, Time) override {}
};

struct Bench {
    Ends ends;
    SataDataPhase phase{DataMode::Tags};

    Bench() { phase.connect(ends, ends); }
    void add(std::uint16_t slot, bool toHost, std::uint32_t first, std::uint32_t sectors, std::uint64_t handle)
    {
        phase.add({slot, toHost, first, sectors, handle}, {});
    }
    std::string logged() { return std::exchange(ends.log, {}); }
};

} // namespace

TEST_CASE("transfers that continue the oldest one join its phase, across those of other commands")
{
    Bench bench;
    bench.add(1, true, 0, 4, 10);
    bench.add(2, true, 0, 4, 20);
    bench.add(1, true, 4, 4, 11);
    bench.add(1, true, 16, 4, 12); // not contiguous: another phase
    bench.phase.begin({});
    CHECK(bench.phase.slot() == 1);
    CHECK(bench.phase.frame().sectors == 8);
    CHECK(bench.logged() == "memory 10:0+4;memory 11:0+4;");
    bench.phase.startFrame({});
    bench.phase.finishFrame({});
    CHECK(bench.logged() == "take 1:0+8;done 10;done 11;");
    CHECK(bench.phase.isOver());
    bench.phase.begin({});
    CHECK(bench.phase.slot() == 2);
    CHECK(bench.phase.waiting() == 1);
}

TEST_CASE("a transfer of the same command that is not contiguous ends the search")
{
    Bench bench;
    bench.add(1, true, 0, 4, 10);
    bench.add(1, true, 8, 4, 12);
    bench.add(1, true, 4, 4, 11);
    bench.phase.begin({});
    CHECK(bench.phase.frame().sectors == 4);
}

TEST_CASE("transfers beyond the window are not searched")
{
    Bench bench;
    bench.add(1, true, 0, 1, 10);
    for (std::uint64_t i = 0; i < gatherWindow - 1; ++i)
        bench.add(2, true, 0, 1, 20 + i);
    bench.add(1, true, 1, 1, 11);
    bench.phase.begin({});
    CHECK(bench.phase.frame().sectors == 1);
}

TEST_CASE("to the host, the next frame is fetched while one is on the line")
{
    Bench bench;
    bench.add(3, true, 0, 2 * maxFrameSectors, 10);
    bench.phase.begin({});
    CHECK(bench.logged() == "memory 10:0+16;");
    CHECK(bench.phase.frame().firstReady == 1us);
    CHECK(bench.phase.frame().memoryEnd == 16us);
    bench.phase.startFrame(1us);
    CHECK(bench.logged() == "memory 10:16+16;");
    CHECK(bench.phase.frame().first == 0);
    bench.phase.finishFrame(20us);
    CHECK(bench.logged() == "take 3:0+16;"); // the transfer has not ended
    CHECK_FALSE(bench.phase.isOver());
    CHECK(bench.phase.frame().first == 16);
    bench.phase.startFrame(20us);
    bench.phase.finishFrame(40us);
    CHECK(bench.logged() == "take 3:16+16;done 10;");
    CHECK(bench.phase.isOver());
}

TEST_CASE("to the drive, a frame takes the host's data and the drive's memory when it starts")
{
    Bench bench;
    bench.add(3, false, 8, 4, 10);
    bench.phase.begin({});
    CHECK(bench.logged().empty());
    bench.phase.startFrame(5us);
    CHECK(bench.logged() == "fill 3:8+4;memory 10:0+4;");
    CHECK(bench.phase.frame().firstReady == 5us);
    CHECK(bench.phase.frame().memoryEnd == 9us);
    bench.phase.finishFrame(9us);
    CHECK(bench.logged() == "done 10;");
    CHECK(bench.phase.isOver());
}
