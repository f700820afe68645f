// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <array>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

TEST_CASE("an admin command whose data pointer is no PRP, or that is fused, is refused")
{
    RawHost host;
    host.enable();
    SubmissionEntry s = RawHost::make(AdminOpcode::Identify);
    s.setQuad(6, host.memory.allocate(4096));
    s.dword[10] = 1;
    REQUIRE(host.status(0, s) == NvmeStatus::Success);
    s.dword[0] |= GENERATE(1U << 14U, 2U << 14U, 3U << 14U, 1U << 8U, 2U << 8U); // PSDT, fused operation
    CHECK(host.status(0, s) == NvmeStatus::InvalidField);
}

// --- format ----------------------------------------------------------------------------------------------------------

TEST_CASE("format deallocates every block and flushes, and blocks read zeros afterwards")
{
    RawHost host(slowDrive(std::chrono::microseconds(50)));
    host.enable();
    host.createPair(1);
    std::fill(host.buffer.begin(), host.buffer.begin() + 4096, std::byte{0xAB});
    REQUIRE(host.status(1, RawHost::blocks(IoOpcode::Write, 80, 8)) == NvmeStatus::Success);
    host.ssd.submitted.clear();
    SubmissionEntry format = RawHost::make(AdminOpcode::FormatNvm, 9);
    format.dword[1] = GENERATE(1U, allNamespaces);
    format.dword[10] = GENERATE(0U, 1U << 9U); // no erase, user data erase
    const CompletionEntry end = host.execute(0, format);
    CHECK(end.commandId == 9);
    CHECK(end.status() == NvmeStatus::Success);
    REQUIRE(host.ssd.submitted.size() == 2);
    CHECK(host.ssd.submitted[0].kind == RequestKind::Trim);
    CHECK(host.ssd.submitted[0].lba == 0);
    CHECK(host.ssd.submitted[0].sectors == 1 << 16);
    CHECK(host.ssd.submitted[1].kind == RequestKind::Flush);
    REQUIRE(host.status(1, RawHost::blocks(IoOpcode::Read, 80, 8)) == NvmeStatus::Success);
    CHECK(host.buffer[0] == std::byte{0});
}

TEST_CASE("formats that the namespace does not have are refused")
{
    RawHost host;
    host.enable();
    SubmissionEntry format = RawHost::make(AdminOpcode::FormatNvm);
    const auto status = [&](std::uint32_t space, std::uint32_t dword) {
        format.dword[1] = space;
        format.dword[10] = dword;
        return host.status(0, format);
    };
    CHECK(status(2, 0) == NvmeStatus::InvalidNamespace);
    CHECK(status(1, 1) == NvmeStatus::InvalidFormat);
    CHECK(status(1, 1U << 5U) == NvmeStatus::InvalidFormat); // protection information
    CHECK(status(1, 2U << 9U) == NvmeStatus::InvalidField);  // cryptographic erase
    CHECK(host.ssd.submitted.empty());
}

TEST_CASE("format and I/O commands exclude each other")
{
    RawHost host(slowDrive(std::chrono::milliseconds(1)));
    host.enable();
    host.createPair(1);
    SubmissionEntry format = RawHost::make(AdminOpcode::FormatNvm, 9);
    format.dword[1] = 1;
    host.put(1, RawHost::blocks(IoOpcode::Read, 0, 8, 3));
    host.controller.writeRegister(reg::doorbells + 8, 4, host.queues[1].tail, host.now);
    host.run(host.now + std::chrono::microseconds(100)); // the drive has the read now
    host.put(0, format);
    host.controller.writeRegister(reg::doorbells, 4, host.queues[0].tail, host.now);
    host.run();
    CHECK(host.take(0).at(0).status() == NvmeStatus::CommandSequenceError);
    CHECK(host.take(1).at(0).status() == NvmeStatus::Success);
    host.ringCq(0);
    host.ringCq(1);

    host.put(0, format);
    host.controller.writeRegister(reg::doorbells, 4, host.queues[0].tail, host.now);
    host.run(host.now + std::chrono::microseconds(100));
    host.put(1, RawHost::blocks(IoOpcode::Read, 0, 8, 4));
    host.controller.writeRegister(reg::doorbells + 8, 4, host.queues[1].tail, host.now);
    host.run();
    const CompletionEntry during = host.take(1).at(0);
    CHECK(during.status() == NvmeStatus::FormatInProgress);
    CHECK_FALSE(during.doNotRetry());
    CHECK(host.take(0).at(0).status() == NvmeStatus::Success);
    host.ringCq(1);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 0, 8)) == NvmeStatus::Success);
}

