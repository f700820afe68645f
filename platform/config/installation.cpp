// SPDX-License-Identifier: Apache-2.0
#include "platform/config/installation.h"

#include <filesystem>

namespace strobe::platform {

namespace fs = std::filesystem;

std::optional<Installation> installationOf(const std::string& program)
{
    const fs::path prefix = fs::path(program).parent_path().parent_path();
    const fs::path scenarios = prefix / "share" / "strobe" / "scenarios";
    std::error_code ignored;
    if (!fs::is_directory(scenarios, ignored))
        return std::nullopt;
    return Installation{scenarios.string(), (prefix / "lib" / "strobe" / "firmware").string(),
                        (prefix / "share" / "strobe" / "python").string(),
                        (prefix / "lib" / "strobe" / "nbdkit" / "nbdkit-strobe-plugin.so").string(),
                        (prefix / "share" / "strobe" / "scripts" / "lib" / "linux").string()};
}

std::string runningProgram()
{
    std::error_code ignored;
    return fs::read_symlink("/proc/self/exe", ignored).string();
}

} // namespace strobe::platform
