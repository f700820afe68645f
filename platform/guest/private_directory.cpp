// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/private_directory.h"

#include "models/base/config_error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace strobe::platform::guest {

PrivateDirectory::PrivateDirectory(const std::string& prefix, const std::string& parent)
{
    const char* const given = std::getenv("TMPDIR");
    const std::string usual = given != nullptr && *given != 0 ? given : "/tmp";
    path_ = (parent.empty() ? usual : parent) + "/" + prefix + "XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr)
        throw ConfigError(path_ + ": a directory for the run cannot be made: " + std::strerror(errno));
}

PrivateDirectory::~PrivateDirectory()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void PrivateDirectory::makeDirectory(const std::string& name) const
{
    std::filesystem::create_directory(path_ + "/" + name);
}

void PrivateDirectory::write(const std::string& name, const std::string& text) const
{
    std::ofstream file(path_ + "/" + name, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.flush())
        throw ConfigError(path_ + "/" + name + ": cannot be written");
}

void PrivateDirectory::copy(const std::string& file, const std::string& name) const
{
    std::error_code error;
    std::filesystem::copy_file(file, path_ + "/" + name, error);
    if (error)
        throw ConfigError(file + ": " + error.message());
}

} // namespace strobe::platform::guest
