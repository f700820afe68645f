// SPDX-License-Identifier: Apache-2.0
#include "models/controller/descriptor_fetcher.h"
#include "tests/domain/controller/unit_parts.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::controller;
using namespace strobe::controller::test;
using Result = DescriptorFetcher::Result;

namespace {

constexpr BusAddress firstAt{0x1100};
constexpr BusAddress secondAt{0x1140};
constexpr BusAddress listAt{0x1200};

struct Fetching : UnitParts {
    JobWindow window{3};
    DescriptorFetcher fetcher{unit, 3};

    Result fetch(Time now) { return fetcher.mayFetch(window) ? fetcher.fetch(unit, window, now) : Result::Nothing; }
    void arrive(Time now) { fetcher.arrived(unit, window, now); }
    void putDescriptor(BusAddress address, const FlashDescriptor& d) { put(address, toWords(d)); }
    // What the unit does with a job until its place is free again.
    UnitJob& finish()
    {
        UnitJob& job = window.starting();
        job.cursor = job.end;
        window.skipStarted();
        return window.retire();
    }
};

FlashDescriptor inlineRead()
{
    FlashDescriptor d = partsDescriptor(SuperchipOpcode::Read, 0, 4);
    d.isOneChip = true;
    d.inlineBlocks = true;
    d.blocks = 6;
    return d;
}

} // namespace

TEST_CASE("a fetcher without lists fetches nothing")
{
    Fetching f;
    CHECK(f.fetch(0us) == Result::Nothing);
    CHECK(f.bursts.empty());
    CHECK_FALSE(f.fetcher.takeWake());
}

TEST_CASE("a list is followed from its head to the descriptor that has no next one")
{
    Fetching f;
    FlashDescriptor first = inlineRead();
    first.next = secondAt;
    first.cookie = 1;
    FlashDescriptor second = inlineRead();
    second.cookie = 2;
    f.putDescriptor(firstAt, first);
    f.putDescriptor(secondAt, second);
    f.fetcher.addList(firstAt);

    REQUIRE(f.fetch(10us) == Result::Arriving);
    CHECK(f.fetcher.arrivesAt() == 11us);
    CHECK(f.fetcher.needsNoMore(f.window.arriving()));
    CHECK(f.fetch(10us) == Result::Nothing); // one at a time
    REQUIRE(f.fetcher.takeWake());
    f.arrive(11us);
    CHECK(f.fetch(11us) == Result::Nothing); // its rows are not in slots
    CHECK(f.window.starting().descriptor.cookie == 1);
    CHECK(f.window.starting().targetBlocks[0] == 6);
    CHECK_FALSE(f.finish().endsList);

    REQUIRE(f.fetch(12us) == Result::Arriving);
    f.arrive(13us);
    CHECK(f.window.starting().descriptor.cookie == 2);
    CHECK(f.finish().endsList);
    CHECK(f.fetch(14us) == Result::Nothing);
    CHECK(f.unit.counters.stageTime[static_cast<std::size_t>(Stage::FetchingDescriptor)] == 2us);
}

TEST_CASE("a descriptor whose rows were sent ahead delays the next fetch until it has arrived, by one wake-up")
{
    Fetching f;
    f.putDescriptor(firstAt, inlineRead());
    f.fetcher.addList(firstAt);
    f.fetcher.addList(firstAt);
    REQUIRE(f.fetch(10us) == Result::Arriving);
    f.arrive(11us);
    f.finish();
    CHECK(f.fetch(10us) == Result::Nothing);
    CHECK(f.fetch(10us) == Result::Nothing);
    REQUIRE(f.wakes.size() == 1);
    CHECK(f.wakes[0].at == 11us);
    CHECK(f.wakes[0].token == DescriptorFetcher::token(f.unit));
    CHECK_FALSE(f.fetcher.takeWake()); // nothing is on its way
    CHECK(f.fetch(11us) == Result::Arriving);
}

TEST_CASE("block lists are fetched after the descriptor, for a copy-back both")
{
    Fetching f;
    FlashDescriptor d = partsDescriptor(SuperchipOpcode::CopyBack, 0, 8);
    d.blocks = raw(listAt);
    d.sourceBlocks = raw(listAt) + 8;
    f.put(listAt, std::array<std::uint32_t, 4>{1, 2, 3, 4});
    f.putDescriptor(firstAt, d);
    f.fetcher.addList(firstAt);
    REQUIRE(f.fetch(0us) == Result::Arriving);
    CHECK_FALSE(f.fetcher.needsNoMore(f.window.arriving()));
    f.arrive(1us);
    CHECK(f.window.empty()); // the lists are on their way
    REQUIRE(f.wakes.size() == 1);
    CHECK(f.wakes[0].at == 3us);
    f.arrive(3us);
    REQUIRE_FALSE(f.window.empty());
    const UnitJob& job = f.window.starting();
    CHECK(job.targetBlocks[1] == 2);
    CHECK(job.sourceBlocks[1] == 4);
    CHECK(job.end == 8);
}

