// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_identify.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace strobe::host::ahci {

namespace {

constexpr std::uint16_t bit(unsigned number)
{
    return static_cast<std::uint16_t>(1U << number);
}

// The first of two characters is in the upper byte of its word.
void putText(IdentifyWords& words, std::size_t first, std::size_t count, std::string_view text)
{
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = [&text](std::size_t place) { return place < text.size() ? text[place] : ' '; };
        words[first + i] = static_cast<std::uint16_t>(static_cast<unsigned char>(at(2 * i)) << 8 |
                                                      static_cast<unsigned char>(at(2 * i + 1)));
    }
}

} // namespace

IdentifyWords identifyDevice(const AtaIdentity& identity)
{
    constexpr std::uint64_t most28 = 0x0FFF'FFFF; // sectors that 28 bits can name
    constexpr unsigned cacheBit = 5;
    constexpr unsigned activateBit = 2;
    constexpr std::uint16_t flushes = bit(13) | bit(12) | bit(10); // EXT, 28 bits; 48-bit addresses
    IdentifyWords words{};
    putText(words, 10, 10, "1");          // serial number
    putText(words, 23, 4, "1");           // firmware revision
    putText(words, 27, 20, "Strobe SSD"); // model number
    words[49] = bit(9) | bit(8);          // LBA, DMA
    words[53] = bit(2) | bit(1);          // words 88 and 64 to 70 are valid
    const auto capacity28 = static_cast<std::uint32_t>(std::min(identity.capacitySectors, most28));
    std::memcpy(&words[60], &capacity28, sizeof capacity28);
    words[63] = 0x0007;           // multiword DMA modes 0 to 2
    words[64] = 0x0003;           // PIO modes 3 and 4
    words[69] = bit(14) | bit(5); // after a trim, sectors read zeros
    words[75] = static_cast<std::uint16_t>(identity.queueDepth - 1);
    words[76] = bit(8) | 0x000E; // NCQ; all three line rates
    words[78] = words[79] = identity.autoActivate ? bit(activateBit) : std::uint16_t{0};
    words[80] = 0x01F0; // ATA/ATAPI-4 to ATA8-ACS
    constexpr std::uint16_t powerManagement = bit(3);
    words[82] = static_cast<std::uint16_t>(powerManagement | (identity.hasVolatileCache ? bit(cacheBit) : 0));
    words[85] = static_cast<std::uint16_t>(powerManagement |
                                           (identity.hasVolatileCache && identity.isWriteCacheOn ? bit(cacheBit) : 0));
    words[83] = bit(14) | flushes;
    words[84] = words[87] = bit(14);
    words[86] = flushes;
    words[88] = 0x407F; // Ultra DMA modes 0 to 6; mode 6 is chosen
    std::memcpy(&words[100], &identity.capacitySectors, sizeof identity.capacitySectors);
    words[105] = 1; // blocks of ranges of a trim
    words[169] = 1; // trim
    words[217] = 1; // does not rotate
    return words;
}

} // namespace strobe::host::ahci
