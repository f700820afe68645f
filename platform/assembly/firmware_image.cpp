// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/firmware_image.h"

#include "models/base/config_error.h"
#include "models/cpu/image_file.h"
#include "platform/config/installation.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace strobe::platform {

namespace fs = std::filesystem;

namespace {
constexpr const char* prefix = "strobe_firmware_";

struct Kind {
    const char* name;
    const char* suffix;
    const char* file;
    const char* needs; // to be built
};

const Kind& kindOf(FirmwareMode mode)
{
    static constexpr Kind native{"native", ".so", "a shared object", "build the project"};
    static constexpr Kind rv32{"RV32", ".elf", "an ELF file",
                               "install gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf and configure again"};
    return mode == FirmwareMode::Native ? native : rv32;
}

std::string imagesIn(const fs::path& folder, const std::string& suffix)
{
    std::vector<std::string> names;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string file = entry.path().filename().string();
        if (file.rfind(prefix, 0) == 0 && entry.path().extension() == suffix)
            names.push_back('"' + entry.path().stem().string().substr(std::string(prefix).size()) + '"');
    }
    std::sort(names.begin(), names.end());
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

fs::path imagePath(const fs::path& folder, const Kind& kind, const std::string& name)
{
    return folder / (prefix + name + kind.suffix);
}

// scripts/strobe gives the name of a file in STROBE_NEEDS when it can install the RV32 compiler: the missing images are
// named there, and the program is started again with the images.
bool requestImages(FirmwareMode mode)
{
    const char* file = std::getenv("STROBE_NEEDS");
    if (file == nullptr || mode != FirmwareMode::Rv32)
        return false;
    std::ofstream(file) << "rv32";
    return true;
}
} // namespace

std::string firmwareDirectory()
{
    const std::string program = runningProgram();
    const std::optional<Installation> installation = installationOf(program);
    return installation ? installation->firmware : (fs::path(program).parent_path() / "firmware").string();
}

std::string findFirmwareImage(const FirmwareConfig& firmware, const std::string& directory)
{
    const std::string place = (firmware.imageSource.empty() ? "" : firmware.imageSource + ": ") + "/firmware/image: ";
    if (firmware.image.find('/') != std::string::npos) {
        try {
            cpu::readImageFile(firmware.image);
        } catch (const ConfigError& problem) {
            throw ConfigError(place + problem.what());
        }
        return firmware.image;
    }
    const Kind& kind = kindOf(firmware.mode);
    const fs::path image = imagePath(directory, kind, firmware.image);
    if (!fs::exists(image)) {
        const std::string there = imagesIn(directory, kind.suffix);
        if (there.empty() && requestImages(firmware.mode))
            throw ConfigError("/firmware/image: the RV32 images are not built yet");
        const std::string advice =
            there.empty() ? std::string(". No image is built: ") + kind.needs : "; there are " + there;
        throw ConfigError(place + "there is no " + kind.name + " image \"" + firmware.image + "\"" + advice +
                          ", or give the path of " + kind.file);
    }
    return image.string();
}

bool isImageBuilt(FirmwareMode mode, Ftl ftl)
{
    return fs::exists(imagePath(firmwareDirectory(), kindOf(mode), std::string(enumName(ftl))));
}

} // namespace strobe::platform
