// SPDX-License-Identifier: Apache-2.0
//
// Responses of an NVMe controller to correct and incorrect uses of its registers, queues and commands.
#include "tests/domain/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

FakeSsd::Config slow(Time latency)
{
    FakeSsd::Config config;
    config.latency = latency;
    return config;
}

Submission feature(AdminOpcode opcode, Feature number, std::uint32_t value = 0)
{
    Submission s = RawHost::make(opcode);
    s.dword[10] = static_cast<std::uint32_t>(number);
    s.dword[11] = value;
    return s;
}

} // namespace

// --- registers -------------------------------------------------------------------------------------------------------

TEST_CASE("capabilities and version read as NVMe 1.4 lays them out")
{
    RawHost host;
    const std::uint64_t cap = host.controller.readRegister(reg::CAP, 8);
    CHECK((cap & 0xFFFF) == 4095);  // MQES
    CHECK((cap >> 16 & 1) == 1);    // contiguous queues required
    CHECK((cap >> 17 & 3) == 1);    // weighted round robin
    CHECK((cap >> 32 & 0xF) == 0);  // doorbell stride
    CHECK((cap >> 37 & 0xFF) == 1); // NVM command set
    CHECK((cap >> 48 & 0xF) == 0);  // pages of 4 KiB
    CHECK(host.read(reg::CAP + 4) == cap >> 32);
    CHECK(host.read(reg::VS) == 0x0001'0400);
    host.write(reg::VS, 7);
    CHECK(host.read(reg::VS) == 0x0001'0400);
}

TEST_CASE("accesses of other sizes and off their alignment change nothing")
{
    RawHost host;
    host.write(reg::AQA, 0x0007'0007, 2);
    host.write(reg::AQA + 2, 0x0007'0007, 4);
    CHECK(host.read(reg::AQA) == 0);
    CHECK(host.controller.readRegister(reg::VS, 2) == 0);
    CHECK(host.controller.readRegister(reg::CAP + 4, 8) == 0);
    host.write(reg::ASQ, 0x1234'5678'9ABC'DEFF, 8);
    CHECK(host.controller.readRegister(reg::ASQ, 8) == 0x1234'5678'9ABC'D000);
    host.write(reg::ASQ + 4, 1);
    CHECK(host.controller.readRegister(reg::ASQ, 8) == 0x1'9ABC'D000);
}

TEST_CASE("interrupt masks are set and cleared by their own registers")
{
    RawHost host;
    host.write(reg::INTMS, 5);
    host.write(reg::INTMC, 1);
    CHECK(host.read(reg::INTMS) == 4);
    CHECK(host.read(reg::INTMC) == 4);
}

TEST_CASE("a register write takes effect when its packet arrives")
{
    RawHost host;
    host.controller.writeRegister(reg::INTMS, 4, 1, host.now);
    CHECK(host.read(reg::INTMS) == 0);
    const Time arrival = host.link.lineTime(24) + host.link.config().latency;
    host.run(arrival - picoseconds(1));
    CHECK(host.read(reg::INTMS) == 0);
    host.run(arrival);
    CHECK(host.read(reg::INTMS) == 1);
}

TEST_CASE("ready follows enable once firmware has enabled the port")
{
    RawHost host;
    host.write(reg::AQA, 0x0007'0007);
    host.write(reg::ASQ, host.queues[0].sq, 8);
    host.write(reg::ACQ, host.queues[0].cq, 8);
    host.write(reg::CC, 1U | 6U << 16U | 4U << 20U);
    CHECK_FALSE(host.isReady());
    host.controller.driveReady(host.now);
    CHECK(host.isReady());
    host.write(reg::CC, 0);
    CHECK_FALSE(host.isReady());
    host.write(reg::CC, 1U | 6U << 16U | 4U << 20U);
    CHECK(host.isReady());
}

TEST_CASE("unsupported settings make the controller fail until it is reset")
{
    struct Bad {
        std::uint32_t cc;
        std::uint32_t aqa;
        std::uint64_t asqOffset;
    };
    const Bad bad = GENERATE(Bad{1U << 4U, 0x0007'0007, 0},                             // command set
                             Bad{5U << 7U, 0x0007'0007, 0},                             // memory page of 128 KiB
                             Bad{3U << 11U, 0x0007'0007, 0},                            // arbitration
                             Bad{0, 0x0007'0000, 0},                                    // a queue of one entry
                             Bad{0, 0x0000'0007, 0}, Bad{1U << 7U, 0x0007'0007, 4096}); // queue not on an 8 KiB page
    RawHost host;
    host.controller.driveReady(host.now);
    const std::uint64_t asq = (host.queues[0].sq & ~std::uint64_t{8191}) + bad.asqOffset;
    host.write(reg::AQA, bad.aqa);
    host.write(reg::ASQ, asq, 8);
    host.write(reg::ACQ, host.queues[0].cq & ~std::uint64_t{8191}, 8);
    host.write(reg::CC, 1U | bad.cc);
    CHECK_FALSE(host.isReady());
    CHECK((host.read(reg::CSTS) & cstsFatal) != 0);
    host.write(reg::CC, 0);
    CHECK((host.read(reg::CSTS) & cstsFatal) == 0);
    host.enable();
    CHECK(host.isReady());
}

TEST_CASE("a queue that is not in memory makes the controller fail")
{
    RawHost host;
    host.queues[0].sq = 0x1000;
    host.enable();
    CHECK(host.isReady());
    host.write(reg::doorbells, 1);
    CHECK((host.read(reg::CSTS) & cstsFatal) != 0);
}

TEST_CASE("a reset waits for the drive, and outstanding commands are not completed")
{
    RawHost host(slow(1ms));
    host.enable();
    host.createPair(1);
    host.put(1, RawHost::blocks(IoOpcode::Read, 0, 8));
    host.controller.writeRegister(reg::doorbells + 8, 4, 1, host.now);
    host.run(host.now + 100us);
    REQUIRE(host.ssd.submitted.size() == 1);
    host.controller.writeRegister(reg::CC, 4, 0, host.now);
    host.run(host.now + 10us);
    CHECK(host.isReady()); // still
    host.run();
    CHECK_FALSE(host.isReady());
    CHECK(host.take(1).empty());
    host.enable();
    CHECK(host.isReady());
    host.clearCq(1);
    host.createPair(1);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 0, 8)) == Status::Success);
}

TEST_CASE("a shutdown flushes the drive and then sets its status")
{
    RawHost host(slow(50us));
    host.enable();
    host.controller.writeRegister(reg::CC, 4, 1U | 1U << 14U | 6U << 16U | 4U << 20U, host.now);
    host.run(host.now + 10us);
    CHECK((host.read(reg::CSTS) & cstsShutdownMask) == cstsShutdownBusy);
    host.run();
    CHECK((host.read(reg::CSTS) & cstsShutdownMask) == cstsShutdownDone);
    REQUIRE(host.ssd.submitted.size() == 1);
    CHECK(host.ssd.submitted[0].kind == RequestKind::Flush);
    host.write(reg::CC, 0);
    CHECK((host.read(reg::CSTS) & cstsShutdownMask) == 0);
}

// --- doorbells and events --------------------------------------------------------------------------------------------

TEST_CASE("wrong doorbells raise an asynchronous event, reported once until the log is read")
{
    RawHost host;
    host.enable();
    host.createPair(1, 8);
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 21));
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 22));
    host.ringSq(0);
    CHECK(host.take(0).empty());

    host.write(reg::doorbells + 8, 8); // beyond the queue
    auto events = host.take(0);
    REQUIRE(events.size() == 1);
    CHECK(events[0].commandId == 21);
    CHECK(events[0].result == invalidDoorbellValue);
    host.ringCq(0);
    host.write(reg::doorbells + 9 * 8, 1); // there is no queue 9
    CHECK(host.take(0).empty());           // masked until the log is read

    Submission log = RawHost::make(AdminOpcode::GetLogPage, 5);
    log.setQuad(6, host.memory.allocate(4096));
    log.dword[10] = 1 | 15U << 16U;
    host.put(0, log);
    host.ringSq(0);
    events = host.take(0);
    REQUIRE(events.size() == 2);
    CHECK(events[0].commandId == 5);
    CHECK(events[1].commandId == 22);
    CHECK(events[1].result == invalidDoorbellRegister);
}

TEST_CASE("doorbells that change nothing, add too many or take too many entries are invalid")
{
    RawHost host;
    host.enable();
    host.createPair(1, 4);
    host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, 21));
    host.ringSq(0);
    const std::uint32_t offset = GENERATE(reg::doorbells + 8, reg::doorbells + 12);
    const std::uint32_t value = GENERATE(0U, 4U, 0xFFFFU);
    host.write(offset, value);
    REQUIRE(host.take(0).size() == 1);
    CHECK(host.ssd.submitted.empty());
}

TEST_CASE("more event requests than the controller holds are refused")
{
    RawHost host;
    host.enable();
    for (std::uint16_t i = 0; i < AsyncEvents::requestLimit; ++i)
        host.put(0, RawHost::make(AdminOpcode::AsyncEventRequest, i));
    host.ringSq(0);
    CHECK(host.take(0).empty());
    CHECK(host.status(0, RawHost::make(AdminOpcode::AsyncEventRequest, 9)) == Status::AsyncEventLimitExceeded);
}

// --- queues ----------------------------------------------------------------------------------------------------------

TEST_CASE("queues are created and deleted by the rules")
{
    RawHost host;
    host.enable();
    host.makeQueue(1, 8);
    const Submission cq = host.createCq(1, 8, 1);
    const Submission sq = host.createSq(1, 8, 1);
    const auto with = [](Submission s, std::size_t dword, std::uint32_t value) {
        s.dword[dword] = value;
        return s;
    };
    CHECK(host.status(0, sq) == Status::CompletionQueueInvalid); // there is none yet
    CHECK(host.status(0, with(cq, 10, 7U << 16U)) == Status::InvalidQueueIdentifier);
    CHECK(host.status(0, with(cq, 10, 7U << 16U | 65)) == Status::InvalidQueueIdentifier);
    CHECK(host.status(0, with(cq, 10, 0U << 16U | 1)) == Status::InvalidQueueSize);
    CHECK(host.status(0, with(cq, 10, 4096U << 16U | 1)) == Status::InvalidQueueSize);
    CHECK(host.status(0, with(cq, 11, 1U << 16U | 2)) == Status::InvalidField); // not contiguous
    CHECK(host.status(0, with(cq, 11, 65U << 16U | 3)) == Status::InvalidInterruptVector);
    CHECK(host.status(0, with(cq, 6, cq.dword[6] + 8)) == Status::PrpOffsetInvalid);
    CHECK(host.status(0, cq) == Status::Success);
    CHECK(host.status(0, cq) == Status::InvalidQueueIdentifier); // twice
    CHECK(host.status(0, with(sq, 10, 0U << 16U | 1)) == Status::InvalidQueueSize);
    CHECK(host.status(0, with(sq, 11, 0U << 16U | 1)) == Status::CompletionQueueInvalid);
    CHECK(host.status(0, with(sq, 11, 1U << 16U)) == Status::InvalidField);
    CHECK(host.status(0, with(sq, 6, sq.dword[6] + 8)) == Status::PrpOffsetInvalid);
    CHECK(host.status(0, sq) == Status::Success);
    CHECK(host.status(0, sq) == Status::InvalidQueueIdentifier);

    Submission remove = RawHost::make(AdminOpcode::DeleteCq);
    remove.dword[10] = 1;
    CHECK(host.status(0, remove) == Status::InvalidQueueDeletion); // its submission queue is still there
    Submission removeSq = RawHost::make(AdminOpcode::DeleteSq);
    removeSq.dword[10] = 1;
    CHECK(host.status(0, removeSq) == Status::Success);
    CHECK(host.status(0, removeSq) == Status::InvalidQueueIdentifier);
    CHECK(host.status(0, remove) == Status::Success);
    CHECK(host.status(0, remove) == Status::InvalidQueueIdentifier);
}

TEST_CASE("a queue is deleted when its last command is complete")
{
    RawHost host(slow(100us));
    host.enable();
    host.createPair(1);
    host.put(1, RawHost::blocks(IoOpcode::Read, 0, 8));
    host.controller.writeRegister(reg::doorbells + 8, 4, 1, host.now);
    host.run(host.now + 10us);
    Submission remove = RawHost::make(AdminOpcode::DeleteSq, 3);
    remove.dword[10] = 1;
    host.put(0, remove);
    host.controller.writeRegister(reg::doorbells, 4, host.queues[0].tail, host.now);
    host.run(host.now + 10us);
    CHECK(host.take(0).empty());
    host.run();
    CHECK(host.take(1).size() == 1);
    CHECK(host.take(0).size() == 1);
}

TEST_CASE("a full completion queue holds completions back until the host takes some")
{
    RawHost host;
    host.enable();
    host.makeQueue(1, 4);
    host.queues[1].entries = 4;
    REQUIRE(host.status(0, host.createCq(1, 4, 1)) == Status::Success);
    RawHost::Queue& queue = host.queues[1];
    queue.sq = host.memory.allocate(16 * 64);
    REQUIRE(host.status(0, host.createSq(1, 16, 1)) == Status::Success);
    for (std::uint16_t i = 0; i < 7; ++i) {
        const Submission flush = RawHost::make(IoOpcode::Flush, i);
        host.memory.write(queue.sq + i * 64U, flush.dword.data(), 64);
    }
    host.write(reg::doorbells + 8, 7);
    CHECK(host.ssd.submitted.size() == 7);
    std::size_t taken = 0;
    for (const std::size_t wanted : {std::size_t{3}, std::size_t{3}, std::size_t{1}}) {
        const auto found = host.take(1);
        CHECK(found.size() == wanted);
        for (const Completion& completion : found)
            CHECK(completion.commandId == taken++);
        host.ringCq(1);
    }
    CHECK(host.controller.counters().heldBack == 4);
}

TEST_CASE("completions carry the head of the submission queue, and toggle their phase")
{
    RawHost host;
    host.enable();
    host.createPair(1, 4);
    for (std::uint32_t i = 1; i <= 10; ++i) {
        const Completion completion = host.execute(1, RawHost::make(IoOpcode::Flush, 7));
        CHECK(completion.sqHead == i % 4);
        CHECK(completion.sqId == 1);
        CHECK(completion.commandId == 7);
        CHECK(completion.phase() == ((i - 1) / 4 % 2 == 0));
    }
}

TEST_CASE("doorbells may be further apart")
{
    ControllerConfig config;
    config.doorbellStride = 2;
    RawHost host({}, config);
    CHECK((host.controller.readRegister(reg::CAP, 8) >> 32 & 0xF) == 2);
    host.enable();
    host.put(0, RawHost::make(AdminOpcode::Abort));
    host.write(reg::doorbells, 1);
    CHECK(host.take(0).size() == 1);
    host.write(reg::doorbells + 16, 1);
    host.put(0, RawHost::make(AdminOpcode::Abort));
    host.write(reg::doorbells, 2);
    CHECK(host.take(0).size() == 1);
}

// --- admin commands --------------------------------------------------------------------------------------------------

TEST_CASE("identify describes the controller, the namespace and the list of namespaces")
{
    RawHost host;
    host.enable();
    std::vector<std::uint8_t> page(4096);
    const std::uint64_t address = host.memory.allocate(8192);
    const auto identify = [&](std::uint32_t cns, std::uint32_t space, std::uint32_t offset = 0) {
        Submission s = RawHost::make(AdminOpcode::Identify);
        s.dword[1] = space;
        s.setQuad(6, address + offset);
        s.setQuad(8, address + 4096);
        s.dword[10] = cns;
        const Status status = host.status(0, s);
        host.memory.read(address + offset, page.data(), 4096);
        return status;
    };
    CHECK(identify(1, 0) == Status::Success);
    CHECK(std::string(reinterpret_cast<char*>(page.data() + 24), 10) == "Strobe SSD");
    CHECK(page[77] == 13); // MDTS: 32 MiB
    CHECK(page[512] == 0x66);
    CHECK(page[513] == 0x44);
    CHECK(page[516] == 1); // namespaces
    CHECK(page[520] == 0x0C);
    CHECK(page[525] == 1);                          // volatile write cache
    CHECK(identify(0, 1, 2048) == Status::Success); // across a page
    std::uint64_t size = 0;
    std::memcpy(&size, page.data(), 8);
    CHECK(size == host.ssd.capacitySectors());
    CHECK(page[130] == 9); // 512 bytes
    CHECK(identify(2, 0) == Status::Success);
    CHECK(page[0] == 1);
    CHECK(identify(2, 1) == Status::Success);
    CHECK(page[0] == 0);
    CHECK(identify(3, 1) == Status::Success);
    CHECK(page[0] == 1);
    CHECK(identify(0, 2) == Status::InvalidNamespace);
    CHECK(identify(2, 0xFFFF'FFFF) == Status::InvalidNamespace);
    CHECK(identify(3, 2) == Status::InvalidNamespace);
    CHECK(identify(0x55, 1) == Status::InvalidField);
    CHECK(identify(1, 0, 2) == Status::PrpOffsetInvalid);
    Submission nowhere = RawHost::make(AdminOpcode::Identify);
    nowhere.dword[10] = 1;
    CHECK(host.status(0, nowhere) == Status::DataTransferError);
}

TEST_CASE("features are set and read back, and unknown ones are rejected")
{
    RawHost host;
    host.enable();
    const auto set = [&](Feature number, std::uint32_t value) {
        return host.execute(0, feature(AdminOpcode::SetFeatures, number, value));
    };
    const auto get = [&](Feature number, std::uint32_t value = 0) {
        return host.execute(0, feature(AdminOpcode::GetFeatures, number, value));
    };
    CHECK(get(Feature::VolatileWriteCache).result == 1);
    CHECK(get(Feature::NumberOfQueues).result == (63U << 16U | 63U));
    CHECK(set(Feature::NumberOfQueues, 99U << 16U | 99U).result == (63U << 16U | 63U));
    CHECK(set(Feature::NumberOfQueues, 3U << 16U | 3U).result == (3U << 16U | 3U));
    CHECK(get(Feature::NumberOfQueues).result == (3U << 16U | 3U));
    CHECK(set(Feature::NumberOfQueues, 0xFFFF).status() == Status::InvalidField);
    host.makeQueue(5, 8);
    CHECK(host.status(0, host.createCq(5, 8)) == Status::InvalidQueueIdentifier); // four are granted
    CHECK(set(Feature::Arbitration, 0x0102'0305).status() == Status::Success);
    CHECK(get(Feature::Arbitration).result == 0x0102'0305);
    CHECK(set(Feature::InterruptCoalescing, 0x0103).status() == Status::Success);
    CHECK(get(Feature::InterruptCoalescing).result == 0x0103);
    CHECK(set(Feature::InterruptVector, 1U << 16U | 2).status() == Status::Success);
    CHECK(get(Feature::InterruptVector, 2).result == (1U << 16U | 2));
    CHECK(set(Feature::InterruptVector, 65).status() == Status::InvalidField);
    CHECK(get(Feature::InterruptVector, 65).status() == Status::InvalidField);
    CHECK(set(Feature::PowerManagement, 1).status() == Status::InvalidField);
    CHECK(set(static_cast<Feature>(0x7F), 1).status() == Status::InvalidField);
    CHECK(get(static_cast<Feature>(0x7F)).status() == Status::InvalidField);
    Submission save = feature(AdminOpcode::SetFeatures, Feature::VolatileWriteCache, 0);
    save.dword[10] |= 1U << 31U;
    CHECK(host.status(0, save) == Status::FeatureNotSaveable);
    host.createPair(1);
    CHECK(set(Feature::NumberOfQueues, 1).status() == Status::CommandSequenceError);
}

TEST_CASE("logs count commands and keep the latest errors")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Write, 0, 8)) == Status::Success);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 0, 8)) == Status::Success);
    Submission bad = RawHost::blocks(IoOpcode::Read, 1 << 20, 8, 77);
    CHECK(host.status(1, bad) == Status::LbaOutOfRange);
    const std::uint64_t address = host.memory.allocate(4096);
    std::array<std::uint8_t, 512> page{};
    const auto log = [&](std::uint32_t number, std::uint32_t bytes = 512, std::uint64_t offset = 0) {
        Submission s = RawHost::make(AdminOpcode::GetLogPage);
        s.setQuad(6, address);
        s.dword[10] = number | (bytes / 4 - 1) << 16U;
        s.setQuad(12, offset);
        const Status status = host.status(0, s);
        host.memory.read(address, page.data(), 512);
        return status;
    };
    CHECK(log(2) == Status::Success);
    CHECK(page[32] == 1);  // thousands of sectors read, rounded up
    CHECK(page[64] == 1);  // reads
    CHECK(page[80] == 1);  // writes
    CHECK(page[176] == 1); // errors
    CHECK(log(1, 64) == Status::Success);
    CHECK(page[8] == 1);   // queue
    CHECK(page[10] == 77); // command
    CHECK((page[12] | page[13] << 8U) == 0x080 << 1U);
    CHECK(log(3) == Status::Success);
    CHECK(page[8] == '1');
    CHECK(log(2, 512, 2) == Status::InvalidField);
    CHECK(log(2, 512, 1024) == Status::InvalidField);
    CHECK(log(0x42) == Status::InvalidLogPage);
}

