// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/assembly/staged_drive.h"

using namespace strobe;
using namespace strobe::platform;

namespace {

std::array<Time, stageIds> sums(const JobPath& path)
{
    StagePath all;
    all.begin(path.start());
    all.addPart(path.segments(), path.end());
    return all.sums();
}

} // namespace

TEST_CASE("a merge serves all requests whose sectors it takes from the buffer, and works for none of them")
{
    StagedDrive d;
    StagedSink sink;
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
    StagedDrive d;
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
        StagedDrive d;
        d.command(host::RequestKind::Read, 0, 0us, 0us, 0us);
        d.page(unit1, descriptor(SuperchipOpcode::Program, 0x11000, nand::Purpose::Host, superchip),
               DieId{static_cast<std::uint16_t>(superchip)}, nand::Opcode::Program,
               {0us, 0us, 0us, 0us, 20us, 20us, 25us, 25us, 25us, 26us});
        d.sleep(2us, 26us);
        d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
               {28us, 28us, 28us, 28us, 40us, 40us, 50us, 50us, 50us, 50us});
        d.sleep(30us, 50us);
        d.readEnds(50us, 55us);
        CHECK(d.sums()[dieWait(nand::Purpose::Host, DieWork::Programming)] == (superchip == 0 ? 23us : 0us));
        CHECK(d.sum(RequestStage::BufferWait) == (superchip == 0 ? 0us : 24us));
    }
}

TEST_CASE("the attempts of a read that is tried again are its own, not a wait for the die")
{
    for (const bool isOther : {false, true}) { // the first one is of another die
        StagedDrive d;
        StagedSink sink;
        d.stages.tell(&sink);
        d.command(host::RequestKind::Read, 0, 0us, 0us, 0us);
        d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000, nand::Purpose::Host, isOther ? 1 : 0),
               DieId{static_cast<std::uint16_t>(isOther ? 1 : 0)}, nand::Opcode::Read,
               {2us, 2us, 2us, 2us, 20us, 20us, 25us, 26us, 26us, 26us});
        d.sleep(3us, 26us);
        d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
               {28us, 28us, 28us, 28us, 40us, 40us, 50us, 52us, 52us, 52us});
        d.sleep(30us, 52us);
        d.readEnds(52us, 55us);
        CHECK(d.sum(RequestStage::Array) == (isOther ? 0us : 17us) + 11us);
        CHECK(d.sum(RequestStage::Transfer) == (isOther ? 0us : 5us) + 1us + 10us);
        CHECK(d.sum(RequestStage::Ecc) == (isOther ? 0us : 1us) + 2us);
        CHECK(d.sums()[dieWait(nand::Purpose::Host, DieWork::Reading)] == 0us);
        CHECK(sink.served.size() == (isOther ? 1 : 2));
        d.command(host::RequestKind::Read, 0, 60us, 60us, 60us); // of what is in the buffer
        d.stages.ordered({2, 0, true, false, 0, 0x10000, 8}, 61us);
        CHECK(sink.served.size() == (isOther ? 1 : 2));
    }
}

TEST_CASE("a read that waits for a part of the mapping table waits for the map")
{
    StagedDrive d;
    d.command(host::RequestKind::Read, 0, 0us, 0us, 0us);
    d.page(unit1, descriptor(SuperchipOpcode::Read, 0x11000, nand::Purpose::Metadata), DieId{1}, nand::Opcode::Read,
           {2us, 2us, 2us, 2us, 20us, 20us, 25us, 25us, 25us, 26us});
    d.sleep(3us, 26us);
    d.page(unit0, descriptor(SuperchipOpcode::Read, 0x10000), DieId{0}, nand::Opcode::Read,
           {28us, 28us, 28us, 28us, 40us, 40us, 50us, 50us, 50us, 50us});
    d.sleep(30us, 50us);
    d.readEnds(50us, 55us);
    CHECK(d.sum(RequestStage::MapWait) == 23us);
    CHECK(d.sum(RequestStage::Firmware) == 3us + 2us);
    CHECK(d.sum(RequestStage::Array) == 11us);
}

TEST_CASE("a flush waits for the programs that it waits for, one after the other")
{
    StagedDrive d;
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

TEST_CASE("a read of a superchip on two buses follows the die that ends last, and names none if both end together")
{
    for (const Time later : {0us, 4us}) {
        StagedDrive d(true, 100, 2);
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
    StagedDrive d;
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
    StagedDrive d;
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
