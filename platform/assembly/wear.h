#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Erase counts of all blocks, read from the dies: summed up for the report, block by block for a map, and as a sample
// that becomes one point of their history. Counts are since power-on. Changes nothing.

#include "models/nand/die.h"
#include "platform/report/report.h"

#include <vector>

namespace strobe::platform {

using Dies = std::vector<const nand::Die*>; // by DieId

WearReport wearOf(const Dies& dies);
// In the order of the dies: channel, position on the channel.
std::vector<DieWear> wearMapOf(const Dies& dies, std::uint32_t diesPerChannel);
// Only blocks in use for data count: programmed or erased at least once, last not for metadata, and not bad.
WearSample wearSample(const Dies& dies, Time at, std::uint64_t writtenBytes);

} // namespace strobe::platform