TEST_CASE("unknown admin commands fail permanently, an abort aborts nothing")
{
    RawHost host;
    host.enable();
    const Completion unknown = host.execute(0, RawHost::make(std::uint8_t{0x77}));
    CHECK(unknown.status() == Status::InvalidOpcode);
    CHECK(unknown.doNotRetry());
    CHECK(host.execute(0, RawHost::make(AdminOpcode::Abort)).result == 1);
}

// --- I/O commands ----------------------------------------------------------------------------------------------------

TEST_CASE("bad I/O commands get their status, and the drive never sees them")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    const auto refused = [&](Submission s) { return host.status(1, s); };
    Submission s = RawHost::blocks(IoOpcode::Read, 0, 8);
    s.dword[1] = 2;
    CHECK(refused(s) == Status::InvalidNamespace);
    s = RawHost::blocks(IoOpcode::Read, (1 << 16) - 4, 8);
    CHECK(refused(s) == Status::LbaOutOfRange);
    s = RawHost::blocks(IoOpcode::Write, std::uint64_t{1} << 63, 1);
    CHECK(refused(s) == Status::LbaOutOfRange);
    s = RawHost::blocks(IoOpcode::Read, 0, 16);
    s.setQuad(8, s.prp2() + 512);
    CHECK(refused(s) == Status::PrpOffsetInvalid); // second page
    s = RawHost::blocks(IoOpcode::Read, 0, 8);
    s.setQuad(6, s.prp1() + 2);
    CHECK(refused(s) == Status::PrpOffsetInvalid); // not on a dword
    s = RawHost::blocks(IoOpcode::Read, 0, 24);
    s.setQuad(8, s.prp2() + 4);
    CHECK(refused(s) == Status::PrpOffsetInvalid); // list not on eight bytes
    s = RawHost::blocks(IoOpcode::Read, 0, 8);
    s.dword[0] |= 1U << 14U;
    CHECK(refused(s) == Status::InvalidField); // SGLs
    s = RawHost::make(std::uint8_t{0x42});
    s.dword[1] = 1;
    CHECK(refused(s) == Status::InvalidOpcode);
    CHECK(host.ssd.submitted.empty());
    CHECK(host.controller.counters().errors == 8);
}

