#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A small drive with zones and a host that executes a script. Zones: 2 dies of 2 planes with word lines of 2 pages of
// 2 KiB, 4 word lines; so a unit has 16 sectors, a zone 8 units or 128 sectors, and there are 2 groups of dies.

#include "tests/firmware/support/host_model.h"

namespace strobe::test {

inline MockOptions zonedOptions()
{
    MockOptions options;
    cpu::BootBlock& boot = options.boot;
    boot.channels = 2;
    boot.ways = 2;
    boot.luns = 1;
    boot.planes = 2;
    boot.blocksPerPlane = 6; // two are for saves
    boot.writeCache = 1;
    boot.pagesPerBlock = 8;
    boot.programPages = 2;
    boot.pageBytes = 2048;
    boot.units = 4;
    boot.unitDepth = 4;
    boot.hostSlots = 16;
    boot.allocationOrder = 0x3210;
    boot.zoneDies = 2;
    boot.openZones = 3;
    boot.activeZones = 4;
    boot.writeBufferPages = 6 * 4;
    options.bufferPages = 40;
    return options;
}

constexpr std::uint32_t zoneSectors = 128;
constexpr std::uint32_t unitSectors = 16;

} // namespace strobe::test