TEST_CASE("a malformed descriptor joins the window stopped, and its list goes on")
{
    Fetching f;
    FlashDescriptor d = inlineRead();
    d.sectors = 0;
    d.next = secondAt;
    f.putDescriptor(firstAt, d);
    f.putDescriptor(secondAt, inlineRead());
    f.fetcher.addList(firstAt);
    REQUIRE(f.fetch(0us) == Result::Arriving);
    f.arrive(1us);
    CHECK(f.window.starting().isStopped);
    REQUIRE(f.failures.size() == 1);
    CHECK(f.failures[0].malformed == MalformedReason::ZeroSectors);
    CHECK_FALSE(f.finish().endsList);
    CHECK(f.fetch(2us) == Result::Arriving);
}

TEST_CASE("a descriptor that cannot be read ends its list")
{
    Fetching f;
    const BusAddress address = GENERATE(BusAddress{0x1104}, UnitParts::outside, UnitParts::data);
    f.fetcher.addList(address);
    CHECK(f.fetch(0us) == Result::Done);
    REQUIRE(f.failures.size() == 1);
    CHECK(f.failures[0].descriptor == address);
    const UnitJob& job = f.finish();
    CHECK_FALSE(job.isReadable);
    CHECK(job.endsList);
    CHECK(job.outcome.code == StatusCode::Malformed);
}

TEST_CASE("descriptors of the synthesizer come after all lists and need no fetch but their block lists")
{
    Fetching f;
    f.fetcher.addSynthesized(partsDescriptor(SuperchipOpcode::Read, 0, 8));
    f.putDescriptor(firstAt, inlineRead());
    f.fetcher.addList(firstAt);
    REQUIRE(f.fetch(0us) == Result::Arriving); // the list
    f.arrive(1us);
    f.finish();
    CHECK(f.fetch(1us) == Result::Done);
    REQUIRE(f.wakes.size() == 1);
    f.arrive(2us);
    const UnitJob& job = f.finish();
    CHECK(job.isSynthesized);
    CHECK(job.isReadable);
}

TEST_CASE("a list that links to its present descriptor or to its head is refused there, and ends")
{
    for (const BusAddress next : {firstAt, secondAt}) {
        Fetching f;
        FlashDescriptor first = inlineRead();
        first.next = secondAt;
        FlashDescriptor second = inlineRead();
        second.next = next;
        f.putDescriptor(firstAt, first);
        f.putDescriptor(secondAt, second);
        f.fetcher.addList(firstAt);
        REQUIRE(f.fetch(10us) == Result::Arriving);
        f.arrive(11us);
        CHECK_FALSE(f.finish().endsList);
        CHECK(f.failures.empty());
        REQUIRE(f.fetch(12us) == Result::Arriving);
        f.arrive(13us);
        REQUIRE(f.failures.size() == 1);
        CHECK(f.failures[0].malformed == MalformedReason::ListLoops);
        CHECK(f.finish().endsList);
        CHECK(f.fetch(14us) == Result::Nothing);
    }
}

TEST_CASE("a list that loops beside its head ends, too")
{
    Fetching f;
    constexpr std::uint32_t descriptors = 9;
    for (std::uint32_t i = 0; i < descriptors; ++i) {
        FlashDescriptor d = inlineRead();
        d.next = firstAt + (i + 1 == descriptors ? 3 : i + 1) * descriptorBytes;
        f.putDescriptor(firstAt + i * descriptorBytes, d);
    }
    f.fetcher.addList(firstAt);
    std::uint32_t fetched = 0;
    for (Time at = 10us; f.fetch(at) == Result::Arriving && fetched < 100; at += 2us, ++fetched) {
        f.arrive(at + 1us);
        f.finish();
    }
    CHECK(fetched < 3 * descriptors);
    REQUIRE(f.failures.size() == 1);
    CHECK(f.failures[0].malformed == MalformedReason::ListLoops);
}

TEST_CASE("a descriptor that is queued again before it has ended is refused, one that has ended is not")
{
    Fetching f;
    f.putDescriptor(firstAt, inlineRead());
    for (int i = 0; i < 3; ++i)
        f.fetcher.addList(firstAt);
    REQUIRE(f.fetch(10us) == Result::Arriving);
    f.arrive(11us);
    UnitJob& first = f.window.starting();
    first.cursor = first.end;
    f.window.skipStarted();
    REQUIRE(f.fetch(12us) == Result::Arriving);
    f.arrive(13us);
    REQUIRE(f.failures.size() == 1);
    CHECK(f.failures[0].malformed == MalformedReason::InExecution);
    f.window.retire();
    f.finish();
    REQUIRE(f.fetch(14us) == Result::Arriving);
    f.arrive(15us);
    CHECK(f.failures.size() == 1);
}