TEST_CASE("a page list that is not in memory or has offsets fails its command")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    Submission s = RawHost::blocks(IoOpcode::Read, 0, 24);
    s.setQuad(8, 0x10'0000);
    CHECK(host.status(1, s) == Status::DataTransferError);
    const std::uint64_t list = host.memory.allocate(4096);
    const std::array<std::uint64_t, 2> entries{DriverMemory::dataPage(0, 1), DriverMemory::dataPage(0, 2) + 64};
    host.memory.write(list, entries.data(), 16);
    s.setQuad(8, list);
    CHECK(host.status(1, s) == Status::PrpOffsetInvalid);
    CHECK(host.ssd.submitted.empty());
}

TEST_CASE("data outside host memory fails its command after the drive has done its part")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    Submission s = RawHost::blocks(GENERATE(IoOpcode::Read, IoOpcode::Write), 0, 8);
    s.setQuad(6, 0x10'0000);
    CHECK(host.status(1, s) == Status::DataTransferError);
    CHECK(host.ssd.submitted.size() == 1);
}

TEST_CASE("data may begin anywhere in its first page")
{
    FakeSsd::Config drive;
    drive.mode = DataMode::Bytes;
    RawHost host(drive);
    host.enable();
    host.createPair(1);
    const std::uint64_t pages = host.memory.allocate(2 * 4096);
    std::vector<std::uint8_t> out(4096);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    host.memory.write(pages + 100, out.data(), 4096);
    Submission s = RawHost::blocks(IoOpcode::Write, 40, 8);
    s.setQuad(6, pages + 100);
    s.setQuad(8, pages + 4096);
    CHECK(host.status(1, s) == Status::Success);
    CHECK(std::memcmp(host.ssd.sector(40), out.data(), 4096) == 0);
    s = RawHost::blocks(IoOpcode::Read, 40, 8);
    const std::uint64_t target = host.memory.allocate(2 * 4096);
    s.setQuad(6, target + 3000);
    s.setQuad(8, target + 4096);
    CHECK(host.status(1, s) == Status::Success);
    std::vector<std::uint8_t> in(4096);
    host.memory.read(target + 3000, in.data(), 4096);
    CHECK(in == out);
    RawHost tags;
    tags.enable();
    tags.createPair(1);
    s = RawHost::blocks(IoOpcode::Read, 0, 1);
    s.setQuad(6, s.prp1() + 100);
    CHECK(tags.status(1, s) == Status::PrpOffsetInvalid); // a tag cannot be torn
}

