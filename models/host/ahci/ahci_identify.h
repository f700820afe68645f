#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The data of IDENTIFY DEVICE of a drive behind an AHCI adapter (ATA8-ACS, section 7.16), as far as it applies to the
// commands that the adapter supports. Pure.

#include "models/base/content.h"

#include <array>
#include <cstdint>

namespace strobe::host::ahci {

using IdentifyWords = std::array<std::uint16_t, sectorBytes / 2>;

struct AtaIdentity {
    std::uint64_t capacitySectors = 0;
    std::uint32_t queueDepth = 32; // NCQ
    bool autoActivate = true;      // DMA Setup with automatic activation
    bool hasVolatileCache = true;
    bool isWriteCacheOn = true; // only with such a cache
};

IdentifyWords identifyDevice(const AtaIdentity& identity);

} // namespace strobe::host::ahci
