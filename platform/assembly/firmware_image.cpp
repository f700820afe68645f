// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/firmware_image.h"

#include "models/base/config_error.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace strobe::platform {

namespace fs = std::filesystem;

namespace {
constexpr const char* prefix = "strobe_firmware_";
constexpr const char* suffix = ".so";

std::string imagesIn(const fs::path& folder)
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
    return list.empty() ? "none" : list;
}
} // namespace

std::string findFirmwareImage(const std::string& nameOrPath)
{
    if (nameOrPath.find('/') != std::string::npos)
        return nameOrPath;
    std::error_code ignored;
    const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "firmware";
    fs::path image = folder / (prefix + nameOrPath + suffix);
    if (!fs::exists(image)) {
        throw ConfigError("/firmware/image: there is no native image \"" + nameOrPath + "\"; there are " +
                          imagesIn(folder) + ", or give the path of a shared object");
    }
    return image.string();
}

} // namespace strobe::platform
