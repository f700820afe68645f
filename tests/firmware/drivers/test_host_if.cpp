// SPDX-License-Identifier: Apache-2.0
//
// The host port: its registers at the start, its events, transfers and completions.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe::test;

namespace {

std::vector<std::string> calls;

struct Bench {
    FakeHal hal;
    host_if host{};
    std::uint32_t events = 0;

    Bench()
    {
        calls.clear();
        host_if_init(
            &host, &hal.arena, 4, 10,
            [](std::uint32_t slot, const host_command* command) {
                calls.push_back("command " + std::to_string(slot) + ": " + std::to_string(command->lba_lo));
            },
            [](std::uint32_t slot, std::uint32_t cookie) {
                calls.push_back("transfer " + std::to_string(slot) + ": " + std::to_string(cookie));
            });
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;
    void put(std::uint32_t kind, std::uint32_t slot, std::uint32_t third = 0, std::uint32_t fourth = 0)
    {
        auto* entry = const_cast<std::uint32_t*>(&host.ring.entries[4 * (events % 16)]);
        entry[1] = slot;
        entry[2] = third;
        entry[3] = fourth;
        entry[0] = (events / 16 % 2 == 0 ? RING_PHASE : 0) | kind;
        ++events;
    }
    std::uint32_t written(std::uint32_t address) const
    {
        for (auto write = hal.writes.rbegin(); write != hal.writes.rend(); ++write) {
            if (write->first == address)
                return write->second;
        }
        return ~0u;
    }
};

using Calls = std::vector<std::string>;

} // namespace

TEST_CASE("the host port gets the places of its records and events before it is enabled, with its capacity")
{
    Bench b;
    CHECK(b.written(HOST_RING_ENTRIES) == 16);
    CHECK(b.hal.words(b.written(HOST_RING_BASE)) == b.host.ring.entries);
    CHECK(static_cast<const void*>(b.hal.words(b.written(HOST_COMMANDS))) == b.host.commands);
    CHECK(b.written(HOST_CONTROL) == ~0u);
    host_if_enable(0x300000005);
    CHECK(b.written(HOST_CAPACITY_LO) == 5);
    CHECK(b.written(HOST_CAPACITY_HI) == 3);
    CHECK(b.hal.writes.back() == std::make_pair(std::uint32_t{HOST_CONTROL}, HOST_CONTROL_ENABLE_MASK));
}

TEST_CASE("each event of the host port reaches its handler, in order, and a batch is given back once")
{
    Bench b;
    CHECK(host_if_poll(&b.host) == 0);
    CHECK_FALSE(host_if_has_event(&b.host));
    const_cast<host_command*>(b.host.commands)[2].lba_lo = 77;
    b.put(1, 2);
    b.put(2, 3, 99);
    CHECK(host_if_has_event(&b.host));
    b.hal.writes.clear();
    CHECK(host_if_poll(&b.host) == 2);
    CHECK(calls == Calls{"command 2: 77", "transfer 3: 99"});
    CHECK(b.hal.writes == decltype(b.hal.writes){{HOST_RING_CONSUMER, 2}});
    CHECK(host_if_poll(&b.host) == 0);
    CHECK(b.hal.writes.size() == 1);
    for (std::uint32_t i = 0; i < 40; ++i) { // over the end of the ring
        b.put(2, 1, i);
        CHECK(host_if_poll(&b.host) == 1);
    }
    CHECK(calls.back() == "transfer 1: 39");
    CHECK(b.written(HOST_RING_CONSUMER) == 42);
}

TEST_CASE("the feeder's pieces and a failing supply have handlers of their own")
{
    Bench b;
    host_if_feed(&b.host, 0x40000000, 256, 64,
                 [](std::uint32_t slot, std::uint32_t number, std::uint32_t first, std::uint32_t sectors) {
                     calls.push_back("fed " + std::to_string(slot) + ": " + std::to_string(number) + " " +
                                     std::to_string(first) + " " + std::to_string(sectors));
                 });
    CHECK(b.written(HOST_FEED_BASE) == 0x40000000);
    CHECK(b.written(HOST_FEED_PIECE) == 64);
    CHECK(b.hal.writes.back() == std::make_pair(std::uint32_t{HOST_FEED_SECTORS}, 256u)); // which starts it
    host_if_watch_supply(&b.host, [] { calls.emplace_back("supply"); });
    b.put(3, 2, 500, 8 | 63u << HOST_EVENT_RANGE_MORE_SHIFT);
    b.put(4, 0);
    CHECK(host_if_poll(&b.host) == 2);
    CHECK(calls == Calls{"fed 2: 500 8 64", "supply"});
    host_if_saved();
    CHECK(b.written(HOST_CONTROL) == (HOST_CONTROL_ENABLE_MASK | HOST_CONTROL_SAVED_MASK));
}

TEST_CASE("a transfer is four register writes, the last of which starts it")
{
    FakeHal hal;
    host_transfer(3, true, 8, 4, 0x80000, 77, true);
    using Writes = decltype(hal.writes);
    CHECK(hal.writes == Writes{{HOST_XFER_RANGE, 8 | 3 << HOST_XFER_RANGE_MORE_SHIFT},
                               {HOST_XFER_BUFFER, 0x80000},
                               {HOST_XFER_COOKIE, 77},
                               {HOST_XFER_START, 3 | HOST_XFER_START_TO_HOST_MASK | HOST_XFER_START_NOTIFY_MASK |
                                                     HOST_XFER_START_COMPLETE_MASK}});
    hal.writes.clear();
    host_complete(5, HOST_DEVICE_FAULT);
    CHECK(hal.writes == Writes{{HOST_COMPLETE, 5u | 4u << 16}});
}
