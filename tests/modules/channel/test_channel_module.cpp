// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/channel/parts.h"
#include "tests/modules/channel/rig.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_fixture.h"

#include <algorithm>
#include <array>

using namespace strobe;
using namespace strobe::channel;
using namespace strobe::channel::test;
using nand::Opcode;
using strobe::test::KernelFixture;

namespace {

void requireConserved(const Rig& rig)
{
    CHECK(rig.controller.wrongAnswers == 0);
    CHECK(rig.controller.lateResponses == 0);
    CHECK(rig.controller.completed == rig.controller.sent);
    CHECK(rig.controller.inFlight() == 0);
    CHECK(rig.channel.interface().finished() == rig.controller.sent);
    CHECK(rig.channel.interface().isIdle());
}

} // namespace

TEST_CASE("an unloaded read, program and erase take their closed form, with either kind of die")
{
    const Answering answering = GENERATE(Answering::ByAnnotation, Answering::Backward);
    const std::size_t number = GENERATE(0U, 1U, 2U, 3U);
    for (const auto& kind : interfaceKindTable) {
        KernelFixture kernel;
        const nand::Part part = parts()[number];
        const InterfaceTiming timing = resolveTiming(kind.value, table2, {});
        Rig rig(timing, part, 2, SegmentOrder::CommandsFirst, answering);
        const Time cycle = timing.cycle;
        const Time data = scaled(cycle, part.geometry.pageBytes + part.geometry.spareBytes, timing.bytesPerCycle);
        const Time address = cycle * (part.columnCycles + part.rowCycles);

        const Time programAt = 1us;
        const Time readAt = 10ms;
        const Time eraseAt = 20ms;
        rig.controller.stage(programAt, rig.operation(1, Opcode::Program, {3, 0}));
        rig.controller.stage(readAt, rig.operation(1, Opcode::Read, {3, 0}));
        rig.controller.stage(eraseAt, rig.operation(1, Opcode::Erase, {3, 0}));
        kernel.run();

        INFO(part.name << " " << kind.name);
        REQUIRE(rig.controller.done.size() == 3);
        CHECK(rig.controller.done[0].at == programAt + 2 * cycle + address + data + part.times.tPROG + 2 * cycle);
        CHECK(rig.controller.done[1].at == readAt + 2 * cycle + address + part.times.tR + data);
        CHECK(rig.controller.done[2].at == eraseAt + (2 + part.rowCycles) * cycle + part.times.tBERS + 2 * cycle);
        for (const auto& done : rig.controller.done) {
            CHECK(done.status == tlm::TLM_OK_RESPONSE);
            CHECK(done.op.status == nand::Status::Ok);
        }
        requireConserved(rig);
    }
}

TEST_CASE("the time stamps of an operation record its phases")
{
    KernelFixture kernel;
    Rig rig(roundTiming(), roundPart(), 2, SegmentOrder::CommandsFirst);
    rig.controller.stage(100ns, rig.operation(0, Opcode::Read));
    rig.controller.stage(100ns, rig.operation(1, Opcode::Read));
    kernel.run();
    REQUIRE(rig.controller.done.size() == 2);
    const nand::Operation& second = rig.controller.done[1].op;
    CHECK(second.submitted == 100ns);
    CHECK(second.requestStart == 140ns);
    CHECK(second.requestEnd == 180ns);
    CHECK(second.ready == 1180ns);
    CHECK(second.done == 100ns + 40ns + 1us + 5120ns + 5120ns);
}

TEST_CASE("data written to a page comes back over the bus")
{
    const Answering answering = GENERATE(Answering::ByAnnotation, Answering::Backward);
    KernelFixture kernel;
    Rig rig(roundTiming(), roundPart(), 1, SegmentOrder::CommandsFirst, answering);
    SectorTag written = makeTag(77, 3);
    SectorTag read = 0;
    auto program = rig.operation(0, Opcode::Program);
    program.data = {reinterpret_cast<std::byte*>(&written), DataMode::Tags};
    program.spare = {1, 2, 3, 4};
    auto readBack = rig.operation(0, Opcode::Read);
    readBack.data = {reinterpret_cast<std::byte*>(&read), DataMode::Tags};
    rig.controller.stage(0ns, program);
    rig.controller.stage(0ns, readBack);
    kernel.run();
    REQUIRE(rig.controller.done.size() == 2);
    CHECK(read == written);
    CHECK(rig.controller.done[1].op.spare == nand::Spare{1, 2, 3, 4});
}