TEST_CASE("a format that the drive refuses fails with the drive's status")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    host.ssd.judge = [](const Command& command) {
        return command.kind == RequestKind::Trim ? CommandStatus::DeviceFault : CommandStatus::Ok;
    };
    SubmissionEntry format = RawHost::make(AdminOpcode::FormatNvm);
    format.dword[1] = 1;
    CHECK(host.status(0, format) == NvmeStatus::InternalError);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 0, 8)) == NvmeStatus::Success); // it is over
}

// --- LBA status ------------------------------------------------------------------------------------------------------

TEST_CASE("blocks of a read that failed are reported until they are written")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    host.ssd.judge = [](const Command& command) {
        return command.kind == RequestKind::Read && command.lba == 40 ? CommandStatus::Uncorrectable
                                                                      : CommandStatus::Ok;
    };
    const std::uint64_t address = host.memory.allocate(4096);
    std::array<std::uint32_t, 6> found{};
    SubmissionEntry get = RawHost::make(AdminOpcode::GetLbaStatus);
    get.dword[1] = 1;
    get.setQuad(6, address);
    get.dword[12] = 1023; // dwords, from zero
    get.dword[13] = 0x11U << 24U;
    const auto status = [&] {
        const NvmeStatus answer = host.status(0, get);
        host.memory.read(address, found.data(), sizeof found);
        return answer;
    };
    CHECK(status() == NvmeStatus::Success);
    CHECK(found[0] == 0);
    CHECK(found[1] == 2); // all blocks examined
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Read, 40, 8)) == NvmeStatus::UnrecoveredReadError);
    CHECK(status() == NvmeStatus::Success);
    CHECK(found[0] == 1);
    CHECK(found[2] == 40);
    CHECK(found[4] == 8);
    CHECK(host.status(1, RawHost::blocks(IoOpcode::Write, 44, 4)) == NvmeStatus::Success);
    CHECK(status() == NvmeStatus::Success);
    CHECK(found[4] == 4);
    get.dword[12] = 5; // the header and one range
    CHECK(status() == NvmeStatus::Success);
    CHECK(found[0] == 1);
    get.dword[12] = 4;
    CHECK(status() == NvmeStatus::Success);
    CHECK(found[0] == 0);
    CHECK(found[1] == 1); // more than has been asked for
    get.setQuad(10, 1 << 16);
    CHECK(status() == NvmeStatus::LbaOutOfRange);
    get.setQuad(10, 0);
    get.dword[12] = 5;
    get.dword[13] = 0x10U << 24U; // a scan finds the same
    CHECK(status() == NvmeStatus::Success);
    CHECK(found[0] == 1);
    CHECK(found[2] == 40);
    get.dword[13] = 0x12U << 24U;
    CHECK(status() == NvmeStatus::InvalidField);
    get.dword[1] = 2;
    CHECK(status() == NvmeStatus::InvalidNamespace);
}

TEST_CASE("unknown admin commands fail permanently, an abort aborts nothing")
{
    RawHost host;
    host.enable();
    const CompletionEntry unknown = host.execute(0, RawHost::make(std::uint8_t{0x77}));
    CHECK(unknown.status() == NvmeStatus::InvalidOpcode);
    CHECK(unknown.doNotRetry());
    CHECK(host.execute(0, RawHost::make(AdminOpcode::Abort)).result == 1);
}
