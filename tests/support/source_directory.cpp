// SPDX-License-Identifier: Apache-2.0
#include "tests/support/source_directory.h"

namespace strobe::test {

const std::string& sourceDirectory()
{
    static const std::string directory = STROBE_SOURCE_DIR;
    return directory;
}

} // namespace strobe::test
