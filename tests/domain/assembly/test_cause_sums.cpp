// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/assembly/staged_drive.h"

using namespace strobe;
using namespace strobe::platform;

namespace {

// Firmware lists one page at a time and sleeps until its result has woken it up, so that each page is the cause of the
// next one. Page `number` is listed 1 us after number * 20 us; dies and purposes change.
void playChainedPage(StagedDrive& d, unsigned number)
{
    const Time at = number * 20us;
    const bool isMap = number % 5 == 3;
    const auto die = static_cast<std::uint16_t>(number % 4);
    const nand::Purpose purpose = isMap             ? nand::Purpose::Metadata
                                  : number % 3 == 0 ? nand::Purpose::GarbageCollection
                                                    : nand::Purpose::Host;
    const SuperchipOpcode opcode = isMap || number % 2 == 0 ? SuperchipOpcode::Read : SuperchipOpcode::Program;
    const std::uint32_t buffer = 0x10000 + 0x1000 * (number % 8);
    d.page(UnitId{die}, descriptor(opcode, buffer, purpose, die), DieId{die},
           opcode == SuperchipOpcode::Read ? nand::Opcode::Read : nand::Opcode::Program,
           {at + 1us, at + 2us, at + 3us, at + 3us, at + 9us + number % 100 * 10ns, at + 10us, at + 14us, at + 15us,
            at + 16us, at + 17us - number % 100 * 7ns});
    d.sleep(at + 2us, at + 18us);
}

// Requests that begin before different pages of the chain and wait until firmware acts after page `last`.
struct ChainWaits {
    static void begin(StagedDrive& d, std::uint16_t slot, unsigned page, host::RequestKind kind)
    {
        const Time at = page * 20us + 4us + slot * 100ns;
        d.command(kind, slot, at, at, at + 500ns);
    }
    static void end(StagedDrive& d, std::uint16_t slot, unsigned last, host::RequestKind kind)
    {
        const Time at = last * 20us + 18us + 300ns;
        const bool isRead = kind == host::RequestKind::Read;
        const std::uint32_t buffer = 0x10000 + 0x1000 * (last % 8);
        const std::uint64_t handle = 100 + slot;
        d.stages.ordered({handle, slot, isRead, false, 0, isRead ? buffer : 0x1F000, 8}, at);
        d.stages.moved(handle, slot, at + 300ns);
        d.stages.ended(slot, at + 400ns);
        d.stages.completed(slot, true, at + 500ns);
    }
};

void playChains(StagedDrive& d)
{
    constexpr auto read = host::RequestKind::Read;
    constexpr auto write = host::RequestKind::Write;
    for (unsigned page = 0; page < 100; ++page) {
        if (page == 0)
            ChainWaits::begin(d, 0, page, write);
        if (page == 6)
            ChainWaits::begin(d, 1, page, read);
        if (page == 19)
            ChainWaits::begin(d, 6, page, write);
        if (page == 20)
            ChainWaits::begin(d, 2, page, write);
        if (page == 22) {
            ChainWaits::begin(d, 3, page, read);
            ChainWaits::begin(d, 4, page, read);
        }
        if (page == 60)
            ChainWaits::begin(d, 5, page, write);
        playChainedPage(d, page);
        if (page == 24) // a first part of the read's data, which the link brings only after the wait
            d.stages.ordered({7, 3, true, false, 0, 0x10000, 8}, page * 20us + 18us + 200ns);
        if (page == 30)
            ChainWaits::end(d, 2, page, write); // the first one that shares: ten links
        if (page == 31)
            ChainWaits::end(d, 6, page, write); // begun one page before the sums are
        if (page == 40) {
            ChainWaits::end(d, 0, page, write); // more than a path has in order of time
            ChainWaits::end(d, 1, page, read);  // begun before the sums are
            ChainWaits::end(d, 3, page, read);
            d.stages.moved(7, 3, page * 20us + 18us + 900ns);
        }
        if (page == 42)
            ChainWaits::end(d, 4, page, read);
        if (page == 99)
            ChainWaits::end(d, 5, page, write);
    }
}

void checkSameMeans(const StagedDrive& shared, const StagedDrive& single, host::RequestKind kind, double share)
{
    const StageMeans a = shared.statistics.tally.slowest(kind, share);
    const StageMeans b = single.statistics.tally.slowest(kind, share);
    CHECK(a.requests == b.requests);
    CHECK(a.latency == b.latency);
    CHECK(a.stages == b.stages);
    CHECK(a.bufferWaitCauses == b.bufferWaitCauses);
    CHECK(a.dies == b.dies);
}

// A request that begins during page 0 of a chain and waits for all of it.
void playDeepChain(StagedDrive& d, unsigned pages, host::RequestKind kind)
{
    ChainWaits::begin(d, 0, 0, kind);
    for (unsigned page = 0; page < pages; ++page)
        playChainedPage(d, page);
    if (kind == host::RequestKind::Write) {
        ChainWaits::end(d, 0, pages - 1, kind);
        return;
    }
    const Time at = (pages - 1) * 20us + 18us + 300ns;
    d.stages.ended(0, at);
    d.stages.completed(0, true, at);
}

// What such a request waits for, in picoseconds.
struct DeepChain {
    double array = 0;
    double map = 0;
    explicit DeepChain(unsigned pages)
    {
        Time arrays = 4500ns; // page 0, since the request can be seen
        Time maps{};
        for (unsigned page = 1; page < pages; ++page) {
            if (page % 5 == 3)
                maps += 16us - page % 100 * 7ns;
            else
                arrays += 5us + page % 100 * 10ns;
        }
        array = static_cast<double>(arrays.count());
        map = static_cast<double>(maps.count());
    }
};

} // namespace

