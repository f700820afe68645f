// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"

#include <string>

namespace strobe {

void checkFailed(const char* what, const char* file, int line)
{
    throw InternalError(std::string(what) + " (" + file + ":" + std::to_string(line) + ")");
}

} // namespace strobe
