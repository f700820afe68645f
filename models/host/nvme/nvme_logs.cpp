// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_logs.h"

#include <algorithm>
#include <array>

namespace strobe::host::nvme {

std::uint8_t criticalWarnings(const DriveHealth& health, const std::vector<TemperatureThresholds>& thresholds,
                              const HeatFields& heat)
{
    bool isOutside = false;
    for (std::size_t i = 0; i < thresholds.size() && i <= heat.sensors.size(); ++i) {
        const std::uint16_t kelvin = i == 0 ? heat.composite : heat.sensors[i - 1];
        isOutside |= kelvin >= thresholds[i].over || kelvin <= thresholds[i].under;
    }
    return static_cast<std::uint8_t>((health.sparePercent() < spareThreshold ? warning::spare : 0U) |
                                     (isOutside ? warning::temperature : 0U));
}

LogPage smartLog(const SmartValues& values, const DriveHealth& health, std::uint8_t warnings, const HeatFields& heat)
{
    LogPage log(512);
    constexpr std::uint64_t unit = 1000; // of 512 bytes, rounded up
    putField(log, 0, warnings);
    putField(log, 1, heat.composite);
    putField(log, 3, static_cast<std::uint8_t>(health.sparePercent()));
    putField(log, 4, spareThreshold);
    putField(log, 5, static_cast<std::uint8_t>(std::min<std::uint32_t>(health.usedPercent(), 255)));
    putField(log, 32, (values.sectorsRead + unit - 1) / unit);
    putField(log, 48, (values.sectorsWritten + unit - 1) / unit);
    putField(log, 64, values.reads);
    putField(log, 80, values.writes);
    putField(log, 112, values.powerCycles);
    putField(log, 128, values.powerOnHours);
    putField(log, 144, values.unsafeShutdowns);
    putField(log, 160, values.mediaErrors);
    putField(log, 176, values.errors);
    putField(log, 192, heat.warningMinutes);
    putField(log, 196, heat.criticalMinutes);
    for (std::size_t sensor = 0; sensor < heat.sensors.size(); ++sensor)
        putField(log, 200 + 2 * sensor, heat.sensors[sensor]);
    putField(log, 216, heat.light.entries);
    putField(log, 220, heat.heavy.entries);
    putField(log, 224, heat.light.seconds);
    putField(log, 228, heat.heavy.seconds);
    return log;
}

LogPage extendedHealthLog(const ExtendedValues& values, const DriveHealth& health)
{
    constexpr std::array<std::uint8_t, 16> guid{0xC5, 0xAF, 0x10, 0x28, 0xEA, 0xBF, 0xF2, 0xA4,
                                                0x9C, 0x4F, 0x6F, 0x7C, 0xC9, 0x14, 0xD5, 0xAF};
    LogPage log(512);
    putField(log, 0, health.bytesProgrammed); // physical media units written, of one byte
    putField(log, 16, health.bytesRead);
    putField(log, 32, health.failedBlocks); // bad user blocks: six bytes raw, two normalised
    putField(log, 38, static_cast<std::uint16_t>(health.sparePercent()));
    putField(log, 56, values.mediaErrors); // uncorrectable reads
    putField(log, 88, health.mostErases);
    putField(log, 92, health.fewestErases);
    putField(log, 112, static_cast<std::uint32_t>(values.unsafeShutdowns)); // incomplete shutdowns
    putField(log, 494, std::uint16_t{2});                                   // version of the log
    putField(log, 496, guid);
    return log;
}

LogPage errorLogPage(const ErrorLog& log)
{
    constexpr std::size_t entryBytes = 64;
    LogPage page(512);
    std::size_t entry = 0;
    for (const ErrorLog::Entry& error : log.entries()) {
        putField(page, entry, error.count);
        putField(page, entry + 8, error.queue);
        putField(page, entry + 10, error.id);
        putField(page, entry + 12, static_cast<std::uint16_t>(static_cast<unsigned>(error.status) << 1U));
        entry += entryBytes;
    }
    return page;
}

LogPage firmwareSlotPage()
{
    LogPage page(512);
    page[0] = std::byte{1};   // the active slot
    page[8] = std::byte{'1'}; // its revision
    return page;
}

LogPage supportedLogPages(bool hasPlacement)
{
    constexpr std::array ofPlacement{Log::EnduranceGroup, Log::PlacementConfigurations, Log::PlacementHandleUsage,
                                     Log::PlacementStatistics, Log::PlacementEvents};
    constexpr std::array pages{Log::SupportedPages, Log::Errors,         Log::Smart,
                               Log::FirmwareSlots,  Log::CommandEffects, Log::ExtendedHealth};
    LogPage page(1024);
    for (const Log log : pages)
        putField(page, static_cast<std::size_t>(log) * 4, std::uint32_t{1});
    for (std::size_t i = 0; hasPlacement && i < ofPlacement.size(); ++i)
        putField(page, static_cast<std::size_t>(ofPlacement[i]) * 4, std::uint32_t{1});
    return page;
}

// Per command: supported, content of blocks changes, no other command to the namespace while it is executed.
LogPage commandEffects(bool isZoned, bool hasPlacement)
{
    constexpr std::uint32_t supported = 1U << 0U;
    constexpr std::uint32_t changesBlocks = 1U << 1U;
    constexpr std::uint32_t alone = 1U << 16U;
    constexpr std::size_t ofIo = 1024; // the admin commands are before these
    LogPage page(4096);
    const auto admin = [&page](AdminOpcode opcode, std::uint32_t effects) {
        putField(page, static_cast<std::size_t>(opcode) * 4, effects);
    };
    const auto io = [&page](IoOpcode opcode, std::uint32_t effects) {
        putField(page, ofIo + static_cast<std::size_t>(opcode) * 4, effects);
    };
    for (const AdminOpcode opcode :
         {AdminOpcode::DeleteSq, AdminOpcode::CreateSq, AdminOpcode::GetLogPage, AdminOpcode::DeleteCq,
          AdminOpcode::CreateCq, AdminOpcode::Identify, AdminOpcode::Abort, AdminOpcode::SetFeatures,
          AdminOpcode::GetFeatures, AdminOpcode::AsyncEventRequest, AdminOpcode::GetLbaStatus})
        admin(opcode, supported);
    if (!isZoned)
        admin(AdminOpcode::FormatNvm, supported | changesBlocks | alone);
    for (const IoOpcode opcode : {IoOpcode::Flush, IoOpcode::Read, IoOpcode::Compare})
        io(opcode, supported);
    for (const IoOpcode opcode : {IoOpcode::Write, IoOpcode::WriteZeroes, IoOpcode::DatasetManagement, IoOpcode::Copy})
        io(opcode, supported | changesBlocks);
    if (isZoned) {
        io(IoOpcode::ZoneManagementReceive, supported);
        for (const IoOpcode opcode : {IoOpcode::ZoneManagementSend, IoOpcode::ZoneAppend})
            io(opcode, supported | changesBlocks);
    }
    if (hasPlacement) {
        for (const IoOpcode opcode : {IoOpcode::IoManagementReceive, IoOpcode::IoManagementSend})
            io(opcode, supported);
    }
    return page;
}

} // namespace strobe::host::nvme
