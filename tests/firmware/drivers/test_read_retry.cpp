// SPDX-License-Identifier: Apache-2.0
//
// The order of read options that are tried, from descriptors alone; with the driver: test_flash.cpp.
#include "tests/firmware/support/fake_hal.h"
#include "tests/support/catch.h"

using namespace strobe::test;

namespace {

struct Bench {
    FakeHal hal;
    read_retry retry{};
    flash_descriptor descriptor{};

    explicit Bench(std::uint32_t options, std::uint32_t senses = 0)
    {
        boot_block boot{};
        boot.channels = 2;
        boot.ways = boot.luns = boot.planes = 1;
        boot.blocks_per_plane = 4;
        boot.retry_options = options;
        boot.soft_senses = senses;
        read_retry_init(&retry, &boot, &hal.arena, 3);
    }
    void fill(flash_opcode opcode = FLASH_READ, std::uint32_t block = 1)
    {
        descriptor.source_blocks = 0;
        flash_fill(&descriptor, 0, opcode, {1, block, 0, false}, 4, FLASH_FOR_HOST);
        read_retry_prepare(&retry, &descriptor);
    }
    bool again(bool isCorrected = false) { return read_retry_again(&retry, 2, &descriptor, isCorrected); }
    bool hasOption() const { return (descriptor.control & FLASH_DESCRIPTOR_CONTROL_READ_OPTION_MASK) != 0; }
    std::uint32_t option() const { return descriptor.source_blocks & 0xFF; }
    std::uint32_t senses() const { return descriptor.source_blocks >> 8 & 0xF; }
    // The options under which a read is tried that is never corrected; soft ones + 100.
    std::vector<std::uint32_t> tried()
    {
        fill();
        std::vector<std::uint32_t> options = {hasOption() ? option() : 0};
        while (again())
            options.push_back(option() + (senses() > 1 ? 100 : 0));
        return options;
    }
};

using Options = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("read retry: all options are tried, then one soft read in the middle of the table, then it has failed")
{
    CHECK(Bench(3).tried() == Options{0, 1, 2, 3});
    CHECK(Bench(3, 5).tried() == Options{0, 1, 2, 3, 102});
    CHECK(Bench(0, 5).tried() == Options{0, 100});
    CHECK(Bench(3, 1).tried() == Options{0, 1, 2, 3}); // a read of one sense is not soft
    const Bench off(0);
    CHECK_FALSE(read_retry_is_on(&off.retry));
}

TEST_CASE("read retry: later reads of the block begin with the option that was good, and go on from there")
{
    Bench b(3, 5);
    b.fill();
    b.again();
    b.again();
    CHECK(b.option() == 2);
    CHECK_FALSE(b.again(true));
    CHECK(b.tried() == Options{2, 3, 0, 1, 102});
    b.fill(FLASH_READ, 2);
    CHECK_FALSE(b.hasOption()); // another block
}

TEST_CASE("read retry: an option that was good at once, or soft, is not a new one; an erase forgets it")
{
    Bench b(3, 5);
    b.fill();
    CHECK_FALSE(b.again(true));
    b.fill();
    CHECK_FALSE(b.hasOption());
    for (int i = 0; i < 4; ++i)
        b.again();
    CHECK(b.senses() == 5);
    CHECK_FALSE(b.again(true));
    b.fill();
    CHECK_FALSE(b.hasOption());
    b.again();
    b.again(true);
    b.fill(FLASH_ERASE);
    CHECK_FALSE(b.again(true));
    b.fill();
    CHECK_FALSE(b.hasOption());
}

TEST_CASE("read retry: programs and erases are not tried again, and the count of retries begins anew")
{
    Bench b(1);
    b.fill(FLASH_PROGRAM);
    CHECK_FALSE(b.again());
    CHECK(b.tried() == Options{0, 1});
    CHECK(b.tried() == Options{0, 1});
}
