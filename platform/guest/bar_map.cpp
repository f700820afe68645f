// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/bar_map.h"

#include "models/host/pcie/pci_config.h"

namespace strobe::platform::guest {

namespace {

using Config = host::PciConfigSpace;

constexpr std::uint32_t mostBars = 6;
constexpr std::uint32_t attributes = 0xF; // bits of a memory BAR that are not address
constexpr std::uint32_t wideBar = 0x4;

} // namespace

// A BAR that all ones are written to shows its size.
BarMap::BarMap(GuestPortModule& port) : port_(port)
{
    for (std::uint32_t number = 0; number < mostBars; ++number) {
        const std::uint32_t at = Config::bar0 + registerBytes * number;
        const std::uint32_t initial = port.readConfig(at, registerBytes);
        port.writeConfig(at, registerBytes, ~0U);
        const std::uint32_t mask = port.readConfig(at, registerBytes) & ~attributes;
        port.writeConfig(at, registerBytes, initial);
        if (mask == 0)
            continue;
        const bool isWide = (initial & wideBar) != 0;
        bars_.push_back({number, std::uint64_t{~mask} + 1, isWide});
        number += isWide ? 1 : 0;
    }
}

std::optional<BarMap::Place> BarMap::find(std::uint64_t address, std::uint32_t bytes) const
{
    for (const Bar& bar : bars_) {
        const std::uint32_t at = Config::bar0 + registerBytes * bar.number;
        const std::uint64_t base =
            (port_.readConfig(at, registerBytes) & ~attributes) |
            (bar.isWide ? std::uint64_t{port_.readConfig(at + registerBytes, registerBytes)} << 32U : 0);
        if (address >= base && address - base <= bar.bytes - bytes)
            return Place{bar.number, static_cast<std::uint32_t>(address - base)};
    }
    return std::nullopt;
}

} // namespace strobe::platform::guest
