// SPDX-License-Identifier: Apache-2.0
//
// A drive of 32 MiB with three namespaces: 8 MiB, 4 MiB, and the rest of 20 MiB.
#include "models/host/nvme/nvme_commands.h"
#include "tests/domain/host/nvme/raw_host.h"
#include "tests/support/catch.h"

#include <array>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::nvme;
using namespace strobe::test;

namespace {

constexpr std::uint64_t mebibyte = 2048; // blocks
constexpr std::array<std::uint64_t, 3> firstOf{0, 8 * mebibyte, 12 * mebibyte};
constexpr std::array<std::uint64_t, 3> blocksOf{8 * mebibyte, 4 * mebibyte, 20 * mebibyte};

ControllerOptions threeNamespaces()
{
    ControllerOptions options;
    options.namespaces = {{0, 0.25}, {4 << 20, 0}, {}};
    return options;
}

struct SharedDrive : RawHost {
    std::uint64_t page = memory.allocate(4096);

    explicit SharedDrive(const FakeSsd::Config& drive = {}) : RawHost(drive, threeNamespaces())
    {
        enable();
        createPair(1);
    }
    NvmeStatus io(IoOpcode opcode, std::uint32_t space, std::uint64_t lba, std::uint32_t sectors)
    {
        SubmissionEntry command = blocks(opcode, lba, sectors);
        command.dword[1] = space;
        return status(1, command);
    }
    NvmeStatus identify(std::uint32_t structure, std::uint32_t space)
    {
        return status(0, nvme::identify(structure, space, page));
    }
    template <class T>
    T at(std::uint64_t offset)
    {
        T value{};
        memory.read(page + offset, &value, sizeof value);
        return value;
    }
};

} // namespace

TEST_CASE("each namespace is identified by its size and an identifier of its own")
{
    SharedDrive host;
    REQUIRE(host.identify(1, 0) == NvmeStatus::Success);
    CHECK(host.at<std::uint32_t>(516) == 3); // NN
    REQUIRE(host.identify(2, 0) == NvmeStatus::Success);
    CHECK(host.at<std::array<std::uint32_t, 4>>(0) == std::array<std::uint32_t, 4>{1, 2, 3, 0});
    REQUIRE(host.identify(2, 2) == NvmeStatus::Success);
    CHECK(host.at<std::array<std::uint32_t, 2>>(0) == std::array<std::uint32_t, 2>{3, 0});
    std::array<std::uint64_t, 3> ids{};
    for (std::uint32_t space = 1; space <= 3; ++space) {
        REQUIRE(host.identify(0, space) == NvmeStatus::Success);
        for (const std::uint64_t offset : {0U, 8U, 16U}) // size, capacity, use
            CHECK(host.at<std::uint64_t>(offset) == blocksOf[space - 1]);
        ids[space - 1] = host.at<std::uint64_t>(120); // EUI-64
        REQUIRE(host.identify(3, space) == NvmeStatus::Success);
        CHECK(host.at<std::uint64_t>(4) == ids[space - 1]);
    }
    CHECK(ids[0] != ids[1]);
    CHECK(ids[1] != ids[2]);
    CHECK(ids[0] != ids[2]);
    for (const std::uint32_t structure : {0U, 3U}) {
        CHECK(host.identify(structure, 4) == NvmeStatus::InvalidNamespace);
        CHECK(host.identify(structure, 0) == NvmeStatus::InvalidNamespace);
        CHECK(host.identify(structure, allNamespaces) == NvmeStatus::InvalidNamespace);
    }
    for (const std::uint32_t structure : {0x10U, 0x11U}) // of namespace management
        CHECK(host.identify(structure, 0) == NvmeStatus::InvalidField);
}

