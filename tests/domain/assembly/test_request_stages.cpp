// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/assembly/staged_drive.h"

using namespace strobe;
using namespace strobe::platform;

TEST_CASE("a read on an idle drive goes through every stage once")
{
    StagedDrive d;
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
    StagedDrive d;
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

TEST_CASE("a list that waits in its unit after a job of the same die waits for the die")
{
    for (const std::uint32_t superchip : {0U, 1U}) {
        StagedDrive d;
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
    StagedDrive d;
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
    StagedDrive d;
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
    StagedDrive d;
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
    StagedDrive d;
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

TEST_CASE("while the CPU does not sleep the time is the firmware's")
{
    StagedDrive d;
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
    StagedDrive d;
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
    StagedDrive d;
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