TEST_CASE("a command that the die refuses comes back as a command error with its reason")
{
    const Answering answering = GENERATE(Answering::ByAnnotation, Answering::Backward);
    KernelFixture kernel;
    Rig rig(roundTiming(), roundPart(), 1, SegmentOrder::CommandsFirst, answering);
    rig.controller.stage(0ns, rig.operation(0, Opcode::Erase, {999, 0}));
    kernel.run();
    REQUIRE(rig.controller.done.size() == 1);
    CHECK(rig.controller.done[0].status == tlm::TLM_COMMAND_ERROR_RESPONSE);
    CHECK(rig.controller.done[0].op.status == nand::Status::Illegal);
    CHECK(rig.controller.done[0].op.reason == nand::IllegalReason::AddressOutOfRange);
    CHECK(rig.controller.done[0].at == 30ns + 20ns); // no array time; the status byte is read as always
    requireConserved(rig);
}

TEST_CASE("a word line is one program, with either kind of die, with and without a status read")
{
    const Answering answering = GENERATE(Answering::ByAnnotation, Answering::Backward);
    const bool readsStatus = GENERATE(true, false);
    KernelFixture kernel;
    InterfaceTiming timing = roundTiming();
    timing.statusAfterArray = readsStatus;
    nand::Part part = roundPart();
    part.geometry.pagesPerBlock = 60;
    part.geometry.pagesPerProgram = 3;
    part.times.tPBSY = 200ns;
    Rig rig(timing, part, 2, SegmentOrder::CommandsFirst, answering);
    for (const std::uint32_t page : {0U, 1U, 2U}) {
        rig.controller.stage(page * 1us, rig.operation(0, Opcode::Program, {3, page}));
        rig.controller.stage(50us, rig.operation(1, Opcode::Program, {2, 2 - page})); // in any order
    }
    kernel.run();
    REQUIRE(rig.controller.done.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
        // Three requests of 5,160 ns, twice tPBSY, tPROG; the status takes 20 ns.
        const Time begin = i < 3 ? 2us : 50us;
        CHECK(rig.controller.done[i].at == begin + 3 * 5160ns + 400ns + 2us + (readsStatus ? 20ns : 0ns));
        CHECK(rig.controller.done[i].op.status == nand::Status::Ok);
    }
    CHECK(rig.dies[0]->block(3).nextPage == 3);
    requireConserved(rig);
}

TEST_CASE("a controller may send from within BEGIN_RESP, and the bus continues at the same instant")
{
    KernelFixture kernel;
    Rig rig(roundTiming(), roundPart(), 1, SegmentOrder::CommandsFirst);
    int left = 3;
    rig.controller.onDone = [&](const nand::Operation&) {
        if (left-- > 0)
            rig.controller.send(rig.operation(0, Opcode::Read));
    };
    rig.controller.stage(0ns, rig.operation(0, Opcode::Read));
    kernel.run();
    REQUIRE(rig.controller.done.size() == 4);
    CHECK(rig.controller.done[3].at == 4 * 6160ns);
    requireConserved(rig);
}

TEST_CASE("dies of a later channel are found by their flat number")
{
    KernelFixture kernel;
    Rig rig(roundTiming(), roundPart(), 4, SegmentOrder::CommandsFirst, Answering::ByAnnotation, 3);
    CHECK(rig.flat(2) == DieId{14});
    rig.controller.stage(0ns, rig.operation(2, Opcode::Erase));
    kernel.run();
    CHECK(rig.dies[2]->counters().array.erases == 1);
    CHECK(rig.channel.interface().die(2).usage().jobs == 1);
}

