// SPDX-License-Identifier: Apache-2.0
//
// Lines of the qtest protocol. Input: the bytes of the connection.
#include "platform/serve/qtest_line.h"
#include "tests/fuzz/target.h"

#include <sstream>

using namespace strobe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::istringstream lines(std::string(fuzz::textOf(data, size)));
    for (std::string line; std::getline(lines, line);) {
        try {
            platform::serve::parseQtest(line);
        } catch (const platform::serve::QtestError&) { // as it should be
        }
    }
    return 0;
}
