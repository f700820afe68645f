// SPDX-License-Identifier: Apache-2.0
#include "models/host/pcie/host_memory.h"
#include "tests/support/catch.h"

#include <array>
#include <cstdint>
#include <vector>

using namespace strobe;
using namespace strobe::host;

namespace {

// The data of the slots: asks are kept.
class Slots : public HostSide {
public:
    struct Run {
        std::uint16_t slot;
        std::uint32_t first;
        std::uint32_t sectors;
        bool operator==(const Run& other) const
        {
            return slot == other.slot && first == other.first && sectors == other.sectors;
        }
    };
    void driveReady(std::uint64_t, std::uint32_t, Time) override {}
    void completed(std::uint16_t, CommandStatus, Time) override {}
    void fillWriteData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content) override
    {
        filled.push_back({slot, first, sectors});
    }
    void takeReadData(std::uint16_t slot, std::uint32_t first, std::uint32_t sectors, Content) override
    {
        taken.push_back({slot, first, sectors});
    }
    std::vector<Run> filled;
    std::vector<Run> taken;
};

} // namespace

TEST_CASE("allocated memory is zero, keeps what is written, and ends")
{
    DriverMemory memory;
    const std::uint64_t at = memory.allocate(2 * DriverMemory::pageBytes);
    CHECK(at % DriverMemory::pageBytes == 0);
    std::array<std::uint32_t, 2> words{1, 2};
    REQUIRE(memory.read(at, words.data(), sizeof words));
    CHECK(words == std::array<std::uint32_t, 2>{0, 0});
    words = {0x11223344, 0x55667788};
    const std::uint64_t across = at + DriverMemory::pageBytes - 4; // over the boundary of two pages
    REQUIRE(memory.write(across, words.data(), sizeof words));
    std::array<std::uint32_t, 2> found{};
    REQUIRE(memory.read(across, found.data(), sizeof found));
    CHECK(found == words);
    CHECK_FALSE(memory.write(at + 2 * DriverMemory::pageBytes - 4, words.data(), sizeof words));
    CHECK(memory.allocate(1) >= at + 2 * DriverMemory::pageBytes);
}

TEST_CASE("sectors of a data buffer are those of its slot, page by page")
{
    DriverMemory memory;
    Slots slots;
    memory.connect(slots);
    std::vector<std::byte> data(16 * sectorBytes);
    const Content content{data.data(), DataMode::Bytes};
    CHECK(memory.readSectors(DriverMemory::dataPage(3, 1) + 2 * sectorBytes, 4, content));
    CHECK(slots.filled == std::vector<Slots::Run>{{3, 8 + 2, 4}});
    // Pages descend: after the last sector of page 1 comes page 0.
    CHECK(memory.writeSectors(DriverMemory::dataPage(3, 1) + 7 * sectorBytes, 2, content));
    CHECK(slots.taken == std::vector<Slots::Run>{{3, 15, 1}, {3, 0, 1}});
    CHECK_FALSE(memory.readSectors(DriverMemory::dataPage(3, 1) + 1, 1, content));
    CHECK_FALSE(memory.readSectors(4096, 1, content));
}
