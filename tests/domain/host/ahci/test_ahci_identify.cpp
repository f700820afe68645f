// SPDX-License-Identifier: Apache-2.0
#include "models/host/ahci/ahci_identify.h"
#include "tests/support/catch.h"

#include <string>

using namespace strobe::host::ahci;

namespace {

std::string textOf(const IdentifyWords& words, std::size_t first, std::size_t count)
{
    std::string text;
    for (std::size_t i = first; i < first + count; ++i)
        text += {static_cast<char>(words[i] >> 8), static_cast<char>(words[i] & 0xFF)};
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

} // namespace

TEST_CASE("IDENTIFY data names the drive, and its capacity in 28 and 48 bits")
{
    const IdentifyWords small = identifyDevice({0x123'4567, 32, true, true});
    CHECK(textOf(small, 27, 20) == "Strobe SSD");
    CHECK(textOf(small, 10, 10) == "1");
    CHECK((small[60] | std::uint32_t{small[61]} << 16) == 0x123'4567);
    const IdentifyWords large = identifyDevice({0x1'2345'6789, 32, true, true});
    CHECK((large[60] | std::uint32_t{large[61]} << 16) == 0x0FFF'FFFF);
    CHECK((large[100] | std::uint64_t{large[101]} << 16 | std::uint64_t{large[102]} << 32) == 0x1'2345'6789);
    CHECK((large[0] & 0x8000) == 0);
    CHECK((large[83] & 0xC000) == 0x4000); // the word is valid
}

TEST_CASE("IDENTIFY data says what the drive has: queue depth, trim, activation, cache")
{
    const IdentifyWords all = identifyDevice({1000, 32, true, true});
    CHECK(all[75] == 31);
    CHECK((all[76] & 0x0100) != 0); // NCQ
    CHECK(all[169] == 1);
    CHECK(all[217] == 1);
    CHECK((all[78] & 4) != 0);
    CHECK((all[82] & 0x20) != 0);
    CHECK((all[85] & 0x20) != 0);
    CHECK((all[86] & 0x3400) == 0x3400); // flushes and 48-bit addresses
    const IdentifyWords few = identifyDevice({1000, 8, false, false});
    CHECK(few[75] == 7);
    CHECK((few[78] & 4) == 0);
    CHECK((few[85] & 0x20) == 0);
}
