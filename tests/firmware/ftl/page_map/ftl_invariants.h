#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What must hold in the translation layer's tables whenever the firmware sleeps. Throws std::runtime_error.

struct ftl;

namespace strobe::test {

void checkTables(const ftl& ftl); // at any time
void checkAtRest(const ftl& ftl); // when nothing is under way: also that nothing was forgotten

} // namespace strobe::test