TEST_CASE("an operation for a die of another channel stops the run")
{
    KernelFixture kernel;
    Rig rig(roundTiming(), roundPart(), 2, SegmentOrder::CommandsFirst);
    nand::Operation op = rig.operation(0, Opcode::Erase);
    op.die = DieId{2};
    rig.controller.stage(0ns, op);
    // The kernel wraps the exception that leaves a process in a report.
    CHECK_THROWS_WITH(kernel.run(),
                      Catch::Matchers::Contains("an operation was sent to a channel that does not have its die"));
}

TEST_CASE("a blocking call is refused")
{
    KernelFixture kernel;
    Rig rig(roundTiming(), roundPart(), 1, SegmentOrder::CommandsFirst);
    kernel.run();
    PayloadPool<nand::OperationExtension> pool;
    auto& payload = pool.acquire();
    sc_core::sc_time delay;
    rig.controller.socket->b_transport(payload, delay);
    CHECK(payload.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    payload.release();
}

namespace {

// Result of an operation: die, outcome and its time stamps.
using Stamps = std::array<std::int64_t, 7>;

// A random mix of operations, in order of completion.
std::vector<Stamps> playMix(Answering answering, SegmentOrder order, std::uint64_t seed, const InterfaceTiming& timing,
                            const nand::Part& part)
{
    KernelFixture kernel;
    Rig rig(timing, part, 6, order, answering);
    Rng rng(seed, "mix");
    // Arrivals on a grid of 10 ns, like all times of the round part: many things happen at the same instant.
    for (int i = 0; i < 3000; ++i) {
        const auto opcode = nand::opcodeTable[rng.below(nand::opcodeTable.size())].value;
        const auto die = static_cast<std::uint32_t>(rng.below(6));
        const nand::PageAddress target{static_cast<std::uint32_t>(rng.below(3)),
                                       static_cast<std::uint32_t>(rng.below(8))};
        nand::Operation op = rig.operation(die, opcode, target); // many are refused: those end at once
        op.source = {static_cast<std::uint32_t>(rng.below(3)), 0};
        op.priority = rng.chance(0.1) ? nand::Priority::Foreground : nand::Priority::Background;
        rig.controller.stage(10ns * rng.below(500'000), op);
    }
    // Now and then the controller answers a completion with another operation, from within the call or soon after.
    rig.controller.onDone = [&](const nand::Operation& op) {
        const double draw = rng.unit();
        if (draw < 0.2)
            rig.controller.send(op);
        else if (draw < 0.4)
            rig.controller.sendSoon(op);
    };
    kernel.run();
    requireConserved(rig);
    std::vector<Stamps> stamps;
    for (const auto& done : rig.controller.done) {
        const nand::Operation& op = done.op;
        stamps.push_back({raw(op.die), static_cast<std::int64_t>(op.status), op.submitted.count(),
                          op.requestStart.count(), op.requestEnd.count(), op.ready.count(), op.done.count()});
    }
    return stamps;
}

// The first operation whose stamps differ; all of them if none does. (Printing whole runs would take minutes.)
std::size_t firstDifference(const std::vector<Stamps>& a, const std::vector<Stamps>& b)
{
    const auto end = a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    return static_cast<std::size_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

} // namespace

TEST_CASE("dies that answer on the backward path give the same times as annotating ones, for a random mix")
{
    const SegmentOrder order = GENERATE(SegmentOrder::CommandsFirst, SegmentOrder::ResponsesFirst, SegmentOrder::Fifo);
    InterfaceTiming timing = roundTiming();
    nand::Part part = roundPart();
    SECTION("without waits") {}
    SECTION("with plane-independent reads")
    {
        part.geometry.planes = 3;
        part.planeIndependentReads = true;
    }
    SECTION("with waits")
    {
        timing.tCS = 10ns;
        timing.tWB = 100ns;
        timing.tRR = 20ns;
        timing.tWHR = 60ns;
        timing.statusPollDelay = 50ns;
    }
    SECTION("without status reads")
    {
        timing.statusAfterArray = false;
    }
    SECTION("with separate command lines")
    {
        timing = separateTiming();
    }
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const auto annotated = playMix(Answering::ByAnnotation, order, seed, timing, part);
        CHECK(annotated.size() > 3000);
        for (const Answering answering : {Answering::Backward, Answering::Mixed}) {
            const auto other = playMix(answering, order, seed, timing, part);
            CHECK(other.size() == annotated.size());
            CHECK(firstDifference(other, annotated) == annotated.size());
        }
    }
}

namespace {

// A die from elsewhere: annotates END_REQ, then sends BEGIN_RESP early, annotated with the time until R/B# rises.
class AnnotatingElsewhere : public sc_core::sc_module {
public:
    nand::TargetSocket<AnnotatingElsewhere> socket{"socket"};
    struct Seen {
        tlm::tlm_phase_enum phase;
        Time at;
    };
    std::vector<Seen> seen;

    explicit AnnotatingElsewhere(const sc_core::sc_module_name& name) : sc_module(name)
    {
        socket.register_nb_transport_fw(this, &AnnotatingElsewhere::transport);
    }

private:
    tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay)
    {
        seen.push_back({static_cast<tlm::tlm_phase_enum>(static_cast<unsigned>(phase)), now() + fromSc(delay)});
        if (phase == tlm::END_RESP)
            return tlm::TLM_COMPLETED;
        nand::Operation& op = nand::operationOf(payload);
        op.status = nand::Status::Ok;
        op.ready = op.requestEnd + 700ns;
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        tlm::tlm_phase response = tlm::BEGIN_RESP;
        sc_core::sc_time untilReady = toSc(op.ready - now());
        CHECK(socket->nb_transport_bw(payload, response, untilReady) == tlm::TLM_ACCEPTED);
        return tlm::TLM_ACCEPTED;
    }
};

} // namespace

TEST_CASE("a die sees BEGIN_REQ at the start of its request and END_RESP at the end of its response")
{
    KernelFixture kernel;
    const BusSchedule schedule(roundTiming(), roundPart());
    Controller controller("controller");
    ChannelModule channel("channel", ChannelId{0}, schedule, 1, SegmentOrder::CommandsFirst);
    AnnotatingElsewhere die("die");
    controller.socket.bind(channel.host);
    channel.dies[0].bind(die.socket);
    controller.stage(50ns, operation(Opcode::Read, 1));
    kernel.run();
    REQUIRE(die.seen.size() == 2);
    CHECK(die.seen[0].phase == tlm::BEGIN_REQ);
    CHECK(die.seen[0].at == 50ns);
    CHECK(die.seen[1].phase == tlm::END_RESP);
    CHECK(die.seen[1].at == 50ns + 40ns + 700ns + 5120ns);
    REQUIRE(controller.done.size() == 1);
    CHECK(controller.done[0].at == 5910ns);
}

TEST_CASE("a page read wakes the channel three times when alone, and fewer times than that when the bus is full")
{
    KernelFixture kernel;
    Rig rig(roundTiming(), roundPart(), 8, SegmentOrder::CommandsFirst);
    rig.controller.stage(10ns, rig.operation(0, Opcode::Read));
    kernel.run();
    CHECK(rig.channel.activations() == 3); // arrival, R/B#, end of data

    rig.channel.resetUsage();
    int left = 1000;
    rig.controller.onDone = [&](const nand::Operation& op) {
        if (left-- > 0)
            rig.controller.send(op);
    };
    for (std::uint32_t die = 0; die < 8; ++die)
        rig.controller.send(rig.operation(die, Opcode::Read));
    kernel.run();
    CHECK(rig.controller.completed == 1009);
    CHECK(rig.channel.activations() < 2100);
}

TEST_CASE("figures reset during a run count only what follows")
{
    KernelFixture kernel;
    Rig rig(roundTiming(), roundPart(), 1, SegmentOrder::CommandsFirst);
    rig.controller.stage(0ns, rig.operation(0, Opcode::Read));
    kernel.run(3us);
    rig.channel.resetUsage();
    kernel.run();
    CHECK(rig.channel.interface().die(0).usage().busy == 3160ns);
    CHECK(rig.channel.interface().bus().usage().busy == 3160ns);
}