TEST_CASE("write zeroes writes zeros without moving data")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    for (std::uint32_t i = 0; i < 16; ++i) {
        const SectorTag tag = makeTag(i, 3);
        std::memcpy(host.buffer.data() + i * 8, &tag, 8);
    }
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Write, 0, 16)) == Status::Success);
    Submission s = RawHost::blocks(IoOpcode::WriteZeroes, 4, 8);
    s.setQuad(6, 0);
    CHECK(host.status(1, s) == Status::Success);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 0, 16)) == Status::Success);
    for (std::uint32_t i = 0; i < 16; ++i) {
        SectorTag tag = 0;
        std::memcpy(&tag, host.buffer.data() + i * 8, 8);
        CHECK(tag == (i < 4 || i >= 12 ? makeTag(i, 3) : 0));
    }
}

TEST_CASE("a deallocation trims each of its ranges, and none if one is out of range")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    const std::uint64_t page = host.memory.allocate(4096);
    std::array<Range, 3> ranges{{{0, 8, 16}, {0, 0, 5}, {0, 24, 80}}};
    host.memory.write(page, ranges.data(), sizeof ranges);
    Submission s = RawHost::make(IoOpcode::DatasetManagement);
    s.setQuad(6, page);
    s.dword[10] = 2;
    s.dword[11] = deallocateBit;
    CHECK(host.status(1, s) == Status::Success);
    REQUIRE(host.ssd.submitted.size() == 2);
    CHECK(host.ssd.submitted[0].lba == 16);
    CHECK(host.ssd.submitted[1].lba == 80);
    CHECK(host.ssd.submitted[1].sectors == 24);
    CHECK(host.ssd.submitted[1].kind == RequestKind::Trim);
    ranges[2].lba = 1 << 16;
    host.memory.write(page, ranges.data(), sizeof ranges);
    CHECK(host.status(1, s) == Status::LbaOutOfRange);
    CHECK(host.ssd.submitted.size() == 2);
    s.setQuad(6, 0);
    CHECK(host.status(1, s) == Status::DataTransferError);
}

