#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Serves the drive of a scenario to one client of the qtest protocol: a line per command, an answer per line (OK and
// a value). Until the input ends.
//
// Errors: QtestError with the number of the line for what the protocol does not allow, after the answer FAIL with the
// reason; the same for a line of more than two megabytes, a last line without its end, and input that cannot be read.
// QtestError, too, for an answer that cannot be written: the caller ignores SIGPIPE. Those of PciMachine, after FAIL.

#include "platform/config/scenario.h"
#include "platform/serve/qtest_line.h"

namespace strobe::platform::serve {

void serveQtest(const Scenario& scenario, int input, int output); // descriptors

} // namespace strobe::platform::serve
