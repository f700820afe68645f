// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "models/base/register_bank.h"
#include "tests/support/catch.h"

#include <array>

using namespace strobe;

namespace {

constexpr std::array<RegisterInfo, 4> table{{
    {"CONTROL", 0x00, 1, 4, 0x10, 0x0000FFFF, 0, "low half writable"},
    {"STATUS", 0x04, 1, 4, 0, 0, 0x0000000F, "four flags, write 1 to clear"},
    {"VERSION", 0x08, 1, 4, 0xAB, 0, 0, "read only"},
    {"QUEUE", 0x20, 3, 8, 5, 0xFFFFFFFF, 0, "three queues, eight bytes apart"},
}};

RegisterBank makeBank()
{
    return {table.data(), table.size(), 0x40};
}

std::uint32_t read(RegisterBank& bank, std::uint32_t offset)
{
    std::uint32_t value = 0xDEAD;
    CHECK(bank.read(offset, value) == Access::Ok);
    return value;
}

} // namespace

TEST_CASE("registers start at their reset value and return to it")
{
    RegisterBank bank = makeBank();
    CHECK(read(bank, 0x00) == 0x10);
    CHECK(read(bank, 0x30) == 5);
    bank.write(0x00, 0x99);
    bank.poke(0x08, 1);
    bank.reset();
    CHECK(read(bank, 0x00) == 0x10);
    CHECK(read(bank, 0x08) == 0xAB);
}

TEST_CASE("a write reaches writable bits only")
{
    RegisterBank bank = makeBank();
    CHECK(bank.write(0x00, 0xFFFFFFFF) == Access::Ok);
    CHECK(read(bank, 0x00) == 0x0000FFFF);
    CHECK(bank.write(0x08, 0xFFFFFFFF) == Access::Ok); // ignored, as the hardware would
    CHECK(read(bank, 0x08) == 0xAB);
}

TEST_CASE("writing 1 clears a flag and writing 0 leaves it")
{
    RegisterBank bank = makeBank();
    bank.setBits(0x04, 0x8000000F);
    bank.write(0x04, 0x00000005);
    CHECK(read(bank, 0x04) == 0x8000000A);
    bank.write(0x04, 0xFFFFFFFF);
    CHECK(read(bank, 0x04) == 0x80000000); // this bit does not clear
}

TEST_CASE("only aligned accesses to mapped registers are accepted")
{
    RegisterBank bank = makeBank();
    std::uint32_t value = 77;
    CHECK(bank.read(0x02, value) == Access::Misaligned);
    CHECK(bank.write(0x01, 0) == Access::Misaligned);
    for (const std::uint32_t hole : {0x0CU, 0x24U, 0x38U, 0x40U, 0xFFFFFFFCU}) {
        CHECK(bank.read(hole, value) == Access::Unmapped);
        CHECK(bank.write(hole, 0) == Access::Unmapped);
    }
    CHECK(value == 77);
}

TEST_CASE("hooks see the element of an array and the value as written")
{
    RegisterBank bank = makeBank();
    std::uint32_t lastElement = 99;
    std::uint32_t lastValue = 0;
    bank.onWrite(0x20, [&](std::uint32_t element, std::uint32_t value) {
        lastElement = element;
        lastValue = value;
    });
    bank.onRead(0x20, [](std::uint32_t element) { return 100 + element; });
    bank.write(0x28, 42);
    CHECK(lastElement == 1);
    CHECK(lastValue == 42);
    CHECK(read(bank, 0x30) == 102);
    CHECK(bank.peek(0x28) == 42); // stored before the hook, and no hook on peek

    bank.onWrite(0x04, [&](std::uint32_t, std::uint32_t value) { lastValue = value; });
    bank.write(0x04, 0xFFFF0000);
    CHECK(lastValue == 0xFFFF0000); // before masking
}

TEST_CASE("the device side reaches only mapped registers")
{
    RegisterBank bank = makeBank();
    CHECK_THROWS_AS(bank.peek(0x0C), InternalError);
    CHECK_THROWS_AS(bank.poke(0x44, 1), InternalError);
    CHECK_THROWS_AS(bank.peek(0x02), InternalError);
    CHECK_THROWS_AS(bank.onRead(0x0C, {}), InternalError);
}

TEST_CASE("a table that overlaps or leaves its bank is an internal error")
{
    constexpr std::array<RegisterInfo, 2> overlapping{{{"A", 0x00, 2, 4, 0, 0, 0, ""}, {"B", 0x04, 1, 4, 0, 0, 0, ""}}};
    CHECK_THROWS_AS(RegisterBank(overlapping.data(), overlapping.size(), 0x10), InternalError);
    CHECK_THROWS_AS(RegisterBank(table.data(), table.size(), 0x30), InternalError);
}
