// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/proxy_message.h"
#include "tests/modules/qemu/proxy_bytes.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe;
using namespace strobe::test;
using namespace strobe::platform::qemu;

namespace {

constexpr std::int32_t memory = 0;
constexpr std::int32_t writeConfig = 2;
constexpr std::int32_t readConfig = 3;
constexpr std::int32_t writeBar = 4;
constexpr std::int32_t readBar = 5;
constexpr std::int32_t interrupts = 6;
constexpr std::int32_t reset = 7;

ProxyMessage decode(std::int32_t command, const std::vector<std::byte>& payload, std::size_t descriptors = 0)
{
    const ProxyHeader header = decodeProxyHeader(proxyHeader(command, payload.size()), descriptors);
    return decodeProxyMessage(header, payload.data(), descriptors);
}

std::string messageOf(std::int32_t command, const std::vector<std::byte>& payload, std::size_t descriptors = 0)
{
    try {
        decode(command, payload, descriptors);
    } catch (const ProxyError& error) {
        return error.what();
    }
    return "none";
}

std::string headerMessage(std::int32_t command, std::uint64_t payload, std::size_t descriptors = 0)
{
    try {
        decodeProxyHeader(proxyHeader(command, payload), descriptors);
    } catch (const ProxyError& error) {
        return error.what();
    }
    return "none";
}

} // namespace

TEST_CASE("an access to configuration space")
{
    const ProxyMessage write = decode(writeConfig, payloadOf(std::uint32_t{0x10}, std::uint32_t{0xFFFFFFFF}, 4));
    CHECK(write.command == ProxyCommand::WriteConfig);
    CHECK(write.address == 0x10);
    CHECK(write.value == 0xFFFFFFFF);
    CHECK(write.bytes == 4);
    CHECK(write.isAnswered());
    CHECK(decode(readConfig, payloadOf(std::uint32_t{255}, std::uint32_t{0}, 1)).address == 255);
}

TEST_CASE("an access to a BAR")
{
    const ProxyMessage write = decode(writeBar, barPayload(0xFE001000, 0x123456789, 8));
    CHECK(write.command == ProxyCommand::WriteBar);
    CHECK(write.address == 0xFE001000);
    CHECK(write.value == 0x123456789);
    CHECK(write.bytes == 8);
    const ProxyMessage read = decode(readBar, barPayload(~0ULL - 1, 0, 1));
    CHECK(read.command == ProxyCommand::ReadBar);
    CHECK(read.isAnswered());
}

TEST_CASE("as many regions of memory as descriptors")
{
    const ProxyMessage message =
        decode(memory, memoryPayload({{0, 0xC0000, 0}, {0x100000, 0x1FF00000, 0x100000}, {1ULL << 32, 4096, 1}}), 2);
    CHECK_FALSE(message.isAnswered());
    REQUIRE(message.regions.size() == 2);
    CHECK(message.regions[1].address == 0x100000);
    CHECK(message.regions[1].bytes == 0x1FF00000);
    CHECK(message.regions[1].offset == 0x100000);
}

TEST_CASE("messages without contents")
{
    CHECK_FALSE(decode(interrupts, {}, 2).isAnswered());
    CHECK(decode(reset, {}).command == ProxyCommand::Reset);
    CHECK(decode(reset, {}).isAnswered());
}

TEST_CASE("commands that a peer must not send")
{
    CHECK(headerMessage(8, 0) == "command 8; must be 0 or 2 to 7");
    CHECK(headerMessage(-1, 0) == "command -1; must be 0 or 2 to 7");
    CHECK(headerMessage(1, 8) == "command 1; must be 0 or 2 to 7");
    CHECK(headerMessage(INT32_MIN, ~0ULL) == "command -2147483648; must be 0 or 2 to 7");
}

TEST_CASE("sizes that a command does not have")
{
    CHECK(headerMessage(writeBar, 23) == "write of a BAR: 23 bytes; must be 24");
    CHECK(headerMessage(readBar, 0) == "read of a BAR: 0 bytes; must be 24");
    CHECK(headerMessage(memory, ~0ULL, 1) == "memory: 18446744073709551615 bytes; must be 192");
    CHECK(headerMessage(readConfig, 1ULL << 40) == "read of configuration space: 1099511627776 bytes; must be 12");
    CHECK(headerMessage(reset, 8) == "reset: 8 bytes; must be 0");
}

TEST_CASE("descriptors that a command does not have")
{
    CHECK(headerMessage(memory, 192, 0) == "memory: 0 descriptors; must be 1 to 8");
    CHECK(headerMessage(memory, 192, 9) == "memory: 9 descriptors; must be 1 to 8");
    CHECK(headerMessage(interrupts, 0, 1) == "interrupts: 1 descriptors; must be 2");
    CHECK(headerMessage(writeBar, 24, 1) == "write of a BAR: 1 descriptors; must be 0");
}

TEST_CASE("accesses that a bus does not have")
{
    CHECK(messageOf(readBar, barPayload(0, 0, 3)) == "read of a BAR: 3 bytes; must be 1, 2, 4 or 8");
    CHECK(messageOf(writeBar, barPayload(0, 0, 1U << 31U)) == "write of a BAR: 2147483648 bytes; must be 1, 2, 4 or 8");
    CHECK(messageOf(readBar, barPayload(~0ULL, 0, 2)) ==
          "read of a BAR: address 0xffffffffffffffff; must end within 64 bits");
    CHECK(messageOf(readBar, barPayload(0, 0, 4, false)) == "read of a BAR: I/O space; the drive's BARs are memory");
    CHECK(messageOf(readConfig, payloadOf(std::uint32_t{0}, std::uint32_t{0}, -4)) ==
          "read of configuration space: -4 bytes; must be 1, 2 or 4");
    CHECK(messageOf(writeConfig, payloadOf(std::uint32_t{254}, std::uint32_t{0}, 4)) ==
          "write of configuration space: 4 bytes at 0xfe; must be within 256 bytes");
    CHECK(messageOf(readConfig, payloadOf(~0U, std::uint32_t{0}, 1)) ==
          "read of configuration space: 1 bytes at 0xffffffff; must be within 256 bytes");
}

TEST_CASE("regions that cannot be")
{
    CHECK(
        messageOf(memory, memoryPayload({{4096, 0, 0}}), 1) ==
        "memory: region 0: address 0x1000, 0 bytes from offset 0 of its file: must have bytes and end within 64 bits");
    CHECK(messageOf(memory, memoryPayload({{0, 4096, 0}, {~0ULL - 4095, 8192, 0}}), 2).substr(0, 16) ==
          "memory: region 1");
    CHECK(messageOf(memory, memoryPayload({{0, 4096, ~0ULL}}), 1).find("from offset -1 ") != std::string::npos);
    CHECK(messageOf(memory, memoryPayload({{0, 4096, INT64_MAX}}), 1) != "none");
}

TEST_CASE("an answer")
{
    const ProxyAnswer answer = encodeProxyAnswer(0x1122334455667788);
    const auto expected = payloadOf(std::uint64_t{1}, std::uint64_t{8}, std::uint64_t{0x1122334455667788});
    CHECK(std::vector<std::byte>(answer.begin(), answer.end()) == expected);
}
