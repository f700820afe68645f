// SPDX-License-Identifier: Apache-2.0
//
// The state machine of zones, with zones of 100 sectors, at most 2 of them open and 3 active.
#include "tests/firmware/ftl/zoned/zoned_headers.h"
#include "tests/support/catch.h"

#include <array>
#include <vector>

namespace {

constexpr std::uint32_t zones = 6, capacity = 100;

struct Machine {
    std::array<zone_entry, zones> table{};
    std::array<std::uint32_t, 2> open{};
    zone_states states{};

    Machine()
    {
        states.entry = table.data();
        states.open = open.data();
        states.zones = zones;
        states.capacity = capacity;
        states.open_limit = 2;
        states.active_limit = 3;
        for (zone_entry& entry : table)
            entry.state = ZONE_EMPTY;
    }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    host_status write(std::uint32_t zone, std::uint32_t sector, std::uint32_t sectors)
    {
        return zone_states_write(&states, zone, sector, sectors);
    }
    std::uint32_t state(std::uint32_t zone) const { return table[zone].state; }
};

} // namespace

TEST_CASE("zone states: a write opens an empty zone and moves its pointer; at the capacity the zone is full")
{
    Machine m;
    CHECK(m.write(0, 0, 60) == HOST_OK);
    CHECK(m.state(0) == ZONE_IMPLICITLY_OPEN);
    CHECK(m.table[0].pointer == 60);
    CHECK(m.states.active_count == 1);
    CHECK(m.write(0, 60, 40) == HOST_OK);
    CHECK(m.state(0) == ZONE_FULL);
    CHECK(m.states.open_count == 0);
    CHECK(m.states.active_count == 0);
    CHECK(m.write(0, 100, 1) == HOST_ZONE_FULL);
}

TEST_CASE("zone states: writes elsewhere than at the pointer, or beyond the capacity, change nothing")
{
    Machine m;
    REQUIRE(m.write(0, 0, 10) == HOST_OK);
    CHECK(m.write(0, 0, 10) == HOST_ZONE_INVALID_WRITE);
    CHECK(m.write(0, 11, 10) == HOST_ZONE_INVALID_WRITE);
    CHECK(m.write(0, 10, 91) == HOST_ZONE_BOUNDARY);
    CHECK(m.write(0, 110, 1) == HOST_ZONE_BOUNDARY);
    CHECK(m.table[0].pointer == 10);
    CHECK(m.write(1, 5, 1) == HOST_ZONE_INVALID_WRITE);
    CHECK(m.state(1) == ZONE_EMPTY);
}

TEST_CASE("zone states: at the limit of open zones the one that a write opened first is closed for another")
{
    Machine m;
    REQUIRE(m.write(0, 0, 1) == HOST_OK);
    REQUIRE(m.write(1, 0, 1) == HOST_OK);
    CHECK(m.write(2, 0, 1) == HOST_OK);
    CHECK(m.state(0) == ZONE_CLOSED);
    CHECK(m.state(1) == ZONE_IMPLICITLY_OPEN);
    CHECK(m.states.active_count == 3);
    CHECK(m.write(3, 0, 1) == HOST_ZONE_TOO_MANY_ACTIVE);
    CHECK(m.state(1) == ZONE_IMPLICITLY_OPEN); // none was closed for it
    CHECK(m.write(0, 1, 1) == HOST_OK);        // an active zone may open again
    CHECK(m.state(1) == ZONE_CLOSED);
}

TEST_CASE("zone states: zones that the host opened are not closed for another")
{
    Machine m;
    REQUIRE(zone_states_open(&m.states, 0) == HOST_OK);
    REQUIRE(zone_states_open(&m.states, 1) == HOST_OK);
    CHECK(m.state(0) == ZONE_EXPLICITLY_OPEN);
    CHECK(m.write(2, 0, 1) == HOST_ZONE_TOO_MANY_OPEN);
    CHECK(zone_states_open(&m.states, 2) == HOST_ZONE_TOO_MANY_OPEN);
    CHECK(m.states.active_count == 2);
    CHECK(zone_states_open(&m.states, 1) == HOST_OK); // it is open already
    CHECK(zone_states_close(&m.states, 1) == HOST_OK);
    CHECK(m.state(1) == ZONE_EMPTY); // nothing was written
    CHECK(m.write(2, 0, 1) == HOST_OK);
    CHECK(zone_states_open(&m.states, 2) == HOST_OK);
    CHECK(m.state(2) == ZONE_EXPLICITLY_OPEN);
    CHECK(m.states.open_count == 2);
}

