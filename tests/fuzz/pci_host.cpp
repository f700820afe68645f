// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/pci_host.h"

#include "platform/config/load.h"
#include "tests/fuzz/target.h"

#include <cstdio>
#include <cstdlib>

namespace strobe::fuzz {

using platform::serve::PciMachine;
using platform::serve::QtestCommand;
using Kind = QtestCommand::Kind;

namespace {

constexpr std::uint32_t configAddress = 0xCF8;
constexpr std::uint32_t configData = 0xCFC;

} // namespace

platform::Scenario loadDrive(const std::string& name)
{
    platform::LoadOptions options;
    options.scenariosDirectory = STROBE_SOURCE "/scenarios";
    options.needsWorkload = false;
    options.sets = {"data=bytes"}; // as clients need it
    platform::Scenario scenario =
        platform::loadScenario(STROBE_SOURCE "/tests/data/conformance/" + name + ".json", options);
    scenario.firmware.image = STROBE_FIRMWARE "/strobe_firmware_page_map.so";
    return scenario;
}

void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "fuzz: %s\n", what);
    std::abort();
}

void PciHost::placeBar()
{
    constexpr std::uint32_t firstBar = 0x10;
    constexpr std::uint32_t command = 0x04;
    constexpr std::uint32_t memoryAndMaster = 0x6;
    writeConfig(firstBar + 4 * barNumber_, 4, static_cast<std::uint32_t>(bar));
    if (barNumber_ == 0) // of 64 bits
        writeConfig(firstBar + 4, 4, 0);
    writeConfig(command, 2, memoryAndMaster);
}

std::uint64_t PciHost::access(std::uint64_t address, std::uint32_t bytes)
{
    const std::string answer = machine_.execute({Kind::Read, address, bytes, 0, {}});
    return std::stoull(answer.substr(answer.find("0x")), nullptr, 16);
}

void PciHost::assign(std::uint64_t address, std::uint32_t bytes, std::uint64_t value)
{
    machine_.execute({Kind::Write, address, bytes, value, {}});
}

void PciHost::store(std::uint64_t address, const void* source, std::size_t bytes)
{
    const auto* first = static_cast<const std::byte*>(source);
    machine_.execute({Kind::WriteBytes, address, 0, 0, std::vector<std::byte>(first, first + bytes)});
}

void PciHost::clear(std::uint64_t address, std::size_t bytes)
{
    machine_.execute({Kind::WriteBytes, address, 0, 0, std::vector<std::byte>(bytes)});
}

void PciHost::writeConfig(std::uint32_t offset, std::uint32_t bytes, std::uint32_t value)
{
    machine_.execute({Kind::Out, configAddress, 4, 0x8000'0000 | PciMachine::device << 11U | (offset & ~3U), {}});
    machine_.execute({Kind::Out, configData + offset % 4, bytes, value, {}});
}

void PciHost::step(std::uint64_t microseconds)
{
    machine_.execute({Kind::StepClock, 0, 0, microseconds * 1000, {}});
}

bool PciHost::waitFor(const std::function<bool()>& isSo)
{
    constexpr int moments = 5000;
    for (int i = 0; i < moments; ++i) {
        if (isSo())
            return true;
        step(1000);
    }
    return false;
}

std::uint64_t PciHost::address(Values& input)
{
    constexpr std::uint64_t end = PciMachine::memoryBytes;
    return input.usualOr({data, data + 0x1000, data + 8, data + 0xFFC, lists, lists + 0xFF8, queues, 0, end - 0x1000,
                          end, bar, ~std::uint64_t{0xFFF}},
                         8);
}

void PciHost::actOnMachine(Values& input)
{
    const unsigned what = input.byte();
    const auto bytes = std::uint32_t{1} << (what >> 2U) % 4;
    constexpr std::uint64_t mostStep = 50; // milliseconds, and the delays of a controller
    switch (what % 4) {
    case 0: {
        const std::uint64_t reg = input.number(2) % 0x2000;
        const std::uint64_t value = input.number(bytes);
        if ((what & 0x80U) != 0)
            read(reg, bytes);
        else
            write(reg, value, bytes);
        break;
    }
    case 1: {
        const std::uint64_t base = address(input);
        const std::uint64_t at = base + input.byte() * std::uint64_t{8};
        const std::uint64_t value = input.usualOr({data, lists, lists + 8, 0, ~std::uint64_t{0}}, 8);
        store(at, &value, sizeof value);
        break;
    }
    case 2: {
        const std::uint32_t width = bytes == 8 ? 4 : bytes;
        const std::uint32_t offset = input.byte() / width * width;
        writeConfig(offset, width, static_cast<std::uint32_t>(input.number(width)));
        break;
    }
    default: step(input.byte() * (what & 0x80U ? mostStep * 1000 / 255 : 1)); break;
    }
}

} // namespace strobe::fuzz
