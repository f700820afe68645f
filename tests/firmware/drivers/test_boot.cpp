// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/boot_block.h"
#include "tests/firmware/support/fake_hal.h"
#include "tests/firmware/support/firmware_headers.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string>

using namespace strobe;

namespace {

boot_block goodBoot()
{
    boot_block boot{};
#define INITIAL(member, value) boot.member = (value);
    BOOT_BLOCK_WORDS(INITIAL)
#undef INITIAL
    boot.channels = boot.ways = boot.luns = boot.planes = 1;
    boot.blocks_per_plane = 8;
    boot.pages_per_block = 4;
    boot.page_bytes = boot.mapping_unit = 2048;
    boot.program_pages = boot.row_planes = boot.superblock_dies = 1;
    boot.units = 1;
    boot.host_slots = 32;
    return boot;
}

template <class Change>
std::string problem(Change change)
{
    boot_block boot = goodBoot();
    change(boot);
    const char* text = boot_problem(&boot);
    return text == nullptr ? "" : text;
}

// The words of the boot block that firmware reads, by the name of the struct's member.
std::map<std::string, std::uint32_t> wordsOf(const boot_block& boot)
{
    std::map<std::string, std::uint32_t> words;
#define WORD(member, value) words[#member] = boot.member;
    BOOT_BLOCK_WORDS(WORD)
#undef WORD
    return words;
}

std::string lowerCase(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
}

} // namespace

TEST_CASE("a valid boot block has no problem")
{
    CHECK(problem([](boot_block&) {}) == "");
    CHECK(problem([](boot_block& b) { b.cores = 2; }) == "");
}

TEST_CASE("each invalid boot block has its message")
{
    CHECK(problem([](boot_block& b) { b.magic = 1; }) == "boot block: wrong magic");
    CHECK(problem([](boot_block& b) { ++b.version; }) == "boot block: the layout version is not that of this firmware");
    CHECK(problem([](boot_block& b) { b.ways = 0; }) == "boot block: WAYS must be 1 to 64");
    CHECK(problem([](boot_block& b) { b.ways = 65; }) == "boot block: WAYS must be 1 to 64");
    CHECK(problem([](boot_block& b) { b.pages_per_block = 1; }) == "boot block: PAGES_PER_BLOCK must be 2 to 65535");
    for (const std::uint32_t bytes : {0U, 513U, 33U * 512U}) {
        CHECK(problem([bytes](boot_block& b) { b.page_bytes = bytes; }) ==
              "boot block: PAGE_BYTES must be 512 to 16384, a multiple of 512");
    }
    CHECK(problem([](boot_block& b) { b.channels = b.ways = 64, b.blocks_per_plane = 1 << 20; }) ==
          "boot block: more than 2^32 pages");
    CHECK(problem([](boot_block& b) { b.units = 0; }) == "boot block: UNITS must be 1 to 4096");
    CHECK(problem([](boot_block& b) { b.cores = 0; }) == "boot block: CORES must be 1 or 2");
    CHECK(problem([](boot_block& b) { b.cores = 3; }) == "boot block: CORES must be 1 or 2");
    CHECK(problem([](boot_block& b) { b.host_slots = 0; }) == "boot block: HOST_SLOTS must be 1 to 65535");
    CHECK(problem([](boot_block& b) { b.overprovision_permille = 901; }) ==
          "boot block: OVERPROVISION_PERMILLE must be 0 to 900");
    for (const std::uint32_t order : {0x3211U, 0x13210U}) {
        CHECK(problem([order](boot_block& b) { b.allocation_order = order; }) ==
              "boot block: ALLOCATION_ORDER must name each of the four dimensions once");
    }
    CHECK(problem([](boot_block& b) { b.gc_policy = 2; }) ==
          "boot block: GC_POLICY must be 0 (greedy) or 1 (cost-benefit)");
    CHECK(problem([](boot_block& b) { b.completion = 2; }) ==
          "boot block: COMPLETION must be 0 (write-back) or 1 (write-through)");
    CHECK(problem([](boot_block& b) { b.flush_handling = 3; }) ==
          "boot block: FLUSH_HANDLING must be 0 (merge), 1 (park) or 2 (ignore)");
    CHECK(problem([](boot_block& b) { b.read_polls = 101; }) == "boot block: READ_POLLS must be 0 to 100");
    CHECK(problem([](boot_block& b) { b.serial_writes = 2; }) == "boot block: SERIAL_WRITES must be 0 or 1");
    CHECK(problem([](boot_block& b) { b.completion = 0, b.serial_writes = 1; }) ==
          "boot block: SERIAL_WRITES requires completion write-through");
    CHECK(problem([](boot_block& b) { b.buffer_base = 256; }) == "boot block: BUFFER_BASE must be a multiple of 512");
}

TEST_CASE("firmware reads each word of the boot block that the platform wrote under that name")
{
    cpu::BootBlock written;
    std::map<std::string, std::uint32_t> expected;
    std::uint32_t value = 0xB0070001;
    for (const cpu::BootWord& word : cpu::bootWords) {
        written.*word.member = value;
        expected[lowerCase(word.name)] = value;
        value += 0x101;
    }
    boot_block read{};
    written.fill(reinterpret_cast<std::byte*>(&read));
    CHECK(wordsOf(read) == expected);
    // By hand, so that a name and its place cannot move together in both generated headers.
    CHECK(read.magic == written.magic);
    CHECK(read.gc_low_blocks == written.gcLowBlocks);
    CHECK(read.gc_idle_blocks == written.gcIdleBlocks);
    CHECK(read.start_gap_interval == written.startGapInterval);
}

TEST_CASE("firmware starts from the words that the platform sets, where it sets none")
{
    boot_block read{};
    cpu::BootBlock{}.fill(reinterpret_cast<std::byte*>(&read));
    boot_block initial{};
#define INITIAL(member, value) initial.member = (value);
    BOOT_BLOCK_WORDS(INITIAL)
#undef INITIAL
    CHECK(wordsOf(read) == wordsOf(initial));
    CHECK(read.allocation_order == 0x3210);
}
