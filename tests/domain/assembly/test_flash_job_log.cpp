// SPDX-License-Identifier: Apache-2.0
//
// The ids of jobs, which wrap after 2^32 of them, and the end of observation.
#include "platform/assembly/flash_job_log.h"
#include "tests/support/catch.h"

#include <vector>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

constexpr UnitId unit{0};

Time at(std::uint32_t microsecond)
{
    return picoseconds(std::int64_t{1'000'000} * microsecond);
}

struct Log {
    explicit Log(std::uint32_t before) : jobs(1, 1, 1, {BusAddress{0x1000}, 0x1000}, 1, before) {}

    // A job whose result is visible at that time.
    void job(Time visible)
    {
        controller::FlashDescriptor descriptor;
        descriptor.opcode = controller::SuperchipOpcode::Erase;
        jobs.listed(unit, false, visible);
        jobs.fetched(controller::FlashObserver::Job{unit, 0, descriptor, false, true}, visible);
        jobs.retired(unit, 0, visible, visible);
    }

    FlashJobLog jobs;
};

// After how many jobs the log asks which are needed.
std::vector<std::uint32_t> dueAfter(std::uint32_t before)
{
    Log log(before);
    std::vector<std::uint32_t> due;
    for (std::uint32_t i = 1; i <= 3 * FlashJobLog::leastKept; ++i) {
        log.job(at(i));
        if (!log.jobs.isKeepDue())
            continue;
        due.push_back(i);
        log.jobs.keepSince(never);
    }
    return due;
}

} // namespace

TEST_CASE("the log asks which jobs are needed when a quarter has been replaced, also when the ids wrap")
{
    const std::vector<std::uint32_t> due = dueAfter(0);
    CHECK(due.size() == 10);
    CHECK(due.front() == FlashJobLog::leastKept / 4 * 3);
    for (const std::uint32_t jobs : {1U, FlashJobLog::leastKept / 4 * 3, FlashJobLog::leastKept}) {
        const std::vector<std::uint32_t> wrapped = dueAfter(0U - jobs);
        INFO("ids wrap after " << jobs << " jobs");
        CHECK(wrapped.size() == due.size());
    }
}

TEST_CASE("the last job that was visible is found, also when the ids wrap")
{
    for (const std::uint32_t before : {0U, 0U - 50U}) {
        Log log(before);
        for (std::uint32_t i = 1; i <= 100; ++i)
            log.job(at(i));
        const std::uint32_t skipped = before == 0 ? 0 : 1; // the id 0
        for (const std::uint32_t near : {before, before + 20, before + 90}) {
            CHECK(log.jobs.lastVisible(at(30), near) == before + 30);
            CHECK(log.jobs.lastVisible(at(70), near) == before + 70 + skipped);
            CHECK(log.jobs.job(log.jobs.lastVisible(Time{}, near)) == nullptr);
        }
        REQUIRE(log.jobs.job(before + 70 + skipped) != nullptr);
        CHECK(log.jobs.job(before + 70 + skipped)->visible == at(70));
    }
}

TEST_CASE("when nothing more is observed, operations of dies do not pile up")
{
    constexpr DieId die{0};
    Log log(0);
    nand::Operation op;
    op.die = die;
    const auto grant = [&](int i) {
        op.submitted = op.requestStart = i * 1us;
        log.jobs.dies().granted(op, channel::NandInterface::Phase::Request, i * 1us, i * 1us, 500ns);
    };
    grant(1);
    CHECK(log.jobs.dies().inProgress(die) == 1);
    log.jobs.stop(); // no end of an operation is told after it
    for (int i = 2; i < 10; ++i)
        grant(i);
    CHECK(log.jobs.dies().inProgress(die) == 1);
}
