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

namespace {

// A copy of these ranges {first sector, sectors} to a place.
SubmissionEntry copyOf(RawHost& host, const std::vector<std::pair<std::uint64_t, std::uint32_t>>& ranges,
                       std::uint64_t destination)
{
    std::vector<CopyRange> list(ranges.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        list[i].lba = ranges[i].first;
        list[i].lastSector = static_cast<std::uint16_t>(ranges[i].second - 1);
    }
    const std::uint64_t pages = host.memory.allocate(2 * 4096);
    host.memory.write(pages, list.data(), static_cast<std::uint32_t>(list.size() * sizeof(CopyRange)));
    SubmissionEntry s = RawHost::make(IoOpcode::Copy);
    s.setQuad(6, pages);
    s.setQuad(10, destination);
    s.dword[12] = static_cast<std::uint32_t>(ranges.size() - 1);
    return s;
}

} // namespace

TEST_CASE("copy moves ranges one after the other within the drive, without the link")
{
    FakeSsd::Config drive;
    drive.mode = DataMode::Bytes;
    RawHost host(drive);
    host.enable();
    host.createPair(1);
    for (std::uint64_t lba = 0; lba < 64; ++lba)
        std::memset(host.ssd.sector(lba), static_cast<int>(lba + 1), 512);
    const std::uint64_t toHost = host.link.counters().packetsToHost;
    CHECK(host.status(1, copyOf(host, {{0, 8}, {32, 3}}, 100)) == NvmeStatus::Success);
    CHECK(host.link.counters().packetsToHost - toHost < 8); // requests, completion
    for (std::uint64_t i = 0; i < 11; ++i) {
        CAPTURE(i);
        const auto expected = static_cast<std::byte>(i < 8 ? i + 1 : 32 + i - 8 + 1);
        CHECK(*host.ssd.sector(100 + i) == expected);
        CHECK(*(host.ssd.sector(100 + i) + 511) == expected);
    }
    CHECK(*host.ssd.sector(111) == std::byte{0});
    CHECK(host.ssd.submitted.size() == 4); // a read and a write per range
    SECTION("a range that the command has written is read as written")
    {
        CHECK(host.status(1, copyOf(host, {{100, 4}, {200, 4}}, 200)) == NvmeStatus::Success);
        CHECK(*host.ssd.sector(204) == std::byte{1});
    }
    SECTION("FUA holds for the writes")
    {
        SubmissionEntry s = copyOf(host, {{0, 1}}, 300);
        s.dword[12] |= fuaBit;
        CHECK(host.status(1, s) == NvmeStatus::Success);
        CHECK(host.ssd.submitted.back().fua);
    }
}

TEST_CASE("copy refuses what is beyond its limits or the drive before it copies anything")
{
    RawHost host;
    host.enable();
    host.createPair(1);
    const std::uint64_t capacity = host.ssd.capacitySectors();
    CHECK(host.status(1, copyOf(host, {{0, 8}, {capacity - 4, 8}}, 100)) == NvmeStatus::LbaOutOfRange);
    CHECK(host.status(1, copyOf(host, {{0, 8}}, capacity - 4)) == NvmeStatus::LbaOutOfRange);
    CHECK(host.status(1, copyOf(host, {{0, maxCopyRangeSectors + 1}}, 100)) == NvmeStatus::CommandSizeLimitExceeded);
    SubmissionEntry many = copyOf(host, {{0, 1}}, 100);
    many.dword[12] = maxCopyRanges;
    CHECK(host.status(1, many) == NvmeStatus::CommandSizeLimitExceeded);
    SubmissionEntry format = copyOf(host, {{0, 1}}, 100);
    format.dword[12] |= 1U << 8U;
    CHECK(host.status(1, format) == NvmeStatus::InvalidField);
    SubmissionEntry unreachable = copyOf(host, {{0, 1}}, 100);
    unreachable.setQuad(6, 0x10'0000);
    CHECK(host.status(1, unreachable) == NvmeStatus::DataTransferError);
    CHECK(host.ssd.submitted.empty());
}
