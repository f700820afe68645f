// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/drive_file.h"

#include "models/base/bytes.h"
#include "models/base/config_error.h"
#include "platform/assembly/digest.h"
#include "platform/assembly/firmware_image.h"
#include "platform/assembly/section_file.h"
#include "platform/assembly/wear.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <utility>
#include <vector>

namespace strobe::platform {

using nlohmann::ordered_json;

namespace {

constexpr std::string_view magic = "STRBNAND";
constexpr std::string_view driveImage = "a drive image";
constexpr std::uint32_t version = driveFileVersion;
constexpr std::string_view aboutSection = "INFO";
constexpr std::string_view dieSection = "DIE ";
constexpr std::string_view userSection = "HOST";
constexpr std::string_view switchedOff = "switched off";

// The firmware's layout of the flash: the translation layer, and the parameters that determine its layout.
void addLayout(const Scenario& s, ordered_json& drive)
{
    const FirmwareConfig& f = s.firmware;
    drive["firmware.ftl"] = enumName(f.ftl);
    drive["firmware.capacity in sectors"] = f.capacitySectors;
    drive["firmware.overProvisioning in per mille"] = f.overProvisioningPermille;
    drive["firmware.spareBlocks"] = f.spareBlocks;
    if (f.ftl == Ftl::PageMap) {
        drive["firmware.pageMap.mappingUnit in bytes"] = f.mappingUnitBytes;
        drive["firmware.pageMap.superblock.joinPlanes in planes"] = f.rowPlanes;
        drive["firmware.pageMap.superblock.dies"] = f.superblockDies;
        if (f.superblockParity)
            drive["firmware.pageMap.superblock.parity"] = true;
    }
    if (f.ftl != Ftl::SuperblockMap)
        return;
    const SuperblockMapConfig& map = f.superblockMap;
    drive["controller.superchip.bus"] = s.controller.superchip.bus;
    drive["controller.superchip.chip"] = s.controller.superchip.chip;
    drive["controller.units"] = s.controller.units;
    drive["firmware.superblockMap.parkingSuperblocks"] = map.flush == FlushHandling::Park ? map.parkingSuperblocks : 0;
    drive["firmware.superblockMap.replicateTables"] = map.replicateTables;
}

// What has to be the same when the file is loaded, by the keys of a scenario.
ordered_json identityOf(const Scenario& s, DriveUser whose)
{
    const nand::DieGeometry& g = s.nand.part.geometry;
    ordered_json drive{{"user", whose == DriveUser::Firmware ? "strobe run" : "strobe operations"},
                       {"nand.part.name", s.nand.part.name},
                       {"nand.part.cell", enumName(s.nand.part.cell)},
                       {"nand.part.planes", g.planes},
                       {"nand.part.blocksPerPlane", g.blocksPerPlane},
                       {"nand.part.pagesPerBlock", g.pagesPerBlock},
                       {"nand.part.pageSize in bytes", g.pageBytes},
                       {"nand.part.spareSize in bytes", g.spareBytes},
                       {"nand.channels", s.nand.array.channels},
                       {"nand.ways", s.nand.array.ways},
                       {"nand.luns", s.nand.array.luns},
                       {"nand.factoryBadBlocks", s.nand.factoryBadBlocks},
                       {"nand.preAged", s.nand.preAged},
                       {"data", enumName(s.dataMode)}};
    if (g.hasWordLines())
        drive["nand.part.pagesPerProgram"] = g.pagesPerProgram;
    if (g.hasPslc())
        drive["nand.part.pslc: pages of a block"] = g.pslcPages;
    if (whose == DriveUser::Firmware)
        addLayout(s, drive);
    return drive;
}

// All differences, in one sentence.
void requireSame(const Scenario& s, const ordered_json& ours, const ordered_json& theirs)
{
    const auto valueIn = [](const ordered_json& drive, const std::string& key) {
        return drive.contains(key) ? drive[key].dump() : std::string("not given");
    };
    ordered_json all = theirs;
    all.update(ours);
    std::vector<std::string> differences;
    for (const auto& [key, ignored] : all.items()) {
        const std::string here = valueIn(ours, key);
        const std::string there = valueIn(theirs, key);
        if (here != there)
            differences.push_back(fmt::format("{} is {} there and {} here", key, there, here));
    }
    if (!differences.empty())
        refuseDriveFile(s, fmt::format("it is the image of another drive: {}", fmt::join(differences, "; ")));
}

ordered_json contentsOf(const DieArray& dies)
{
    Dies all;
    std::uint64_t pages = 0;
    std::uint64_t programmed = 0;
    for (const auto& die : dies) {
        all.push_back(die.get());
        const nand::DieGeometry& g = die->part().geometry;
        pages += g.pages();
        for (std::uint32_t block = 0; block < g.blocks(); ++block) {
            for (std::uint32_t page = 0; page < g.pagesPerBlock; ++page)
                programmed += die->cells().isProgrammed({block, page}) ? 1U : 0U;
        }
    }
    const WearReport wear = wearOf(all);
    return {{"dies", all.size()},           {"blocks", wear.blocks}, {"factory_bad_blocks", wear.factoryBad},
            {"failed_blocks", wear.failed}, {"erases", wear.erases}, {"min_erases", wear.minimum},
            {"max_erases", wear.maximum},   {"pages", pages},        {"programmed_pages", programmed}};
}

std::string aboutText(const Scenario& s, DriveUser user, const DieArray& dies, const UserRecord& known,
                      const std::string& program)
{
    ordered_json about{{"program", program}, {"scenario", s.name}, {"seed", s.seed}, {"drive", identityOf(s, user)}};
    if (user == DriveUser::Firmware) {
        const std::string image = findFirmwareImage(s.firmware);
        about["firmware"] = {{"mode", enumName(s.firmware.mode)},
                             {"image", std::filesystem::path(image).filename().string()},
                             {"digest", digestOfFile(image)}};
    }
    about["flash"] = contentsOf(dies);
    if (user == DriveUser::Firmware) {
        about["power"] = known.isOrderly ? switchedOff : "lost";
        about["host"] = {{"capacity_bytes", known.capacitySectors * sectorBytes},
                         {"written_bytes", known.writtenSectors * sectorBytes}};
    }
    return about.dump();
}

ordered_json aboutOf(SectionReader& file)
{
    ordered_json about = ordered_json::parse(file.take(aboutSection), nullptr, false);
    if (!about.is_object() || !about.contains("drive") || !about["drive"].is_object())
        throw DamagedBytes("its description is damaged");
    return about;
}

std::string_view next(std::string& keeper, SectionReader& file, std::string_view name)
{
    keeper = file.take(name);
    return keeper;
}

} // namespace

void refuseDriveFile(const Scenario& scenario, const std::string& why)
{
    const std::string path = "/nand/contents/file";
    throw ConfigError(fmt::format("{}{}: {}: {}", scenario.origin ? scenario.origin(path) + ": " : "", path,
                                  scenario.nand.contents.file, why));
}

std::string driveFile(const Scenario& scenario, DriveUser user, const DieArray& dies, const UserRecord& known,
                      const std::string& program)
{
    SectionWriter file;
    file.add(aboutSection, aboutText(scenario, user, dies, known, program));
    for (const auto& die : dies) { // one after the other, because a die takes much memory until it is compressed
        ByteWriter contents;
        die->save(contents);
        file.add(dieSection, contents.bytes());
    }
    ByteWriter host;
    host.put(known.capacitySectors);
    host.put(known.writtenSectors);
    file.add(userSection, host.bytes() + known.versions);
    return std::move(file).file(magic, version);
}

bool loadDriveFile(const Scenario& scenario, DriveUser user, DieArray& dies, UserRecord& known)
{
    const ContentsConfig& contents = scenario.nand.contents;
    std::error_code error;
    if (!contents.loads() || (contents.mode == ContentsMode::Keep && !std::filesystem::exists(contents.file, error)))
        return false;
    try {
        const std::string bytes = contentsOfFile(contents.file);
        SectionReader file(bytes, magic, version, driveImage);
        const ordered_json about = aboutOf(file);
        requireSame(scenario, identityOf(scenario, user), about["drive"]);
        known.isOrderly = about.contains("power") && about["power"] == switchedOff;
        std::string section;
        for (const auto& die : dies) {
            ByteReader body(next(section, file, dieSection));
            die->restore(body);
            if (!body.isAtEnd())
                throw DamagedBytes("a die continues after its end");
        }
        ByteReader host(next(section, file, userSection));
        known.capacitySectors = host.take<std::uint64_t>();
        known.writtenSectors = host.take<std::uint64_t>();
        known.versions = std::string(host.rest());
        file.finish();
    } catch (const DamagedBytes& damage) {
        refuseDriveFile(scenario, damage.what());
    } catch (const UnreadableFile& problem) {
        refuseDriveFile(scenario, problem.what());
    }
    return true;
}

std::string describeDriveFile(const std::string& path)
{
    try {
        const std::string bytes = contentsOfFile(path);
        SectionReader file(bytes, magic, version, driveImage);
        ordered_json about = aboutOf(file);
        while (file.left() > 1)
            file.take(dieSection);
        file.take(userSection);
        file.finish();
        about["file"] = {{"format", version}, {"bytes", bytes.size()}};
        return about.dump(2) + "\n";
    } catch (const DamagedBytes& damage) {
        throw ConfigError(path + ": " + damage.what());
    } catch (const UnreadableFile& problem) {
        throw ConfigError(path + ": " + problem.what());
    }
}

} // namespace strobe::platform
