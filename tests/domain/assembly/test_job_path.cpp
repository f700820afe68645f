// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/job_path.h"
#include "tests/support/catch.h"

#include <numeric>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;

namespace {

std::array<Time, stageIds> sums(const JobPath& path)
{
    StagePath same;
    same.begin(path.start());
    same.addPart(path.segments(), path.end());
    CHECK(same.end() == path.end());
    return same.sums();
}

Time total(const JobPath& path)
{
    const auto all = sums(path);
    return std::accumulate(all.begin(), all.end(), Time{});
}

} // namespace

TEST_CASE("the stages of a job's path add up to its length, whatever times are given")
{
    JobPath path;
    path.begin(10us);
    path.add(RequestStage::FlashUnit, 12us);
    path.add(RequestStage::Array, 11us); // earlier: nothing
    path.add(RequestStage::Array, 13us);
    path.add(RequestStage::Array, 20us); // one segment
    CHECK(path.segments().size() == 2);
    CHECK(sums(path)[idOf(RequestStage::FlashUnit)] == 2us);
    CHECK(sums(path)[idOf(RequestStage::Array)] == 8us);
    CHECK(total(path) == 10us);
}

TEST_CASE("of another path only what lies in the gap is taken")
{
    JobPath job;
    job.begin(0us);
    job.add(RequestStage::FlashUnit, 5us);
    job.add(RequestStage::Array, 30us);
    job.add(RequestStage::Transfer, 40us);
    for (const Time until : {35us, 40us, 1000us}) {
        JobPath path;
        path.begin(10us);
        path.add(job, until);
        CHECK(path.end() == std::min<Time>(until, 40us));
        CHECK(sums(path)[idOf(RequestStage::FlashUnit)] == 0us);
        CHECK(sums(path)[idOf(RequestStage::Array)] == 20us);
        CHECK(total(path) == path.end() - 10us);
    }
}

TEST_CASE("a whole path that follows is added, and equal neighbours become one segment")
{
    JobPath job;
    job.begin(2us);
    job.add(RequestStage::FlashUnit, 5us);
    for (int i = 6; i < 50; ++i)
        job.add(i % 2 == 0 ? RequestStage::Array : RequestStage::Transfer, i * 1us);
    JobPath path;
    path.begin(0us);
    path.add(RequestStage::HostLink, 3us);
    path.add(RequestStage::FlashUnit, 4us);
    path.add(job, 1s);
    CHECK(path.segments().size() == job.segments().size() + 1);
    CHECK(path.end() == job.end());
    CHECK(sums(path)[idOf(RequestStage::FlashUnit)] == 2us);
    CHECK(sums(path)[idOf(RequestStage::Array)] == sums(job)[idOf(RequestStage::Array)]);
    JobPath copy = path;
    path.begin(1us); // the copy has segments of its own
    path.add(RequestStage::Ecc, 100us);
    CHECK(copy.segments().size() == 46);
    CHECK(total(copy) == 49us);
    for (int i = 1; i < 4; ++i) { // more than fit: in all, sums stay
        job.begin(i * 49us);
        for (int j = 1; j < 50; ++j)
            job.add(j % 2 == 0 ? RequestStage::Array : RequestStage::BusWait, i * 49us + j * 1us);
        copy.add(job, 1s);
    }
    CHECK(copy.segments().size() <= 64);
    CHECK(sums(copy)[idOf(RequestStage::BusWait)] == 75us);
    CHECK(total(copy) == copy.end());
}

TEST_CASE("what is cut off a path is gone")
{
    JobPath path;
    path.begin(10us);
    path.add(RequestStage::FlashUnit, 15us);
    path.add(RequestStage::Array, 30us);
    path.add(RequestStage::Ecc, 40us);
    path.cut(50us);
    CHECK(path.end() == 40us);
    path.cut(30us);
    CHECK(path.segments().size() == 2);
    path.cut(20us);
    CHECK(path.end() == 20us);
    CHECK(sums(path)[idOf(RequestStage::Array)] == 5us);
    path.cut(5us);
    CHECK(path.end() == path.start());
    CHECK(path.segments().size() == 0);
}

TEST_CASE("a path of an hour keeps its picoseconds")
{
    JobPath path;
    path.begin(1s + Time{1});
    path.add(RequestStage::Array, 3601s + Time{2});
    path.add(RequestStage::Ecc, 3601s + Time{5});
    CHECK(sums(path)[idOf(RequestStage::Array)] == 3600s + Time{1});
    CHECK(sums(path)[idOf(RequestStage::Ecc)] == Time{3});
}
