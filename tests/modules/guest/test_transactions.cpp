// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/transactions.h"
#include "tests/support/catch.h"

using namespace strobe;
using platform::guest::Transactions;

TEST_CASE("what was reported before a power loss must be found after it")
{
    Transactions script;
    CHECK(!script.begin());
    CHECK(script.mark(Time{5}, "committed", "0"));
    CHECK(script.mark(Time{6}, "committed", "7"));
    CHECK(!script.mark(Time{6}, "other", "8"));
    CHECK(script.begin() == Time{5});
    script.powerLost(Time{9});
    CHECK(!script.losses().front().isGood()); // nothing is found yet
    CHECK(script.losses().front().lost() == 7);
    script.mark(Time{12}, "checked", "file system ok");
    script.mark(Time{12}, "found", "7");
    REQUIRE(script.losses().size() == 1);
    CHECK(script.losses().front().at == Time{9});
    CHECK(script.losses().front().committed == 7);
    CHECK(script.losses().front().checks.front().name == "file system");
    CHECK(script.losses().front().isGood());
    CHECK(script.mistake().empty());
}

TEST_CASE("a transaction that is missing is lost; one that was not reported may be there")
{
    const auto losses = [](const char* found) {
        Transactions script;
        script.mark(Time{1}, "committed", "7");
        script.powerLost(Time{2});
        script.mark(Time{3}, "found", found);
        return script.losses().front();
    };
    CHECK(losses("5").lost() == 2);
    CHECK(!losses("5").isGood());
    CHECK(losses("8").lost() == 0);
    CHECK(losses("8").isGood());
}

TEST_CASE("a check that fails is an error, though nothing is lost")
{
    Transactions script;
    script.powerLost(Time{2});
    script.mark(Time{3}, "found", "0");
    script.mark(Time{3}, "checked", "e2fsck failed");
    CHECK(script.losses().front().lost() == 0);
    CHECK(!script.losses().front().isGood());
}

TEST_CASE("if power is lost again before the script has looked, the findings after the second loss count")
{
    Transactions script;
    script.mark(Time{1}, "committed", "7");
    script.powerLost(Time{2});
    script.powerLost(Time{3});
    script.mark(Time{4}, "found", "6");
    CHECK(script.losses()[0].isGood());
    CHECK(script.losses()[1].committed == 7);
    CHECK(script.losses()[1].lost() == 1);
}

TEST_CASE("after a loss the script may go on, from what it has found")
{
    Transactions script;
    script.mark(Time{1}, "committed", "7");
    script.powerLost(Time{2});
    script.mark(Time{3}, "found", "8");
    script.mark(Time{4}, "committed", "9");
    script.powerLost(Time{5});
    CHECK(script.losses()[1].committed == 9);
}

TEST_CASE("a mark without a meaning is a mistake of the script")
{
    const auto mistake = [](const char* word, const char* argument) {
        Transactions script;
        CHECK(script.mark(Time{1}, word, argument));
        return script.mistake();
    };
    CHECK(mistake("committed", "x7") == "the script reports \"committed x7\"; must be a number");
    CHECK(mistake("committed", "7 ") == "the script reports \"committed 7 \"; must be a number");
    CHECK(mistake("found", "") == "the script reports \"found \"; must be a number");
    CHECK(mistake("checked", "e2fsck") == "the script reports \"checked e2fsck\"; must end with ok or failed");
}