TEST_CASE("blocks of a namespace are at its place in the drive, and end with it")
{
    SharedDrive host;
    for (std::uint32_t space = 1; space <= 3; ++space) {
        host.ssd.submitted.clear();
        const std::uint64_t blocks = blocksOf[space - 1];
        CHECK(host.io(IoOpcode::Write, space, 24, 8) == NvmeStatus::Success);
        CHECK(host.io(IoOpcode::Read, space, blocks - 8, 8) == NvmeStatus::Success);
        CHECK(host.io(IoOpcode::WriteZeroes, space, 0, 8) == NvmeStatus::Success);
        REQUIRE(host.ssd.submitted.size() == 3);
        CHECK(host.ssd.submitted[0].lba == firstOf[space - 1] + 24);
        CHECK(host.ssd.submitted[1].lba == firstOf[space - 1] + blocks - 8);
        CHECK(host.ssd.submitted[2].lba == firstOf[space - 1]);
        CHECK(host.io(IoOpcode::Read, space, blocks - 7, 8) == NvmeStatus::LbaOutOfRange);
        CHECK(host.io(IoOpcode::Write, space, blocks, 1) == NvmeStatus::LbaOutOfRange);
        CHECK(host.io(IoOpcode::Write, space, ~std::uint64_t{0} - 3, 8) == NvmeStatus::LbaOutOfRange);
        CHECK(host.ssd.submitted.size() == 3);
    }
}

