// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/section_file.h"
#include "tests/support/catch.h"

#include <string>
#include <vector>

using namespace strobe;
using namespace strobe::platform;

namespace {

constexpr std::string_view magic = "STRBTEST";

std::string sample()
{
    SectionWriter file;
    file.add("ONE ", "some text");
    file.add("ZERO", "");
    file.add("MANY", std::string(300'000, 'x') + "end");
    return std::move(file).file(magic, 7);
}

std::vector<std::string> readAll(std::string_view bytes)
{
    SectionReader file(bytes, magic, 7, "a drive image");
    std::vector<std::string> sections{file.take("ONE "), file.take("ZERO"), file.take("MANY")};
    file.finish();
    return sections;
}

} // namespace

TEST_CASE("sections come back as they were written, and the same sections give the same file")
{
    const std::string file = sample();
    const std::vector<std::string> sections = readAll(file);
    CHECK(sections[0] == "some text");
    CHECK(sections[1].empty());
    CHECK(sections[2] == std::string(300'000, 'x') + "end");
    CHECK(sample() == file);
    CHECK(file.size() < 1'000); // it is compressed
}

TEST_CASE("a file of sections that is cut off at any byte is refused")
{
    const std::string file = sample();
    for (std::size_t length = 0; length < file.size(); ++length)
        CHECK_THROWS_AS(readAll(std::string_view(file).substr(0, length)), DamagedBytes);
    CHECK_THROWS_WITH(readAll(file + "x"), "it continues after its end");
}

TEST_CASE("a file of sections with any bit flipped is refused")
{
    const std::string file = sample();
    for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
        std::string wrong = file;
        wrong[bit / 8] = static_cast<char>(static_cast<unsigned char>(wrong[bit / 8]) ^ (1U << (bit % 8)));
        CHECK_THROWS_AS(readAll(wrong), DamagedBytes);
    }
}

TEST_CASE("a file of sections names what is wrong with it")
{
    const std::string file = sample();
    CHECK_THROWS_WITH(readAll("something else"), "is not a drive image");
    CHECK_THROWS_WITH(SectionReader(file, magic, 8, "a drive image"), "it has version 7 of the format; 8 can be read");
    SectionReader other(file, magic, 7, "a drive image");
    CHECK_THROWS_WITH(other.take("ZERO"), "it has section \"ONE \" where \"ZERO\" belongs");
    SectionReader unread(file, magic, 7, "a drive image");
    CHECK(unread.left() == 3);
    CHECK_THROWS_WITH(unread.finish(), "it continues after its end");
}
