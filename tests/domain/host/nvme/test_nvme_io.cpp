// SPDX-License-Identifier: Apache-2.0
//
// I/O commands of an NVMe controller between the parts below and a fake drive, without registers.
#include "models/host/nvme/nvme_io.h"
#include "tests/domain/host/fake_ssd.h"
#include "tests/domain/host/nvme/parts.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;
using namespace std::chrono_literals;

namespace {

FakeSsd::Config bytesDrive(std::uint32_t slots = 2)
{
    FakeSsd::Config config;
    config.mode = DataMode::Bytes;
    config.slots = slots;
    return config;
}

struct IoBench : Front {
    Parts parts;
    FakeSsd ssd;
    IoCommands io;
    std::uint32_t tail = 0;
    std::uint32_t released = 0;
    bool isFlushed = false; // for a shutdown

    explicit IoBench(const FakeSsd::Config& drive = bytesDrive(), std::uint32_t mostWrites = Admission::noLimit)
        : ssd(drive), io(DataMode::Bytes, parts.port, parts.memory, parts.completions, mostWrites)
    {
        ssd.connect(*this);
        io.connect(ssd);
        io.divide({});
        const std::uint64_t memory = parts.memory.allocate(4096);
        REQUIRE(parts.queues.createCq(Parts::create(1, 8, 1, parts.cq), Parts::pageBytes) == NvmeStatus::Success);
        REQUIRE(parts.queues.createSq(Parts::create(1, 8, 1U << 16U | 1, memory), Parts::pageBytes) ==
                NvmeStatus::Success);
    }
    // Gives one command to the part, as if it had been fetched.
    void execute(const SubmissionEntry& submission, bool isWriteCacheOn = true)
    {
        tail = (tail + 1) % 8;
        parts.queues.ring(8, tail);
        REQUIRE(parts.queues.nextIo(1));
        parts.queues.arrived(1);
        io.promise(1);
        count(io.execute(1, submission, {Parts::pageBytes, isWriteCacheOn}, parts.now));
    }
    void run()
    {
        while (std::min(parts.port.nextTime(), ssd.nextTime()) != never) {
            parts.now = std::max(parts.now, std::min(parts.port.nextTime(), ssd.nextTime()));
            ssd.advance(parts.now);
            while (parts.port.isDue(parts.now))
                take(parts.port.take(parts.now));
        }
    }
    NvmeStatus status(std::uint32_t index) { return parts.completion(index).status(); }

    void driveReady(Time) override {}
    void transfer(const TransferOrder& order, Time now) override { io.transfer(order, now); }
    void complete(std::uint16_t slot, CommandStatus status, Time now) override
    {
        const IoCommands::Ended ended = io.complete(slot, status, now);
        isFlushed = isFlushed || ended.isShutdownFlush;
        count(ended.slot);
    }

private:
    void count(IoCommands::Slot slot) { released += slot == IoCommands::Slot::Released ? 1U : 0U; }
    void take(const PciePort::Arrival& arrival)
    {
        if (arrival.kind == PciePort::Arrival::Kind::Transfer)
            io.transferDone(arrival.value, parts.now);
        if (arrival.kind != PciePort::Arrival::Kind::Read)
            return;
        const PciePort::TakenRead taken = parts.port.takeRead(arrival.index);
        if (taken.read.purpose == PciePort::Read::Purpose::Data)
            io.dataArrived(taken.read, parts.now);
        else if (taken.isCurrent && taken.read.purpose == PciePort::Read::Purpose::PageList)
            count(io.pageListArrived(taken.read.slot, parts.now));
        else if (taken.isCurrent)
            count(io.rangesArrived(taken.read.slot, parts.now));
    }
};

SubmissionEntry command(IoOpcode opcode, std::uint64_t lba, std::uint32_t sectors, std::uint64_t prp1 = 0,
                        std::uint64_t prp2 = 0)
{
    SubmissionEntry s;
    s.dword[0] = static_cast<std::uint32_t>(opcode) | 77U << 16U;
    s.dword[1] = 1;
    s.setQuad(6, prp1);
    s.setQuad(8, prp2);
    s.setQuad(10, lba);
    s.dword[12] = sectors - 1;
    return s;
}

} // namespace

