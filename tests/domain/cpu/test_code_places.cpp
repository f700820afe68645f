// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/code_places.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"

#include <string>

using namespace strobe;
using namespace strobe::cpu;

TEST_CASE("an address is shown as the symbol that contains it, or as a number without one")
{
    const CodePlaces places(ElfImage::parse(test::ElfBuilder().file(), "none.elf"));
    CHECK(places.at(0x1060) == "work");
    CHECK(places.at(0x1064) == "work+0x4");
    CHECK(places.at(0x9000) == "0x00009000");
    CHECK(places.functionAt(0x1064) == "work");
    CHECK(places.functionAt(0x9000) == "0x00009000");
}

#ifdef STROBE_TEST_IMAGE // there is a compiler for the core
TEST_CASE("in an image with line tables an address has its file and line")
{
    const CodePlaces places(ElfImage::load(STROBE_TEST_IMAGE));
    const ElfImage::Symbol* symbol = places.image().find("hal_external_interrupt");
    REQUIRE(symbol != nullptr);
    const std::string start = places.at(symbol->address);
    INFO(start);
    const std::string file = "hal_external_interrupt (rv32/hal_rv32.c:";
    REQUIRE(start.rfind(file, 0) == 0);
    CHECK(std::stoi(start.substr(file.size())) > 0);
    CHECK(start.back() == ')');
    const std::string later = places.at(symbol->address + symbol->size - 2);
    INFO(later);
    CHECK(later.rfind("hal_external_interrupt+0x", 0) == 0);
    CHECK(later.find(".c:") != std::string::npos);
    CHECK(later != start);
}
#endif
