// SPDX-License-Identifier: Apache-2.0
#include "models/host/workload/workload_config.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe::host;

TEST_CASE("queues are chosen by class or by number, and the choice is written in order")
{
    struct Row {
        std::string text;
        std::string written;
        std::uint64_t mask;
    };
    for (const Row& row : {Row{"any", "any", 0}, Row{"1", "1", 0b1}, Row{"2-4", "2-4", 0b1110},
                           Row{"6,2,3", "2-3,6", 0b100110}, Row{"64,1-2", "1-2,64", std::uint64_t{1} << 63 | 0b11},
                           Row{"1-64", "1-64", ~std::uint64_t{0}}, Row{"3,3-3", "3", 0b100}}) {
        const auto choice = QueueChoice::of(row.text);
        REQUIRE(choice);
        CHECK(choice->text() == row.written);
        CHECK(choice->mask == row.mask);
        CHECK(choice->isAny() == (row.mask == 0));
    }
    const auto urgent = QueueChoice::of("urgent");
    REQUIRE(urgent);
    CHECK(urgent->ofClass == QueueClass::Urgent);
    CHECK(urgent->text() == "urgent");
    CHECK_FALSE(urgent->isAny());
}

TEST_CASE("what is neither a class nor a list of numbers is no choice of queues")
{
    for (const char* text : {"", "0", "65", "1-", "-1", "3-2", "1,,2", "1,", ",1", "1 2", "all", "Urgent", "1-2-3",
                             "99999999999999999999"})
        CHECK_FALSE(QueueChoice::of(text));
}
