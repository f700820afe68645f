// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "models/cpu/elf_image.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"

#include <cstring>
#include <fstream>
#include <functional>

using namespace strobe;
using cpu::ElfImage;

namespace {

using Builder = test::ElfBuilder;

ElfImage parsed(const Builder& builder)
{
    return ElfImage::parse(builder.file(), "a.elf");
}

std::string refusal(const std::function<void(Builder&)>& change)
{
    Builder builder;
    change(builder);
    try {
        parsed(builder);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "accepted";
}

bool says(const std::string& text, const std::string& part)
{
    INFO(text);
    return text.rfind("firmware image \"a.elf\": ", 0) == 0 && text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("an image lists its segments and its entry point")
{
    const ElfImage image = parsed(Builder{});
    CHECK(image.entry() == 0x1040);
    CHECK(image.vectorTable() == 0x1000);
    REQUIRE(image.segments().size() == 2);
    const ElfImage::Segment& code = image.segments()[0];
    CHECK(code.address == 0x1000);
    CHECK(code.size == 0x100);
    CHECK(code.executable);
    CHECK_FALSE(code.writable);
    CHECK(code.contents == std::vector<std::byte>{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}});
    CHECK(image.segments()[1].writable);
}

TEST_CASE("segments come in ascending order of address, whatever their order in the file")
{
    Builder builder;
    builder.add(0x0, 0x800, PF_R | PF_W, {});
    const ElfImage image = parsed(builder);
    REQUIRE(image.segments().size() == 3);
    CHECK(image.segments()[0].address == 0);
    CHECK(image.segments()[0].contents.empty());
}

TEST_CASE("an address belongs to the function that covers it, and to none between functions or in data")
{
    const ElfImage image = parsed(Builder{});
    const auto nameAt = [&image](std::uint32_t address) {
        const ElfImage::Symbol* symbol = image.functionAt(address);
        return symbol == nullptr ? std::string() : symbol->name;
    };
    CHECK(nameAt(0x1040) == "_start");
    CHECK(nameAt(0x104E) == "_start");
    CHECK(nameAt(0x1066) == "work");
    CHECK(nameAt(0x2000).empty());
    REQUIRE(image.find("state") != nullptr);
    CHECK(image.find("state")->address == 0x2000);
    CHECK(image.find("nothing") == nullptr);
}

TEST_CASE("a file that is not an ELF file, or is for another machine, is refused with the machine's name")
{
    CHECK(says(refusal([](Builder& b) { b.header.e_ident[0] = 'x'; }), "not an ELF file"));
    CHECK(says(refusal([](Builder& b) { b.header.e_machine = EM_X86_64; }), "made for x86-64 (ELF machine 62)"));
    CHECK(says(refusal([](Builder& b) { b.header.e_machine = EM_ARM; }), "made for Arm"));
    CHECK(says(refusal([](Builder& b) { b.header.e_machine = 999; }), "made for another machine (ELF machine 999)"));
    CHECK(says(refusal([](Builder& b) { b.header.e_ident[EI_CLASS] = ELFCLASS64; }), "64-bit"));
    CHECK(says(refusal([](Builder& b) { b.header.e_ident[EI_DATA] = ELFDATA2MSB; }), "big-endian"));
    CHECK(says(refusal([](Builder& b) { b.header.e_flags = EF_RISCV_FLOAT_ABI_DOUBLE; }), "floating-point"));
}

TEST_CASE("a file that is not an executable at fixed addresses is refused")
{
    CHECK(says(refusal([](Builder& b) { b.header.e_type = ET_REL; }), "not linked to run at fixed addresses"));
    CHECK(says(refusal([](Builder& b) { b.header.e_type = ET_DYN; }), "not position-independent"));
    CHECK(says(refusal([](Builder& b) {
                   b.segments.clear();
                   b.contents.clear();
               }),
               "nothing to load"));
    CHECK(says(refusal([](Builder& b) {
                   for (Elf32_Phdr& row : b.segments)
                       row.p_type = PT_NOTE;
               }),
               "no segment to load"));
    CHECK(says(refusal([](Builder& b) { b.segments[1].p_type = PT_DYNAMIC; }), "dynamically linked"));
}

TEST_CASE("segments that overlap are both named")
{
    CHECK(says(refusal([](Builder& b) { b.add(0x10F0, 0x20, PF_R, {}); }),
               "segments 0x00001000 to 0x000010ff and 0x000010f0 to 0x0000110f overlap"));
    CHECK(refusal([](Builder& b) { b.add(0x1100, 0x20, PF_R, {}); }) == "accepted");
}

TEST_CASE("a segment larger in the file than in memory, or beyond 32 bits, is refused")
{
    CHECK(says(refusal([](Builder& b) { b.segments[0].p_memsz = 3; }), "larger in the file than in memory"));
    CHECK(says(refusal([](Builder& b) { b.segments[1].p_vaddr = 0xFFFFFFF0; }), "beyond the 32-bit address space"));
}

TEST_CASE("an image without a vector table, or with one that mtvec cannot hold, is refused")
{
    CHECK(says(refusal([](Builder& b) { b.symbols.erase(b.symbols.begin()); }), "no symbol \"vector_table\""));
    CHECK(says(refusal([](Builder& b) { b.symbols[0].address = 0x1040; }), "at a multiple of 256"));
    CHECK(says(refusal([](Builder& b) { b.symbols[0].address = 0x2000; }), "has to lie in code"));
}

TEST_CASE("an entry point outside executable segments is refused")
{
    CHECK(says(refusal([](Builder& b) { b.header.e_entry = 0x2000; }), "entry point 0x00002000"));
    CHECK(says(refusal([](Builder& b) { b.header.e_entry = 0x1100; }), "entry point 0x00001100"));
}

TEST_CASE("a file cut off anywhere is refused as truncated, or is too short to be ELF at all")
{
    const std::vector<std::byte> whole = Builder{}.file();
    for (std::size_t length = 1; length < whole.size(); ++length) {
        const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        try {
            ElfImage::parse(part, "a.elf");
            FAIL("accepted " << length << " of " << whole.size() << " bytes");
        } catch (const ConfigError& error) {
            CHECK(says(error.what(), "truncated: the file ends after " + std::to_string(length) + " bytes"));
        }
    }
}

TEST_CASE("a segment outside memory is refused with what memory there is")
{
    const ElfImage image = parsed(Builder{});
    image.mustFit({{"SRAM", {BusAddress{0}, 0x4000}}});
    image.mustFit({{"ROM", {BusAddress{0x1000}, 0x100}}, {"RAM", {BusAddress{0x2000}, 0x20}}});
    try {
        image.mustFit({{"SRAM", {BusAddress{0}, 0x2010}}, {"boot memory", {BusAddress{0x100000}, 0x1000}}});
        FAIL("accepted");
    } catch (const ConfigError& error) {
        CHECK(says(error.what(), "segment 0x00002000 to 0x0000201f does not lie in memory; there is SRAM 0x00000000 to "
                                 "0x0000200f, boot memory 0x00100000 to 0x00100fff"));
    }
}

TEST_CASE("a file that cannot be read, or is empty, is refused with its path")
{
    CHECK_THROWS_WITH(ElfImage::load("/nowhere/a.elf"),
                      "firmware image \"/nowhere/a.elf\": cannot be read: No such file or directory");
    CHECK_THROWS_AS(ElfImage::load("/"), ConfigError);
}