TEST_CASE("without a volatile write cache every write is forced to flash")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Write, 0, 8)) == Status::Success);
    CHECK_FALSE(host.ssd.submitted.back().fua);
    CHECK(host.status(0, feature(AdminOpcode::SetFeatures, Feature::VolatileWriteCache, 0)) == Status::Success);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Write, 0, 8)) == Status::Success);
    CHECK(host.ssd.submitted.back().fua);
}

TEST_CASE("the drive's status becomes the command's")
{
    struct Row {
        CommandStatus drive;
        Status nvme;
        bool permanent;
    };
    const Row row = GENERATE(Row{CommandStatus::Ok, Status::Success, false},
                             Row{CommandStatus::Uncorrectable, Status::UnrecoveredReadError, false},
                             Row{CommandStatus::OutOfRange, Status::LbaOutOfRange, true},
                             Row{CommandStatus::NotSupported, Status::InvalidOpcode, true},
                             Row{CommandStatus::DeviceFault, Status::InternalError, false});
    RawHost host;
    host.enable();
    host.createPair(1);
    host.ssd.judge = [&](const Command&) { return row.drive; };
    const Completion completion = host.execute(1, RawHost::blocks(IoOpcode::Read, 0, 8));
    CHECK(completion.status() == row.nvme);
    CHECK(completion.doNotRetry() == row.permanent);
}

