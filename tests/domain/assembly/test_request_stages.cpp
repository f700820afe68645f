// SPDX-License-Identifier: Apache-2.0
//
// Hand-made sequences of events: each as the blocks report them in a run.
#include "platform/assembly/request_stages.h"
#include "platform/assembly/stage_sink.h"
#include "tests/domain/assembly/observed_drive.h"
#include "tests/support/catch.h"

#include <array>

using namespace strobe;
using namespace strobe::platform;
using namespace std::chrono_literals;
using controller::FlashDescriptor;
using controller::SuperchipOpcode;
using Phase = channel::NandInterface::Phase;

namespace {

constexpr UnitId unit0{0};
constexpr UnitId unit1{1};

struct Drive {
    // Lists each request if `listed` is not 0.
    explicit Drive(bool isCounted = true, std::size_t listed = 100, std::uint32_t buses = 1)
        : statistics{StageTally(4), SlowestRequests(listed)},
          stages(observedDrive(4, 8, buses), isCounted ? &statistics : nullptr)
    {
    }

    // A command in the host's and the drive's slot, which firmware can see at `announced`.
    void command(host::RequestKind kind, std::uint16_t slot, Time issued, Time arrived, Time announced)
    {
        const host::Command command{slot, kind, false, 0, 8};
        stages.issued(command, ++number, issued, issued);
        stages.arrived(slot, slot, arrived);
        stages.announced(slot, announced);
    }
    void sleep(Time from, Time until)
    {
        stages.sleep().fellAsleep(0, from);
        stages.sleep().wokeUp(0, until);
    }
    struct Times {
        Time listed, fetched, sent, request, ready, response, done, decoded, retired, visible;
    };
    static constexpr Time onBus = 1us;
    // One page on one die; request and response hold the bus for a microsecond.
    void page(UnitId unit, const FlashDescriptor& descriptor, DieId die, nand::Opcode opcode, const Times& t)
    {
        FlashJobLog& jobs = stages.jobs();
        jobs.listed(unit, false, t.listed);
        jobs.fetched(controller::FlashObserver::Job{unit, 0, descriptor, false, true}, t.fetched);
        jobs.rowStarted(unit, 0, 0, t.fetched);
        nand::Operation op;
        op.opcode = opcode;
        op.purpose = descriptor.purpose;
        op.die = die;
        jobs.sent({unit, 0}, 0, t.fetched, t.sent);
        op.submitted = t.sent;
        op.requestStart = t.request;
        jobs.dies().granted(op, Phase::Request, t.request, t.request, onBus);
        jobs.dies().granted(op, Phase::Response, t.ready, t.response, t.done - t.response);
        jobs.finished({unit, 0}, 0, op, t.done, t.decoded);
        jobs.rowEnded(unit, 0, t.retired);
        jobs.retired(unit, 0, t.retired, t.visible);
    }
    std::vector<TracedRequest> done() const { return statistics.slowest.sorted(); }
    std::array<Time, stageIds> sums() const
    {
        REQUIRE(done().size() == 1);
        return done()[0].path.sums();
    }
    Time sum(RequestStage stage) const { return sums()[idOf(stage)]; }

    std::uint64_t number = 0;
    RequestStatistics statistics;
    RequestStages stages;
};

struct Sink final : StageSink {
    Time until() const override { return last; }
    void opened(std::uint64_t request, Time) override { open.push_back(request); }
    void segment(const nand::Operation&, channel::NandInterface::Phase, Time, Time) override {}
    void operation(const nand::Operation&, std::uint64_t) override {}
    void job(const EndedJob& job) override { jobs.push_back(job.number); }
    void serves(std::uint64_t job, std::uint64_t request) override { served.emplace_back(job, request); }
    void request(const TracedRequest& request, bool) override { requests.push_back(request.id); }
    Time last = never;
    std::vector<std::uint64_t> open;
    std::vector<std::uint64_t> jobs;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> served;
    std::vector<std::uint64_t> requests;
};

std::array<Time, stageIds> sums(const JobPath& path)
{
    StageSums all;
    all.begin(path.start());
    all.addPart(path.segments(), path.end());
    std::array<Time, stageIds> sums{};
    all.forEachStage([&sums](StageId stage, Time time) { sums[stage] = time; });
    return sums;
}

FlashDescriptor descriptor(SuperchipOpcode opcode, std::uint32_t buffer, nand::Purpose purpose = nand::Purpose::Host,
                           std::uint32_t superchip = 0)
{
    FlashDescriptor d;
    d.opcode = opcode;
    d.sectors = 8;
    d.superchip = superchip;
    d.buffer = BusAddress{buffer};
    d.purpose = purpose;
    return d;
}

} // namespace

