// SPDX-License-Identifier: Apache-2.0
//
// Reads of zones: from the buffer, from the flash, and zeros.
#include "tests/firmware/ftl/zoned/zoned_script.h"
#include "tests/support/catch.h"

using namespace strobe;
using namespace strobe::test;

TEST_CASE("zones: what was written reads back from buffer and flash, the rest of a zone as zeros")
{
    std::vector<HostCommand> script;
    for (std::uint32_t at = 0; at < zoneSectors; at += 8) {
        script.push_back(write(2 * zoneSectors + at, 8));
        script.push_back(read(2 * zoneSectors, zoneSectors));
    }
    script.push_back(read(3 * zoneSectors, zoneSectors));
    for (const HostStatus status : statusesOf(zonedOptions(), script))
        CHECK(status == ok);
}
