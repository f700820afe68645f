#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The groups of resources of a drive, in the order in which a request passes them: names in scenarios and reports,
// titles, and words for sentences. The only list of them.

#include "models/base/enum_table.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace strobe {

enum class ResourceGroup : std::uint8_t {
    Link,
    Cpu,
    Fabric,
    Sdram,
    SdramPort,
    WriteBuffer,
    Unit,
    Ecc,
    CommandLines,
    Channel,
    Die
};

struct ResourceGroupRow {
    ResourceGroup value;
    std::string_view name;
    std::string_view help;       // what a job is
    std::string_view title;      // of a row in the text report
    std::string_view inSentence; // "limited by ..."
    bool hasEnergy;              // may be the group of an energy component
};

inline constexpr std::array<ResourceGroupRow, 11> resourceGroupTable{
    {{ResourceGroup::Link, "link", "frames, bursts or runs of packets, as the host interface has them", "host link",
      "the host link", true},
     {ResourceGroup::Cpu, "cpu", "events taken by firmware", "CPU", "the CPU", true},
     {ResourceGroup::Fabric, "fabric", "bus accesses of the CPUs", "fabric", "the fabric", true},
     {ResourceGroup::Sdram, "sdram", "bursts of all ports", "SDRAM", "the SDRAM", true},
     {ResourceGroup::SdramPort, "sdram-port", "bursts of one port", "SDRAM ports", "the SDRAM ports", false},
     {ResourceGroup::WriteBuffer, "write-buffer", "buffer pages taken", "write buffer", "the write buffer", false},
     {ResourceGroup::Unit, "unit", "lists of descriptors", "flash units", "the flash units", true},
     {ResourceGroup::Ecc, "ecc", "parts of pages encoded or decoded", "ECC", "the ECC engines", true},
     {ResourceGroup::CommandLines, "command-lines", "bus segments, where commands have lines of their own",
      "command lines", "the command lines", true},
     {ResourceGroup::Channel, "channel", "bus segments", "channel buses", "the channel buses", true},
     {ResourceGroup::Die, "die", "operations, from request to response", "dies", "the dies", true}}};
constexpr const auto& enumTable(ResourceGroup)
{
    return resourceGroupTable;
}

constexpr const ResourceGroupRow& rowOf(ResourceGroup group)
{
    return resourceGroupTable[static_cast<std::size_t>(group)]; // rows are in the order of the enumeration
}

// "link, cpu, ...": the groups that an energy component may have.
inline std::string energyGroups()
{
    std::string text;
    for (const ResourceGroupRow& row : resourceGroupTable) {
        if (row.hasEnergy)
            text += (text.empty() ? "" : ", ") + std::string(row.name);
    }
    return text;
}

} // namespace strobe
