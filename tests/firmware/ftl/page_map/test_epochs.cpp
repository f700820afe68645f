// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Fixture {
    FakeHal hal;
    epochs all{};
    int over = 0;

    explicit Fixture(std::uint32_t flushes = 2)
    {
        epochs_init(
            &all, &hal.arena, flushes, [](void* context) { ++static_cast<Fixture*>(context)->over; }, this);
    }
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;
};

} // namespace

TEST_CASE("a flush with nothing to wait for is complete at once and reports nothing")
{
    Fixture f;
    CHECK(epochs_is_over(&f.all, epochs_end(&f.all)));
    CHECK(f.over == 0);
}

TEST_CASE("a flush is complete when the last member of its epoch has left")
{
    Fixture f;
    const std::uint32_t first = epochs_enter(&f.all);
    const std::uint32_t second = epochs_enter(&f.all);
    const std::uint32_t ticket = epochs_end(&f.all);
    epochs_leave(&f.all, first);
    CHECK_FALSE(epochs_is_over(&f.all, ticket));
    CHECK(f.over == 0);
    epochs_leave(&f.all, second);
    CHECK(epochs_is_over(&f.all, ticket));
    CHECK(f.over == 1);
}

TEST_CASE("a member of a later epoch does not delay a flush")
{
    Fixture f;
    const std::uint32_t early = epochs_enter(&f.all);
    const std::uint32_t ticket = epochs_end(&f.all);
    const std::uint32_t late = epochs_enter(&f.all);
    CHECK(late != early);
    epochs_leave(&f.all, early);
    CHECK(epochs_is_over(&f.all, ticket));
    CHECK_FALSE(epochs_is_over(&f.all, epochs_end(&f.all)));
}

TEST_CASE("a flush waits for earlier epochs, and one leave may end several flushes")
{
    Fixture f;
    const std::uint32_t early = epochs_enter(&f.all);
    const std::uint32_t first = epochs_end(&f.all);
    const std::uint32_t late = epochs_enter(&f.all);
    const std::uint32_t second = epochs_end(&f.all);
    epochs_leave(&f.all, late);
    CHECK_FALSE(epochs_is_over(&f.all, second));
    epochs_leave(&f.all, early);
    CHECK(epochs_is_over(&f.all, first));
    CHECK(epochs_is_over(&f.all, second));
    CHECK(f.over == 1);
}

TEST_CASE("epoch numbers wrap around")
{
    Fixture f;
    f.all.current = f.all.oldest = 0xFFFFFFFF;
    const std::uint32_t member = epochs_enter(&f.all);
    const std::uint32_t ticket = epochs_end(&f.all);
    CHECK(f.all.current == 0);
    CHECK_FALSE(epochs_is_over(&f.all, ticket));
    epochs_leave(&f.all, member);
    CHECK(epochs_is_over(&f.all, ticket));
}

TEST_CASE("the named number of flushes may be outstanding")
{
    Fixture f(9);
    std::vector<std::uint32_t> members;
    std::vector<std::uint32_t> tickets;
    for (int flush = 0; flush < 9; ++flush) {
        members.push_back(epochs_enter(&f.all));
        tickets.push_back(epochs_end(&f.all));
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
        CHECK_FALSE(epochs_is_over(&f.all, tickets[i]));
        epochs_leave(&f.all, members[i]);
        CHECK(epochs_is_over(&f.all, tickets[i]));
    }
}
