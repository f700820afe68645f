// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/support/firmware_headers.h"
#include "tests/support/catch.h"

#include <cstring>
#include <string>

TEST_CASE("numbers are printed in full, and text that does not fit is cut off")
{
    text line;
    text_start(&line, "");
    text_number(&line, 0);
    text_add(&line, " ");
    text_number(&line, 18446744073709551615ull);
    CHECK(std::string(line.chars) == "0 18446744073709551615");
    for (int i = 0; i < 100; ++i)
        text_add(&line, "0123456789");
    CHECK(std::strlen(line.chars) == sizeof line.chars - 1);
}

TEST_CASE("a bus address is printed as eight hexadecimal digits")
{
    text line;
    text_start(&line, "at ");
    text_hex(&line, 0x0200C0DE);
    CHECK(std::string(line.chars) == "at 0x0200c0de");
}
