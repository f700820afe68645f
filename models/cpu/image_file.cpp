// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/image_file.h"

#include "models/base/config_error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strobe::cpu {

namespace {

// The reason why not; empty: there is none.
std::string readAll(int file, std::vector<std::byte>& contents)
{
    struct stat info {};
    if (fstat(file, &info) != 0)
        return std::strerror(errno);
    if (S_ISDIR(info.st_mode))
        return std::strerror(EISDIR);
    if (!S_ISREG(info.st_mode))
        return "it is not a regular file";
    contents.resize(static_cast<std::size_t>(info.st_size));
    std::size_t filled = 0;
    while (filled < contents.size()) {
        const ssize_t count = read(file, contents.data() + filled, contents.size() - filled);
        if (count < 0)
            return std::strerror(errno);
        if (count == 0)
            return "it has become shorter";
        filled += static_cast<std::size_t>(count);
    }
    return contents.empty() ? "it is empty" : "";
}

} // namespace

std::vector<std::byte> readImageFile(const std::string& path)
{
    std::vector<std::byte> contents;
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe is refused, not waited for
    const std::string why = file < 0 ? std::strerror(errno) : readAll(file, contents);
    if (file >= 0)
        close(file);
    if (!why.empty())
        throw ConfigError("firmware image \"" + path + "\": cannot be read: " + why);
    return contents;
}

} // namespace strobe::cpu
