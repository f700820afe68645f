// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/cpu/native_firmware.h"
#include "tests/support/catch.h"
#include "tests/support/source_directory.h"

#include <filesystem>
#include <memory>
#include <vector>

using namespace strobe;
using cpu::NativeFirmware;

namespace {

std::string refusal(const std::string& path)
{
    try {
        const NativeFirmware firmware(path);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "accepted";
}

std::size_t openFiles()
{
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

} // namespace

TEST_CASE("an image that does not exist is refused by name")
{
    CHECK(refusal("/no/such/image.so") ==
          "firmware image \"/no/such/image.so\": cannot be read: No such file or directory");
}

TEST_CASE("a directory is not an image")
{
    CHECK(refusal("/") == "firmware image \"/\": cannot be read: Is a directory");
}

TEST_CASE("a file that is not a shared object is refused")
{
    using Catch::Matchers::StartsWith;
    const std::string path = strobe::test::sourceDirectory() + "/LICENSE";
    CHECK_THAT(refusal(path),
               StartsWith("firmware image \"" + path + "\": not a shared object that this machine can load ("));
}

TEST_CASE("a shared object without the entry is refused with the symbol's name")
{
    const std::string path = CPU_TEST_NOT_FIRMWARE;
    CHECK(refusal(path) == "firmware image \"" + path +
                               "\": exports no symbol \"strobe_firmware_entry\"; is it a Strobe firmware image?");
}

TEST_CASE("many copies of an image coexist, and none leaves a file open")
{
    const std::size_t before = openFiles();
    {
        std::vector<std::unique_ptr<NativeFirmware>> copies;
        for (int i = 0; i < 40; ++i) // more than dlmopen() has namespaces
            copies.push_back(std::make_unique<NativeFirmware>(CPU_TEST_IMAGE));
        CHECK(openFiles() == before + 40);
        copies.erase(copies.begin(), copies.begin() + 20);
        copies.push_back(std::make_unique<NativeFirmware>(CPU_TEST_IMAGE)); // a descriptor number used before
    }
    CHECK(refusal(CPU_TEST_NOT_FIRMWARE) != "accepted");
    CHECK(openFiles() == before);
}