TEST_CASE("a read on an idle drive goes through every stage once")
{
    Drive d;
    d.command(host::RequestKind::Read, 3, 0us, 2us, 3us);
    d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
           {5us, 6us, 6us, 6us, 32us, 32us, 42us, 50us, 52us, 53us});
    d.sleep(7us, 53us);
    d.stages.ordered({9, 3, true, false, 0, 0x10000, 8}, 55us);
    d.stages.moved(9, 3, 60us);
    d.stages.ended(3, 60us);
    d.stages.completed(3, true, 62us);
    REQUIRE(d.done().size() == 1);
    CHECK(d.done()[0].latency() == 62us);
    CHECK(d.done()[0].die == 0);
    CHECK(d.sum(RequestStage::HostLink) == 2us + 5us);
    CHECK(d.sum(RequestStage::CommandFetch) == 1us);
    CHECK(d.sum(RequestStage::Firmware) == 2us + 2us);
    CHECK(d.sum(RequestStage::FlashUnit) == 1us + 3us);
    CHECK(d.sum(RequestStage::BusWait) == 0us);
    CHECK(d.sum(RequestStage::Array) == 25us);
    CHECK(d.sum(RequestStage::Transfer) == 1us + 10us);
    CHECK(d.sum(RequestStage::Ecc) == 8us);
    CHECK(d.sum(RequestStage::Completion) == 2us);
}

TEST_CASE("waiting for a die is divided by what the die does")
{
    Drive d;
    d.page(unit1, descriptor(SuperchipOpcode::Erase, 0x10000, nand::Purpose::GarbageCollection), DieId{0},
           nand::Opcode::Erase, {0us, 0us, 0us, 0us, 20us, 20us, 21us, 21us, 21us, 22us});
    d.page(unit1, descriptor(SuperchipOpcode::Program, 0x10000), DieId{0}, nand::Opcode::Program,
           {1us, 22us, 22us, 22us, 30us, 30us, 31us, 31us, 31us, 32us});
    d.command(host::RequestKind::Read, 0, 9us, 9us, 9us);
    d.page(unit0, descriptor(SuperchipOpcode::Read, 0x12000), DieId{0}, nand::Opcode::Read,
           {9us, 10us, 10us, 35us, 60us, 62us, 70us, 70us, 70us, 70us});
    d.stages.ordered({1, 0, true, false, 0, 0x12000, 8}, 70us);
    d.stages.moved(1, 0, 71us);
    d.stages.ended(0, 71us);
    d.stages.completed(0, true, 71us);
    REQUIRE(d.done().size() == 1);
    CHECK(d.sums()[dieWait(nand::Purpose::GarbageCollection, DieWork::Erasing)] == 11us);
    CHECK(d.sums()[dieWait(nand::Purpose::Host, DieWork::Programming)] == 9us);
    CHECK(d.sum(RequestStage::BusWait) == 1us + 4us + 2us); // idle die in between; for the request; for the response
    CHECK(d.sum(RequestStage::Array) == 24us);
}

TEST_CASE("a list that waits in its unit behind a job of the same die waits for the die")
{
    for (const std::uint32_t superchip : {0U, 1U}) {
        Drive d;
        d.page(unit0, descriptor(SuperchipOpcode::Erase, 0x10000, nand::Purpose::GarbageCollection), DieId{0},
               nand::Opcode::Erase, {0us, 0us, 0us, 0us, 40us, 40us, 41us, 41us, 41us, 41us});
        d.command(host::RequestKind::Read, 0, 10us, 10us, 10us);
        d.page(unit0, descriptor(SuperchipOpcode::Read, 0x12000, nand::Purpose::Host, superchip),
               DieId{static_cast<std::uint16_t>(superchip)}, nand::Opcode::Read,
               {11us, 42us, 42us, 42us, 60us, 60us, 70us, 70us, 70us, 70us});
        d.stages.ordered({1, 0, true, false, 0, 0x12000, 8}, 70us);
        d.stages.moved(1, 0, 71us);
        d.stages.ended(0, 71us);
        d.stages.completed(0, true, 71us);
        const Time behind = d.sums()[dieWait(nand::Purpose::GarbageCollection, DieWork::Erasing)];
        CHECK(behind == (superchip == 0 ? 30us : 0us));
        CHECK(d.sum(RequestStage::FlashUnit) == (superchip == 0 ? 1us : 31us));
    }
}