TEST_CASE("zone states: with more active zones than the limit, as after a power loss, no other one becomes active")
{
    Machine m;
    for (std::uint32_t zone = 0; zone < 4; ++zone)
        zone_states_restore(&m.states, zone, ZONE_CLOSED, 10);
    REQUIRE(m.states.active_count == 4);
    CHECK(m.write(4, 0, 1) == HOST_ZONE_TOO_MANY_ACTIVE);
    CHECK(zone_states_open(&m.states, 4) == HOST_ZONE_TOO_MANY_ACTIVE);
    CHECK(m.write(3, 10, 1) == HOST_OK); // one that is active may be written
    zone_states_reset(&m.states, 0);
    CHECK(m.write(4, 0, 1) == HOST_ZONE_TOO_MANY_ACTIVE);
    zone_states_reset(&m.states, 1);
    CHECK(m.write(4, 0, 1) == HOST_OK);
}

TEST_CASE("zone states: what close, finish, open and reset do from each state")
{
    const auto in = [](Machine& m, std::uint32_t state) {
        if (state == ZONE_IMPLICITLY_OPEN || state == ZONE_CLOSED || state == ZONE_FULL)
            REQUIRE(m.write(0, 0, state == ZONE_FULL ? capacity : 7) == HOST_OK);
        if (state == ZONE_EXPLICITLY_OPEN)
            REQUIRE(zone_states_open(&m.states, 0) == HOST_OK);
        if (state == ZONE_CLOSED)
            REQUIRE(zone_states_close(&m.states, 0) == HOST_OK);
        if (state == ZONE_READ_ONLY || state == ZONE_OFFLINE)
            zone_states_fail(&m.states, 0, static_cast<zone_state>(state));
        REQUIRE(m.state(0) == state);
    };
    struct Row {
        zone_state from;
        host_status open, close, finish;
        bool mayReset;
    };
    const host_status no = HOST_ZONE_INVALID_TRANSITION;
    const std::vector<Row> rows{{ZONE_EMPTY, HOST_OK, no, HOST_OK, true},
                                {ZONE_IMPLICITLY_OPEN, HOST_OK, HOST_OK, HOST_OK, true},
                                {ZONE_EXPLICITLY_OPEN, HOST_OK, HOST_OK, HOST_OK, true},
                                {ZONE_CLOSED, HOST_OK, HOST_OK, HOST_OK, true},
                                {ZONE_FULL, no, no, HOST_OK, true},
                                {ZONE_READ_ONLY, no, no, no, false},
                                {ZONE_OFFLINE, no, no, no, false}};
    for (const Row& row : rows) {
        INFO("from state " << row.from);
        Machine open;
        in(open, row.from);
        CHECK(zone_states_open(&open.states, 0) == row.open);
        Machine close;
        in(close, row.from);
        CHECK(zone_states_close(&close.states, 0) == row.close);
        Machine finish;
        in(finish, row.from);
        CHECK(zone_states_finish(&finish.states, 0) == row.finish);
        CHECK(finish.state(0) == static_cast<std::uint32_t>(row.finish == HOST_OK ? ZONE_FULL : row.from));
        CHECK(finish.states.active_count == 0);
        CHECK(zone_states_may_reset(&finish.states, 0) == row.mayReset);
        if (!row.mayReset)
            continue;
        zone_states_reset(&finish.states, 0);
        CHECK(finish.state(0) == ZONE_EMPTY);
        CHECK(finish.table[0].pointer == 0);
        CHECK(finish.write(0, 0, 1) == HOST_OK);
    }
}
