// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/qtest_line.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe::platform::serve;
using Kind = QtestCommand::Kind;

namespace {

std::string errorOf(const std::string& line)
{
    try {
        parseQtest(line);
    } catch (const QtestError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("accesses have the size of their letter, numbers are decimal or hexadecimal")
{
    const QtestCommand read = parseQtest("readq 0xfe000008");
    CHECK(read.kind == Kind::Read);
    CHECK(read.address == 0xFE00'0008);
    CHECK(read.bytes == 8);
    const QtestCommand write = parseQtest("writew 4096 65535");
    CHECK(write.kind == Kind::Write);
    CHECK(write.address == 4096);
    CHECK(write.bytes == 2);
    CHECK(write.value == 0xFFFF);
    CHECK(parseQtest("inb 0xcff").kind == Kind::In);
    CHECK(parseQtest("outl 0xcf8 0x80002000").value == 0x8000'2000);
    CHECK(parseQtest("writeq 0 0xffffffffffffffff").value == ~std::uint64_t{0});
    CHECK(parseQtest("clock_step 1000").value == 1000);
}

TEST_CASE("bytes of memory are hexadecimal digits, or one value")
{
    const QtestCommand write = parseQtest("write 0x10 3 0x00ff7a");
    CHECK(write.kind == Kind::WriteBytes);
    CHECK(write.data == std::vector{std::byte{0}, std::byte{0xFF}, std::byte{0x7A}});
    CHECK(parseQtest("memset 0 2 0xee").data == std::vector(2, std::byte{0xEE}));
    CHECK(parseQtest("read 0 1048576").bytes == mostQtestBytes);
}

TEST_CASE("a line that is no command says what is wrong")
{
    CHECK(errorOf("") == "command is missing");
    CHECK(errorOf("readl") == "address is missing");
    CHECK(errorOf("readl 12x") == "address: \"12x\" is not a number up to 18446744073709551615");
    CHECK(errorOf("readl -1") == "address: \"-1\" is not a number up to 18446744073709551615");
    CHECK(errorOf("readl 0 0") == "\"0\" follows the command");
    CHECK(errorOf("writeb 0 256") == "value: \"256\" is not a number up to 255");
    CHECK(errorOf("inl 65536") == "port: \"65536\" is not a number up to 65535");
    CHECK(errorOf("read 0 1048577") == "number of bytes: \"1048577\" is not a number up to 1048576");
    CHECK(errorOf("write 0 2 0xff") == "data: must be 0x and 4 hexadecimal digits");
    CHECK(errorOf("write 0 1 0x-1") == "data: \"-1\" is not two hexadecimal digits");
    CHECK(errorOf("memset 0 1 256") == "value: \"256\" is not a number up to 255");
    CHECK(errorOf("clock_step 1000000000001") == "nanoseconds: \"1000000000001\" is not a number up to 1000000000000");
    CHECK(errorOf("irq_intercept_in ioapic").rfind("the command \"irq_intercept_in\" is unknown; ", 0) == 0);
    CHECK(errorOf("a\tb\x80").rfind("the command \"a?b?\" is unknown; ", 0) == 0);
}
