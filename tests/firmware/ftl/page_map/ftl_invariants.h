#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Invariants of the translation layer's tables whenever the firmware sleeps. Throws std::runtime_error.

struct ftl;

namespace strobe::test {

void checkTables(const ftl& ftl); // at any time
void checkAtRest(const ftl& ftl); // when nothing is in progress: also that no work is left

} // namespace strobe::test