TEST_CASE("a command takes a slot of the drive until it is complete")
{
    IoBench bench;
    CHECK(bench.io.freeSlots() == 2);
    bench.io.promise(1);
    CHECK(bench.io.freeSlots() == 1);
    CHECK_FALSE(bench.io.isEmpty());
    bench.io.reset();
    CHECK(bench.io.isEmpty());
    bench.execute(command(IoOpcode::Flush, 0, 1));
    CHECK(bench.io.freeSlots() == 1);
    CHECK_FALSE(bench.io.isDriveIdle());
    bench.run();
    CHECK(bench.released == 1);
    CHECK(bench.io.isEmpty());
    CHECK(bench.io.isDriveIdle());
    CHECK(bench.parts.completion(0).commandId == 77);
}

TEST_CASE("data described by a page list reaches the drive and returns")
{
    IoBench bench;
    const std::uint64_t data = bench.parts.memory.allocate(3 * 4096);
    const std::uint64_t list = bench.parts.memory.allocate(4096);
    const std::array<std::uint64_t, 2> entries{data + 2 * 4096, data}; // in another order than the addresses
    bench.parts.memory.write(list, entries.data(), 16);
    std::vector<std::uint8_t> out(3 * 4096);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::uint8_t>(i / 512 + 1);
    bench.parts.memory.write(data, out.data(), 3 * 4096);
    bench.execute(command(IoOpcode::Write, 16, 24, data + 4096, list));
    bench.run();
    CHECK(bench.status(0) == NvmeStatus::Success);
    CHECK(std::to_integer<int>(*bench.ssd.sector(16)) == 9);  // the middle page first
    CHECK(std::to_integer<int>(*bench.ssd.sector(24)) == 17); // then the last
    CHECK(std::to_integer<int>(*bench.ssd.sector(32)) == 1);
    CHECK(bench.io.statistics().writes == 1);
    CHECK(bench.io.statistics().sectorsWritten == 24);

    const std::vector<std::byte> zeros(3 * 4096);
    bench.parts.memory.write(data, zeros.data(), 3 * 4096);
    bench.execute(command(IoOpcode::Read, 16, 24, data + 4096, list));
    bench.run();
    CHECK(bench.status(1) == NvmeStatus::Success);
    std::vector<std::uint8_t> in(3 * 4096);
    bench.parts.memory.read(data, in.data(), 3 * 4096);
    CHECK((in == out)); // without printing 24 sectors
}

TEST_CASE("a rejected command releases its slot at once and does not reach the drive")
{
    IoBench bench;
    bench.execute(command(IoOpcode::Read, 1 << 16, 1, 0x1000));
    CHECK(bench.released == 1);
    CHECK(bench.io.isEmpty());
    bench.run();
    CHECK(bench.status(0) == NvmeStatus::LbaOutOfRange);
    CHECK(bench.ssd.submitted.empty());
}

TEST_CASE("with the write cache off every write is forced to flash")
{
    IoBench bench;
    const std::uint64_t data = bench.parts.memory.allocate(4096);
    bench.execute(command(IoOpcode::Write, 0, 1, data), true);
    bench.run();
    bench.execute(command(IoOpcode::Write, 0, 1, data), false);
    bench.run();
    REQUIRE(bench.ssd.submitted.size() == 2);
    CHECK_FALSE(bench.ssd.submitted[0].fua);
    CHECK(bench.ssd.submitted[1].fua);
}

TEST_CASE("a command in the drive at a reset is finished there and not completed to the host")
{
    IoBench bench;
    bench.execute(command(IoOpcode::Flush, 0, 1));
    bench.io.reset();
    CHECK_FALSE(bench.io.isDriveIdle());
    bench.run();
    CHECK(bench.io.isDriveIdle());
    CHECK(bench.released == 1);
    CHECK(bench.parts.arrivals.empty());
    CHECK(bench.parts.completion(0).commandId == 0);
}

namespace {

// Two writes where the drive takes one at a time, and a read after them.
struct WriteLimit : IoBench {
    WriteLimit() : IoBench(bytesDrive(4), 1)
    {
        const std::uint64_t data = parts.memory.allocate(4096);
        for (const IoOpcode opcode : {IoOpcode::Write, IoOpcode::Write, IoOpcode::Read}) {
            SubmissionEntry entry = command(opcode, 8 * std::uint64_t{tail}, 8, data);
            entry.dword[0] = static_cast<std::uint32_t>(opcode) | tail << 16U;
            execute(entry);
        }
    }
};

} // namespace

