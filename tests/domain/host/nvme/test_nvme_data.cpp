// SPDX-License-Identifier: Apache-2.0
//
// Data and page lists of I/O commands in host memory, through a controller.
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

TEST_CASE("a page list that is not in memory or has offsets fails its command")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    SubmissionEntry s = RawHost::blocks(IoOpcode::Read, 0, 24);
    s.setQuad(8, 0x10'0000);
    CHECK(host.status(1, s) == NvmeStatus::DataTransferError);
    const std::uint64_t list = host.memory.allocate(4096);
    const std::array<std::uint64_t, 2> entries{DriverMemory::dataPage(0, 1), DriverMemory::dataPage(0, 2) + 64};
    host.memory.write(list, entries.data(), 16);
    s.setQuad(8, list);
    CHECK(host.status(1, s) == NvmeStatus::PrpOffsetInvalid);
    CHECK(host.ssd.submitted.empty());
}

TEST_CASE("data outside host memory fails its command after the drive has done its part")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    SubmissionEntry s = RawHost::blocks(GENERATE(IoOpcode::Read, IoOpcode::Write), 0, 8);
    s.setQuad(6, 0x10'0000);
    CHECK(host.status(1, s) == NvmeStatus::DataTransferError);
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
    SubmissionEntry s = RawHost::blocks(IoOpcode::Write, 40, 8);
    s.setQuad(6, pages + 100);
    s.setQuad(8, pages + 4096);
    CHECK(host.status(1, s) == NvmeStatus::Success);
    CHECK(std::memcmp(host.ssd.sector(40), out.data(), 4096) == 0);
    s = RawHost::blocks(IoOpcode::Read, 40, 8);
    const std::uint64_t target = host.memory.allocate(2 * 4096);
    s.setQuad(6, target + 3000);
    s.setQuad(8, target + 4096);
    CHECK(host.status(1, s) == NvmeStatus::Success);
    std::vector<std::uint8_t> in(4096);
    host.memory.read(target + 3000, in.data(), 4096);
    CHECK(in == out);
    RawHost tags;
    tags.enable();
    tags.createPair(1);
    s = RawHost::blocks(IoOpcode::Read, 0, 1);
    s.setQuad(6, s.prp1() + 100);
    CHECK(tags.status(1, s) == NvmeStatus::PrpOffsetInvalid); // a tag cannot be torn
}

TEST_CASE("compare reads both sides, and differs if a byte does")
{
    FakeSsd::Config drive;
    drive.mode = DataMode::Bytes;
    RawHost host(drive);
    host.enable();
    host.createPair(1);
    const std::uint64_t pages = host.memory.allocate(2 * 4096);
    std::vector<std::uint8_t> data(4096);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<std::uint8_t>(i * 5 + i / 256);
    const auto of = [&](IoOpcode opcode) {
        SubmissionEntry s = RawHost::blocks(opcode, 40, 8);
        s.setQuad(6, pages + 100);
        s.setQuad(8, pages + 4096);
        return s;
    };
    host.memory.write(pages + 100, data.data(), 4096);
    REQUIRE(host.status(1, of(IoOpcode::Write)) == NvmeStatus::Success);
    const std::uint64_t toHost = host.link.counters().packetsToHost;
    CHECK(host.status(1, of(IoOpcode::Compare)) == NvmeStatus::Success);
    CHECK(host.link.counters().packetsToHost - toHost < 16); // requests, not data
    data[GENERATE(0U, 4095U)] ^= 1U;
    host.memory.write(pages + 100, data.data(), 4096);
    CHECK(host.status(1, of(IoOpcode::Compare)) == NvmeStatus::CompareFailure);
    SubmissionEntry beyond = of(IoOpcode::Compare);
    beyond.setQuad(10, host.ssd.capacitySectors());
    CHECK(host.status(1, beyond) == NvmeStatus::LbaOutOfRange);
    SubmissionEntry unreachable = of(IoOpcode::Compare);
    unreachable.setQuad(6, 0x10'0000);
    CHECK(host.status(1, unreachable) == NvmeStatus::DataTransferError);
}
