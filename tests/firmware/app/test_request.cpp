// SPDX-License-Identifier: Apache-2.0
//
// The status of a command before it begins, shared by all translation layers.
#include "tests/firmware/support/firmware_headers.h"
#include "tests/support/catch.h"

namespace {

constexpr std::uint64_t capacity = 0x100000010;

host_status check(std::uint32_t kind, std::uint64_t lba, std::uint32_t sectors, bool readOnly = false)
{
    host_command command{};
    command.kind = kind;
    command.lba_lo = static_cast<std::uint32_t>(lba);
    command.lba_hi = static_cast<std::uint32_t>(lba >> 32U);
    command.sectors = sectors;
    CHECK(request_lba(&command) == lba);
    return request_check(&command, capacity, readOnly);
}

} // namespace

TEST_CASE("a command inside the drive is served, up to its last sector")
{
    for (const std::uint32_t kind : {HOST_READ, HOST_WRITE, HOST_TRIM}) {
        CHECK(check(kind, 0, 1) == HOST_OK);
        CHECK(check(kind, capacity - 8, 8) == HOST_OK);
        CHECK(check(kind, capacity - 8, 9) == HOST_OUT_OF_RANGE);
        CHECK(check(kind, capacity, 0) == HOST_OK);
        CHECK(check(kind, capacity, 1) == HOST_OUT_OF_RANGE);
        CHECK(check(kind, capacity + 1, 0) == HOST_OUT_OF_RANGE);
        CHECK(check(kind, ~std::uint64_t{0}, 0xFFFFFFFF) == HOST_OUT_OF_RANGE); // no overflow
    }
}

TEST_CASE("the address of a flush has no meaning")
{
    CHECK(check(HOST_FLUSH, capacity + 5, 8) == HOST_OK);
}

TEST_CASE("unknown commands are not supported, wherever they are; a flag is not a part of the kind")
{
    CHECK(check(0, 0, 1) == HOST_NOT_SUPPORTED);
    CHECK(check(HOST_TRIM + 1, capacity + 1, 1) == HOST_NOT_SUPPORTED);
    CHECK(check(HOST_WRITE | HOST_COMMAND_KIND_FUA_MASK, 0, 1) == HOST_OK);
}

TEST_CASE("a read-only drive refuses what would change it, and reports a wrong address first")
{
    CHECK(check(HOST_WRITE, 0, 1, true) == HOST_DEVICE_FAULT);
    CHECK(check(HOST_TRIM, 0, 1, true) == HOST_DEVICE_FAULT);
    CHECK(check(HOST_READ, 0, 1, true) == HOST_OK);
    CHECK(check(HOST_FLUSH, 0, 0, true) == HOST_OK);
    CHECK(check(HOST_WRITE, capacity, 1, true) == HOST_OUT_OF_RANGE);
}
