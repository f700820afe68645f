// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/digest.h"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace strobe::platform {

std::string digestOf(std::string_view bytes)
{
    const boost::uuids::name_generator_sha1 generator(boost::uuids::ns::oid());
    return boost::uuids::to_string(generator(bytes.data(), bytes.size()));
}

std::string contentsOfFile(const std::string& path)
{
    constexpr std::size_t step = 1U << 20U;
    std::ifstream file(path, std::ios::binary);
    std::string bytes;
    std::size_t length = 0;
    while (file) {
        bytes.resize(length + step);
        file.read(bytes.data() + length, step);
        length += static_cast<std::size_t>(file.gcount());
    }
    if (!file.is_open() || file.bad())
        throw UnreadableFile(std::string("cannot be read: ") + std::strerror(errno));
    bytes.resize(length);
    return bytes;
}

std::string digestOfFile(const std::string& path)
{
    try {
        return digestOf(contentsOfFile(path));
    } catch (const UnreadableFile& error) {
        throw ConfigError(path + ": " + error.what());
    }
}

} // namespace strobe::platform