TEST_CASE("a read of what is in the buffer waits for no flash")
{
    Drive d;
    d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
           {0us, 0us, 0us, 0us, 5us, 5us, 8us, 8us, 8us, 8us});
    d.command(host::RequestKind::Read, 0, 10us, 11us, 12us);
    d.stages.ordered({1, 0, true, false, 0, 0x10000, 8}, 14us);
    d.stages.moved(1, 0, 20us);
    d.stages.ended(0, 20us);
    d.stages.completed(0, true, 21us);
    CHECK(d.sum(RequestStage::Firmware) == 2us);
    CHECK(d.sum(RequestStage::HostLink) == 1us + 6us);
    CHECK(d.sum(RequestStage::Array) == 0us);
}

TEST_CASE("a read follows the job that ended last, and only while the read was there")
{
    Drive d;
    d.page(unit1, descriptor(SuperchipOpcode::Read, 0x11000), DieId{1}, nand::Opcode::Read,
           {0us, 0us, 0us, 0us, 30us, 30us, 40us, 40us, 40us, 40us}); // for someone else, too
    d.command(host::RequestKind::Read, 0, 20us, 20us, 20us);
    d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
           {21us, 21us, 21us, 21us, 25us, 25us, 30us, 30us, 30us, 30us});
    d.stages.ordered({1, 0, true, false, 0, 0x10000, 8}, 31us);
    d.stages.ordered({2, 0, true, false, 0, 0x11000, 8}, 40us);
    d.stages.moved(1, 0, 36us);
    d.stages.moved(2, 0, 45us);
    d.stages.ended(0, 45us);
    d.stages.completed(0, true, 45us);
    CHECK(d.sum(RequestStage::Array) == 10us);
    CHECK(d.sum(RequestStage::Transfer) == 10us);
    CHECK(d.done()[0].die == 1);
}

TEST_CASE("a transfer finds the read that brought its data by a unit table, whatever the descriptor's buffer is")
{
    Drive d;
    FlashJobLog& jobs = d.stages.jobs();
    FlashDescriptor read = descriptor(SuperchipOpcode::Read, 0x18000);
    read.hasUnitTable = true;
    read.sectors = 32;
    d.command(host::RequestKind::Read, 0, 0us, 0us, 0us);
    jobs.listed(unit0, false, 1us);
    jobs.fetched(controller::FlashObserver::Job{unit0, 0, read, false, true}, 1us);
    jobs.rowStarted(unit0, 0, 0, 1us);
    jobs.unitsPlaced(unit0, 0, BusAddress{0x13000}, 8);
    jobs.unitsPlaced(unit0, 0, BusAddress{0x16000}, 16);
    jobs.rowEnded(unit0, 0, 30us);
    jobs.retired(unit0, 0, 30us, 31us);
    REQUIRE(jobs.job(1) != nullptr);
    CHECK(jobs.readerOf(0x13000, 8) == jobs.job(1));
    CHECK(jobs.readerOf(0x17000, 8) == jobs.job(1));
    CHECK(jobs.readerOf(0x14000, 8) == nullptr);
    CHECK(jobs.readerOf(0x18000, 8) == nullptr); // where the descriptor points to
    d.stages.ordered({1, 0, true, false, 0, 0x16000, 16}, 32us);
    d.stages.moved(1, 0, 40us);
    d.stages.ended(0, 40us);
    d.stages.completed(0, true, 40us);
    CHECK(d.sum(RequestStage::FlashUnit) == 30us);
    CHECK(d.sum(RequestStage::BufferWait) == 0us);
}

