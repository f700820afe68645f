// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/assembly/staged_drive.h"

using namespace strobe;
using namespace strobe::platform;

TEST_CASE("a timeline gets every job and every request, with what belongs together")
{
    StagedSink sink;
    StagedDrive d;
    d.stages.tell(&sink);
    d.command(host::RequestKind::Read, 0, 0us, 0us, 0us);
    d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
           {1us, 1us, 1us, 1us, 5us, 5us, 8us, 8us, 8us, 8us});
    d.stages.ordered({1, 0, true, false, 0, 0x10000, 4}, 9us);
    d.stages.ordered({2, 0, true, false, 0, 0x10800, 4}, 9us);
    d.stages.moved(1, 0, 10us);
    d.stages.moved(2, 0, 11us);
    d.stages.ended(0, 11us);
    d.stages.completed(0, false, 11us); // not measured
    CHECK(d.done().empty());
    REQUIRE(sink.jobs.size() == 1);
    CHECK(sink.requests == std::vector<std::uint64_t>{1});
    CHECK(sink.served == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{sink.jobs[0], 1}});
    CHECK(d.stages.jobs().job(1)->request == 1);
    // A program of what a write filled belongs to the write.
    d.command(host::RequestKind::Write, 0, 20us, 20us, 20us);
    d.stages.ordered({3, 0, false, false, 0, 0x11000, 8}, 21us);
    d.page(unit0, descriptor(SuperchipOpcode::Program, 0x11000), DieId{0}, nand::Opcode::Program,
           {25us, 25us, 25us, 25us, 35us, 35us, 38us, 38us, 38us, 38us});
    CHECK(d.stages.jobs().job(2)->request == 2);
}

TEST_CASE("for a timeline alone, observation stops when whatever began in its window has ended")
{
    for (const bool isCounted : {false, true}) {
        StagedDrive d(isCounted);
        StagedSink sink;
        sink.last = 10us;
        d.stages.tell(&sink);
        const auto answered = [&d](std::uint16_t slot, Time at) {
            d.stages.ended(slot, at);
            d.stages.completed(slot, true, at);
        };
        d.command(host::RequestKind::Trim, 0, 5us, 5us, 5us);
        d.command(host::RequestKind::Trim, 1, 11us, 11us, 11us);
        FlashJobLog& jobs = d.stages.jobs();
        jobs.listed(unit0, false, 6us);
        jobs.fetched(controller::FlashObserver::Job{unit0, 0, descriptor(SuperchipOpcode::Erase, 0x10000), false, true},
                     7us);
        answered(1, 12us); // the other one began in the window
        CHECK_FALSE(d.stages.isStopped());
        answered(0, 13us);
        CHECK_FALSE(d.stages.isStopped()); // the job
        jobs.retired(unit0, 0, 14us, 15us);
        d.command(host::RequestKind::Trim, 0, 16us, 16us, 16us);
        answered(0, 17us);
        CHECK(d.stages.isStopped() != isCounted);
        d.page(unit0, descriptor(SuperchipOpcode::Erase, 0x10000), DieId{0}, nand::Opcode::Erase,
               {20us, 20us, 20us, 20us, 30us, 30us, 31us, 31us, 31us, 31us});
        CHECK(sink.jobs.size() == (isCounted ? 2U : 1U));
        CHECK(sink.requests == std::vector<std::uint64_t>{1});
        CHECK(d.done().size() == (isCounted ? 3U : 0U));
    }
}
