// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/digest.h"
#include "tests/support/catch.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace strobe::platform;

TEST_CASE("equal bytes have equal digests, other bytes another one")
{
    CHECK(digestOf("abc") == digestOf(std::string("abc")));
    CHECK(digestOf("abc") != digestOf("abd"));
    CHECK(digestOf("") != digestOf(std::string_view("\0", 1)));
}

TEST_CASE("the digest of a file is that of its contents, and a missing file is named")
{
    const std::string path =
        (std::filesystem::temp_directory_path() / ("strobe-digest-" + std::to_string(::getpid()))).string();
    std::ofstream(path) << "abc";
    CHECK(contentsOfFile(path) == "abc");
    CHECK(digestOfFile(path) == digestOf("abc"));
    std::remove(path.c_str());
    CHECK_THROWS_AS(contentsOfFile(path), UnreadableFile);
    try {
        digestOfFile(path);
        FAIL("a digest of nothing");
    } catch (const strobe::ConfigError& error) {
        CHECK(std::string(error.what()).find(path) == 0);
    }
}
