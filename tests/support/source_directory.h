// SPDX-License-Identifier: Apache-2.0
// Where the source tree is, for tests that read its scenarios, pages and samples. One source knows it, so that the
// objects of all others are the same in every clone and a compiler cache shares them.
#pragma once

#include <string>

namespace strobe::test {

// The absolute path of the tree's root, without a slash at its end. Usable while other sources' globals are made.
const std::string& sourceDirectory();

} // namespace strobe::test
