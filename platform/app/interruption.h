#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C (SIGINT, SIGTERM) ends a command with the results so far. A second one ends the program at once.

namespace strobe::platform {

void catchInterruptions(); // from now on

int interruption(); // the signal that came; 0: none

// 128 and the signal, if one came, instead of `otherwise`.
int exitCodeAfter(int otherwise);

} // namespace strobe::platform