TEST_CASE("a program by a unit table works for the request that filled its units")
{
    Drive d;
    FlashJobLog& jobs = d.stages.jobs();
    FlashDescriptor program = descriptor(SuperchipOpcode::Program, 0x13000);
    program.hasUnitTable = true;
    jobs.filled(0x13000, 8, 4);
    jobs.filled(0x16000, 8, 7);
    jobs.listed(unit0, false, 1us);
    jobs.fetched(controller::FlashObserver::Job{unit0, 0, program, false, true}, 1us);
    jobs.rowStarted(unit0, 0, 0, 1us);
    jobs.unitsPlaced(unit0, 0, BusAddress{0x16000}, 8);
    jobs.rowEnded(unit0, 0, 30us);
    jobs.retired(unit0, 0, 30us, 31us);
    REQUIRE(jobs.job(1) != nullptr);
    CHECK(jobs.job(1)->request == 7);
}

TEST_CASE("a merge serves all requests whose sectors it takes from the buffer, and works for none of them")
{
    Drive d;
    Sink sink;
    d.stages.tell(&sink);
    FlashJobLog& jobs = d.stages.jobs();
    FlashDescriptor merge = descriptor(SuperchipOpcode::CopyBack, 0);
    merge.hasSectorTable = true;
    jobs.filled(0x13000, 8, 4);
    jobs.filled(0x14000, 8, 9);
    jobs.filled(0x16000, 8, 7);
    jobs.listed(unit0, true, 1us);
    jobs.fetched(controller::FlashObserver::Job{unit0, 0, merge, true, true}, 1us);
    jobs.rowStarted(unit0, 0, 0, 1us);
    jobs.unitsPlaced(unit0, 0, BusAddress{0x13E00}, 2); // the last of 4 and the first of 9
    jobs.unitsPlaced(unit0, 0, BusAddress{0x15000}, 8); // of no request
    jobs.unitsPlaced(unit0, 0, BusAddress{0x16000}, 1);
    jobs.rowEnded(unit0, 0, 30us);
    jobs.retired(unit0, 0, 30us, 31us);
    REQUIRE(jobs.job(1) != nullptr);
    CHECK(jobs.job(1)->request == 0);
    using Served = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    CHECK(sink.served == Served{{1, 4}, {1, 9}, {1, 7}});
}

TEST_CASE("a write that finds no place in the buffer waits for the operation that frees one")
{
    Drive d;
    d.command(host::RequestKind::Write, 0, 0us, 1us, 2us);
    d.page(unit0, descriptor(SuperchipOpcode::Program, 0x10000), DieId{2}, nand::Opcode::Program,
           {0us, 1us, 1us, 1us, 50us, 50us, 51us, 51us, 51us, 52us});
    d.sleep(4us, 52us);
    d.stages.ordered({1, 0, false, false, 0, 0x10000, 8}, 54us);
    d.stages.moved(1, 0, 60us);
    d.sleep(56us, 60us);
    d.stages.ended(0, 61us);
    d.stages.completed(0, true, 62us);
    CHECK(d.sum(RequestStage::BufferWait) == 48us);
    CHECK(d.sum(RequestStage::Firmware) == 2us + 2us + 1us);
    CHECK(d.sum(RequestStage::HostLink) == 1us + 6us);
    CHECK(d.done()[0].die == 2);
    Time array{};
    Time from{};
    const TracedRequest done = d.done()[0];
    for (const StageSegment& segment : done.path.segments()) {
        if (segment.detail == idOf(RequestStage::Array))
            array += segment.end - from;
        from = segment.end;
    }
    CHECK(array == 46us);
}

TEST_CASE(
    "a read that firmware holds back for another operation waits for the die, if that one uses it, else for the buffer")
{
    for (const std::uint32_t superchip : {0U, 1U}) {
        Drive d;
        d.command(host::RequestKind::Read, 0, 0us, 0us, 0us);
        d.page(unit1, descriptor(SuperchipOpcode::Program, 0x11000, nand::Purpose::Host, superchip),
               DieId{static_cast<std::uint16_t>(superchip)}, nand::Opcode::Program,
               {0us, 0us, 0us, 0us, 20us, 20us, 25us, 25us, 25us, 26us});
        d.sleep(2us, 26us);
        d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
               {28us, 28us, 28us, 28us, 40us, 40us, 50us, 50us, 50us, 50us});
        d.sleep(30us, 50us);
        d.stages.ordered({1, 0, true, false, 0, 0x10000, 8}, 50us);
        d.stages.moved(1, 0, 55us);
        d.stages.ended(0, 55us);
        d.stages.completed(0, true, 55us);
        CHECK(d.sums()[dieWait(nand::Purpose::Host, DieWork::Programming)] == (superchip == 0 ? 23us : 0us));
        CHECK(d.sum(RequestStage::BufferWait) == (superchip == 0 ? 0us : 24us));
    }
}

