// SPDX-License-Identifier: Apache-2.0
#include "models/base/activity_log.h"
#include "tests/support/catch.h"

#include <string>
#include <string_view>

using namespace strobe;
using namespace std::chrono_literals;

TEST_CASE("a lane is made once for each name")
{
    ActivityLog log(0us, 1us, 1);
    CHECK(log.lane({"sdram", ResourceGroup::Sdram, {}}) == 0);
    CHECK(log.lane({"cpu", ResourceGroup::Sdram, {}}) == 1);
    CHECK(log.lane({"sdram", ResourceGroup::Sdram, {}}) == 0);
    REQUIRE(log.lanes().size() == 2);
    CHECK(log.lanes()[0].name == "sdram");
    CHECK(log.lanes()[1].name == "cpu");
}

TEST_CASE("jobs that touch the window are kept, those before and after it are not")
{
    ActivityLog log(10us, 10us, 100);
    log.lane({"path", ResourceGroup::Sdram, {}});
    const auto job = [&log](Time start, Time end) { log.note(0, start, start, end); };
    job(1us, 10us);  // ends as the window begins
    job(1us, 11us);  // reaches into it
    job(19us, 25us); // begins inside
    job(20us, 21us); // begins as it ends
    REQUIRE(log.activities().size() == 2);
    CHECK(log.activities().front().end == 11us);
    CHECK(log.activities().back().start == 19us);
    CHECK(log.dropped() == 0);
}

TEST_CASE("a window may reach beyond all times")
{
    ActivityLog log(5s, Time::max() - 1s, 1);
    log.note(log.lane({"path", ResourceGroup::Sdram, {}}), 6s, 6s, 7s);
    CHECK(log.activities().size() == 1);
}

TEST_CASE("jobs beyond the limit are counted")
{
    ActivityLog log(0us, 1s, 2);
    log.lane({"path", ResourceGroup::Sdram, {}});
    for (int i = 0; i < 5; ++i)
        log.note(0, 1us * i, 1us * i, 1us * (i + 1));
    CHECK(log.activities().size() == 2);
    CHECK(log.dropped() == 3);
}

TEST_CASE("only selected resources are kept, by the beginning of their names")
{
    ActivityLog log(0us, 1s, 10, {"die 1", "cpu"});
    for (const char* name : {"cpu", "die 0.1", "die 1.0", "die 1.1"})
        log.note(log.lane({name, ResourceGroup::Sdram, {}}), 0us, 0us, 1us);
    REQUIRE(log.activities().size() == 3);
    CHECK(log.lanes().at(log.activities()[1].lane).name == "die 1.0");
    CHECK_NOTHROW(log.requireAll());
}

TEST_CASE("a name that no resource begins with is an error that says which there are")
{
    ActivityLog log(0us, 1s, 10, {"dye"});
    log.lane({"cpu", ResourceGroup::Sdram, {}});
    log.lane({"die 0.0", ResourceGroup::Die, 0});
    CHECK_THROWS_WITH(log.requireAll(), "no resource's name begins with \"dye\"; names begin with cpu, die");
}

TEST_CASE("jobs of a group that is left out are not kept, and need not be reported")
{
    ActivityLog log(0us, 1s, 10);
    log.leaveOut(ResourceGroup::Die);
    const std::uint32_t die = log.lane({"die 0.0", ResourceGroup::Die, 0});
    const std::uint32_t cpu = log.lane({"cpu", ResourceGroup::Cpu, {}});
    CHECK_FALSE(log.keeps(die));
    CHECK(log.keeps(cpu));
    log.note(die, 0us, 0us, 1us);
    log.note(cpu, 0us, 0us, 1us);
    REQUIRE(log.activities().size() == 1);
    CHECK(log.activities()[0].lane == cpu);
}

TEST_CASE("names of what was done have numbers, equal ones the same")
{
    ActivityLog log(0us, 1s, 10);
    const std::string elsewhere = "allocate";
    CHECK(log.nameOf(0).empty());
    const std::uint32_t allocate = log.numberOf("allocate");
    CHECK(log.numberOf(elsewhere) == allocate);
    CHECK(log.numberOf("complete") != allocate);
    CHECK(log.numberOf("allocate") == allocate);
    CHECK(log.nameOf(allocate) == "allocate");
    const std::string many(300, 'x'); // names at many addresses
    for (std::size_t i = 0; i < many.size(); ++i) {
        const std::string_view name = std::string_view(many).substr(i);
        CHECK(log.nameOf(log.numberOf(name)) == name);
    }
}

TEST_CASE("jobs that are taken from the log come with a span that contains them")
{
    ActivityLog log(0us, 1s, 10);
    const std::uint32_t cpu = log.lane({"cpu", ResourceGroup::Cpu, {}});
    log.note(cpu, 1us, 3us, 9us);
    log.note(cpu, 2us, 2us, 4us);
    const ActivityBatch batch = log.exchange({});
    CHECK(batch.activities.size() == 2);
    CHECK(batch.firstStart == 2us);
    CHECK(batch.lastEnd == 9us);
    CHECK(log.activities().empty());
    log.note(cpu, 20us, 20us, 21us);
    CHECK(log.exchange({}).firstStart == 20us);
}