TEST_CASE("messages go to the address in the vector table; without MSI-X the pin is asserted")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    CHECK(host.controller.pin());
    host.write(reg::INTMS, 1);
    CHECK_FALSE(host.controller.pin());
    host.write(reg::INTMC, 1);
    host.take(1);
    host.ringCq(1);
    CHECK_FALSE(host.controller.pin());
    CHECK(host.messages.empty());

    host.write(reg::msixTable + 16, 0xFEE0'0000, 8);
    host.write(reg::msixTable + 24, 55, 8);
    CHECK(host.read(reg::msixTable + 24) == 55);
    host.controller.setMsix(true, false, host.now);
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    CHECK(host.messages == std::vector<std::uint32_t>{55});
    CHECK_FALSE(host.controller.pin());
    host.write(reg::msixTable + 28, 1);
    host.take(1);
    host.ringCq(1);
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    CHECK(host.messages.size() == 1);
    CHECK(host.read(reg::msixPending) == 2);
    host.write(reg::msixTable + 28, 0);
    CHECK(host.messages.size() == 2);
    CHECK(host.read(reg::msixPending) == 0);
}

TEST_CASE("changes of the pin are announced, and it is asserted only when the completion is in memory")
{
    RawHost host;
    std::vector<std::pair<bool, std::size_t>> changes; // level, completions in memory
    host.controller.onPin([&](bool isAsserted, Time) { changes.emplace_back(isAsserted, host.take(1).size()); });
    host.enable();
    host.createPair(1);
    changes.clear();
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    REQUIRE(changes.size() == 1);
    CHECK(changes[0] == std::pair<bool, std::size_t>{true, 1});
    host.ringCq(1);
    REQUIRE(changes.size() == 2);
    CHECK_FALSE(changes[1].first);
    host.put(1, RawHost::make(IoOpcode::Flush));
    host.ringSq(1);
    REQUIRE(changes.size() == 3);
    host.controller.setMsix(true, false, host.now);
    REQUIRE(changes.size() == 4);
    CHECK_FALSE(changes[3].first);
}

TEST_CASE("contiguous entries are fetched by one read")
{
    RawHost host;
    host.enable();
    host.createPair(1, 16);
    for (std::uint16_t i = 0; i < 8; ++i)
        host.put(1, RawHost::make(IoOpcode::Flush, i));
    host.ringSq(1);
    CHECK(host.controller.counters().fetches == 1);
    CHECK(host.controller.counters().commands == 8);
    CHECK(host.take(1).size() == 8);
    host.ringCq(1);
    for (std::uint16_t i = 0; i < 12; ++i) // eight to the end of the ring, four from its beginning
        host.put(1, RawHost::make(IoOpcode::Flush, i));
    host.ringSq(1);
    CHECK(host.controller.counters().fetches == 3);
    CHECK(host.take(1).size() == 12);
}

TEST_CASE("misuse of an NVMe port fails a check")
{
    FakeSsd::Config drive;
    drive.slots = 4097;
    CHECK_THROWS(RawHost(drive));
    ControllerConfig apart;
    apart.doorbellStride = 8;
    CHECK_THROWS(RawHost({}, apart));
    RawHost host;
    CHECK_THROWS(host.controller.complete(0, CommandStatus::Ok, host.now));
}
