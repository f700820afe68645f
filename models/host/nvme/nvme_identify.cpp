// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_identify.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace strobe::host::nvme {

namespace {

constexpr std::uint64_t uniqueId = 0x5354'524F'4245'0001; // EUI-64 of the namespace

template <class Page, class T>
void put(Page& page, std::size_t offset, T value)
{
    std::memcpy(page.data() + offset, &value, sizeof value);
}

void putText(IdentifyPage& page, std::size_t offset, std::size_t width, std::string_view text)
{
    std::memset(page.data() + offset, ' ', width);
    std::memcpy(page.data() + offset, text.data(), text.size());
}

} // namespace

IdentifyPage identifyController(const ControllerIdentity& identity)
{
    IdentifyPage page{};
    putText(page, 4, 20, "1");                                                // SN
    putText(page, 24, 40, "Strobe SSD");                                      // MN
    putText(page, 64, 8, "1");                                                // FR
    put(page, 72, static_cast<std::uint8_t>(defaultBurst));                   // RAB
    put(page, 77, static_cast<std::uint8_t>(identity.maxTransferPages));      // MDTS
    put(page, 80, version);                                                   // VER
    put(page, 111, std::uint8_t{1});                                          // CNTRLTYPE: I/O controller
    put(page, 258, std::uint8_t{3});                                          // ACL, counts from zero
    put(page, 259, static_cast<std::uint8_t>(identity.asyncEvents - 1));      // AERL
    put(page, 260, std::uint8_t{0x03});                                       // FRMW: one slot, read-only
    put(page, 262, static_cast<std::uint8_t>(identity.errorLogEntries - 1));  // ELPE
    put(page, 266, std::uint16_t{343});                                       // WCTEMP, kelvin
    put(page, 268, std::uint16_t{353});                                       // CCTEMP
    put(page, 512, std::uint8_t{0x66});                                       // SQES: 64 bytes
    put(page, 513, std::uint8_t{0x44});                                       // CQES: 16 bytes
    put(page, 516, std::uint32_t{1});                                         // NN
    put(page, 520, std::uint16_t{1U << 0U | 1U << 2U | 1U << 3U | 1U << 8U}); // ONCS: compare, dataset, zeroes, copy
    put(page, 525, std::uint8_t{identity.hasVolatileCache});                  // VWC
    put(page, 534, std::uint16_t{1});                                         // OCFS: source ranges of format 0
    const std::string_view name = "nqn.2014-08.org.nvmexpress:uuid:53545242-0000-4000-8000-000000000001";
    std::memcpy(page.data() + 768, name.data(), name.size()); // SUBNQN
    put(page, 2048, std::uint16_t{900});                      // PSD0: 9 W
    return page;
}

IdentifyPage identifyNamespace(std::uint64_t sectors)
{
    IdentifyPage page{};
    put(page, 0, sectors);                                          // NSZE
    put(page, 8, sectors);                                          // NCAP
    put(page, 16, sectors);                                         // NUSE
    put(page, 33, std::uint8_t{1});                                 // DLFEAT: deallocated blocks read zero
    put(page, 74, static_cast<std::uint16_t>(maxCopyRangeSectors)); // MSSRL
    put(page, 76, maxCopySectors);                                  // MCL
    put(page, 80, static_cast<std::uint8_t>(maxCopyRanges - 1));    // MSRC
    put(page, 120, __builtin_bswap64(uniqueId));
    put(page, 130, std::uint8_t{9}); // LBAF0: 2^9 bytes, no metadata
    return page;
}

IdentifyPage activeNamespaces(std::uint32_t above)
{
    IdentifyPage page{};
    if (above < 1)
        put(page, 0, std::uint32_t{1});
    return page;
}

IdentifyPage namespaceDescriptors(bool isZoned)
{
    IdentifyPage page{};
    put(page, 0, std::uint8_t{1}); // EUI-64
    put(page, 1, std::uint8_t{8});
    put(page, 4, __builtin_bswap64(uniqueId));
    if (isZoned) {
        put(page, 12, std::uint8_t{4}); // command set identifier
        put(page, 13, std::uint8_t{1});
        put(page, 16, zonedCommandSet);
    }
    return page;
}

SmartLog smartLog(const SmartValues& values, const DriveHealth& health)
{
    SmartLog log{};
    constexpr std::uint64_t unit = 1000; // of 512 bytes, rounded up
    put(log, 1, std::uint16_t{313});     // temperature, kelvin
    const auto spare = static_cast<std::uint8_t>(health.sparePercent());
    put(log, 0, static_cast<std::uint8_t>(spare < spareThreshold ? 1U : 0U)); // critical warning
    put(log, 3, spare);
    put(log, 4, spareThreshold);
    put(log, 5, static_cast<std::uint8_t>(std::min<std::uint32_t>(health.usedPercent(), 255)));
    put(log, 32, (values.sectorsRead + unit - 1) / unit);
    put(log, 48, (values.sectorsWritten + unit - 1) / unit);
    put(log, 64, values.reads);
    put(log, 80, values.writes);
    put(log, 112, values.powerCycles);
    put(log, 144, values.unsafeShutdowns);
    put(log, 160, values.mediaErrors);
    put(log, 176, values.errors);
    return log;
}

SmartLog extendedHealthLog(const ExtendedValues& values, const DriveHealth& health)
{
    constexpr std::array<std::uint8_t, 16> guid{0xC5, 0xAF, 0x10, 0x28, 0xEA, 0xBF, 0xF2, 0xA4,
                                                0x9C, 0x4F, 0x6F, 0x7C, 0xC9, 0x14, 0xD5, 0xAF};
    SmartLog log{};
    put(log, 0, health.bytesProgrammed); // physical media units written, of one byte
    put(log, 16, health.bytesRead);
    put(log, 32, health.failedBlocks); // bad user blocks: six bytes raw, two normalised
    put(log, 38, static_cast<std::uint16_t>(health.sparePercent()));
    put(log, 56, values.mediaErrors); // uncorrectable reads
    put(log, 88, health.mostErases);
    put(log, 92, health.fewestErases);
    put(log, 112, static_cast<std::uint32_t>(values.unsafeShutdowns)); // incomplete shutdowns
    put(log, 494, std::uint16_t{2});                                   // version of the log
    put(log, 496, guid);
    return log;
}

} // namespace strobe::host::nvme