TEST_CASE("a read that waits for a part of the mapping table waits for the map")
{
    Drive d;
    d.command(host::RequestKind::Read, 0, 0us, 0us, 0us);
    d.page(unit1, descriptor(SuperchipOpcode::Read, 0x11000, nand::Purpose::Metadata), DieId{1}, nand::Opcode::Read,
           {2us, 2us, 2us, 2us, 20us, 20us, 25us, 25us, 25us, 26us});
    d.sleep(3us, 26us);
    d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
           {28us, 28us, 28us, 28us, 40us, 40us, 50us, 50us, 50us, 50us});
    d.sleep(30us, 50us);
    d.stages.ordered({1, 0, true, false, 0, 0x10000, 8}, 50us);
    d.stages.moved(1, 0, 55us);
    d.stages.ended(0, 55us);
    d.stages.completed(0, true, 55us);
    CHECK(d.sum(RequestStage::MapWait) == 23us);
    CHECK(d.sum(RequestStage::Firmware) == 3us + 2us);
    CHECK(d.sum(RequestStage::Array) == 11us);
}

TEST_CASE("a flush waits for the programs that it waits for, one after the other")
{
    Drive d;
    d.command(host::RequestKind::Flush, 0, 0us, 0us, 0us);
    d.page(unit0, descriptor(SuperchipOpcode::Program, 0x10000), DieId{0}, nand::Opcode::Program,
           {2us, 2us, 2us, 2us, 20us, 20us, 21us, 21us, 21us, 22us});
    d.sleep(3us, 22us);
    d.page(unit0, descriptor(SuperchipOpcode::Program, 0x11000), DieId{0}, nand::Opcode::Program,
           {24us, 24us, 24us, 24us, 40us, 40us, 41us, 41us, 41us, 42us});
    d.sleep(25us, 42us);
    d.stages.ended(0, 44us);
    d.stages.completed(0, true, 45us);
    CHECK(d.sum(RequestStage::Array) == 17us + 15us);
    CHECK(d.sum(RequestStage::Firmware) == 3us + 2us + 2us);
    CHECK(d.sum(RequestStage::BufferWait) == 0us);
}

TEST_CASE("while the CPU does not sleep the time is the firmware's")
{
    Drive d;
    d.command(host::RequestKind::Write, 0, 0us, 0us, 0us);
    d.page(unit0, descriptor(SuperchipOpcode::Program, 0x10000), DieId{2}, nand::Opcode::Program,
           {0us, 1us, 1us, 1us, 50us, 50us, 51us, 51us, 51us, 52us});
    d.stages.ordered({1, 0, false, false, 0, 0x10000, 8}, 90us);
    d.stages.moved(1, 0, 95us);
    d.stages.ended(0, 96us);
    d.stages.completed(0, true, 96us);
    CHECK(d.sum(RequestStage::Firmware) == 91us);
}

TEST_CASE("requests that do not reach the drive, wait on the host, or are not measured")
{
    Drive d;
    const host::Command command{0, host::RequestKind::Trim, false, 0, 8};
    d.stages.issued(command, 1, 0us, 7us);
    d.stages.completed(0, true, 10us);
    CHECK(d.sum(RequestStage::HostQueue) == 7us);
    CHECK(d.sum(RequestStage::HostLink) == 3us);
    d.command(host::RequestKind::Flush, 0, 20us, 21us, 22us);
    d.stages.ended(0, 23us);
    d.stages.completed(0, false, 24us);
    CHECK(d.done().size() == 1);
}

