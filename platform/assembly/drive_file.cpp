// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/drive_file.h"

#include "models/base/bytes.h"
#include "models/base/config_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace strobe::platform {

namespace {

constexpr std::string_view magic = "STRBNAND";
constexpr std::uint32_t version = 1;

// FNV-1a over the bytes.
std::uint64_t checksumOf(std::string_view bytes)
{
    std::uint64_t sum = 0xCBF29CE484222325;
    for (const char c : bytes)
        sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return sum;
}

// The firmware, and the parameters that determine its layout of the flash.
std::string firmwareOf(const Scenario& s)
{
    const FirmwareConfig& f = s.firmware;
    std::string user = fmt::format("firmware {}\ncapacity {}\nover-provisioning {} permille\nspare blocks {}", f.image,
                                   f.capacitySectors, f.overProvisioningPermille, f.spareBlocks);
    if (f.ftl == Ftl::SuperblockMap) {
        const SuperblockMapConfig& map = f.superblockMap;
        user += fmt::format("\nsuperchips of {} x {}\nunits {}\nparking superblocks {}\ntables {}",
                            s.controller.superchip.bus, s.controller.superchip.chip, s.controller.units,
                            map.flush == FlushHandling::Park ? map.parkingSuperblocks : 0,
                            map.replicateTables ? "twice" : "once");
    }
    return user;
}

// The properties that have to match, a line each.
std::string identityOf(const Scenario& s, DriveUser whose)
{
    const nand::DieGeometry& g = s.nand.part.geometry;
    return fmt::format("part {}\nplanes {}\nblocks of a plane {}\npages of a block {}\nbytes of a page {}\n"
                       "spare bytes {}\nchannels {}\nways {}\nLUNs {}\ndata mode {}\n{}",
                       s.nand.part.name, g.planes, g.blocksPerPlane, g.pagesPerBlock, g.pageBytes, g.spareBytes,
                       s.nand.array.channels, s.nand.array.ways, s.nand.array.luns, enumName(s.dataMode),
                       whose == DriveUser::Firmware ? firmwareOf(s) : std::string("operations without firmware"));
}

void requireSame(const Scenario& s, const std::string& mine, const std::string& its)
{
    std::istringstream ours(mine);
    std::istringstream theirs(its);
    std::string wanted;
    std::string found;
    while (true) {
        const bool hasOurs = static_cast<bool>(std::getline(ours, wanted));
        const bool hasTheirs = static_cast<bool>(std::getline(theirs, found));
        if (!hasOurs && !hasTheirs)
            return;
        if (!hasOurs || !hasTheirs || wanted != found)
            refuseDriveFile(s, fmt::format("it was written by another drive: \"{}\", this one has \"{}\"",
                                           hasTheirs ? found : "nothing more", hasOurs ? wanted : "nothing more"));
    }
}

std::string bytesOf(const Scenario& s)
{
    std::ifstream file(s.nand.contents.file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.is_open() || file.bad())
        refuseDriveFile(s, std::string("cannot be read: ") + std::strerror(errno));
    return bytes;
}

// The contents after the header.
std::string_view bodyOf(const Scenario& s, std::string_view bytes)
{
    if (bytes.substr(0, magic.size()) != magic)
        refuseDriveFile(s, "it is not a file of NAND contents");
    ByteReader header(bytes.substr(magic.size()));
    const auto itsVersion = header.take<std::uint32_t>();
    if (itsVersion != version)
        refuseDriveFile(s, fmt::format("it has version {} of the format; {} can be read", itsVersion, version));
    const auto length = header.take<std::uint64_t>();
    const auto checksum = header.take<std::uint64_t>();
    if (header.rest().size() != length)
        refuseDriveFile(s, fmt::format("it has {} bytes after its header instead of {}", header.rest().size(), length));
    if (checksumOf(header.rest()) != checksum)
        refuseDriveFile(s, "its checksum does not agree with its contents");
    return header.rest();
}

} // namespace

void refuseDriveFile(const Scenario& scenario, const std::string& why)
{
    const std::string path = "/nand/contents/file";
    throw ConfigError(fmt::format("{}{}: {}: {}", scenario.origin ? scenario.origin(path) + ": " : "", path,
                                  scenario.nand.contents.file, why));
}

std::string driveFile(const Scenario& scenario, DriveUser user, const DieArray& dies, const UserRecord& known)
{
    ByteWriter body;
    body.put(std::string_view(identityOf(scenario, user)));
    for (const auto& die : dies)
        die->save(body);
    body.put(known.capacitySectors);
    body.put(static_cast<std::uint64_t>(known.versions.size()));
    ByteWriter file;
    file.put(version);
    file.put(static_cast<std::uint64_t>(body.bytes().size() + known.versions.size()));
    std::string rest = body.bytes() + known.versions;
    file.put(checksumOf(rest));
    return std::string(magic) + file.bytes() + rest;
}

bool loadDriveFile(const Scenario& scenario, DriveUser user, DieArray& dies, UserRecord& known)
{
    const ContentsConfig& contents = scenario.nand.contents;
    std::error_code error;
    if (!contents.loads() || (contents.mode == ContentsMode::Keep && !std::filesystem::exists(contents.file, error)))
        return false;
    const std::string bytes = bytesOf(scenario);
    try {
        ByteReader body(bodyOf(scenario, bytes));
        requireSame(scenario, identityOf(scenario, user), std::string(body.takeText()));
        for (const auto& die : dies)
            die->restore(body);
        known.capacitySectors = body.take<std::uint64_t>();
        known.versions = std::string(body.takeRun(body.take<std::uint64_t>()));
        if (!body.isAtEnd())
            throw DamagedBytes("it continues after its end");
    } catch (const DamagedBytes& damage) {
        refuseDriveFile(scenario, damage.what());
    }
    return true;
}

} // namespace strobe::platform
