// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/host/ahci/ahci_regions.h"
#include "tests/support/catch.h"

#include <cstring>
#include <numeric>

using namespace strobe;
using namespace strobe::host;
using namespace strobe::host::ahci;

namespace {

// Real bytes only, at addresses from 0.
struct ByteMemory final : HostMemory {
    std::vector<std::byte> bytes = std::vector<std::byte>(1 << 14);

    bool read(std::uint64_t address, void* destination, std::uint32_t count) override
    {
        if (address + count > bytes.size())
            return false;
        std::memcpy(destination, &bytes[address], count);
        return true;
    }
    bool write(std::uint64_t address, const void* source, std::uint32_t count) override
    {
        if (address + count > bytes.size())
            return false;
        std::memcpy(&bytes[address], source, count);
        return true;
    }
    bool readSectors(std::uint64_t address, std::uint32_t sectors, Content destination) override
    {
        return read(address, destination.data, sectors * 512);
    }
    bool writeSectors(std::uint64_t address, std::uint32_t sectors, Content source) override
    {
        return write(address, source.data, sectors * 512);
    }
};

constexpr std::uint64_t table = 0x100;

struct Listed {
    explicit Listed(const std::vector<RegionEntry>& entries)
    {
        memory.write(table + tableEntries, entries.data(), static_cast<std::uint32_t>(entries.size() * entryBytes));
        isRead = list.read(memory, {5U | static_cast<std::uint32_t>(entries.size()) << 16U, 0, table});
    }

    ByteMemory memory;
    RegionList list;
    bool isRead = false;
};

std::vector<std::byte> counted(std::size_t bytes)
{
    std::vector<std::byte> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        data[i] = static_cast<std::byte>(i / 512 * 16 + i % 13);
    return data;
}

} // namespace

TEST_CASE("a list has the bytes of its regions; one outside of memory is not read")
{
    Listed one({{0x1000, 0, 511}, {0x2000, 0, 1023}});
    CHECK(one.isRead);
    CHECK(one.list.bytes() == 1536);
    one.list.clear();
    CHECK(one.list.bytes() == 0);
    CHECK(one.list.read(one.memory, {5, 0, table}));
    CHECK(one.list.bytes() == 0);
    CHECK_FALSE(one.list.read(one.memory, {5U | 1U << 16U, 0, 1 << 14}));
}

TEST_CASE("sectors go to the regions in order, whatever their lengths")
{
    // The second sector is in three regions.
    Listed one({{0x1000, 0, 599}, {0x2000, 0, 99}, {0x2800, 0, 323 + 512}});
    const std::vector<std::byte> data = counted(3 * 512);
    REQUIRE(one.list.bytes() >= data.size());
    std::vector<std::byte> source = data;
    one.list.store(one.memory, 0, 3, {source.data(), DataMode::Bytes});
    CHECK(std::memcmp(&one.memory.bytes[0x1000], data.data(), 600) == 0);
    CHECK(std::memcmp(&one.memory.bytes[0x2000], &data[600], 100) == 0);
    CHECK(std::memcmp(&one.memory.bytes[0x2800], &data[700], 836) == 0);

    std::vector<std::byte> back(2 * 512);
    one.list.fetch(one.memory, 1, 2, {back.data(), DataMode::Bytes});
    CHECK(std::memcmp(back.data(), &data[512], back.size()) == 0);

    const std::vector<std::byte> sector(512, std::byte{0x5A});
    one.list.storeSector(one.memory, sector.data());
    CHECK(one.memory.bytes[0x1000 + 511] == std::byte{0x5A});
    CHECK(one.memory.bytes[0x1000 + 512] == data[512]);
}

TEST_CASE("the tag of a sector cannot be in two regions")
{
    Listed one({{0x1000, 0, 599}, {0x2000, 0, 423}});
    std::vector<std::byte> tags(64);
    CHECK_THROWS_AS(one.list.store(one.memory, 1, 1, {tags.data(), DataMode::Tags}), InternalError);
}

TEST_CASE("a range list describes one run, also in several entries")
{
    const auto trimOf = [](const std::vector<std::uint64_t>& ranges, Command& trim) {
        Listed one({{0x1000, 0, 255}, {0x2000, 0, 255}});
        std::vector<std::uint64_t> all = ranges;
        all.resize(64);
        one.memory.write(0x1000, all.data(), 256);
        one.memory.write(0x2000, &all[32], 256);
        return one.list.readTrim(one.memory, 1, trim);
    };
    const auto range = [](std::uint64_t lba, std::uint64_t sectors) { return sectors << 48U | lba; };
    Command trim;
    REQUIRE(trimOf({0, range(1'000, 65'535), range(66'535, 8)}, trim));
    CHECK(trim.kind == RequestKind::Trim);
    CHECK(trim.lba == 1'000);
    CHECK(trim.sectors == 65'543);
    CHECK_FALSE(trimOf({range(1'000, 8), range(1'010, 8)}, trim)); // several runs
    CHECK_FALSE(trimOf({}, trim));                                 // none

    Listed shorter({{0x1000, 0, 255}}); // than the list that the command announces
    const std::uint64_t first = range(8, 8);
    shorter.memory.write(0x1000, &first, sizeof first);
    CHECK_FALSE(shorter.list.readTrim(shorter.memory, 1, trim));
}