TEST_CASE("sectors directly from flash take the way of their row")
{
    Drive d;
    d.command(host::RequestKind::Read, 5, 0us, 1us, 2us);
    FlashJobLog& jobs = d.stages.jobs();
    FlashDescriptor read = descriptor(SuperchipOpcode::Read, raw(controller::hostInterfaceBuffer));
    jobs.listed(unit0, false, 4us);
    jobs.fetched(controller::FlashObserver::Job{unit0, 0, read, false, true}, 5us);
    jobs.rowStarted(unit0, 0, 0, 5us);
    nand::Operation op;
    op.die = DieId{1};
    jobs.sent({unit0, 0}, 0, 5us, 5us);
    op.submitted = op.requestStart = 5us;
    jobs.dies().granted(op, Phase::Request, 5us, 5us, 1us);
    jobs.dies().granted(op, Phase::Response, 26us, 26us, 4us);
    jobs.finished({unit0, 0}, 0, op, 30us, 33us);
    d.stages.ordered({1, 5, true, true, 0, 0, 8}, 33us);
    d.stages.moved(1, 5, 40us);
    jobs.rowEnded(unit0, 0, 40us);
    jobs.retired(unit0, 0, 40us, 41us);
    d.stages.ended(5, 40us);
    d.stages.completed(5, true, 42us);
    CHECK(d.sum(RequestStage::Array) == 20us);
    CHECK(d.sum(RequestStage::Ecc) == 3us);
    CHECK(d.sum(RequestStage::HostLink) == 1us + 7us);
    CHECK(d.sum(RequestStage::Firmware) == 2us);
    CHECK(jobs.job(1)->request == d.done()[0].id);
}

TEST_CASE("a read of a superchip on two buses follows the die that ends last, and names none if both end together")
{
    for (const Time later : {0us, 4us}) {
        Drive d(true, 100, 2);
        d.command(host::RequestKind::Read, 0, 0us, 1us, 2us);
        FlashJobLog& jobs = d.stages.jobs();
        jobs.listed(unit0, false, 2us);
        jobs.fetched(controller::FlashObserver::Job{unit0, 0, descriptor(SuperchipOpcode::Read, 0x10000), false, true},
                     3us);
        jobs.rowStarted(unit0, 0, 0, 4us);
        std::array<nand::Operation, 2> ops;
        for (std::uint16_t bus = 0; bus < 2; ++bus) {
            nand::Operation& op = ops[bus];
            op.die = DieId{static_cast<std::uint16_t>(2 * bus)};
            op.submitted = 5us;
            op.requestStart = 6us;
            jobs.sent({unit0, bus}, 0, 5us, 5us);
            jobs.dies().granted(op, Phase::Request, 5us, 6us, 1us);
            const Time ready = bus == 0 ? 30us + later : 30us; // the first lane ends last
            jobs.dies().granted(op, Phase::Response, ready, ready, 5us);
        }
        for (const std::uint16_t bus : {std::uint16_t{1}, std::uint16_t{0}}) {
            const Time end = bus == 0 ? 35us + later : 35us;
            jobs.finished({unit0, bus}, 0, ops[bus], end, end + 2us);
        }
        jobs.rowEnded(unit0, 0, 38us + later);
        jobs.retired(unit0, 0, 38us + later, 39us + later);
        d.stages.ordered({1, 0, true, false, 0, 0x10000, 8}, 39us + later);
        d.stages.moved(1, 0, 45us + later);
        d.stages.ended(0, 45us + later);
        d.stages.completed(0, true, 45us + later);
        CHECK(d.sum(RequestStage::FlashUnit) == 3us + 2us);
        CHECK(d.sum(RequestStage::BusWait) == 1us);
        CHECK(d.sum(RequestStage::Array) == 23us + later);
        CHECK(d.sum(RequestStage::Transfer) == 1us + 5us);
        CHECK(d.sum(RequestStage::Ecc) == 2us);
        CHECK(d.sum(RequestStage::HostLink) == 1us + 6us);
        CHECK(d.done()[0].die == (later == 0us ? UINT32_MAX : 0U));
    }
}