TEST_CASE("with a limit of writes the drive gets the next one and what came after it when one is complete")
{
    WriteLimit bench;
    REQUIRE(bench.ssd.submitted.size() == 1);
    CHECK_FALSE(bench.io.isEmpty());
    bench.run();
    REQUIRE(bench.ssd.submitted.size() == 3);
    CHECK(bench.ssd.submitted[1].lba == 8);
    CHECK(bench.ssd.submitted[2].kind == RequestKind::Read);
    CHECK(bench.ssd.submitTimes[1] > bench.ssd.submitTimes[0]);
    CHECK(bench.ssd.submitTimes[2] == bench.ssd.submitTimes[1]); // the read waits only for its turn
    CHECK(bench.released == 3);
    CHECK(bench.io.isEmpty());
}

TEST_CASE("an aborted command in line ends in its turn and leaves its place to the next one")
{
    WriteLimit bench;
    CHECK_FALSE(bench.io.abort(1, 0)); // the drive has it
    CHECK(bench.io.abort(1, 1));
    bench.run();
    REQUIRE(bench.ssd.submitted.size() == 2);
    CHECK(bench.ssd.submitted[1].kind == RequestKind::Read);
    CHECK(bench.status(1) == NvmeStatus::AbortRequested);
    CHECK(bench.io.isEmpty());
}

TEST_CASE("commands in line at a reset are dropped")
{
    WriteLimit bench;
    bench.io.reset();
    bench.run();
    CHECK(bench.ssd.submitted.size() == 1);
    CHECK(bench.io.isEmpty());
    bench.execute(command(IoOpcode::Write, 0, 8, bench.parts.memory.allocate(4096)));
    bench.run();
    CHECK(bench.ssd.submitted.size() == 2);
}

TEST_CASE("a command whose page list was being fetched at a reset is dropped")
{
    IoBench bench;
    bench.execute(command(IoOpcode::Read, 0, 24, 0x1'0000, bench.parts.memory.allocate(4096)));
    CHECK(bench.io.freeSlots() == 1);
    bench.io.reset();
    bench.parts.port.reset();
    CHECK(bench.io.isEmpty());
    bench.run();
    CHECK(bench.ssd.submitted.empty());
}

TEST_CASE("the flush of a shutdown is reported as such and has no completion")
{
    IoBench bench;
    bench.io.flushForShutdown({});
    CHECK_FALSE(bench.isFlushed);
    bench.run();
    CHECK(bench.isFlushed);
    CHECK(bench.released == 1);
    REQUIRE(bench.ssd.submitted.size() == 1);
    CHECK(bench.ssd.submitted[0].kind == RequestKind::Flush);
    CHECK(bench.parts.completion(0).commandId == 0);
}

TEST_CASE("the ranges of a deallocation may span two pages")
{
    IoBench bench;
    const std::uint64_t first = bench.parts.memory.allocate(4096) + 4096 - 16;
    bench.parts.memory.allocate(4096); // so that the second page is somewhere else
    const std::uint64_t second = bench.parts.memory.allocate(4096);
    const DatasetRange a{0, 8, 16};
    const DatasetRange b{0, 24, 80};
    bench.parts.memory.write(first, &a, 16);
    bench.parts.memory.write(second, &b, 16);
    SubmissionEntry s = command(IoOpcode::DatasetManagement, 0, 1, first, second);
    s.dword[10] = 1;
    s.dword[11] = deallocateBit;
    bench.execute(s);
    bench.run();
    CHECK(bench.status(0) == NvmeStatus::Success);
    REQUIRE(bench.ssd.submitted.size() == 2);
    CHECK(bench.ssd.submitted[0].lba == 16);
    CHECK(bench.ssd.submitted[1].lba == 80);
}

// --- through a controller -------------------------------------------------------------------------------------------

TEST_CASE("bad I/O commands get their status, and the drive never sees them")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    const auto refused = [&](SubmissionEntry s) { return host.status(1, s); };
    SubmissionEntry s = RawHost::blocks(IoOpcode::Read, 0, 8);
    s.dword[1] = 2;
    CHECK(refused(s) == NvmeStatus::InvalidNamespace);
    s = RawHost::blocks(IoOpcode::Read, (1 << 16) - 4, 8);
    CHECK(refused(s) == NvmeStatus::LbaOutOfRange);
    s = RawHost::blocks(IoOpcode::Write, std::uint64_t{1} << 63, 1);
    CHECK(refused(s) == NvmeStatus::LbaOutOfRange);
    s = RawHost::blocks(IoOpcode::Read, 0, 16);
    s.setQuad(8, s.prp2() + 512);
    CHECK(refused(s) == NvmeStatus::PrpOffsetInvalid); // second page
    s = RawHost::blocks(IoOpcode::Read, 0, 8);
    s.setQuad(6, s.prp1() + 2);
    CHECK(refused(s) == NvmeStatus::PrpOffsetInvalid); // not on a dword
    s = RawHost::blocks(IoOpcode::Read, 0, 24);
    s.setQuad(8, s.prp2() + 4);
    CHECK(refused(s) == NvmeStatus::PrpOffsetInvalid); // list not on eight bytes
    s = RawHost::blocks(IoOpcode::Read, 0, 8);
    s.dword[0] |= 1U << 14U;
    CHECK(refused(s) == NvmeStatus::InvalidField); // SGLs
    s = RawHost::make(std::uint8_t{0x42});
    s.dword[1] = 1;
    CHECK(refused(s) == NvmeStatus::InvalidOpcode);
    CHECK(host.ssd.submitted.empty());
    CHECK(host.controller.counters().errors == 8);
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
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Write, 0, 16)) == NvmeStatus::Success);
    SubmissionEntry s = RawHost::blocks(IoOpcode::WriteZeroes, 4, 8);
    s.setQuad(6, 0);
    CHECK(host.status(1, s) == NvmeStatus::Success);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 0, 16)) == NvmeStatus::Success);
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
    std::array<DatasetRange, 3> ranges{{{0, 8, 16}, {0, 0, 5}, {0, 24, 80}}};
    host.memory.write(page, ranges.data(), sizeof ranges);
    SubmissionEntry s = RawHost::make(IoOpcode::DatasetManagement);
    s.setQuad(6, page);
    s.dword[10] = 2;
    s.dword[11] = deallocateBit;
    CHECK(host.status(1, s) == NvmeStatus::Success);
    REQUIRE(host.ssd.submitted.size() == 2);
    CHECK(host.ssd.submitted[0].lba == 16);
    CHECK(host.ssd.submitted[1].lba == 80);
    CHECK(host.ssd.submitted[1].sectors == 24);
    CHECK(host.ssd.submitted[1].kind == RequestKind::Trim);
    ranges[2].lba = 1 << 16;
    host.memory.write(page, ranges.data(), sizeof ranges);
    CHECK(host.status(1, s) == NvmeStatus::LbaOutOfRange);
    CHECK(host.ssd.submitted.size() == 2);
    s.setQuad(6, 0);
    CHECK(host.status(1, s) == NvmeStatus::DataTransferError);
}

