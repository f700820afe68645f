// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_events.h"
#include "tests/domain/host/interface_bench.h"

using namespace strobe;
using namespace strobe::test;

namespace {

// Every burst takes 1 us.
struct EventBench {
    BurstMemory memory;
    std::vector<std::string> faults;
    std::vector<std::pair<std::uint32_t, Time>> scheduled;
    std::vector<std::pair<bool, Time>> line;
    HostEvents events{memory, [this](const std::string& text, Time) { faults.push_back(text); },
                      [this](std::uint32_t count, Time at) { scheduled.emplace_back(count, at); }};

    explicit EventBench(std::uint32_t entries = 4)
    {
        events.line().onChange([this](bool asserted, Time at) { line.emplace_back(asserted, at); });
        REQUIRE(events.configure(BusAddress{ringAt}, entries, Time{}));
    }
    std::uint32_t slotAt(std::uint32_t entry) const { return memory.word(ringAt + entry * 16 + 4); }
};

using Changes = std::vector<std::pair<bool, Time>>;

} // namespace

TEST_CASE("an event is visible at the end of its burst, when the line rises")
{
    EventBench bench;
    CHECK(bench.events.post({eventCommandArrived, 5, 0, 0}, 10us) == 11us);
    CHECK(bench.slotAt(0) == 5);
    CHECK(bench.line == Changes{{true, 11us}});
    CHECK(bench.events.post({eventCommandArrived, 6, 0, 0}, 12us) == 13us);
    CHECK(bench.line.size() == 1);
}

TEST_CASE("the line falls at the time at which firmware has taken everything, reported when it is asked for")
{
    EventBench bench;
    bench.events.post({eventCommandArrived, 5, 0, 0}, 10us);
    bench.events.take(1, 20us);
    bench.events.reportLine(19us);
    CHECK(bench.line.size() == 1);
    bench.events.reportLine(20us);
    CHECK(bench.line == Changes{{true, 11us}, {false, 20us}});
    CHECK(bench.events.ring().consumer() == 0); // the present has not come there
    bench.events.catchUp(20us);
    CHECK(bench.events.ring().consumer() == 1);
    CHECK(bench.line.size() == 2);
}

TEST_CASE("an event that comes before a reported fall keeps the line high")
{
    EventBench bench;
    bench.events.post({eventCommandArrived, 5, 0, 0}, 10us);
    bench.events.take(1, 20us);
    bench.events.reportLine(25us);
    bench.events.post({eventCommandArrived, 6, 0, 0}, 15us);
    CHECK(bench.line == Changes{{true, 11us}, {false, 20us}, {true, 20us}});
}

TEST_CASE("events that find the ring full get their entries at the time of firmware's write")
{
    EventBench bench(2);
    for (const std::uint32_t slot : {1U, 2U})
        bench.events.post({eventCommandArrived, slot, 0, 0}, 10us);
    bench.events.take(1, 20us); // not scheduled: no event waits for it yet
    CHECK(bench.scheduled.empty());
    CHECK(bench.events.post({eventCommandArrived, 3, 0, 0}, 12us) == 12us); // held back
    REQUIRE(bench.scheduled == std::vector<std::pair<std::uint32_t, Time>>{{1, 20us}});
    bench.events.take(2, 30us);
    REQUIRE(bench.scheduled.size() == 2);
    CHECK(bench.slotAt(0) == 1);
    bench.events.takeHeldBack(1, 20us);
    CHECK(bench.slotAt(0) == 3);
    CHECK(bench.memory.bursts.back().at == 20us);
    CHECK(bench.faults.empty());
}

TEST_CASE("a ring that cannot be, one outside of memory, and events that were never put are faults")
{
    EventBench bench;
    CHECK_FALSE(bench.events.configure(BusAddress{ringAt}, 3, 1us));
    CHECK(bench.events.configure(BusAddress{0x100000}, 4, 1us));
    bench.events.post({eventCommandArrived, 5, 0, 0}, 2us);
    bench.events.take(2, 3us);
    bench.events.catchUp(3us);
    REQUIRE(bench.faults.size() == 3);
    CHECK(bench.faults[0] == "RING_ENTRIES: 3 entries at 8192 are no power of two or not word-aligned");
    CHECK(bench.faults[1] == "RING_BASE: the event ring is not in memory");
    CHECK(bench.faults[2] == "RING_CONSUMER: 2 events taken, but only 1 were put");
}