TEST_CASE("a timeline gets every job and every request, with what belongs together")
{
    Sink sink;
    Drive d;
    d.stages.tell(&sink);
    d.command(host::RequestKind::Read, 0, 0us, 0us, 0us);
    d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
           {1us, 1us, 1us, 1us, 5us, 5us, 8us, 8us, 8us, 8us});
    d.stages.ordered({1, 0, true, false, 0, 0x10000, 4}, 9us);
    d.stages.ordered({2, 0, true, false, 0, 0x10800, 4}, 9us);
    d.stages.moved(1, 0, 10us);
    d.stages.moved(2, 0, 11us);
    d.stages.ended(0, 11us);
    d.stages.completed(0, false, 11us); // not measured
    CHECK(d.done().empty());
    REQUIRE(sink.jobs.size() == 1);
    CHECK(sink.open == std::vector<std::uint64_t>{1});
    CHECK(sink.requests == sink.open);
    CHECK(sink.served == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{sink.jobs[0], 1}});
    CHECK(d.stages.jobs().job(1)->request == 1);
    // A program of what a write filled belongs to the write.
    d.command(host::RequestKind::Write, 0, 20us, 20us, 20us);
    d.stages.ordered({3, 0, false, false, 0, 0x11000, 8}, 21us);
    d.page(unit0, descriptor(SuperchipOpcode::Program, 0x11000), DieId{0}, nand::Opcode::Program,
           {25us, 25us, 25us, 25us, 35us, 35us, 38us, 38us, 38us, 38us});
    CHECK(d.stages.jobs().job(2)->request == 2);
}

TEST_CASE("for a timeline alone, observation stops when whatever began in its window has ended")
{
    for (const bool isCounted : {false, true}) {
        Drive d(isCounted);
        Sink sink;
        sink.last = 10us;
        d.stages.tell(&sink);
        const auto answered = [&d](std::uint16_t slot, Time at) {
            d.stages.ended(slot, at);
            d.stages.completed(slot, true, at);
        };
        d.command(host::RequestKind::Trim, 0, 5us, 5us, 5us);
        d.command(host::RequestKind::Trim, 1, 11us, 11us, 11us);
        FlashJobLog& jobs = d.stages.jobs();
        jobs.listed(unit0, false, 6us);
        jobs.fetched(controller::FlashObserver::Job{unit0, 0, descriptor(SuperchipOpcode::Erase, 0x10000), false, true},
                     7us);
        answered(1, 12us); // the other one began in the window
        CHECK_FALSE(d.stages.isStopped());
        answered(0, 13us);
        CHECK_FALSE(d.stages.isStopped()); // the job
        jobs.retired(unit0, 0, 14us, 15us);
        d.command(host::RequestKind::Trim, 0, 16us, 16us, 16us);
        answered(0, 17us);
        CHECK(d.stages.isStopped() != isCounted);
        d.page(unit0, descriptor(SuperchipOpcode::Erase, 0x10000), DieId{0}, nand::Opcode::Erase,
               {20us, 20us, 20us, 20us, 30us, 30us, 31us, 31us, 31us, 31us});
        CHECK(sink.jobs.size() == (isCounted ? 2U : 1U));
        CHECK(sink.requests == std::vector<std::uint64_t>{1});
        CHECK(d.done().size() == (isCounted ? 3U : 0U));
    }
}

TEST_CASE("a program that reads suspend waits for its die meanwhile")
{
    DieActivity dies(1);
    nand::Operation program;
    program.opcode = nand::Opcode::Program;
    program.submitted = program.requestStart = 0us;
    dies.granted(program, Phase::Request, 0us, 0us, 2us);
    program.form = nand::Form::Suspend;
    dies.granted(program, Phase::Request, 10us, 10us, 1us);
    nand::Operation read;
    read.submitted = 9us;
    read.requestStart = 15us;
    dies.granted(read, Phase::Request, 15us, 15us, 1us);
    dies.granted(read, Phase::Response, 40us, 40us, 5us);
    JobPath ofRead;
    ofRead.begin(9us);
    dies.finished(read, 45us, ofRead);
    CHECK(sums(ofRead)[dieWait(nand::Purpose::Host, DieWork::Programming)] == 6us);
    program.form = nand::Form::Resume;
    dies.granted(program, Phase::Request, 45us, 45us, 1us);
    dies.granted(program, Phase::Response, 60us, 60us, 1us);
    JobPath ofProgram;
    ofProgram.begin(0us);
    dies.finished(program, 61us, ofProgram);
    CHECK(sums(ofProgram)[dieWait(nand::Purpose::Host, DieWork::Reading)] == 30us);
    CHECK(sums(ofProgram)[idOf(RequestStage::Array)] == 8us + 14us);
    CHECK(ofProgram.end() == 61us);
}

