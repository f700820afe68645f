#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// `strobe completion SHELL`: a script for bash or zsh that completes the command line. It is generated from the options
// of the commands, the JSON Schema of scenarios and the names in the scenarios directory. It holds all of them, so that
// pressing Tab starts no program. The commands that are written in Python describe their options themselves
// (`python3 -m strobe --options`); without Python, the script completes only files for them.

#include "platform/app/command_context.h"

namespace strobe::platform {

// Adds the command. To be called when all other commands are there.
void addCompletion(CommandContext& context);

} // namespace strobe::platform
