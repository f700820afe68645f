// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/address_map.h"

#include "models/base/config_error.h"

#include <algorithm>
#include <cstdio>

namespace strobe::fabric {

namespace {

std::uint64_t endOf(const memory::Region& region)
{
    return std::uint64_t{raw(region.base)} + region.size;
}

std::string describe(const std::string& name, const memory::Region& region)
{
    char range[48];
    std::snprintf(range, sizeof range, "0x%08llx-0x%08llx", static_cast<unsigned long long>(raw(region.base)),
                  static_cast<unsigned long long>(endOf(region) - 1));
    return "\"" + name + "\" (" + range + ")";
}

} // namespace

std::uint32_t AddressMap::add(const std::string& name, memory::Region region)
{
    if (region.size == 0)
        throw ConfigError("address map: \"" + name + "\" has no size");
    if (endOf(region) > (std::uint64_t{1} << 32))
        throw ConfigError("address map: " + describe(name, region) + " leaves the 32-bit address space");

    const auto next =
        std::upper_bound(mappings_.begin(), mappings_.end(), region,
                         [](const memory::Region& a, const Mapping& b) { return raw(a.base) < raw(b.region.base); });
    const Mapping* clash = nullptr;
    if (next != mappings_.end() && endOf(region) > raw(next->region.base))
        clash = &*next;
    if (next != mappings_.begin() && endOf(std::prev(next)->region) > raw(region.base))
        clash = &*std::prev(next);
    if (clash != nullptr)
        throw ConfigError("address map: " + describe(name, region) + " overlaps " +
                          describe(clash->name, clash->region));

    const auto target = static_cast<std::uint32_t>(mappings_.size());
    mappings_.insert(next, Mapping{name, region, target});
    return target;
}

const Mapping* AddressMap::search(BusAddress start, std::uint32_t length) const
{
    const auto next = std::upper_bound(mappings_.begin(), mappings_.end(), raw(start),
                                       [](std::uint32_t a, const Mapping& b) { return a < raw(b.region.base); });
    if (next == mappings_.begin() || !std::prev(next)->region.contains(start, length))
        return nullptr;
    lastHit_[raw(start) >> 24U] = static_cast<std::uint16_t>(std::prev(next) - mappings_.begin());
    return &*std::prev(next);
}

} // namespace strobe::fabric