TEST_CASE("a plane-independent read waits for its plane, not for others, and a program for all of them")
{
    DieActivity dies(1, 2);
    const auto read = [&](std::uint32_t block, Time at) {
        nand::Operation op;
        op.form = nand::Form::PlaneRead;
        op.target.block = block;
        op.submitted = 0us;
        op.requestStart = at;
        dies.granted(op, Phase::Request, at, at, 1us);
        return op;
    };
    const auto end = [&](const nand::Operation& op, Time response, Time at) {
        dies.granted(op, Phase::Response, response, response, at - response);
        JobPath path;
        path.begin(op.submitted);
        dies.finished(op, at, path);
        return path;
    };
    const StageId waitsForRead = dieWait(nand::Purpose::Host, DieWork::Reading);
    const nand::Operation first = read(0, 0us);
    const nand::Operation second = read(1, 1us); // of the other plane: waits for the bus alone
    CHECK(sums(end(second, 30us, 35us))[waitsForRead] == 0us);
    const nand::Operation third = read(2, 50us); // of the plane of the first one, which ends at 45 us
    CHECK(sums(end(first, 40us, 45us))[waitsForRead] == 0us);
    CHECK(sums(end(third, 80us, 85us))[waitsForRead] >= 45us);
    nand::Operation program;
    program.opcode = nand::Opcode::Program;
    program.submitted = 10us;
    program.requestStart = 90us;
    dies.granted(program, Phase::Request, 90us, 90us, 2us);
    CHECK(sums(end(program, 300us, 301us))[waitsForRead] == 75us); // 10 to 85 us, in which a plane was always busy
}

TEST_CASE("transfers of a request may end in another order")
{
    Drive d;
    d.command(host::RequestKind::Write, 0, 0us, 1us, 2us);
    for (std::uint64_t handle = 1; handle <= 4; ++handle)
        d.stages.ordered({handle, 0, false, false, 0, 0x10000, 8}, Time{(handle + 2) * 1'000'000});
    for (const std::uint64_t handle : {2U, 1U, 4U, 3U})
        d.stages.moved(handle, 0, Time{20'000'000 - handle * 1'000'000}); // the first one ends last
    d.stages.ended(0, 19us);
    d.stages.completed(0, true, 20us);
    CHECK(d.sum(RequestStage::HostLink) == 1us + 16us); // from the order of the first one to its end
    CHECK(d.sum(RequestStage::Firmware) == 1us);
    CHECK(d.sum(RequestStage::CommandFetch) == 1us);
}

TEST_CASE("requests that wait for the same jobs each follow them back to their own beginning")
{
    Drive d;
    d.command(host::RequestKind::Write, 1, 5us, 5us, 5us);
    d.command(host::RequestKind::Write, 2, 5us, 5us, 5us);
    d.page(unit0, descriptor(SuperchipOpcode::Program, 0x10000), DieId{0}, nand::Opcode::Program,
           {4us, 4us, 4us, 4us, 18us, 18us, 19us, 19us, 19us, 20us});
    d.sleep(6us, 20us);
    d.command(host::RequestKind::Write, 0, 25us, 25us, 25us);
    d.page(unit1, descriptor(SuperchipOpcode::Program, 0x11000), DieId{1}, nand::Opcode::Program,
           {21us, 21us, 21us, 21us, 38us, 38us, 39us, 39us, 39us, 40us}); // listed because the first one has ended
    d.sleep(22us, 40us);
    for (const std::uint16_t slot : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{2}}) {
        d.stages.ordered({slot + 1U, slot, false, false, 0, 0x12000, 8}, 41us);
        d.stages.moved(slot + 1U, slot, 42us);
        d.stages.ended(slot, 42us);
        d.stages.completed(slot, true, 42us);
    }
    const auto done = d.done(); // the slowest first
    REQUIRE(done.size() == 3);
    CHECK(done[2].path.sums()[idOf(RequestStage::BufferWait)] == 15us);
    CHECK(done[2].die == 1);
    for (const std::size_t early : {0U, 1U}) {
        CHECK(done[early].path.sums()[idOf(RequestStage::BufferWait)] == 14us + 19us);
        CHECK(done[early].path.sums()[idOf(RequestStage::Firmware)] == 1us + 1us + 1us);
        CHECK(done[early].path.segments().size() == done[0].path.segments().size());
    }
}
