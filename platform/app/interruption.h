#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C (SIGINT, SIGTERM) ends a command with the results so far. A second one ends the program at once. So does the
// first one if, while a drive is simulated, the program does not ask for it within a second: native firmware that loops
// without calling the HAL keeps everything from running. Then there are no results.

namespace strobe::platform {

void catchInterruptions(); // from now on

int interruption(); // the signal that came; 0: none

// A simulation runs, during which interruption() is called several times per second, or no longer.
void watchSimulation(bool begins);

// 128 and the signal, if one came, instead of `otherwise`.
int exitCodeAfter(int otherwise);

} // namespace strobe::platform
