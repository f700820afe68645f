#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The command line of `strobe`: reads it, runs the command, turns errors into messages and exit codes.

namespace strobe::platform {

int commandLine(int argc, char** argv);

int reportOutOfMemory(); // the exit code

} // namespace strobe::platform