TEST_CASE("dataset management without the attribute deallocate checks its ranges and changes nothing")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    const std::uint64_t page = host.memory.allocate(4096);
    DatasetRange range{0, 8, 16};
    host.memory.write(page, &range, sizeof range);
    SubmissionEntry s = RawHost::make(IoOpcode::DatasetManagement);
    s.setQuad(6, page);
    s.dword[11] = GENERATE(0U, 3U, 0xF8U); // nothing, integral read and write, reserved bits
    CHECK(host.status(1, s) == NvmeStatus::Success);
    range.lba = 1 << 16;
    host.memory.write(page, &range, sizeof range);
    CHECK(host.status(1, s) == NvmeStatus::LbaOutOfRange);
    CHECK(host.ssd.submitted.empty());
}

TEST_CASE("without a volatile write cache every write is forced to flash")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Write, 0, 8)) == NvmeStatus::Success);
    CHECK_FALSE(host.ssd.submitted.back().fua);
    CHECK(host.status(0, RawHost::feature(AdminOpcode::SetFeatures, Feature::VolatileWriteCache, 0)) ==
          NvmeStatus::Success);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Write, 0, 8)) == NvmeStatus::Success);
    CHECK(host.ssd.submitted.back().fua);
}

TEST_CASE("the drive's status becomes the command's")
{
    struct Row {
        CommandStatus drive;
        NvmeStatus nvme;
        bool permanent;
    };
    const Row row = GENERATE(Row{CommandStatus::Ok, NvmeStatus::Success, false},
                             Row{CommandStatus::Uncorrectable, NvmeStatus::UnrecoveredReadError, false},
                             Row{CommandStatus::OutOfRange, NvmeStatus::LbaOutOfRange, true},
                             Row{CommandStatus::NotSupported, NvmeStatus::InvalidOpcode, true},
                             Row{CommandStatus::DeviceFault, NvmeStatus::InternalError, false});
    RawHost host;
    host.enable();
    host.createPair(1);
    host.ssd.judge = [&](const Command&) { return row.drive; };
    const CompletionEntry completion = host.execute(1, RawHost::blocks(IoOpcode::Read, 0, 8));
    CHECK(completion.status() == row.nvme);
    CHECK(completion.doNotRetry() == row.permanent);
}
