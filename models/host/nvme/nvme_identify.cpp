// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_identify.h"

#include "models/host/nvme/nvme_placement.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <string_view>

namespace strobe::host::nvme {

namespace {

// EUI-64 of a namespace
std::uint64_t uniqueId(std::uint32_t number)
{
    return __builtin_bswap64(0x5354'524F'4245'0000 + number);
}

constexpr std::uint16_t format = 1U << 1U;
constexpr std::uint16_t lbaStatus = 1U << 9U;
constexpr std::uint8_t flushesAll = 3U << 1U; // of VWC: a flush may name all namespaces

constexpr std::uint32_t enduranceGroups = 1U << 4U;
constexpr std::uint32_t dataPlacement = 1U << 19U;

// Compare, dataset management, write zeroes, select of features, timestamp, copy.
constexpr std::uint16_t optionalCommands = 1U << 0U | 1U << 2U | 1U << 3U | 1U << 4U | 1U << 6U | 1U << 8U;

void putText(IdentifyPage& page, std::size_t offset, std::size_t width, std::string_view text)
{
    std::memset(page.data() + offset, ' ', width);
    std::memcpy(page.data() + offset, text.data(), text.size());
}

// Descriptors of 32 bytes. Maximum power in hundredths of a watt or, if that is too coarse, in tenths of a milliwatt;
// latencies in microseconds. Relative performance: each deeper state is worse.
void putPowerStates(IdentifyPage& page, const std::vector<PowerState>& states)
{
    constexpr std::size_t descriptors = 2048;
    constexpr std::size_t descriptorBytes = 32;
    constexpr double centiwatt = 0.01;
    constexpr double fine = 0.0001;
    constexpr std::uint8_t isFine = 1U << 0U;
    constexpr std::uint8_t isNotOperational = 1U << 1U;
    const auto microseconds = [](Time time) {
        return static_cast<std::uint32_t>((time + std::chrono::microseconds(1) - Time{1}) /
                                          std::chrono::microseconds(1));
    };
    putField(page, 263, static_cast<std::uint8_t>(states.size() - 1));         // NPSS, counts from zero
    putField(page, 265, static_cast<std::uint8_t>(states.size() > 1 ? 1 : 0)); // APSTA
    for (std::size_t i = 0; i < states.size(); ++i) {
        const std::size_t at = descriptors + i * descriptorBytes;
        const bool isOperational = i == 0 || states[i].isOperational;
        const bool usesFine = !isOperational && states[i].watt / fine <= UINT16_MAX;
        putField(page, at,
                 static_cast<std::uint16_t>(std::lround(states[i].watt / (usesFine ? fine : centiwatt)))); // MP
        putField(page, at + 3,
                 static_cast<std::uint8_t>(isOperational ? 0 : isNotOperational | (usesFine ? isFine : 0)));
        putField(page, at + 4, microseconds(states[i].entryTime)); // ENLAT
        putField(page, at + 8, microseconds(states[i].exitTime));  // EXLAT
        for (std::size_t order = 12; order < 16; ++order)          // RRT, RRL, RWT, RWL
            putField(page, at + order, static_cast<std::uint8_t>(i));
    }
}

} // namespace

IdentifyPage identifyController(const ControllerIdentity& identity)
{
    IdentifyPage page{};
    putText(page, 4, 20, "1");                                                // SN
    putText(page, 24, 40, "Strobe SSD");                                      // MN
    putText(page, 64, 8, "1");                                                // FR
    putField(page, 72, static_cast<std::uint8_t>(defaultBurst));              // RAB
    putField(page, 77, static_cast<std::uint8_t>(identity.maxTransferPages)); // MDTS
    putField(page, 80, version);                                              // VER
    if (identity.hasPlacement) {
        putField(page, 96, enduranceGroups | dataPlacement); // CTRATT
        putField(page, 340, enduranceGroup);                 // ENDGIDMAX
    }
    putField(page, 111, std::uint8_t{1});                                                  // CNTRLTYPE: I/O controller
    putField(page, 256, identity.isZoned ? lbaStatus : std::uint16_t{lbaStatus | format}); // OACS
    putField(page, 258, std::uint8_t{3});                                                  // ACL, counts from zero
    putField(page, 259, static_cast<std::uint8_t>(identity.asyncEvents - 1));              // AERL
    putField(page, 260, std::uint8_t{0x03});                                               // FRMW: one slot, read-only
    putField(page, 261, std::uint8_t{1U << 1U | 1U << 2U});                                // LPA: effects log, offsets
    putField(page, 262, static_cast<std::uint8_t>(identity.errorLogEntries - 1));          // ELPE
    putField(page, 266, identity.temperatures.warning);                                    // WCTEMP
    putField(page, 268, identity.temperatures.critical);                                   // CCTEMP
    if (identity.temperatures.highestManaged != 0) {
        putField(page, 322, std::uint16_t{1});                     // HCTMA
        putField(page, 324, identity.temperatures.lowestManaged);  // MNTMT
        putField(page, 326, identity.temperatures.highestManaged); // MXTMT
    }
    putField(page, 512, std::uint8_t{0x66});  // SQES: 64 bytes
    putField(page, 513, std::uint8_t{0x44});  // CQES: 16 bytes
    putField(page, 516, identity.namespaces); // NN
    putField(page, 520, optionalCommands);    // ONCS
    putField(page, 525, static_cast<std::uint8_t>(flushesAll | (identity.hasVolatileCache ? 1U : 0U))); // VWC
    putField(page, 534, std::uint16_t{1}); // OCFS: source ranges of format 0
    const std::string_view name = "nqn.2014-08.org.nvmexpress:uuid:53545242-0000-4000-8000-000000000001";
    std::memcpy(page.data() + 768, name.data(), name.size()); // SUBNQN
    putPowerStates(page, identity.powerStates);
    return page;
}

IdentifyPage identifyNamespace(std::uint64_t sectors, bool hasPlacement, std::uint32_t number)
{
    IdentifyPage page{};
    putField(page, 0, sectors);                                          // NSZE
    putField(page, 8, sectors);                                          // NCAP
    putField(page, 16, sectors);                                         // NUSE
    putField(page, 33, std::uint8_t{1});                                 // DLFEAT: deallocated blocks read zero
    putField(page, 74, static_cast<std::uint16_t>(maxCopyRangeSectors)); // MSSRL
    putField(page, 76, maxCopySectors);                                  // MCL
    putField(page, 80, static_cast<std::uint8_t>(maxCopyRanges - 1));    // MSRC
    if (hasPlacement)
        putField(page, 102, enduranceGroup); // ENDGID
    putField(page, 120, uniqueId(number));
    putField(page, 130, std::uint8_t{9}); // LBAF0: 2^9 bytes, no metadata
    return page;
}

IdentifyPage activeNamespaces(std::uint32_t above, std::uint32_t namespaces)
{
    IdentifyPage page{};
    std::size_t at = 0;
    for (std::uint32_t number = above + 1; number <= namespaces && at < page.size(); ++number) {
        putField(page, at, number);
        at += sizeof number;
    }
    return page;
}

IdentifyPage namespaceDescriptors(bool isZoned, std::uint32_t number)
{
    IdentifyPage page{};
    putField(page, 0, std::uint8_t{1}); // EUI-64
    putField(page, 1, std::uint8_t{8});
    putField(page, 4, uniqueId(number));
    if (isZoned) {
        putField(page, 12, std::uint8_t{4}); // command set identifier
        putField(page, 13, std::uint8_t{1});
        putField(page, 16, zonedCommandSet);
    }
    return page;
}

} // namespace strobe::host::nvme
