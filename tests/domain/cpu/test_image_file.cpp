// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/cpu/image_file.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

#include <cstdio>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

using namespace strobe;

namespace {

std::string refusal(const std::string& path)
{
    try {
        cpu::readImageFile(path);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no refusal";
}

} // namespace

TEST_CASE("the file of an image is read as it is")
{
    const std::vector<std::byte> contents = cpu::readImageFile(test::sourceDirectory() + "/CMakeLists.txt");
    REQUIRE(contents.size() > 100);
    CHECK(contents.front() == std::byte{'#'});
}

TEST_CASE("a file that cannot be read is refused with its path and the reason")
{
    const std::string cannot = "\": cannot be read: ";
    CHECK(refusal("/nowhere/a.elf") == "firmware image \"/nowhere/a.elf" + cannot + "No such file or directory");
    CHECK(refusal("/") == "firmware image \"/" + cannot + "Is a directory");
    CHECK(refusal("/dev/null") == "firmware image \"/dev/null" + cannot + "it is not a regular file");
    std::string name = "/tmp/strobe-image-XXXXXX";
    const int file = ::mkstemp(name.data());
    REQUIRE(file >= 0);
    ::close(file);
    CHECK(refusal(name) == "firmware image \"" + name + cannot + "it is empty");
    if (::geteuid() != 0) { // who may read everything
        REQUIRE(::chmod(name.c_str(), 0) == 0);
        CHECK(refusal(name) == "firmware image \"" + name + cannot + "Permission denied");
    }
    std::remove(name.c_str());
}