TEST_CASE("a wait is divided among all jobs of its chain, however many there are")
{
    const unsigned pages = GENERATE(300U, 2 * FlashJobLog::leastKept);
    const DeepChain expected(pages);
    const std::size_t listed = GENERATE(std::size_t{0}, std::size_t{1}); // from sums only, or as a path
    const host::RequestKind kind = GENERATE(host::RequestKind::Write, host::RequestKind::Flush);
    CAPTURE(pages, listed, kind == host::RequestKind::Write);
    StagedDrive d(true, listed);
    playDeepChain(d, pages, kind);
    const StageMeans means = d.statistics.tally.slowest(kind, 1.0);
    CHECK(means.stages[idOf(RequestStage::MapWait)] == expected.map);
    const auto& arrays = kind == host::RequestKind::Write ? means.bufferWaitCauses : means.stages;
    CHECK(arrays[idOf(RequestStage::Array)] == expected.array);
    CHECK(d.stages.sharedWaits() == 1);
    if (listed != 0)
        CHECK(d.sum(RequestStage::MapWait) == Time{static_cast<std::int64_t>(expected.map)});
}

TEST_CASE("sums along a chain of causes are those of its jobs one by one, for each request that waits for it")
{
    StagedDrive shared(true, 0); // keeps sums only
    StagedDrive single;          // follows each request on its own, to list it
    playChains(shared);
    playChains(single);
    CHECK(shared.stages.sharedWaits() >= 4);
    CHECK(single.stages.sharedWaits() == 3); // of the longest chains, beyond the newest jobs
    for (const host::RequestKind kind : {host::RequestKind::Read, host::RequestKind::Write}) {
        REQUIRE(shared.statistics.tally.requests(kind) == (kind == host::RequestKind::Read ? 3 : 4));
        for (const double share : {1.0, 0.5, 0.01})
            checkSameMeans(shared, single, kind, share);
    }
    const StageMeans writes = single.statistics.tally.slowest(host::RequestKind::Write, 1.0);
    const StageMeans reads = single.statistics.tally.slowest(host::RequestKind::Read, 1.0);
    CHECK(writes.stages[idOf(RequestStage::MapWait)] > 0);
    CHECK(writes.bufferWaitCauses[idOf(RequestStage::Array)] > 0);
    CHECK(reads.stages[dieWait(nand::Purpose::GarbageCollection, DieWork::Reading)] > 0);
    CHECK(reads.stages[idOf(RequestStage::BufferWait)] > 0);
}
