// SPDX-License-Identifier: Apache-2.0
//
// An AHCI adapter under a hostile host: command headers, tables and FISes of any content, registers, configuration
// space. Input: actions. After it, an HBA reset must bring the drive back to an IDENTIFY DEVICE that succeeds.
#include "tests/fuzz/pci_host.h"
#include "tests/fuzz/target.h"

#include <array>

using namespace strobe;
using namespace strobe::fuzz;

namespace {

enum Register : std::uint64_t {
    globalControl = 0x04,
    globalStatus = 0x08,
    listBase = 0x100,
    fisBase = 0x108,
    portStatus = 0x110,
    portCommand = 0x118,
    taskFile = 0x120,
    serialError = 0x130,
    active = 0x134,
    issue = 0x138
};
constexpr std::uint64_t commandList = PciHost::queues;
constexpr std::uint64_t received = PciHost::queues + 0x1000;
constexpr std::uint64_t tables = PciHost::queues + 0x10000;
constexpr std::uint64_t tableBytes = 0x1000;
constexpr std::uint8_t identifyDevice = 0xEC;

struct Region {
    std::uint64_t address = 0;
    std::uint32_t reserved = 0;
    std::uint32_t bytes = 0; // less one; interrupt in bit 31
};

class AhciHost {
public:
    explicit AhciHost(const platform::Scenario& scenario) : pci_(scenario, 5) {}

    void start()
    {
        pci_.write(globalControl, pci_.read(globalControl) | 1U);
        require(pci_.waitFor([this] { return (pci_.read(globalControl) & 1U) == 0; }), "an HBA reset does not end");
        pci_.write(globalControl, 0x8000'0000);
        pci_.clear(commandList, 0x2000);
        pci_.write(listBase, commandList);
        pci_.write(listBase + 4, 0);
        pci_.write(fisBase, received);
        pci_.write(fisBase + 4, 0);
        pci_.write(portCommand, 0x16);
        require(pci_.waitFor([this] { return (pci_.read(taskFile) & 0x88U) == 0; }), "the drive stays busy");
        pci_.write(serialError, ~0U);
        pci_.write(portStatus, ~0U);
        pci_.write(globalStatus, ~0U);
        pci_.write(portCommand, 0x17);
        pci_.waitFor([this] { return (pci_.read(portCommand) & 0x8000U) != 0; });
    }
    void identify()
    {
        const std::array<std::uint8_t, 20> fis{0x27, 0x80, identifyDevice};
        const Region region{PciHost::data, 0, 511};
        prepare(0, 1U << 16U | 5U, fis.data(), fis.size(), &region, 1);
        pci_.write(issue, 1);
        require(pci_.waitFor([this] { return (pci_.read(issue) & 1U) == 0; }), "IDENTIFY DEVICE does not end");
        require((pci_.read(taskFile) & 0x89U) == 0, "IDENTIFY DEVICE has no success");
    }
    void act(Values& input)
    {
        const unsigned what = input.byte();
        switch (what % 8) {
        case 6: pci_.actOnMachine(input); break;
        case 7: // as after an error
            pci_.write(portCommand, 0x16);
            pci_.step(1000);
            pci_.write(serialError, ~0U);
            pci_.write(portStatus, ~0U);
            pci_.write(portCommand, 0x17);
            break;
        default: command(input, what >> 3U); break;
        }
        if ((what & 0x80U) == 0)
            pci_.step(300);
    }
    PciHost& pci() { return pci_; }

private:
    void command(Values& input, unsigned slot)
    {
        std::array<std::uint8_t, 20> fis{0x27, 0x80, 0, 0, 0, 0, 0, 0x40};
        fis[0] = static_cast<std::uint8_t>(input.usualOr({0x27, 0x27, 0x27}, 1));
        fis[1] = static_cast<std::uint8_t>(input.usualOr({0x80, 0x80, 0x00}, 1));
        fis[2] =
            static_cast<std::uint8_t>(input.usualOr({0x25, 0x35, 0x60, 0x61, 0xC8, 0xCA, 0x20, 0x30, 0xEA, 0xE7, 0xEC,
                                                     0xEF, 0x06, 0x2F, 0x47, 0x45, 0xB0, 0xE0, 0xE6, 0x42, 0x63, 0x92},
                                                    1));
        constexpr std::size_t changeable = 16;
        for (std::size_t i = 3; i < changeable; ++i)
            fis[i] = static_cast<std::uint8_t>(input.usualOr({fis[i], fis[i], 1, 8, 0xFF}, 1));
        std::array<Region, 3> regions;
        const std::size_t count = input.byte() % (regions.size() + 1);
        for (std::size_t i = 0; i < count; ++i)
            regions[i] = {PciHost::address(input), 0,
                          static_cast<std::uint32_t>(input.usualOr({511, 4095, 1, 0, 0x3F'FFFF}, 4))};
        const auto flags = static_cast<std::uint32_t>(input.usualOr({5, 5, 0x45, 0x85, 0x105}, 2)) & 0xFFFFU;
        const auto length = static_cast<std::uint32_t>(input.usualOr({count, count, count, count + 1, 0}, 2));
        prepare(slot, length << 16U | flags, fis.data(), fis.size(), regions.data(), count);
        const auto slots = static_cast<std::uint32_t>(input.usualOr({1ULL << slot, 1ULL << slot, 1ULL << slot}, 4));
        if (fis[2] == 0x60 || fis[2] == 0x61 || (input.byte() & 7U) == 0)
            pci_.write(active, slots);
        pci_.write(issue, slots);
    }
    void prepare(unsigned slot, std::uint32_t header, const void* fis, std::size_t bytes, const Region* regions,
                 std::size_t count)
    {
        const std::uint64_t table = tables + slot * tableBytes;
        constexpr std::uint64_t regionsAt = 0x80;
        constexpr std::uint64_t headerBytes = 32;
        pci_.store(table, fis, bytes);
        if (count != 0)
            pci_.store(table + regionsAt, regions, count * sizeof *regions);
        const std::array<std::uint64_t, 2> words{header, table};
        pci_.store(commandList + headerBytes * slot, words.data(), sizeof words);
    }

    PciHost pci_;
};

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const platform::Scenario scenario = loadDrive("ahci");
    Values input(data, size);
    AhciHost host(scenario);
    if (input.byte() != 0xFF) // otherwise an adapter that no driver has set up
        host.start();
    constexpr int mostActions = 200;
    for (int i = 0; i < mostActions && !input.isOver(); ++i)
        host.act(input);
    host.pci().placeBar();
    host.start();
    host.identify();
    return 0;
}