TEST_CASE("commands for a namespace that does not exist are refused and counted, a flush may name all")
{
    SharedDrive host;
    for (const std::uint32_t space : {0U, 4U, 65U, 0xFFFF'FFFEU, allNamespaces}) {
        for (const IoOpcode opcode : {IoOpcode::Read, IoOpcode::Write, IoOpcode::DatasetManagement, IoOpcode::Copy})
            CHECK(host.io(opcode, space, 0, 8) == NvmeStatus::InvalidNamespace);
    }
    CHECK(host.controller.counters().errors == 20);
    CHECK(host.ssd.submitted.empty());
    CHECK(host.io(IoOpcode::Flush, 4, 0, 1) == NvmeStatus::InvalidNamespace);
    for (const std::uint32_t space : {1U, 3U, allNamespaces})
        CHECK(host.io(IoOpcode::Flush, space, 0, 1) == NvmeStatus::Success);
    CHECK(host.ssd.submitted.size() == 3);
}

TEST_CASE("deallocation and copy stay in their namespace")
{
    SharedDrive host;
    const DatasetRange range{0, 16, 40};
    host.memory.write(host.page, &range, sizeof range);
    SubmissionEntry trim = submissionOf(IoOpcode::DatasetManagement, 2, host.page);
    trim.dword[11] = deallocateBit;
    CHECK(host.status(1, trim) == NvmeStatus::Success);
    REQUIRE(host.ssd.submitted.size() == 1);
    CHECK(host.ssd.submitted[0].lba == firstOf[1] + 40);
    const DatasetRange beyond{0, 17, blocksOf[1] - 16};
    host.memory.write(host.page, &beyond, sizeof beyond);
    CHECK(host.status(1, trim) == NvmeStatus::LbaOutOfRange);

    const auto copy = [&](std::uint64_t from, std::uint64_t to) {
        std::array<std::uint64_t, 4> source{0, from, 7, 0}; // eight blocks
        host.memory.write(host.page, source.data(), sizeof source);
        SubmissionEntry command = submissionOf(IoOpcode::Copy, 2, host.page);
        command.setQuad(10, to);
        return host.status(1, command);
    };
    CHECK(copy(8, 100) == NvmeStatus::Success);
    REQUIRE(host.ssd.submitted.size() == 3);
    CHECK(host.ssd.submitted[1].lba == firstOf[1] + 8);
    CHECK(host.ssd.submitted[2].lba == firstOf[1] + 100);
    CHECK(copy(blocksOf[1] - 7, 0) == NvmeStatus::LbaOutOfRange);
    CHECK(copy(0, blocksOf[1] - 7) == NvmeStatus::LbaOutOfRange);
}

TEST_CASE("a format clears one namespace, or all")
{
    SharedDrive host;
    std::fill(host.buffer.begin(), host.buffer.begin() + 4096, std::byte{0xAB});
    for (std::uint32_t space = 1; space <= 3; ++space)
        REQUIRE(host.io(IoOpcode::Write, space, 80, 8) == NvmeStatus::Success);
    const auto format = [&](std::uint32_t space) {
        return host.status(0, submissionOf(AdminOpcode::FormatNvm, space));
    };
    const auto isClear = [&](std::uint32_t space) {
        host.buffer[0] = std::byte{1};
        CHECK(host.io(IoOpcode::Read, space, 80, 8) == NvmeStatus::Success);
        return host.buffer[0] == std::byte{0};
    };
    CHECK(format(4) == NvmeStatus::InvalidNamespace);
    CHECK(format(0) == NvmeStatus::InvalidNamespace);
    CHECK(format(2) == NvmeStatus::Success);
    CHECK_FALSE(isClear(1));
    CHECK(isClear(2));
    CHECK_FALSE(isClear(3));
    CHECK(format(allNamespaces) == NvmeStatus::Success);
    CHECK(isClear(1));
    CHECK(isClear(3));
}

TEST_CASE("while a namespace is formatted, commands reach the others")
{
    SharedDrive host(slowDrive(std::chrono::milliseconds(1)));
    host.put(0, submissionOf(AdminOpcode::FormatNvm, 2));
    host.controller.writeRegister(reg::doorbells, 4, host.queues[0].tail, host.now);
    host.run(host.now + std::chrono::microseconds(100));
    for (const std::uint32_t space : {1U, 2U, 3U}) {
        SubmissionEntry read = RawHost::blocks(IoOpcode::Read, 0, 8, static_cast<std::uint16_t>(space));
        read.dword[1] = space;
        host.put(1, read);
    }
    host.controller.writeRegister(reg::doorbells + 8, 4, host.queues[1].tail, host.now);
    host.run();
    const std::vector<CompletionEntry> ends = host.take(1);
    REQUIRE(ends.size() == 3);
    for (const CompletionEntry& end : ends)
        CHECK(end.status() == (end.commandId == 2 ? NvmeStatus::FormatInProgress : NvmeStatus::Success));
    CHECK(host.take(0).at(0).status() == NvmeStatus::Success);
}

TEST_CASE("error recovery is a value of each namespace, other features are the controller's")
{
    SharedDrive host;
    const auto use = [&](AdminOpcode opcode, Feature number, std::uint32_t space, std::uint32_t value = 0) {
        SubmissionEntry command = RawHost::feature(opcode, number, value);
        command.dword[1] = space;
        return host.execute(0, command);
    };
    const auto recovery = [&](std::uint32_t space) {
        return use(AdminOpcode::GetFeatures, Feature::ErrorRecovery, space).result;
    };
    CHECK(use(AdminOpcode::SetFeatures, Feature::ErrorRecovery, 2, 5).status() == NvmeStatus::Success);
    CHECK(recovery(1) == 0);
    CHECK(recovery(2) == 5);
    CHECK(use(AdminOpcode::SetFeatures, Feature::ErrorRecovery, allNamespaces, 7).status() == NvmeStatus::Success);
    CHECK(recovery(1) == 7);
    CHECK(recovery(3) == 7);
    CHECK(use(AdminOpcode::GetFeatures, Feature::ErrorRecovery, 4).status() == NvmeStatus::InvalidNamespace);
    CHECK(use(AdminOpcode::SetFeatures, Feature::ErrorRecovery, 4).status() == NvmeStatus::InvalidNamespace);
    CHECK(use(AdminOpcode::SetFeatures, Feature::VolatileWriteCache, 3, 1).status() ==
          NvmeStatus::FeatureNotNamespaceSpecific);
}

TEST_CASE("blocks that could not be read are those of the namespace that is asked for")
{
    SharedDrive host;
    host.ssd.judge = [](const Command& command) {
        return command.kind == RequestKind::Read ? CommandStatus::Uncorrectable : CommandStatus::Ok;
    };
    CHECK(host.io(IoOpcode::Read, 1, blocksOf[0] - 8, 8) == NvmeStatus::UnrecoveredReadError);
    CHECK(host.io(IoOpcode::Read, 2, 40, 8) == NvmeStatus::UnrecoveredReadError);
    const auto list = [&](std::uint32_t space) {
        SubmissionEntry get = submissionOf(AdminOpcode::GetLbaStatus, space, host.page);
        get.dword[12] = 1023;
        get.dword[13] = 0x11U << 24U;
        CHECK(host.status(0, get) == NvmeStatus::Success);
        return host.at<std::array<std::uint32_t, 6>>(0);
    };
    CHECK(list(1)[0] == 1);
    CHECK(list(1)[2] == blocksOf[0] - 8);
    CHECK(list(2)[0] == 1);
    CHECK(list(2)[2] == 40);
    CHECK(list(3)[0] == 0);
    SubmissionEntry get = submissionOf(AdminOpcode::GetLbaStatus, 2, host.page);
    get.dword[13] = 0x11U << 24U;
    get.setQuad(10, blocksOf[1]);
    CHECK(host.status(0, get) == NvmeStatus::LbaOutOfRange);
}
